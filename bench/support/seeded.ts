import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY } from "@aqua/sdk/durations";
import { startPostgres } from "../../apps/server/test/support/startPostgres.ts";
import { DEPOSITOR_COUNT } from "../../devnet/src/accounts.ts";
import { startChain } from "../../devnet/src/chain.ts";
import { deployContracts, writeDeployment } from "../../devnet/src/deploy.ts";
import { sealBatches } from "../../devnet/src/fleet/batches.ts";
import { OWNER_DELAY } from "../../devnet/src/roles.ts";
import { planWorld } from "../../devnet/src/seed/plan.ts";
import { runPlan } from "../../devnet/src/seed/run.ts";
import { Sender } from "../../devnet/src/sender.ts";
import { freePort } from "../../devnet/test/support/port.ts";

const BLOCK_SECONDS = 2;

/** What a built server needs: a chain with a year of forty-two depositors and a block every two seconds, and a database. */
export interface Seeded {
  /** Folder with the deployment. */
  dataDir: string;
  rpcUrl: string;
  databaseUrl: string;
  postgresPid: number;
  /** Unix seconds of the first block. */
  genesisTime: number;
  stop(): Promise<void>;
}

export async function startSeeded(): Promise<Seeded> {
  const genesisTime = Math.floor(Date.now() / 1_000) - 365 * DAY;
  const dataDir = await mkdtemp(join(tmpdir(), "aqua-bench-"));
  const postgres = await startPostgres([]);
  const chain = await startChain({ port: await freePort(), blockTime: "manual", genesisTime });
  const sender = await Sender.on(chain.rpc);
  const end = Math.floor(Date.now() / 1_000) - 30;
  const plan = planWorld({ start: genesisTime + 12, end: end - 30, depositors: DEPOSITOR_COUNT });
  const { evidence } = plan;
  const world = await deployContracts(sender, genesisTime + 12, { ownerDelay: OWNER_DELAY, evidence });
  await writeDeployment(dataDir, world.deployment);
  const { batches } = await sealBatches(plan, world.addresses.telemetryAnchor);
  await runPlan({ sender, world, plan, batches, end });
  await chain.follow(BLOCK_SECONDS);
  return {
    ...{ dataDir, genesisTime, rpcUrl: chain.url, databaseUrl: postgres.url, postgresPid: postgres.pid ?? 0 },
    async stop() {
      await chain.stop();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
