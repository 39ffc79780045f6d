import type { CallAct, ProductAct, ProductOnChain } from "@aqua/contracts/deploy/product";
import { stateOf, transactionNow } from "@aqua/contracts/deploy/product";
import { grouped, momentText } from "@aqua/contracts/deploy/settingText";
import type { Setting } from "@aqua/contracts/deploy/steps";
import { DAY, HOUR } from "@aqua/sdk/durations";
import type { Hex } from "viem";
import type { ProductFile } from "./file.ts";

/** Longer call data, which is that of a creation, is whole only in JSON. */
const MAX_SHOWN_DATA = 4_000;

const typeText = ({ product: { type } }: ProductFile) =>
  type === "demand_deposit" ? "demand deposit" : "time deposit";

/** "2 days", "36 hours" or "90 seconds". */
export function durationText(seconds: number): string {
  const [size, unit] = seconds % DAY === 0 ? [DAY, "day"] : seconds % HOUR === 0 ? [HOUR, "hour"] : [1, "second"];
  return `${seconds / size} ${unit}${seconds === size ? "" : "s"}`;
}

/** "deposit cap: 1 000 000 → 2 000 000 USDC" */
export function settingText({ name, found, wanted }: Setting): string {
  const unit = /^[\d .]+( [A-Za-z]\S*)$/;
  const [, one] = unit.exec(found) ?? [];
  const [, other] = unit.exec(wanted) ?? [];
  return `${name}: ${one !== undefined && one === other ? found.slice(0, -one.length) : found} → ${wanted}`;
}

/** Where and how a product is on its chain. */
export function headText(file: ProductFile, found: ProductOnChain): string {
  const { listing, address, pausedUntil } = found;
  const facts: [string, string][] = [
    ["Product", `${file.product.shortId}, ${typeText(file)} on chain ${file.chainId}`],
    ["Contract", listing === null ? `${address}, not listed yet` : address],
    ["Deposits", depositsText(found)],
    ["Document", documentText(file, found)],
  ];
  if (pausedUntil !== null) facts.push(["Paused", `until ${momentText(pausedUntil)}`]);
  return facts.map(([name, value]) => `${name.padEnd(10)}${value}\n`).join("");
}

function depositsText({ listing, pausedUntil }: ProductOnChain): string {
  if (listing === null) return "not yet";
  if (!listing.open) return "closed";
  return pausedUntil === null ? "open" : "paused";
}

function documentText({ product }: ProductFile, { listing }: ProductOnChain): string {
  const hash = product.documentHash;
  if (listing === null) return hash;
  return `${hash}, ${listing.documentHash === hash ? "as on the chain" : `on the chain ${listing.documentHash}`}`;
}

/** Who may do an act, and when. */
function whoText(act: ProductAct): string {
  if (act.kind === "create") return "by any account, which pays the gas";
  const { by, role, delay, scheduled, waitsFor } = act;
  if (by === null) return `by the ${role}; no account holds this role`;
  const who = `by the ${role} ${by}`;
  if (scheduled !== null)
    return `${who}, scheduled: from ${momentText(scheduled.from)} until ${momentText(scheduled.until)}`;
  if (waitsFor !== null) return `${who}, not before ${waitsFor}`;
  return delay === 0 ? `${who}, at once` : `${who}, ${durationText(delay)} after it is scheduled`;
}

function dataText(data: Hex): string {
  if (data.length <= MAX_SHOWN_DATA) return data;
  return `${data.slice(0, 66)}… (${grouped(BigInt(data.length / 2 - 1))} bytes; --json prints all)`;
}

function transactionLines(act: ProductAct): string[] {
  const call = [`  to ${act.to}`, `    ${dataText(act.data)}`];
  const { schedule } = act as Partial<CallAct>;
  if (schedule === undefined || schedule === null) return call;
  return [`  schedule: to ${schedule.to}`, `    ${schedule.data}`, `  then${call[0]?.slice(1)}`, ...call.slice(1)];
}

function actLines(act: ProductAct, index: number): string[] {
  const changes = act.kind === "call" ? act.changes.map(settingText) : [];
  const lines = [...changes, whoText(act), ...transactionLines(act)];
  return [`${String(index + 1).padStart(3)}  ${act.what}`, ...lines.map((line) => `     ${line}`)];
}

/** Each act with who may do it, when, and its transactions. */
export function actsText(acts: readonly ProductAct[]): string {
  return acts.map((act, index) => `${actLines(act, index).join("\n")}\n`).join("");
}

/** The product and its acts as JSON prints them. Times are Unix seconds. */
export function planJson(file: ProductFile, { address, listing, pausedUntil, time, acts }: ProductOnChain) {
  return {
    short_id: file.product.shortId,
    chain_id: file.chainId,
    contract: address,
    listed: listing !== null,
    open: listing?.open ?? false,
    paused_until: pausedUntil,
    document_hash: file.product.documentHash,
    document_hash_on_chain: listing?.documentHash ?? null,
    acts: acts.map((act) => ({
      what: act.what,
      changes: act.kind === "call" ? act.changes : [],
      role: act.kind === "call" ? act.role : null,
      by: act.kind === "call" ? act.by : null,
      delay_seconds: act.kind === "call" ? act.delay : 0,
      state: stateOf(act, time),
      scheduled: act.kind === "call" ? act.scheduled : null,
      schedule: act.kind === "call" ? act.schedule : null,
      transaction: { to: act.to, data: act.data },
      now: transactionNow(act, time),
    })),
  };
}
