import { createPublicClient, http } from "viem";
import { foundry } from "viem/chains";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Chain, startChain } from "../../../../devnet/src/chain.ts";
import { freePort } from "../../../../devnet/test/support/port.ts";
import { liveStatus, type TestApp, testApp } from "../support/app.ts";

/** Number of repetitions of the attack. One is enough to stop a vulnerable node permanently. */
const ROUNDS = process.env.AQUA_SOAK ? 1_000 : 20;
/** Jumps to its own beginning for ever: JUMPDEST, PUSH1 0, JUMP. */
const FOREVER = "0x5b600056";

describe("a real node behind /rpc", () => {
  let chain: Chain;
  let served: TestApp;
  beforeAll(async () => {
    chain = await startChain({ port: await freePort(), blockTime: "manual" });
    served = await testApp({
      chains: [{ chainId: 31337, rpcUrls: [chain.url], deployment: null, status: () => liveStatus }],
      config: { rateLimits: { api: 1_000, rpc: 1_000_000 } },
    });
  });
  afterAll(async () => {
    await served?.app.close();
    await chain?.stop();
  });

  const call = (method: string, params: unknown[]) =>
    served.app.inject({
      method: "POST",
      url: "/rpc/31337",
      payload: { jsonrpc: "2.0", id: 1, method, params },
    });

  it("answers the calls that a wallet makes before it sends", async () => {
    const url = await served.app.listen({ port: 0, host: "127.0.0.1" });
    const client = createPublicClient({ chain: foundry, transport: http(`${url}/rpc/31337`, { retryCount: 0 }) });
    const account = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
    const fees = await client.estimateFeesPerGas();
    expect(fees.maxFeePerGas).toBeGreaterThan(0n);
    expect(await client.getFeeHistory({ blockCount: 4, rewardPercentiles: [10] })).toBeDefined();
    expect(await client.estimateGas({ account, to: account, value: 1n, ...fees })).toBe(21_000n);
    expect(await client.call({ account, to: account, value: 1n, gas: 100_000n })).toBeDefined();
    expect(await client.getLogs({ fromBlock: 0n, toBlock: "latest" })).toEqual([]);
    expect(await client.getTransactionCount({ address: account, blockTag: "pending" })).toBe(0);
  });

  it(`survives ${ROUNDS} endless calls with 2^60 gas each`, async () => {
    const endless = { data: FOREVER, gas: `0x${(2n ** 60n).toString(16)}` };
    for (let round = 0; round < ROUNDS; round += 10) {
      const attack = Array.from({ length: 10 }, (_, n) =>
        call(n % 2 === 0 ? "eth_call" : "eth_estimateGas", [endless, "latest"]),
      );
      // Like the indexer, this bypasses the visitors' queue. A new block waits for every running call.
      await chain.rpc.call("evm_mine");
      for (const response of await Promise.all(attack)) {
        expect([response.statusCode, response.json().error.data?.error_code]).toEqual([200, undefined]);
      }
    }
    expect(Number((await call("eth_blockNumber", [])).json().result)).toBe(ROUNDS / 10);
  }, 600_000);
});
