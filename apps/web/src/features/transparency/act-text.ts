import type { PrivilegedAct, TransparencySummary } from "@aqua/sdk/api/transparency";
import { timeUnits } from "@aqua/sdk/maths/term";
import { formatUnits } from "@aqua/sdk/maths/units";
import { formatAmount, formatDateTime, formatRate, shortenAddress } from "../../i18n/format.ts";
import { language, t } from "../../i18n/i18n.ts";

/** Acts with a sentence of their own; others are shown with their name and arguments as on chain. */
const namedActs = [
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
  "EvidenceRenewed",
  "Deployed",
  "Skimmed",
  "Unsent",
  "TermAdded",
  "TermChanged",
  "TermLimitsChanged",
  "TermPausedUntil",
  "TermEvidenceRenewed",
  "TermInterestFunded",
  "TermInterestWithdrawn",
  "TermDeployed",
  "TermLossBooked",
  "TermWindingDown",
  "KeyRegistered",
  "KeyDropped",
  "KeyRevoked",
] as const;
type NamedAct = (typeof namedActs)[number];

const knownRoles = [
  "admin",
  "owner",
  "guardian",
  "attester",
  "reporter",
  "treasurer",
  "anchorer",
  "registrar",
  "confirmer",
  "editor",
] as const;
type KnownRole = (typeof knownRoles)[number];

/** A role of ours by its label on chain; role 0 is the AccessManager's own. Null for an unknown role. */
export function knownRole(id: string, label: string | null): KnownRole | null {
  if (id === "0") return "admin";
  return knownRoles.find((role) => role === label?.toLowerCase()) ?? null;
}

/** The name of a role in the reader's language; for an unknown role its label on chain, else its number. */
export function roleName(id: string, label: string | null): string {
  const known = knownRole(id, label);
  return known ? t(`transparency.role.${known}`) : (label ?? t("transparency.role.number", { id }));
}

const rateDigits = 18;
/** Caps from here on are unlimited: contracts use such a value for "as much as there is". */
const noLimit = 2n ** 100n;
const units = ["assets", "amount", "cap", "minDeposit", "claims", "cash"] as const;
const rates = ["buffer", "fee", "rate", "breakRate", "penalty"] as const;
const moments = ["until", "since", "validFrom"] as const;
const addresses = ["account", "custodian", "treasury", "queue", "wallet"] as const;

const whole = (value: string | undefined) => (value !== undefined && /^\d+$/.test(value) ? BigInt(value) : null);

/**
 * What was done, as a sentence. Amounts are in the product's unit; for an unknown product in smallest units, as on
 * chain.
 */
export function actText(act: PrivilegedAct, summary: TransparencySummary | undefined): string {
  const { args } = act;
  const name = namedActs.find((one): one is NamedAct => one === act.name);
  if (!name)
    return [act.name, ...Object.entries(args).map(([key, value]) => `${key} ${value}`)].join(", ").slice(0, 300);
  const product = summary?.reserves.find((row) => row.short_id === act.short_id);
  const amount = (value: bigint) => {
    if (value >= noLimit) return t("transparency.act.noLimit");
    if (!product) return t("transparency.act.smallest", { amount: value.toString() });
    return `${formatAmount(formatUnits(value, product.decimals), { digits: product.decimals, minDigits: 0 })} ${product.symbol}`;
  };
  const values: Record<string, string | number> = {};
  for (const key of units) {
    const value = whole(args[key]);
    if (value !== null) values[key] = amount(value);
  }
  for (const key of rates) {
    const value = whole(args[key]);
    if (value !== null) values[key] = formatRate(formatUnits(value, rateDigits));
  }
  for (const key of moments) {
    const value = whole(args[key]);
    if (value !== null) values[key] = formatDateTime(Number(value) * 1000);
  }
  for (const key of addresses) if (args[key]) values[key] = shortenAddress(args[key]);
  for (const key of ["termId", "shortId", "label"]) if (args[key] !== undefined) values[key] = args[key];
  if (args.role !== undefined) {
    const role = summary?.roles.find((one) => one.chain_id === act.chain_id && one.id === args.role);
    values.role = roleName(args.role, args.label ?? role?.label ?? null);
  }
  if (name === "TermAdded") values.term = termText(args);
  if (args.device !== undefined) values.device = nameText(args.device);
  if (name === "KeyRegistered") values.key = keyText(args);
  return t(`transparency.act.${variant(name, args)}`, values);
}

/** Acts whose arguments decide between two opposite sentences. */
function variant(name: NamedAct, args: Record<string, string>) {
  if (name === "ProductStatusChanged") return args.status === "0" ? "ProductOpened" : "ProductClosed";
  if (name === "FrozenSet") return args.frozen === "true" ? "Frozen" : "Unfrozen";
  if (name === "TermChanged") return args.open === "true" ? "TermOpen" : "TermClosed";
  if ((name === "PausedUntil" || name === "TermPausedUntil") && args.until === "0") return "Unpaused";
  if (name === "RoleGranted" && args.delay && args.delay !== "0") return "RoleGrantedDelayed";
  if (name === "TermEvidenceRenewed") return "EvidenceRenewed";
  return name === "TermPausedUntil" ? "PausedUntil" : name;
}

function termText(args: Record<string, string>): string {
  const unit = timeUnits[Number(args.unit)];
  if (!unit) return args.count ?? "";
  return new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "long" }).format(Number(args.count));
}

/** A bytes32 name as text, without its zero padding; anything else is shown as on chain. */
function nameText(word: string): string {
  const bytes = word.slice(2).match(/../g) ?? [];
  const text = String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16))).replace(/\0+$/, "");
  return /^[a-z0-9][a-z0-9-]{0,30}$/.test(text) ? text : word;
}

/** The contract's numbering: 1 is P-256, 2 secp256k1. */
function keyText(args: Record<string, string>): string {
  return args.kind === "1" ? "P-256" : args.kind === "2" ? "secp256k1" : (args.kind ?? "");
}
