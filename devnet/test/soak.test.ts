import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hex } from "viem";
import { expect, it, onTestFinished } from "vitest";
import { startWorld } from "../src/world.ts";
import { freePort } from "./support/port.ts";

/** What a chain at rest seals in a day: a block every eight seconds. */
const BLOCKS_OF_A_DAY = 10_800;
/** At once, so that the indexer follows block by block as it does in a day. */
const AT_ONCE = 10;
const CHAIN_MB = 300;
const SERVER_MB = 220;

/** Memory of a process, MB: VmRSS of proc(5). */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}

it.runIf(process.env.AQUA_SOAK === "1")(
  `World at rest for a day takes at most ${CHAIN_MB} MB for its chain and ${SERVER_MB} MB for its server`,
  async () => {
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
    for (let sealed = 0; sealed < BLOCKS_OF_A_DAY; sealed += AT_ONCE) {
      for (let one = 0; one < AT_ONCE; one += 1) await world.rpc.call("evm_mine");
      const head = Number(await world.rpc.call<Hex>("eth_blockNumber"));
      await expect.poll(indexed, { interval: 20 }).toBeGreaterThanOrEqual(head);
      if (sealed % 600 === 0) await report(sealed);
    }
    await report(BLOCKS_OF_A_DAY);
    expect(await memoryOf(chain)).toBeLessThanOrEqual(CHAIN_MB);
    expect(await memoryOf(server)).toBeLessThanOrEqual(SERVER_MB);
  },
  3_600_000,
);
