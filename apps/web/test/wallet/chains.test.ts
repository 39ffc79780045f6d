import { allChains } from "@aqua/sdk/chains";
import { createPublicClient, custom, numberToHex } from "viem";
import { describe, expect, it, vi } from "vitest";
import { servedChains, transportsFor } from "../../src/wallet/connect/chains.ts";

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

describe("reads of a chain", () => {
  it("that are made together go to the server in one request", async () => {
    const bodies: unknown[][] = [];
    vi.spyOn(globalThis, "fetch").mockImplementation(async (_url, init) => {
      const calls = JSON.parse(String(init?.body)) as { id: number; method: string }[];
      bodies.push(calls);
      return Response.json(calls.map(({ id }) => ({ jsonrpc: "2.0", id, result: "0x7" })));
    });
    const [chain] = servedChains([31337], []);
    const client = createPublicClient({ chain, transport: transportsFor([chain])[31337] ?? custom({} as never) });
    const addresses = Array.from({ length: 20 }, (_, n) => numberToHex(n, { size: 20 }));
    const balances = await Promise.all(addresses.map((address) => client.getBalance({ address, blockNumber: 1n })));
    expect(balances).toEqual(addresses.map(() => 7n));
    expect(bodies.map((calls) => calls.length)).toEqual([20]);
  });
});
