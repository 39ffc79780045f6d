import type { Reserves, TransparencySummary } from "@aqua/sdk/api/transparency";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { callData, wordAt } from "./chain-words.ts";

/** First four bytes of the Keccak hash of each function's signature. A test holds them against the contracts. */
export const selectors = {
  totalAssets: "0x01e1d114",
  desk: "0xc12b293c",
  books: "0x5c8fe438",
  balanceOf: "0x70a08231",
} as const;

interface Call {
  to: string;
  data: string;
}

/** One figure as the site tells it and as the chain gives it, whole units. */
export interface CheckedFigure {
  figure: "shares" | "deployed" | "idle" | "liabilities" | "balance" | "queueBalance";
  /** What was asked on chain, as one would write it. */
  asked: string;
  site: string;
  chain: string;
  /** A token balance may be more than what is booked, since anyone can send tokens; never less. */
  relation: "equal" | "atLeast";
  holds: boolean;
}

const balanceOf = (token: string, holder: string): Call => ({
  to: token,
  data: callData(selectors.balanceOf, BigInt(holder)),
});

/** eth_call of several functions at one block, by the server's way to a node. Throws null when nothing answered. */
async function readAll(
  chainId: number,
  block: number,
  calls: readonly Call[],
  signal?: AbortSignal,
): Promise<string[]> {
  const body = calls.map((call, id) => ({
    jsonrpc: "2.0",
    id,
    method: "eth_call",
    params: [call, `0x${block.toString(16)}`],
  }));
  const response = await fetch(`/rpc/${chainId}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  }).catch(() => {
    throw null;
  });
  const answers: unknown = await response.json().catch(() => null);
  if (!response.ok || !Array.isArray(answers)) throw answers;
  return calls.map((_, id) => {
    const answer = answers.find((one) => one?.id === id);
    if (typeof answer?.result !== "string") throw { message: answer?.error?.message };
    return answer.result;
  });
}

const amountOf = (entries: readonly { part: string; amount: string }[], part: string) =>
  entries.find((entry) => entry.part === part)?.amount;

/** Reads at the block of `reserves` what can be read by anyone, and holds it against what the site tells. */
export async function checkReserves(
  reserves: Reserves,
  contracts: TransparencySummary["contracts"],
  signal?: AbortSignal,
): Promise<CheckedFigure[]> {
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
      ];
  const own = calls.length;
  if (asset) calls.push(balanceOf(asset, contract));
  if (asset && queue) calls.push(balanceOf(asset, queue));
  const answers = await readAll(chainId, reserves.as_of.block, calls, signal);

  const figures: CheckedFigure[] = [];
  function add(
    figure: CheckedFigure["figure"],
    asked: string,
    site: string | undefined,
    chain: bigint,
    relation: CheckedFigure["relation"] = "equal",
  ) {
    if (site === undefined) return;
    const told = parseUnits(site, decimals);
    const holds = relation === "equal" ? chain === told : chain >= told;
    figures.push({ figure, asked, site, chain: formatUnits(chain, decimals), relation, holds });
  }
  const first = answers[0] ?? "";
  if (term) {
    add("idle", "books().cash", amountOf(reserves.assets, "idle"), wordAt(first, 0));
    add("deployed", "books().deployed", amountOf(reserves.assets, "deployed"), wordAt(first, 1));
    add("liabilities", "books().liabilities", reserves.total_liabilities, wordAt(first, 2));
  } else {
    add("shares", "totalAssets()", amountOf(reserves.liabilities, "shares"), wordAt(first, 0));
    add("deployed", "desk().deployed", amountOf(reserves.assets, "deployed"), wordAt(answers[1] ?? "", 0));
  }
  if (asset)
    add("balance", "balanceOf(product)", amountOf(reserves.assets, "idle"), wordAt(answers[own] ?? "", 0), "atLeast");
  if (asset && queue)
    add(
      "queueBalance",
      "balanceOf(queue)",
      amountOf(reserves.assets, "set_aside"),
      wordAt(answers[own + 1] ?? "", 0),
      "atLeast",
    );
  return figures;
}

/** The same as a query: once a block is read its figures never change. */
export function useCheck(reserves: Reserves, contracts: TransparencySummary["contracts"]) {
  return useQuery(
    queryOptions({
      queryKey: ["transparency", "check", reserves.short_id, reserves.as_of.block] as const,
      queryFn: ({ signal }) => checkReserves(reserves, contracts, signal),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  );
}
