import { describe, expect, it } from "vitest";
import { allChains, findChain, localChain, publicChains } from "../src/chains.ts";

describe("the supported chains", () => {
  it("are the five of the specification: Ethereum, zkSync, both on Sepolia too, and the HashKey testnet", () => {
    expect(publicChains.map(({ id, testnet }) => [id, testnet])).toEqual([
      [1, false],
      [11_155_111, true],
      [324, false],
      [300, true],
      [133, true],
    ]);
  });

  it("count HashKey's coin as HSK with 18 decimals and all others as ether", () => {
    const coins = allChains.map(({ id, native }) => [id, native.symbol, native.decimals]);
    expect(coins.filter(([, symbol]) => symbol !== "ETH")).toEqual([[133, "HSK", 18]]);
    expect(coins.every(([, , decimals]) => decimals === 18)).toBe(true);
  });

  it("have unique names, and a block explorer over https except on the local chain", () => {
    expect(new Set(allChains.map(({ name }) => name)).size).toBe(allChains.length);
    for (const { name, explorer } of publicChains) expect(explorer, name).toMatch(/^https:\/\/[a-z.-]+$/);
    expect(localChain.explorer).toBeNull();
  });

  it("are found by their id, and an unknown id is null", () => {
    for (const chain of allChains) expect(findChain(chain.id)).toBe(chain);
    expect(findChain(2)).toBeNull();
  });
});
