import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hex } from "viem";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { roleAccount } from "../src/accounts.ts";
import { type Chain, startChain } from "../src/chain.ts";
import { startWorld } from "../src/world.ts";
import { freePort } from "./support/port.ts";

let chain: Chain;
afterEach(() => chain?.stop());

/** Counts the checks of the chain and the sealed blocks from now on. */
function countCalls() {
  const calls = vi.spyOn(chain.rpc, "call");
  const of = (method: string) => calls.mock.calls.filter(([name]) => name === method).length;
  return { looks: () => of("txpool_status"), sealed: () => of("evm_mine") };
}

it("Chain seals a block at every tick while there are transactions, and every fourth tick at rest", async () => {
  chain = await startChain({ port: await freePort(), blockTime: "manual" });
  const { looks, sealed } = countCalls();
  await chain.follow(0.01);
  await expect.poll(looks, { interval: 5 }).toBeGreaterThan(40);
  const atRest = sealed() / looks();
  expect(atRest).toBeGreaterThan(0.2);
  expect(atRest).toBeLessThan(0.5);

  const [before, begun] = [sealed(), looks()];
  const { address: from } = roleAccount("faucet");
  await chain.rpc.call("anvil_impersonateAccount", [from]);
  await chain.rpc.call("anvil_setBalance", [from, "0xde0b6b3a7640000"]);
  const hash = await chain.rpc.call("eth_sendTransaction", [{ from, to: from }]);
  const receipt = () => chain.rpc.call("eth_getTransactionReceipt", [hash]);
  await expect.poll(receipt, { interval: 5 }).toMatchObject({ status: "0x1" });
  // Its block and two confirmations follow one another.
  await expect.poll(sealed, { interval: 5 }).toBeGreaterThanOrEqual(before + 3);
  expect(looks() - begun).toBeGreaterThanOrEqual(3);
});

it("Chain seals nothing while anvil's own interval is set", async () => {
  chain = await startChain({ port: await freePort(), blockTime: "manual" });
  const { looks, sealed } = countCalls();
  await chain.follow(0.01);
  await expect.poll(looks, { interval: 5 }).toBeGreaterThan(2);
  const interval = await chain.rpc.call("anvil_getIntervalMining");
  await chain.rpc.call("evm_setIntervalMining", [0]);
  const asked = vi.mocked(chain.rpc.call).mock.calls;
  const from = asked.length;
  const refused = () => asked.slice(from).filter(([name]) => name === "anvil_getIntervalMining").length;
  await expect.poll(refused, { interval: 5 }).toBeGreaterThan(5);
  const before = sealed();
  const again = refused();
  await expect.poll(refused, { interval: 5 }).toBeGreaterThan(again + 5);
  expect(sealed()).toBe(before);
  await chain.rpc.call("evm_setIntervalMining", [interval]);
  await expect.poll(sealed, { interval: 5 }).toBeGreaterThan(before);
});

/** Blocks that a chain at rest seals in a day: one every eight seconds. */
const BLOCKS_OF_A_DAY = 10_800;
/** Blocks per round, few enough that the indexer follows block by block. */
const STEP = 10;
const CHAIN_MB = 300;
const SERVER_MB = 220;

/** Memory of a process, MB: VmRSS of proc(5). */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}

// Starting a world and sealing a day takes minutes: only in `npm run test:long`.
if (process.env.AQUA_SOAK === "1") {
  it(`World at rest for a day takes at most ${CHAIN_MB} MB for its chain and ${SERVER_MB} MB for its server`, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "aqua-day-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const [chainPort, httpPort, mqttPort] = [await freePort(), await freePort(), await freePort()];
    const world = await startWorld({ dataDir, chainPort, httpPort, mqttPort });
    onTestFinished(world.stop);
    const { chain, server } = world.pids;
    if (server === null) throw new Error("the world has no server");
    const indexed = async () => {
      const response = await fetch(`${world.url}/metrics`);
      return Number(/^aqua_indexer_block\{chain_id="31337"\} (\d+)$/m.exec(await response.text())?.[1]);
    };
    const report = async (blocks: number) =>
      console.log(`${blocks} blocks: chain ${await memoryOf(chain)} MB, server ${await memoryOf(server)} MB`);
    await report(0);
    for (let sealed = 0; sealed < BLOCKS_OF_A_DAY; sealed += STEP) {
      for (let one = 0; one < STEP; one += 1) await world.rpc.call("evm_mine");
      const head = Number(await world.rpc.call<Hex>("eth_blockNumber"));
      await expect.poll(indexed, { interval: 20 }).toBeGreaterThanOrEqual(head);
      if (sealed % 600 === 0) await report(sealed);
    }
    await report(BLOCKS_OF_A_DAY);
    expect(await memoryOf(chain)).toBeLessThanOrEqual(CHAIN_MB);
    expect(await memoryOf(server)).toBeLessThanOrEqual(SERVER_MB);
  }, 3_600_000);
}
