import type { Holding } from "@aqua/sdk/api/portfolio";
import type { Reserves } from "@aqua/sdk/api/transparency";
import { causes } from "@aqua/sdk/causes";
import { isRevert } from "@aqua/sdk/chain/errors";
import {
  blockTime,
  type ReceiptState,
  readReceipt,
  readReceiptOwner,
  readStoredReceipt,
} from "@aqua/sdk/chain/published-figures";
import { receiptValue } from "@aqua/sdk/maths/receipts";
import { timeUnits } from "@aqua/sdk/maths/term";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { type ChainSource, openChain, readOrNull } from "../../wallet/chain-reader.ts";
import { allPages } from "../all-pages.ts";
import { api } from "../api.ts";
import { type Compared, compareText, compareUnits } from "./comparison.ts";

export type ReceiptFigure =
  | "block_time"
  | "owner"
  | "status"
  | "principal"
  | "term"
  | "rate"
  | "break_rate"
  | "penalty"
  | "start"
  | "maturity"
  | "interest"
  | "due"
  | "roll"
  | "value";

export type CheckedReceipt =
  | { outcome: "chain_away" | "no_deposit" | "none" }
  /** `openedAt` and `maturity` in Unix milliseconds. */
  | {
      outcome: "gone";
      state: Exclude<ReceiptState, "none" | "running" | "matured">;
      principal: bigint;
      openedAt: number;
      maturity: number;
      source: ChainSource;
    }
  /**
   * `block` is the compared block. Null if this site lists no such receipt for its owner; the newest block was read
   * then.
   */
  | {
      outcome: "compared";
      owner: string;
      block: number | null;
      /** The number of milliseconds by which the newest block is later. */
      age: number;
      figures: Compared<ReceiptFigure>[];
      source: ChainSource;
    };

type OnChain = Awaited<ReturnType<typeof readReceipt>>;
type Term = Pick<Reserves, "short_id" | "chain_id" | "contract" | "decimals">;

/** Compares each figure of a receipt on this site with the contract's. A figure that the site does not list is null. */
export function compareReceipt({
  holding,
  onChain,
  id,
  decimals,
}: {
  holding: Holding | null;
  onChain: OnChain;
  id: bigint;
  decimals: number;
}): Compared<ReceiptFigure>[] {
  const site = holding?.receipt ?? null;
  const of = (part: string) => `receiptOf(${id}).${part}`;
  const { term, termId, due } = onChain;
  const ofTerm = (part: string) => `termOf(${termId}).${part}`;
  const amount = (figure: ReceiptFigure, query: string, value: string | null | undefined, chain: bigint) =>
    compareUnits({ figure, as: "amount", query, site: value ?? null, chain, decimals });
  const rate = (figure: ReceiptFigure, query: string, value: string | null | undefined, chain: bigint) =>
    compareUnits({ figure, as: "rate", query, site: value ?? null, chain, decimals: 18 });
  const text = (
    figure: ReceiptFigure,
    as: "address" | "time" | "word",
    query: string,
    { siteValue, chain }: { siteValue: string | number | null | undefined; chain: string | number },
  ) => compareText({ figure, as, query, site: siteValue ?? null, chain });
  const rollOf = (what: string, termId: number | bigint | null) => (what === "none" ? what : `${what} ${termId}`);
  const sum = site && addUp(site.principal, site.interest_at_maturity, decimals);
  const figures = [
    text("owner", "address", `ownerOf(${id})`, { siteValue: holding?.wallet, chain: onChain.owner }),
    text("status", "word", of("status"), {
      siteValue: site && (site.matured ? "matured" : "running"),
      chain: onChain.state,
    }),
    amount("principal", of("principal"), site?.principal, onChain.principal),
    text("term", "word", ofTerm("count, unit"), {
      siteValue: site && `${site.term.value} ${site.term.unit}`,
      chain: `${term.count} ${timeUnits[Number(term.unit)]}`,
    }),
    rate("rate", ofTerm("rate"), site?.rate, term.rate),
    rate("break_rate", ofTerm("breakRate"), site?.break_rate, term.breakRate),
    rate("penalty", ofTerm("penalty"), site?.penalty, term.penalty),
    text("start", "time", of("openedAt"), { siteValue: holding?.start, chain: Number(onChain.openedAt) * 1_000 }),
    text("maturity", "time", of("maturity"), { siteValue: holding?.maturity, chain: Number(onChain.maturity) * 1_000 }),
    amount("interest", `quoteExit(${id}, maturity) − principal`, site?.interest_at_maturity, due - onChain.principal),
    amount("due", `quoteExit(${id}, maturity)`, sum ?? undefined, due),
    text("roll", "word", of("roll"), {
      siteValue: site && rollOf(site.roll, site.roll_term_id),
      chain: rollOf(onChain.roll, onChain.rollTermId),
    }),
  ];
  if (!holding) return figures;
  const { block, time } = holding.as_of;
  // The contract has no call for the value. It is computed here from the chain's own figures and the block's own time.
  const { principal, openedAt, maturity, paid } = onChain;
  const { rate: interestRate, breakRate, penalty } = term;
  const receipt = {
    principal,
    openedAt,
    maturity,
    paid,
    interest: due - principal,
    rate: interestRate,
    breakRate,
    penalty,
  };
  const value = receiptValue(receipt, { ...onChain.books, buffer: 0n }, BigInt(onChain.time / 1_000));
  return [
    text("block_time", "time", `block ${block}, timestamp`, { siteValue: time, chain: onChain.time }),
    ...figures,
    amount("value", `books(), receiptOf(${id}), termOf(${termId})`, holding.value, value),
  ];
}

/** The sum of two amounts of the site. Null if one of them is invalid or withheld. */
function addUp(one: string | null, other: string | null, decimals: number): string | null {
  if (one === null || other === null) return null;
  try {
    return formatUnits(parseUnits(one, decimals) + parseUnits(other, decimals), decimals);
  } catch {
    return null;
  }
}

/** Finds the receipt among its owner's holdings, which are fetched as the portfolio fetches them. */
async function findHolding({
  stated: { chain_id, short_id },
  id,
  owner,
  signal,
}: {
  stated: Term;
  id: bigint;
  owner: string;
  signal?: AbortSignal | undefined;
}) {
  const { items } = await allPages(
    (page) => api.hold(owner, { ...page, type: "time_deposit", chain_id }, signal),
    (holding) => `${holding.short_id} ${holding.deposit_id} ${holding.wallet}`,
  );
  return items.find((holding) => holding.short_id === short_id && holding.deposit_id === String(id)) ?? null;
}

/**
 * Reads a receipt from its contract and compares each figure with what this site lists for its owner. Uses the
 * visitor's own wallet if there is one. Throws errors of the API unchanged.
 */
export async function checkReceipt(term: Term, id: bigint, signal?: AbortSignal): Promise<CheckedReceipt> {
  const chain = await openChain(term.chain_id);
  const { client } = chain;
  const at = { contract: term.contract as `0x${string}`, id };
  const stored = await readOrNull(
    `Receipt ${id}`,
    readStoredReceipt(client, at).catch((error: unknown) => {
      if (isNoReceipt(error)) return { outcome: "no_deposit" } as const;
      throw error;
    }),
  );
  if (stored === null) return { outcome: "chain_away" };
  if ("outcome" in stored) return stored;
  const { principal, state } = stored;
  if (state === "none") return { outcome: "none" };
  if (state !== "running" && state !== "matured") {
    const [openedAt, maturity] = [Number(stored.openedAt) * 1_000, Number(stored.maturity) * 1_000];
    return { outcome: "gone", state, principal, openedAt, maturity, source: chain.source() };
  }
  const owner = await readOrNull(`The owner of receipt ${id}`, readReceiptOwner(client, at));
  if (owner === null) return { outcome: "chain_away" };
  const holding = await findHolding({ stated: term, id, owner, signal });
  const block = holding?.as_of.block;
  // Reads at the block of the site's data, so that later changes do not count as differences.
  const receipt = await readOrNull(`Receipt ${id}`, readReceipt(client, { ...at, block }));
  const newest = await readOrNull("The newest block", blockTime(client));
  if (receipt === null || newest === null) return { outcome: "chain_away" };
  return {
    outcome: "compared",
    owner: receipt.owner,
    block: block ?? null,
    age: newest - receipt.time,
    figures: compareReceipt({ holding, onChain: receipt, id, decimals: term.decimals }),
    source: chain.source(),
  };
}

/** True if a call failed because the address has no contract, or a contract without receipts. */
function isNoReceipt(error: unknown): boolean {
  const names = [...causes(error)].map(({ name }) => name);
  return (
    isRevert(error) || names.includes("AbiDecodingZeroDataError") || names.includes("AbiDecodingDataSizeTooSmallError")
  );
}
