import { setTimeout as sleep } from "node:timers/promises";
import type { Deployment } from "@aqua/sdk/deployment";
import { createPublicClient, http } from "viem";
import { startChain } from "../../../../devnet/src/chain.ts";
import { deployContracts, deploymentsFolder, writeDeployment } from "../../../../devnet/src/deploy.ts";
import { productsFolder } from "../../../../devnet/src/documents.ts";
import { sealBatches, writeBatches } from "../../../../devnet/src/fleet/batches.ts";
import { FleetCalls } from "../../../../devnet/src/fleet/operatorCalls.ts";
import { keepSeeded, settleFleet } from "../../../../devnet/src/fleet/settle.ts";
import { OWNER_DELAY } from "../../../../devnet/src/roles.ts";
import { planWorld } from "../../../../devnet/src/seed/plan.ts";
import { runPlan } from "../../../../devnet/src/seed/run.ts";
import { Sender } from "../../../../devnet/src/sender.ts";
import { freePort } from "../../../../devnet/test/support/port.ts";
import { readConfig } from "../../src/config.ts";
import { connectDatabase, type Database } from "../../src/db/database.ts";
import type { ChainClient } from "../../src/indexer/node.ts";
import { chainCursor } from "../../src/indexer/schema.ts";
import { startInstance } from "../../src/instance.ts";
import { createLog } from "../../src/log.ts";
import { createServerDatabase } from "../support/databases.ts";
import { makeDataFolder, removeDataFolder } from "../support/dataFolder.ts";
import { operatorToken } from "../support/identity.ts";

const DAY = 86_400;
const END = Date.UTC(2026, 10, 22, 1) / 1_000;

export interface SeededWorld {
  db: Database;
  client: ChainClient;
  deployment: Deployment;
  head: number;
  stop(): Promise<void>;
}

/**
 * The world of `npm start` as a whole server has stored it: products, wallets, devices with their readings and batches,
 * and documents. The server is stopped, so nothing but the test writes to the database.
 */
export async function openSeededWorld({
  days,
  depositors,
}: {
  days: number;
  depositors: number;
}): Promise<SeededWorld> {
  const folder = await makeDataFolder();
  const genesisTime = END - days * DAY;
  const chain = await startChain({ port: await freePort(), blockTime: "manual", genesisTime });
  const closers = [() => removeDataFolder(folder), () => chain.stop()];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const sender = await Sender.on(chain.rpc);
    const plan = planWorld({ start: genesisTime + 12, end: END - 60, depositors });
    const world = await deployContracts(sender, genesisTime + 12, { ownerDelay: OWNER_DELAY, evidence: plan.evidence });
    const { batches, heads } = await sealBatches(plan, world.addresses.telemetryAnchor);
    await writeBatches(folder, batches);
    await keepSeeded(folder, heads, plan.history);
    await runPlan({ sender, world, plan, batches, end: END });
    await writeDeployment(folder, world.deployment);
    const head = Number(await chain.rpc.call<string>("eth_blockNumber"));
    const url = await createServerDatabase();
    const environment = {
      ...{ PORT: "0", MQTT_PORT: "off", DATA_DIR: folder, DATABASE_URL: url, RPC_URL_31337: chain.url },
      ...{ DEPLOYMENTS_DIR: deploymentsFolder(folder), PRODUCTS_DIR: productsFolder },
      ...{ OPERATOR_TOKEN: operatorToken, AUDIT_CORE_PERCENT: "0", LOG_LEVEL: "error" },
    };
    const config = readConfig(environment);
    const instance = await startInstance(
      config,
      createLog(config, () => {}),
    );
    closers.push(() => instance.stop());
    const db = await connectDatabase(url);
    closers.push(db.close);
    for (;;) {
      const [cursor] = await db.orm.select().from(chainCursor);
      if (cursor?.block === head) break;
      await sleep(50);
    }
    await settleFleet(new FleetCalls(instance.url, operatorToken), folder, () => {});
    await instance.stop();
    const client = createPublicClient({ transport: http(chain.url, { retryCount: 0 }), cacheTime: 0 });
    return { db, client, deployment: world.deployment, head, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
