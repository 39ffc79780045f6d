import { allChains } from "@aqua/sdk/chains";
import { describe, expect, it } from "vitest";
import { servedChains } from "../../src/wallet/connect/chains.ts";

describe("the chains the wallet kit is given", () => {
  const chains = servedChains(
    allChains.map((chain) => chain.id),
    [],
  );

  it("have each an id, a name, a coin and a node, which is this site's way to it", () => {
    expect(chains.map((chain) => chain.id)).toEqual(allChains.map((chain) => chain.id));
    for (const chain of chains) {
      expect(chain.name).not.toBe("");
      expect(chain.rpcUrls.default.http).toEqual([`${location.origin}/rpc/${chain.id}`]);
    }
    expect(chains.find((chain) => chain.id === 133)?.nativeCurrency).toMatchObject({ symbol: "HSK", decimals: 18 });
  });

  it("have each a block explorer, save the local one", () => {
    const without = chains.filter((chain) => chain.blockExplorers === undefined).map((chain) => chain.id);
    expect(without).toEqual([31337]);
  });

  it("have an icon with its ground where the kit has none of its own", () => {
    for (const id of [133, 300]) {
      const chain = chains.find((one) => one.id === id);
      expect(chain?.iconUrl).toMatch(/^data:image\/svg/);
      expect(chain?.iconBackground).toMatch(/^#[0-9A-F]{6}$/);
    }
  });

  it("begin with those that have contracts, to which a wallet on none of them is moved", () => {
    expect(servedChains([31337], [1, 133]).map((chain) => chain.id)).toEqual([31337, 1, 133]);
  });

  it("name the contract that resolves names on mainnet", () => {
    expect(chains[0].contracts).toHaveProperty("ensUniversalResolver");
  });

  it("are those that the server serves, and none is no app", () => {
    expect(servedChains([11155111, 1], []).map((chain) => chain.id)).toEqual([1, 11155111]);
    expect(() => servedChains([5], [])).toThrow(RangeError);
  });
});
