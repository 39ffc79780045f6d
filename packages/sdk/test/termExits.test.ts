import { fileURLToPath } from "node:url";
import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils";
import { expect, it } from "vitest";
import { exitPayout, type Term } from "../src/maths/term.ts";
import { reference } from "./termReference.ts";

const wad = 10n ** 18n;
const day = 86_400n;
/** 15 January 2027, 08:00. */
const start = 1_800_000_000n;
const longestTerm = 730;

/**
 * The deposits of a term of `days`: with the rates of a product, and with the highest and the lowest that a contract
 * accepts. The rate of the last deposit rises with the term. contracts/test/campaign/TermExits.t.sol has the same ones.
 */
function depositsOf(days: number): { principal: bigint; term: Term }[] {
  const n = BigInt(days);
  const rates: [principal: bigint, rate: bigint, breakRate: bigint, penalty: bigint][] = [
    [1_000_000_000n, 60_000_000_000_000_000n, 20_000_000_000_000_000n, 0n],
    [1_234_567_891n, 80_000_000_000_000_000n, 30_000_000_000_000_000n, 10_000_000_000_000_000n],
    [2n ** 96n - 1n, wad, wad - 1n, wad / 10n],
    [2n ** 96n - 1n, 1n, 0n, 1n],
    [999_999_937n * n, (wad * n) / 730n, (wad * (n - 1n)) / 730n, (wad * n) / 7_300n],
  ];
  return rates.map(([principal, rate, breakRate, penalty]) => ({
    principal,
    term: { count: days, unit: "day", rate, breakRate, penalty },
  }));
}

/** Returns the payment for leaving on each day of a term, deposit by deposit, 32 bytes each. */
function payoutsOf(days: number): string {
  const words: string[] = [];
  for (const { principal, term } of depositsOf(days)) {
    const fee = (principal * term.penalty + wad - 1n) / wad;
    for (let number = 0n; number <= BigInt(days); number++) {
      const at = start + number * day;
      const payout = exitPayout({ principal, term, openedAt: start, at });
      if (payout !== reference.payout(principal, term, start, at)) throw new Error(`${days} days, day ${number}`);
      if (payout < principal - fee)
        throw new Error(`${days} days, day ${number}: less than the principal less the fee`);
      words.push(payout.toString(16).padStart(64, "0"));
    }
  }
  return words.join("");
}

it("an exit pays the model's amount on each day of each term of 1 to 730 days, at rates up to the highest", async () => {
  const rows = Array.from({ length: longestTerm }, (_, i) => {
    const digest = keccak_256(hexToBytes(payoutsOf(i + 1)));
    return `${i + 1},0x${bytesToHex(digest)}`;
  });
  const file = fileURLToPath(new URL("../../../contracts/test/vectors/term-exits.csv", import.meta.url));
  await expect(`${rows.join("\n")}\n`).toMatchFileSnapshot(file);
});
