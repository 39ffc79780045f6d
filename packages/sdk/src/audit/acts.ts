import { atTime, subjectOf } from "./common.ts";
import type { AuditEvent } from "./events.ts";
import type { ActRow } from "./rows.ts";

/**
 * What a site must list as acts of those who hold a role. Every event of a recovery is listed too, and what anyone may
 * do that moves money to the operator.
 */
const listed: { readonly [Kind in AuditEvent["kind"]]?: readonly string[] } = {
  access_manager: [
    ...["RoleGranted", "RoleRevoked", "RoleLabel"],
    ...["OperationScheduled", "OperationExecuted", "OperationCanceled"],
  ],
  product_registry: ["ProductListed", "ProductStatusChanged", "ProductMetadataChanged"],
  identity_registry: ["FrozenSet", "RecoveryProposed", "RecoveryVetoed", "RecoveryCancelled", "Retired"],
  telemetry_anchor: ["KeyRegistered", "KeyDropped", "KeyRevoked"],
  vault: [
    ...["CapChanged", "MinDepositChanged", "PausedUntil", "QueueSet", "CustodianChanged", "TreasuryChanged"],
    ...["LossReviewed", "LossConfirmed", "LossTakenBack", "LossRestored", "EvidenceRenewed", "Deployed", "Skimmed"],
  ],
  former_vault: ["LossTakenBack"],
  term: [
    ...["TermAdded", "TermChanged", "LimitsChanged", "PausedUntil", "EvidenceRenewed"],
    ...["InterestFunded", "InterestWithdrawn", "Deployed", "WindingDown"],
    ...["LossReviewed", "LossConfirmed", "LossTakenBack", "LossBooked"],
  ],
};

/** Names of arguments in the API, where they differ from the contract's. Null: the API does not name them. */
const namesInApi: { readonly [Name in string]?: string | null } = {
  ...{ roleId: "role", streamStart: "start", streamEnd: "end" },
  ...{ newMember: null },
};
/** Arguments that hold a time in seconds. */
const times = new Set([
  ...["until", "since", "schedule", "delay", "validFrom", "executableAt", "expiresAt", "lossUntil"],
  ...["streamStart", "streamEnd", "asOf"],
]);

/** Name and arguments of an act as the API lists them. Null for an event that is no such act. */
export function actOf({ kind, eventName, args }: AuditEvent): Pick<ActRow, "name" | "args"> | null {
  if (!listed[kind]?.includes(eventName)) return null;
  const isOfTerm = kind === "term" && !eventName.startsWith("Term");
  const texts = Object.entries(args ?? {}).flatMap(([name, value]): [string, string][] => {
    const known = namesInApi[name] === undefined ? name : namesInApi[name];
    // A vault's custodian is in its settings; money can be deployed to nobody else.
    if (known === null || (kind === "vault" && eventName === "Deployed" && name === "custodian")) return [];
    return [[known, textOf(name, value)]];
  });
  if (kind === "former_vault") texts.push(["lossUntil", "0"]);
  return { name: isOfTerm ? `Term${eventName}` : eventName, args: Object.fromEntries(texts) };
}

function textOf(name: string, value: unknown): string {
  if (name === "subject") return subjectOf(value as bigint);
  if (times.has(name)) return String(atTime(value as bigint));
  // Addresses are lower case. The texts of a role and of a product are as they were written.
  return typeof value === "string" && value.startsWith("0x") ? value.toLowerCase() : String(value);
}
