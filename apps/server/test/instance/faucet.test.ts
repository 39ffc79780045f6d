import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import { createClient } from "@aqua/sdk/api/client";
import type { ErrorBody } from "@aqua/sdk/api/envelope";
import pino from "pino";
import { createPublicClient, http, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { type Instance, startInstance } from "../../src/instance.ts";
import { type LocalChain, openLocalChain } from "./local.ts";

let local: LocalChain;
let instance: Instance;
let api: ReturnType<typeof createClient>;
let reader: ReturnType<typeof createPublicClient>;

beforeAll(async () => {
  local = await openLocalChain();
  reader = createPublicClient({ transport: http(local.chain.url), cacheTime: 0 });
  instance = await startInstance(readConfig(local.environment), pino({ level: "silent" }));
  api = createClient({ baseUrl: `${instance.url}/api/v2` });
});
afterAll(async () => {
  await instance?.stop();
  await local?.remove();
});

const wallet = () => privateKeyToAccount(generatePrivateKey());
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: ErrorBody) => error,
  );
const dollarsOf = (address: `0x${string}`) =>
  reader.readContract({
    address: local.deployed.addresses.testDollar,
    abi: testDollarAbi,
    functionName: "balanceOf",
    args: [address],
  });

describe("the faucet", () => {
  it("sends 10 000 test dollars and 1 ETH, and answers when both are in a block", async () => {
    const { address } = wallet();
    const result = await api.faucet({ address: address.toLowerCase() });
    expect(result).toMatchObject({ assets: "10000", gas: "1", hashes: [expect.any(String), expect.any(String)] });
    expect(await dollarsOf(address)).toBe(10_000_000_000n);
    expect(await reader.getBalance({ address })).toBe(parseEther("1"));
  });

  it("sends both in one block, together with simultaneous requests of others", async () => {
    const { rpc } = local.chain;
    await local.chain.follow("manual");
    try {
      const asked = [wallet(), wallet()].map(({ address }) => api.faucet({ address }));
      const waiting = async () => Number((await rpc.call<{ pending: string }>("txpool_status")).pending);
      await expect.poll(waiting).toBe(4);
      await rpc.call("evm_mine");
      const hashes = (await Promise.all(asked)).flatMap((result) => result.hashes);
      const receipts = await Promise.all(
        hashes.map((hash) => reader.getTransactionReceipt({ hash: hash as `0x${string}` })),
      );
      expect(new Set(receipts.map(({ blockNumber }) => blockNumber)).size).toBe(1);
    } finally {
      await local.chain.follow("auto");
    }
  });

  it("serves many at once without mixing up its transactions", async () => {
    const wallets = Array.from({ length: 8 }, wallet);
    await Promise.all(wallets.map(({ address }) => api.faucet({ address })));
    for (const { address } of wallets) expect(await dollarsOf(address)).toBe(10_000_000_000n);
  });

  it("rejects an address that cannot receive its coins", async () => {
    for (const address of [`0x${"0".repeat(40)}`, local.deployed.addresses.identityRegistry]) {
      expect(await refusal(api.faucet({ address }))).toMatchObject({
        code: "validation_error",
        message: "This address does not take test dollars or gas",
      });
    }
  });

  it("serves an address at most five times per hour", async () => {
    const { address } = wallet();
    for (let n = 0; n < 5; n += 1) await api.faucet({ address });
    expect(await refusal(api.faucet({ address }))).toMatchObject({
      code: "too_many_requests",
      message: expect.stringMatching(/^Too many tries; try again in \d+ min$/),
    });
    expect(await dollarsOf(address)).toBe(50_000_000_000n);
  });
});

describe("the instance", () => {
  it("names its chain, its contracts and the faucet", async () => {
    const { deployment } = local.deployed;
    const network = await api.network();
    expect(network.faucet).toBe(true);
    expect(network.chains).toHaveLength(1);
    expect(network.chains[0]?.identity_registry.toLowerCase()).toBe(deployment.identity_registry.toLowerCase());
  });

  it("becomes ready, follows the chain and publishes its blocks", async () => {
    await expect.poll(async () => (await fetch(`${instance.url}/ready`)).status).toBe(200);
    const events = await fetch(`${instance.url}/api/v2/events`);
    const stream = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    await api.faucet({ address: wallet().address });
    let text = "";
    while (!text.includes("event: block")) text += (await stream?.read())?.value ?? "";
    await stream?.cancel();
    expect(text).toMatch(/event: block\ndata: {"chain_id":31337,"block":\d+,"time":\d{13}}/);
  });

  it("forwards wallets' calls to the node", async () => {
    const proxied = createPublicClient({
      transport: http(`${instance.url}/rpc/31337`, { batch: true, retryCount: 0 }),
    });
    const [chainId, block] = await Promise.all([proxied.getChainId(), proxied.getBlock()]);
    expect([chainId, block.number]).toEqual([31337, await reader.getBlockNumber()]);
    await expect(proxied.request({ method: "anvil_mine" as never })).rejects.toThrow("not available");
  });
});
