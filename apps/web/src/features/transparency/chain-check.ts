import type { Reserves } from "@aqua/sdk/api/transparency";
import { formatUnits } from "@aqua/sdk/maths/units";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { type ChainSource, openChain } from "../../wallet/chain-reader.ts";
import { addressIn, callData, wordAt } from "./chain-text.ts";
import { type Compared, compareText, compareUnits, unitsOf } from "./compare.ts";

/**
 * Function selectors: the first four bytes of the Keccak hash of each signature. A test compares them with the
 * contracts.
 */
export const selectors = {
  asset: "0x38d52e0f",
  totalAssets: "0x01e1d114",
  desk: "0xc12b293c",
  books: "0x5c8fe438",
  balanceOf: "0x70a08231",
  unsent: "0x03b5e54c",
} as const;

type ReserveFigure = "time" | "shares" | "deployed" | "idle" | "liabilities" | "balance" | "queueBalance";

export interface CheckedReserves {
  figures: Compared<ReserveFigure>[];
  /** By how many milliseconds the newest block is later than the one compared. */
  age: number;
  source: ChainSource;
}

const amountOf = (entries: readonly { part: string; amount: string }[], part: string) =>
  entries.find((entry) => entry.part === part)?.amount;

/**
 * Reads the public figures at the block of `reserves`, through the visitor's own wallet where there is one, and
 * compares them with this site's. The asset and the queue are those that the product's contract names. What this site
 * leaves out differs. Rejects when no node answers.
 */
export async function checkReserves(reserves: Reserves): Promise<CheckedReserves> {
  const { chain_id: chainId, contract, decimals, assets, liabilities } = reserves;
  const { block, time } = reserves.as_of;
  const term = reserves.type === "time_deposit";
  const chain = await openChain(chainId);
  const ask = (name: keyof typeof selectors) => chain.call(contract, selectors[name], block);
  const [blockTime, newest, asset, books, desk, unsent] = await Promise.all([
    chain.time(block),
    chain.time(),
    ask("asset"),
    ask(term ? "books" : "totalAssets"),
    term ? null : ask("desk"),
    // What the asset refuses the queue is with the product until it is claimed, and set aside all the same.
    term ? 0n : ask("unsent").then((answer) => wordAt(answer, 0)),
  ]);
  const token = addressIn(wordAt(asset, 0));
  const balanceOf = async (holder: bigint) =>
    wordAt(await chain.call(token, callData(selectors.balanceOf, holder), block), 0);
  const queue = desk === null ? 0n : wordAt(desk, 1);
  const [own, queued] = await Promise.all([balanceOf(BigInt(contract)), queue === 0n ? 0n : balanceOf(queue)]);

  const asked = `block ${block}, timestamp`;
  const figures: Compared<ReserveFigure>[] = [
    compareText({ figure: "time", as: "time", asked, site: time, chain: blockTime }),
  ];
  const add = (figure: ReserveFigure, asked: string, site: string | undefined, read: bigint) =>
    figures.push(compareUnits({ figure, as: "amount", asked, site: site ?? null, chain: read, decimals }));
  // Anyone can send tokens, so the balance may exceed what is booked but never be less.
  const addBalance = (figure: ReserveFigure, asked: string, site: string | undefined, read: bigint) => {
    const booked = unitsOf(site ?? null, decimals);
    const standing = booked !== null && read >= booked ? "enough" : "different";
    figures.push({ figure, as: "amount", asked, site: site ?? null, chain: formatUnits(read, decimals), standing });
  };
  if (desk === null) {
    add("idle", "books().cash", amountOf(assets, "idle"), wordAt(books, 0));
    add("deployed", "books().deployed", amountOf(assets, "deployed"), wordAt(books, 1));
    add("liabilities", "books().liabilities", reserves.total_liabilities, wordAt(books, 2));
    addBalance("balance", "balanceOf(product)", amountOf(assets, "idle"), own);
  } else {
    add("shares", "totalAssets()", amountOf(liabilities, "shares"), wordAt(books, 0));
    add("deployed", "desk().deployed", amountOf(assets, "deployed"), wordAt(desk, 0));
    addBalance("balance", "balanceOf(product) − unsent()", amountOf(assets, "idle"), own - unsent);
    addBalance("queueBalance", "balanceOf(queue) + unsent()", amountOf(assets, "set_aside"), queued + unsent);
  }
  return { figures, age: newest - blockTime, source: chain.source() };
}

/** Milliseconds until a node that was taking in a block has done so. */
const intake = 1_000;

/**
 * Reads the chain once more where a figure differs: a node that takes in the next block at this moment may answer for an
 * earlier one with the next one's time, and `totalAssets()` grows with time. What differs again does differ.
 */
export async function readAgainIfDifferent(read: () => Promise<CheckedReserves>): Promise<CheckedReserves> {
  const checked = await read();
  if (!checked.figures.some(({ standing }) => standing === "different")) return checked;
  await new Promise((resolve) => setTimeout(resolve, intake));
  return read();
}

/** The same as a query: once a block is read its figures never change. */
export function useCheck(reserves: Reserves) {
  return useQuery(
    queryOptions({
      queryKey: ["transparency", "check", reserves.short_id, reserves.as_of.block] as const,
      queryFn: () => readAgainIfDifferent(() => checkReserves(reserves)),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  );
}
