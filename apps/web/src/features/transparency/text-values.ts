import type { TransparencySummary } from "@aqua/sdk/api/transparency";
import { timeUnits } from "@aqua/sdk/maths/term";
import { formatUnits } from "@aqua/sdk/maths/units";
import { formatAmount, formatDateTime, formatDuration, formatRate, shortenAddress } from "../../i18n/format.ts";
import { language, t } from "../../i18n/i18n.ts";
import { contractName } from "./contract-name.ts";
import { roleName } from "./role-name.ts";

const rateDigits = 18;
/** Caps from this value on mean "unlimited": contracts use such values for "as much as there is". */
const noLimit = 2n ** 100n;
/** Arguments of events and functions, grouped by their meaning. */
const units = ["assets", "amount", "cap", "minDeposit", "claims", "cash", "newCap", "newMinDeposit"] as const;
const rates = ["buffer", "fee", "rate", "breakRate", "penalty", "newBuffer", "newFee"] as const;
const moments = ["until", "since", "validFrom", "schedule", "executableAt"] as const;
const addresses = [
  ...(["account", "custodian", "treasury", "queue", "wallet", "successor"] as const),
  ...(["newCustodian", "newTreasury", "newQueue", "newAuthority", "caller", "product"] as const),
];

const whole = (value: string | undefined) => (value !== undefined && /^\d+$/.test(value) ? BigInt(value) : null);

export interface TextContext {
  chain_id: number;
  short_id: string | null;
  summary: TransparencySummary | undefined;
}

/**
 * Formats the arguments of an event or call for a reader. Amounts are in the product's unit; for an unknown product
 * they are in smallest units, as on chain.
 */
export function textValues(
  args: Record<string, string>,
  { chain_id, short_id, summary }: TextContext,
): Record<string, string | number> {
  const product = summary?.reserves.find((row) => row.short_id === short_id);
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
  const delay = whole(args.newDelay);
  if (delay !== null) values.newDelay = formatDuration(Number(delay) * 1000);
  if (args.target !== undefined) values.target = targetText(args.target, chain_id, summary);
  for (const key of ["termId", "shortId", "label", "roleId", "selectors"])
    if (args[key] !== undefined) values[key] = args[key];
  const labelOf = (id: string) =>
    summary?.roles.find((role) => role.chain_id === chain_id && role.id === id)?.label ?? null;
  const roleId = args.role ?? args.roleId;
  if (roleId !== undefined) values.role = roleName(roleId, args.label ?? labelOf(roleId));
  // `admin` and `guardian` name the roles that control another role.
  for (const key of ["admin", "guardian"] as const) {
    const id = args[key];
    if (id !== undefined) values[key] = roleName(id, labelOf(id));
  }
  if (args.unit !== undefined && args.count !== undefined) values.term = termText(args.unit, args.count);
  if (args.device !== undefined) values.device = nameText(args.device);
  if (args.kind !== undefined) values.key = keyText(args.kind);
  return values;
}

/** Names a product's contract by the product, a shared contract by its role, and any other contract by its address. */
function targetText(target: string, chainId: number, summary: TransparencySummary | undefined): string {
  const contract = summary?.contracts.find(
    ({ chain_id, address }) => chain_id === chainId && address.toLowerCase() === target.toLowerCase(),
  );
  const product = summary?.reserves.find(({ short_id }) => short_id === contract?.short_id);
  if (contract?.role === "product" && product) return product.name;
  return contract && contract.short_id === null ? contractName(contract.role) : shortenAddress(target);
}

function termText(unit: string, count: string): string {
  const timeUnit = timeUnits[Number(unit)];
  if (!timeUnit) return count;
  return new Intl.NumberFormat(language(), { style: "unit", unit: timeUnit, unitDisplay: "long" }).format(
    Number(count),
  );
}

/** A bytes32 name as text without its zero padding. Any other word is shown as on chain. */
function nameText(word: string): string {
  const bytes = word.slice(2).match(/../g) ?? [];
  const text = String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16))).replace(/\0+$/, "");
  return /^[a-z0-9][a-z0-9-]{0,30}$/.test(text) ? text : word;
}

/** The contract numbers the kinds of keys: 1 is P-256, 2 is secp256k1. */
function keyText(kind: string): string {
  return kind === "1" ? "P-256" : kind === "2" ? "secp256k1" : kind;
}
