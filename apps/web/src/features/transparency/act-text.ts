import type { PrivilegedAct, TransparencySummary } from "@aqua/sdk/api/transparency";
import { t } from "../../i18n/i18n.ts";
import { callText } from "./call-text.ts";
import { textValues } from "./text-values.ts";

/** Acts that have their own sentence. Other acts are shown with their name and arguments from the chain. */
const namedActs = [
  "OperationScheduled",
  "OperationCanceled",
  "RecoveryProposed",
  "RecoveryVetoed",
  "RecoveryCancelled",
  "Retired",
  "RoleGranted",
  "RoleRevoked",
  "RoleLabel",
  "ProductListed",
  "ProductStatusChanged",
  "ProductMetadataChanged",
  "FrozenSet",
  "CapChanged",
  "MinDepositChanged",
  "PausedUntil",
  "QueueSet",
  "CustodianChanged",
  "TreasuryChanged",
  "LossReviewed",
  "LossConfirmed",
  "LossTakenBack",
  "LossRestored",
  "EvidenceRenewed",
  "Deployed",
  "Skimmed",
  "TermAdded",
  "TermChanged",
  "TermLimitsChanged",
  "TermPausedUntil",
  "TermEvidenceRenewed",
  "TermInterestFunded",
  "TermInterestWithdrawn",
  "TermDeployed",
  "TermLossReviewed",
  "TermLossConfirmed",
  "TermLossTakenBack",
  "TermLossBooked",
  "TermWindingDown",
  "KeyRegistered",
  "KeyDropped",
  "KeyRevoked",
] as const;
type NamedAct = (typeof namedActs)[number];

/**
 * Describes an act as a sentence. Amounts are in the product's unit; for an unknown product they are in smallest units,
 * as on chain.
 */
export function actText(act: PrivilegedAct, summary: TransparencySummary | undefined): string {
  const { args } = act;
  const name = namedActs.find((candidate): candidate is NamedAct => candidate === act.name);
  if (!name)
    return [act.name, ...Object.entries(args).map(([key, value]) => `${key} ${value}`)].join(", ").slice(0, 300);
  const values = textValues(args, { ...act, summary });
  if (act.call) values.call = callText(act.call, { ...act, summary });
  return t(`transparency.act.${variant(name, args)}`, values);
}

/** Chooses between two opposite sentences if the arguments decide which one applies. */
function variant(name: NamedAct, args: Record<string, string>) {
  if (name === "ProductStatusChanged") return args.status === "0" ? "ProductOpened" : "ProductClosed";
  if (name === "FrozenSet") return args.frozen === "true" ? "Frozen" : "Unfrozen";
  if (name === "TermChanged") return args.open === "true" ? "TermOpen" : "TermClosed";
  if ((name === "PausedUntil" || name === "TermPausedUntil") && args.until === "0") return "Unpaused";
  if (name === "RoleGranted" && args.delay && args.delay !== "0") return "RoleGrantedDelayed";
  if (name === "TermEvidenceRenewed") return "EvidenceRenewed";
  return name === "TermPausedUntil" ? "PausedUntil" : name;
}
