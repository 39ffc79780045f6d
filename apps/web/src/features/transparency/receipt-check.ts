import type { Holding } from "@aqua/sdk/api/portfolio";
import type { Reserves } from "@aqua/sdk/api/transparency";
import { type Receipt, receiptValue } from "@aqua/sdk/maths/receipts";
import { timeUnits } from "@aqua/sdk/maths/term";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { type Chain, type ChainSource, openChain } from "../../wallet/chain-reader.ts";
import { allPages } from "../all-pages.ts";
import { api } from "../api.ts";
import { addressIn, callData, wordAt } from "./chain-text.ts";
import { type Compared, compareText, compareUnits } from "./compare.ts";

/**
 * Function selectors: the first four bytes of the Keccak hash of each signature. A test compares them with the
 * contract.
 */
export const receiptSelectors = {
  receiptOf: "0x45164e7b",
  ownerOf: "0x6352211e",
  termOf: "0xdcdb17d1",
  quoteExit: "0x76038a9f",
  books: "0x5c8fe438",
} as const;

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

/** A receipt's states in the contract's numbering, from 0; from the fourth on it is gone. */
const states = ["none", "running", "matured", "closed", "exited", "rolled", "settled"] as const;
const rolls = ["none", "principal", "all"] as const;

/** The result of checking a receipt. */
export type CheckedReceipt =
  | { outcome: "chain_away" | "no_deposit" | "none" }
  /** `openedAt` and `maturity` in Unix milliseconds. */
  | {
      outcome: "gone";
      state: "closed" | "exited" | "rolled" | "settled";
      principal: bigint;
      openedAt: number;
      maturity: number;
      source: ChainSource;
    }
  /**
   * `block`: the block that was compared; null: this site lists no such receipt for its owner, and the newest block was
   * read.
   */
  | {
      outcome: "compared";
      owner: string;
      block: number | null;
      /** By how many milliseconds the newest block is later. */
      age: number;
      figures: Compared<ReceiptFigure>[];
      source: ChainSource;
    };

/** Everything the contract has of a live receipt. */
interface OnChain {
  owner: string;
  state: bigint;
  term: { id: bigint; count: bigint; unit: bigint };
  receipt: Receipt;
  due: bigint;
  roll: bigint;
  rollTerm: bigint;
  /** The product's accounts, as far as the receipt's value depends on them. */
  books: { cash: bigint; deployed: bigint; liabilities: bigint; reserved: bigint; claims: bigint };
  /** Time of the block, Unix milliseconds. */
  time: number;
}

type Term = Pick<Reserves, "short_id" | "chain_id" | "contract" | "decimals">;

/** `{ principal, openedAt, maturity, termId, status, roll, rollTermId }, paid`. */
function receiptIn(answer: string) {
  const [principal, openedAt, maturity, termId, state, roll, rollTerm, paid] = Array.from({ length: 8 }, (_, index) =>
    wordAt(answer, index),
  ) as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];
  return { principal, openedAt, maturity, termId, state, roll, rollTerm, paid };
}

async function read({
  chain,
  stated: { contract },
  id,
  block,
}: {
  chain: Chain;
  stated: Term;
  id: bigint;
  block: number | undefined;
}): Promise<OnChain> {
  const ask = (name: keyof typeof receiptSelectors, ...words: bigint[]) =>
    chain.call(contract, callData(receiptSelectors[name], ...words), block);
  const told = receiptIn(await ask("receiptOf", id));
  const [owner, term, due, books, time] = await Promise.all([
    ask("ownerOf", id),
    ask("termOf", told.termId),
    ask("quoteExit", id, told.maturity),
    ask("books"),
    chain.time(block),
  ]);
  const { principal, openedAt, maturity, paid, state, roll, rollTerm } = told;
  return {
    owner: addressIn(wordAt(owner, 0)),
    state,
    roll,
    rollTerm,
    time,
    due: wordAt(due, 0),
    term: { id: told.termId, count: wordAt(term, 3), unit: wordAt(term, 4) },
    receipt: {
      principal,
      openedAt,
      maturity,
      paid,
      interest: wordAt(due, 0) - principal,
      rate: wordAt(term, 0),
      breakRate: wordAt(term, 1),
      penalty: wordAt(term, 2),
    },
    books: {
      cash: wordAt(books, 0),
      deployed: wordAt(books, 1),
      liabilities: wordAt(books, 2),
      reserved: wordAt(books, 3),
      claims: wordAt(books, 4),
    },
  };
}

/** Each figure of a receipt, as this site lists it (null where it does not) and as in the contract. */
export function compareReceipt({
  holding,
  told,
  id,
  decimals,
}: {
  holding: Holding | null;
  told: OnChain;
  id: bigint;
  decimals: number;
}): Compared<ReceiptFigure>[] {
  const site = holding?.receipt ?? null;
  const of = (part: string) => `receiptOf(${id}).${part}`;
  const { receipt, term } = told;
  const ofTerm = (part: string) => `termOf(${term.id}).${part}`;
  const amount = (figure: ReceiptFigure, asked: string, value: string | undefined, chain: bigint) =>
    compareUnits({ figure, as: "amount", asked, site: value ?? null, chain, decimals });
  const rate = (figure: ReceiptFigure, asked: string, value: string | undefined, chain: bigint) =>
    compareUnits({ figure, as: "rate", asked, site: value ?? null, chain, decimals: 18 });
  const text = (
    figure: ReceiptFigure,
    as: "address" | "time" | "word",
    asked: string,
    { said, chain }: { said: string | number | null | undefined; chain: string | number },
  ) => compareText({ figure, as, asked, site: said ?? null, chain });
  const roll = rolls[Number(told.roll)] ?? "none";
  const rollOf = (what: string, termId: number | bigint | null) => (what === "none" ? what : `${what} ${termId}`);
  const sum = site && addUp(site.principal, site.interest_at_maturity, decimals);
  const figures = [
    text("owner", "address", `ownerOf(${id})`, { said: holding?.wallet, chain: told.owner }),
    text("status", "word", of("status"), {
      said: site && (site.matured ? "matured" : "running"),
      chain: stateOf(told.state),
    }),
    amount("principal", of("principal"), site?.principal, receipt.principal),
    text("term", "word", `termOf(${term.id}).count, unit`, {
      said: site && `${site.term.value} ${site.term.unit}`,
      chain: `${term.count} ${timeUnits[Number(term.unit)]}`,
    }),
    rate("rate", ofTerm("rate"), site?.rate, receipt.rate),
    rate("break_rate", ofTerm("breakRate"), site?.break_rate, receipt.breakRate),
    rate("penalty", ofTerm("penalty"), site?.penalty, receipt.penalty),
    text("start", "time", of("openedAt"), { said: holding?.start, chain: Number(receipt.openedAt) * 1_000 }),
    text("maturity", "time", of("maturity"), { said: holding?.maturity, chain: Number(receipt.maturity) * 1_000 }),
    amount("interest", `quoteExit(${id}, maturity) − principal`, site?.interest_at_maturity, receipt.interest),
    amount("due", `quoteExit(${id}, maturity)`, sum ?? undefined, told.due),
    text("roll", "word", of("roll"), {
      said: site && rollOf(site.roll, site.roll_term_id),
      chain: rollOf(roll, told.rollTerm),
    }),
  ];
  if (!holding) return figures;
  const { block, time } = holding.as_of;
  // The contract has no call for the value: it is computed here, from the chain's own figures and the block's own time.
  const value = receiptValue(receipt, { ...told.books, buffer: 0n }, BigInt(told.time / 1_000));
  return [
    text("block_time", "time", `block ${block}, timestamp`, { said: time, chain: told.time }),
    ...figures,
    amount("value", `books(), receiptOf(${id}), termOf(${term.id})`, holding.value, value),
  ];
}

const stateOf = (state: bigint) => states[Number(state)] ?? "none";

/** The sum of two amounts of the site; null when one is invalid. */
function addUp(one: string, other: string, decimals: number): string | null {
  try {
    return formatUnits(parseUnits(one, decimals) + parseUnits(other, decimals), decimals);
  } catch {
    return null;
  }
}

/** The receipt from its owner's holdings, fetched as the portfolio does. */
async function listed({
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
    (one) => `${one.short_id} ${one.deposit_id} ${one.wallet}`,
  );
  return items.find((one) => one.short_id === short_id && one.deposit_id === String(id)) ?? null;
}

/** The result of a chain read, or null when no node answered. */
const orAway = <Value>(reading: Promise<Value>): Promise<Value | null> => reading.catch(() => null);

/**
 * Reads a receipt from its contract, through the visitor's own wallet where there is one, and compares each figure with
 * what this site lists for its owner. Throws what the API threw.
 */
export async function checkReceipt(term: Term, id: bigint, signal?: AbortSignal): Promise<CheckedReceipt> {
  const chain = await openChain(term.chain_id);
  const ask = (name: "receiptOf" | "ownerOf") =>
    orAway(chain.call(term.contract, callData(receiptSelectors[name], id)));
  const answer = await ask("receiptOf");
  if (answer === null) return { outcome: "chain_away" };
  // A contract without this function, or an address without a contract, returns empty data.
  if (answer.length !== 2 + 8 * 64) return { outcome: "no_deposit" };
  const { principal, openedAt, maturity, state } = receiptIn(answer);
  const known = stateOf(state);
  if (known === "none") return { outcome: "none" };
  if (known !== "running" && known !== "matured") {
    const [begun, ended] = [Number(openedAt) * 1_000, Number(maturity) * 1_000];
    return { outcome: "gone", state: known, principal, openedAt: begun, maturity: ended, source: chain.source() };
  }
  const held = await ask("ownerOf");
  if (held === null) return { outcome: "chain_away" };
  const owner = addressIn(wordAt(held, 0));
  const holding = await listed({ stated: term, id, owner, signal });
  // At the block of the site's data: later changes are not differences.
  const told = await orAway(read({ chain, stated: term, id, block: holding?.as_of.block }));
  const newest = await orAway(chain.time());
  if (told === null || newest === null) return { outcome: "chain_away" };
  const figures = compareReceipt({ holding, told, id, decimals: term.decimals });
  return {
    outcome: "compared",
    owner: told.owner,
    block: holding?.as_of.block ?? null,
    age: newest - told.time,
    figures,
    source: chain.source(),
  };
}
