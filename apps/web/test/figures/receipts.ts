import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import type { Holding } from "@aqua/sdk/api/portfolio";
import type { Reserves } from "@aqua/sdk/api/transparency";
import { simpleInterest } from "@aqua/sdk/maths/term";
import { formatUnits } from "@aqua/sdk/maths/units";
import { decodeFunctionData, type Hex } from "viem";
import { timeReserves, wallet } from "./fixtures.ts";

export const wordOf = (value: bigint) => value.toString(16).padStart(64, "0");
const units = (amount: string) => BigInt(amount.replace(".", ""));
const wad = 10n ** 18n;

const day = 86_400n;
const openedAt = 1_790_000_000n;
const maturity = openedAt + 182n * day;
const principal = units("2500.000000");
const rate = (wad * 6n) / 100n;
const interest = simpleInterest(principal, rate, maturity - openedAt);
/** The time of the site's figures, Unix seconds. */
export const time = openedAt + 100n * day;

export type Read = "receiptOf" | "ownerOf" | "termOf" | "quoteExit" | "books";

/** The contract's results for receipt 7, by function, as words in order. */
export function onChain(): Record<Read, bigint[]> {
  return {
    receiptOf: [principal, openedAt, maturity, 2n, 1n, 1n, 2n, 0n],
    ownerOf: [BigInt(wallet)],
    termOf: [rate, wad / 100n, wad / 200n, 6n, 2n, 1n, 0n, 0n],
    quoteExit: [principal + interest],
    books: [principal, 0n, principal + interest, interest, 0n],
  };
}

export const product: Reserves = timeReserves();

/** The same receipt as the site lists it. */
export function aHolding(parts: Partial<Holding> = {}): Holding {
  const value = principal + simpleInterest(principal, rate, time - openedAt);
  return {
    short_id: product.short_id,
    withheld: false,
    wallet,
    name: product.name,
    type: "time_deposit",
    chain_id: product.chain_id,
    symbol: product.symbol,
    decimals: 6,
    shares: null,
    deposit_id: "7",
    receipt: {
      term: { value: 6, unit: "month" },
      term_id: 2,
      rate: "0.06",
      break_rate: "0.01",
      penalty: "0.005",
      principal: "2500.000000",
      interest_at_maturity: formatUnits(interest, 6),
      matured: false,
      roll: "principal",
      roll_term_id: 2,
      demanded_at: null,
      winding_down: false,
    },
    principal: "2500.000000",
    value: formatUnits(value, 6),
    exit_value: "2480.000000",
    average_cost: null,
    realised: "0.000000",
    unrealised: "0.000000",
    interest: formatUnits(value - principal, 6),
    apy: "0.061",
    start: Number(openedAt) * 1_000,
    maturity: Number(maturity) * 1_000,
    pending_shares: null,
    claimable: "0.0",
    cost_estimated: false,
    as_of: { chain_id: product.chain_id, block: 4_100, time: Number(time) * 1_000, stale: false },
    ...parts,
  };
}

/** A node's answer to eth_getBlockByNumber, of a time in Unix seconds. */
export const aBlock = (at = time) => ({ timestamp: `0x${at.toString(16)}` });

/** The function that a call of a time deposit names. */
export const readIn = (data: string) => decodeFunctionData({ abi: termDepositAbi, data: data as Hex }).functionName;

/** The result of a contract call from these words; undefined for an unknown function. */
export function answerOf(data: string, chain = onChain()): string | undefined {
  const words = chain[readIn(data) as Read] as bigint[] | undefined;
  return words && `0x${words.map(wordOf).join("")}`;
}
