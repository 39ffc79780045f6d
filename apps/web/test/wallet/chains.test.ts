import { allChains } from "@aqua/sdk/chains";
import { describe, expect, it } from "vitest";
import { servedChains } from "../../src/wallet/connect/chains.ts";

describe("the chains for the wallet kit", () => {
  const chains = servedChains(
    allChains.map((chain) => chain.id),
    [],
  );

  it("have an id, a name, a coin and this site's RPC proxy as their node", () => {
    expect(chains.map((chain) => chain.id)).toEqual(allChains.map((chain) => chain.id));
    for (const chain of chains) {
      expect(chain.name).not.toBe("");
      expect(chain.rpcUrls.default.http).toEqual([`${location.origin}/rpc/${chain.id}`]);
    }
    expect(chains.find((chain) => chain.id === 133)?.nativeCurrency).toMatchObject({ symbol: "HSK", decimals: 18 });
  });

  it("have a block explorer, except the local one", () => {
    const without = chains.filter((chain) => chain.blockExplorers === undefined).map((chain) => chain.id);
    expect(without).toEqual([31337]);
  });

  it("have an icon with a background where the kit has none of its own", () => {
    for (const id of [133, 300]) {
      const chain = chains.find((one) => one.id === id);
      expect(chain?.iconUrl).toMatch(/^data:image\/svg/);
      expect(chain?.iconBackground).toMatch(/^#[0-9A-F]{6}$/);
    }
  });

  it("start with those that have contracts, to which a wallet on none of them is moved", () => {
    expect(servedChains([31337], [1, 133]).map((chain) => chain.id)).toEqual([31337, 1, 133]);
  });

  it("include the ENS resolver on mainnet", () => {
    expect(chains[0].contracts).toHaveProperty("ensUniversalResolver");
  });

  it("are those that the server serves, and an empty list is an error", () => {
    expect(servedChains([11155111, 1], []).map((chain) => chain.id)).toEqual([1, 11155111]);
    expect(() => servedChains([5], [])).toThrow(RangeError);
  });
});
