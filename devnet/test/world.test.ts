import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import { sharePrice } from "@aqua/sdk/maths/shares";
import { totalAssetsAt } from "@aqua/sdk/maths/stream";
import { type Address, createPublicClient, createWalletClient, http, keccak256, type PublicClient } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEMO_WALLET_ADDRESS, DEPOSITOR_COUNT, demoWallet, depositor, roleAccount } from "../src/accounts.ts";
import { productsFolder } from "../src/documents.ts";
import { AlreadyRunning } from "../src/lock.ts";
import { isAlive, sleep } from "../src/processes.ts";
import { devnetProducts, dollars, shortIds } from "../src/products.ts";
import { flood, mistake } from "../src/seed/intents.ts";
import { frozen, recovered } from "../src/seed/records.ts";
import { startWorld, type World } from "../src/world.ts";
import { freePort } from "./support/port.ts";
import { walletAtEnd } from "./support/wallets.ts";

const VERIFIED = 1;
const open = devnetProducts.filter(({ closedAfter }) => closedAfter === undefined).map(({ shortId }) => shortId);
const dataDir = mkdtempSync(join(tmpdir(), "aqua-world-"));
let world: World;
let client: PublicClient;

async function start(): Promise<void> {
  const [chainPort, httpPort] = [await freePort(), await freePort()];
  world = await startWorld({ dataDir, chainPort, httpPort, server: false, blockTime: 1 });
  client = createPublicClient({ transport: http(world.rpcUrl), pollingInterval: 100 });
}

beforeAll(start);
afterAll(async () => {
  await world?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function vaultOf(shortId: string): Promise<{ vault: Address; metadataHash: string }> {
  const [vault, , , , metadataHash] = await client.readContract({
    address: world.deployment.product_registry as Address,
    abi: productRegistryAbi,
    functionName: "productOf",
    args: [shortId],
  });
  return { vault, metadataHash };
}

async function expectBlocksToFollowTheClock(): Promise<void> {
  const before = await client.getBlockNumber({ cacheTime: 0 });
  while ((await client.getBlockNumber({ cacheTime: 0 })) < before + 2n) await sleep(50);
  const { timestamp } = await client.getBlock();
  expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60);
}

describe("the seeded world", () => {
  it("begins a year before its last block, which is now", async () => {
    const genesis = await client.getBlock({ blockNumber: 0n });
    expect(Math.abs(Number(genesis.timestamp) + 365 * 86_400 - Date.now() / 1000)).toBeLessThan(600);
    await expectBlocksToFollowTheClock();
  });

  it.each(open)("has reported the income of %s in each month", async (shortId) => {
    const { vault } = await vaultOf(shortId);
    const reports = await client.getContractEvents({
      address: vault,
      abi: demandVaultAbi,
      eventName: "Reported",
      fromBlock: 0n,
      strict: true,
    });
    const months = new Set(reports.map(({ args }) => new Date(Number(args.asOf) * 1000).toISOString().slice(0, 7)));
    expect(months.size).toBeGreaterThanOrEqual(12);
    const gains = reports.reduce((sum, { args }) => sum + args.delta, 0n);
    expect(gains).toBeGreaterThan(dollars(10_000));
  });

  it.each(devnetProducts.map(({ shortId }) => shortId))(
    "lets the share price of %s only rise, but for a loss that was reported",
    async (shortId) => {
      const { vault } = await vaultOf(shortId);
      const fromBlock = 0n;
      const [reports, deposits, withdrawals] = await Promise.all([
        client.getContractEvents({
          address: vault,
          abi: demandVaultAbi,
          eventName: "Reported",
          fromBlock,
          strict: true,
        }),
        client.getContractEvents({
          address: vault,
          abi: demandVaultAbi,
          eventName: "Deposit",
          fromBlock,
          strict: true,
        }),
        client.getContractEvents({
          address: vault,
          abi: demandVaultAbi,
          eventName: "Withdraw",
          fromBlock,
          strict: true,
        }),
      ]);
      // The pool is rebuilt from events alone and compared at each report.
      let last = 0n;
      let losses = 0;
      for (const { blockNumber, args } of reports) {
        const moved = (events: { blockNumber: bigint; args: { shares: bigint } }[]) =>
          events
            .filter((event) => event.blockNumber <= blockNumber)
            .reduce((sum, event) => sum + event.args.shares, 0n);
        const { settled, streaming, streamStart: start, streamEnd: end } = args;
        const { timestamp } = await client.getBlock({ blockNumber });
        const totalAssets = totalAssetsAt({ settled, streaming, start, end }, timestamp);
        const price = sharePrice({ totalAssets, supply: moved(deposits) - moved(withdrawals) });
        if (args.delta < 0n) losses += 1;
        else expect(price).toBeGreaterThanOrEqual(last);
        last = price;
      }
      expect(losses).toBe(shortId === flood.shortId || shortId === mistake.shortId ? 1 : 0);
      expect(last).toBeGreaterThan(10n ** 18n);
    },
  );

  it("leaves every depositor but the frozen one verified, with money that adds up to the vaults' own", async () => {
    const wallets = Array.from({ length: DEPOSITOR_COUNT + 1 }, (_, index) => walletAtEnd(index));
    for (const { shortId } of devnetProducts) {
      const { vault } = await vaultOf(shortId);
      const read = (functionName: "balanceOf", wallet: Address) =>
        client.readContract({ address: vault, abi: demandVaultAbi, functionName, args: [wallet] });
      const { queue } = await client.readContract({ address: vault, abi: demandVaultAbi, functionName: "desk" });
      const shares = await Promise.all([...wallets, queue].map((wallet) => read("balanceOf", wallet)));
      const supply = await client.readContract({ address: vault, abi: demandVaultAbi, functionName: "totalSupply" });
      expect(shares.reduce((sum, held) => sum + held, 0n)).toBe(supply);
      expect(shares.filter((held) => held > 0n).length).toBeGreaterThan(open.includes(shortId) ? 10 : 1);
    }
    for (const [index, wallet] of wallets.entries()) {
      expect((await statusOf(wallet)) === VERIFIED).toBe(index !== frozen.depositor);
      // The wallet that took a lost one's place holds no money of its own.
      if (index !== recovered.depositor) expect(await dollarsOf(wallet)).toBeGreaterThan(0n);
    }
  });

  it("leaves the demo wallet 25 000 test dollars and gas beside its holdings, with the record of the demo account", async () => {
    expect(demoWallet().address).toBe(DEMO_WALLET_ADDRESS);
    expect(await dollarsOf(DEMO_WALLET_ADDRESS)).toBe(dollars(25_000));
    expect(await client.getBalance({ address: DEMO_WALLET_ADDRESS })).toBeGreaterThan(10n ** 18n);
    expect(await statusOf(DEMO_WALLET_ADDRESS)).toBe(VERIFIED);
    // The wallet has no allowance, so a depositor signs one as with any wallet.
    for (const { shortId } of devnetProducts) {
      const { vault } = await vaultOf(shortId);
      const args = [DEMO_WALLET_ADDRESS, vault] as const;
      const address = world.deployment.test_dollar as Address;
      expect(await client.readContract({ address, abi: testDollarAbi, functionName: "allowance", args })).toBe(0n);
    }
  });

  it("commits on the chain to the exact bytes of each document", async () => {
    for (const shortId of shortIds) {
      const bytes = readFileSync(join(productsFolder, `${shortId}.json`));
      expect((await vaultOf(shortId)).metadataHash).toBe(keccak256(bytes));
    }
  });

  it("takes deposits but for the closed product: reports are fresh and the others open", async () => {
    for (const { shortId } of devnetProducts) {
      const { vault } = await vaultOf(shortId);
      const most = await client.readContract({
        address: vault,
        abi: demandVaultAbi,
        functionName: "maxDeposit",
        args: [depositor(0).address],
      });
      if (open.includes(shortId)) expect(most).toBeGreaterThan(dollars(100_000));
      else expect(most).toBe(0n);
    }
  });
});

function statusOf(wallet: Address): Promise<number> {
  const address = world.deployment.identity_registry as Address;
  return client.readContract({ address, abi: identityRegistryAbi, functionName: "statusOf", args: [wallet] });
}

function dollarsOf(wallet: Address): Promise<bigint> {
  const address = world.deployment.test_dollar as Address;
  return client.readContract({ address, abi: testDollarAbi, functionName: "balanceOf", args: [wallet] });
}

describe("a running world", () => {
  it("refuses a second start on its folder, naming the process", async () => {
    const second = startWorld({ dataDir, chainPort: await freePort(), httpPort: await freePort(), server: false });
    await expect(second).rejects.toThrow(new AlreadyRunning(process.pid, dataDir));
  });

  it("continues where it stopped, with block time at the clock again", async () => {
    const kept = await client.getBlock({ blockNumber: await client.getBlockNumber({ cacheTime: 0 }) });
    await world.stop();
    expect(isAlive(world.pids.chain)).toBe(false);
    await start();
    expect((await client.getBlock({ blockNumber: kept.number })).hash).toBe(kept.hash);
    expect(await dollarsOf(DEMO_WALLET_ADDRESS)).toBe(dollars(25_000));
    await expectBlocksToFollowTheClock();
  });

  it("commits to a document that was edited while it was stopped", async () => {
    const { shortId } = devnetProducts[0] ?? { shortId: "" };
    const edited = (await vaultOf(shortId)).metadataHash;
    // Simulates that the chain has an earlier edition.
    const editor = createWalletClient({ account: roleAccount("editor"), transport: http(world.rpcUrl) });
    const earlier = keccak256("0x01");
    const hash = await editor.writeContract({
      chain: null,
      address: world.deployment.product_registry as Address,
      abi: productRegistryAbi,
      functionName: "setMetadata",
      args: [shortId, earlier],
    });
    await client.waitForTransactionReceipt({ hash });
    expect((await vaultOf(shortId)).metadataHash).toBe(earlier);
    await world.stop();
    await start();
    expect((await vaultOf(shortId)).metadataHash).toBe(edited);
  });

  it("reports that its chain has died, and restarts with the last written state", async () => {
    const stamp = JSON.parse(readFileSync(join(dataDir, "world.json"), "utf8")) as {
      block: `0x${string}`;
      hash: string;
    };
    process.kill(world.pids.chain, "SIGKILL");
    expect(await world.died).toMatch(/^The local chain stopped by itself/);
    await world.stop();
    await start();
    expect((await client.getBlock({ blockNumber: BigInt(stamp.block) })).hash).toBe(stamp.hash);
  });

  it("ends a chain that a killed predecessor left behind", async () => {
    await world.stop();
    // A supervisor that was killed together with its guard leaves a running chain and a record of it.
    await start();
    const orphan = world.pids.chain;
    const record = JSON.parse(readFileSync(join(dataDir, "run.json"), "utf8")) as { pid: number; identity: string };
    writeFileSync(join(dataDir, "run.json"), JSON.stringify({ ...record, identity: "an earlier process" }));
    await start();
    expect(isAlive(orphan)).toBe(false);
    expect(await dollarsOf(DEMO_WALLET_ADDRESS)).toBe(dollars(25_000));
  });

  it("starts again from the beginning if a start was interrupted before the world was complete", async () => {
    await world.stop();
    rmSync(join(dataDir, "world.json"));
    const [chainPort, httpPort] = [await freePort(), await freePort()];
    world = await startWorld({ dataDir, chainPort, httpPort, server: false, history: "month" });
    client = createPublicClient({ transport: http(world.rpcUrl) });
    const genesis = await client.getBlock({ blockNumber: 0n });
    expect(Math.abs(Number(genesis.timestamp) + 30 * 86_400 - Date.now() / 1000)).toBeLessThan(600);
    expect(await dollarsOf(DEMO_WALLET_ADDRESS)).toBe(dollars(25_000));
  });
});
