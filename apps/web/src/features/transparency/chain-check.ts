import type { Reserves, TransparencySummary } from "@aqua/sdk/api/transparency";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { type ChainSource, openChain } from "../../wallet/chain-reader.ts";
import { callData, wordAt } from "./chain-text.ts";
import { type Compared, compareUnits } from "./compare.ts";

/**
 * Function selectors: the first four bytes of the Keccak hash of each signature. A test compares them with the
 * contracts.
 */
export const selectors = {
  totalAssets: "0x01e1d114",
  desk: "0xc12b293c",
  books: "0x5c8fe438",
  balanceOf: "0x70a08231",
  unsent: "0x03b5e54c",
} as const;

interface Call {
  to: string;
  data: string;
}

type ReserveFigure = "shares" | "deployed" | "idle" | "liabilities" | "balance" | "queueBalance";

export interface CheckedReserves {
  figures: Compared<ReserveFigure>[];
  source: ChainSource;
}

const balanceOf = (token: string, holder: string): Call => ({
  to: token,
  data: callData(selectors.balanceOf, BigInt(holder)),
});

const amountOf = (entries: readonly { part: string; amount: string }[], part: string) =>
  entries.find((entry) => entry.part === part)?.amount;

/**
 * Reads the public figures at the block of `reserves`, through the visitor's own wallet where there is one, and
 * compares them with this site's. Rejects when no node answers.
 */
export async function checkReserves(
  reserves: Reserves,
  contracts: TransparencySummary["contracts"],
): Promise<CheckedReserves> {
  const { chain_id: chainId, contract, decimals } = reserves;
  const addressOf = (role: string) =>
    contracts.find((one) => one.role === role && one.short_id === reserves.short_id)?.address;
  const asset = addressOf("asset");
  const queue = addressOf("queue");
  const term = reserves.type === "time_deposit";
  const calls: Call[] = term
    ? [{ to: contract, data: selectors.books }]
    : [
        { to: contract, data: selectors.totalAssets },
        { to: contract, data: selectors.desk },
        { to: contract, data: selectors.unsent },
      ];
  const own = calls.length;
  if (asset) calls.push(balanceOf(asset, contract));
  if (asset && queue) calls.push(balanceOf(asset, queue));
  const chain = await openChain(chainId);
  const answers = await Promise.all(calls.map(({ to, data }) => chain.call(to, data, reserves.as_of.block)));

  const figures: Compared<ReserveFigure>[] = [];
  const add = (figure: ReserveFigure, asked: string, site: string | undefined, read: bigint) => {
    if (site !== undefined) figures.push(compareUnits({ figure, as: "amount", asked, site, chain: read, decimals }));
  };
  // Anyone can send tokens, so the balance may exceed what is booked but never be less.
  const addBalance = (figure: ReserveFigure, asked: string, site: string | undefined, read: bigint) => {
    if (site === undefined) return;
    const standing = read >= parseUnits(site, decimals) ? "enough" : "different";
    figures.push({ figure, as: "amount", asked, site, chain: formatUnits(read, decimals), standing });
  };
  const first = answers[0] ?? "";
  if (term) {
    add("idle", "books().cash", amountOf(reserves.assets, "idle"), wordAt(first, 0));
    add("deployed", "books().deployed", amountOf(reserves.assets, "deployed"), wordAt(first, 1));
    add("liabilities", "books().liabilities", reserves.total_liabilities, wordAt(first, 2));
  } else {
    add("shares", "totalAssets()", amountOf(reserves.liabilities, "shares"), wordAt(first, 0));
    add("deployed", "desk().deployed", amountOf(reserves.assets, "deployed"), wordAt(answers[1] ?? "", 0));
  }
  // What the asset refuses the queue is with the product until it is claimed, and set aside all the same.
  const unsent = term ? 0n : wordAt(answers[2] ?? "", 0);
  if (asset) {
    const asked = term ? "balanceOf(product)" : "balanceOf(product) − unsent()";
    addBalance("balance", asked, amountOf(reserves.assets, "idle"), wordAt(answers[own] ?? "", 0) - unsent);
  }
  if (asset && queue) {
    const here = wordAt(answers[own + 1] ?? "", 0);
    addBalance("queueBalance", "balanceOf(queue) + unsent()", amountOf(reserves.assets, "set_aside"), here + unsent);
  }
  return { figures, source: chain.source() };
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
export function useCheck(reserves: Reserves, contracts: TransparencySummary["contracts"]) {
  return useQuery(
    queryOptions({
      queryKey: ["transparency", "check", reserves.short_id, reserves.as_of.block] as const,
      queryFn: () => readAgainIfDifferent(() => checkReserves(reserves, contracts)),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  );
}
