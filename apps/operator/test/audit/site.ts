import { expect, vi } from "vitest";
import { DEPOSITOR_COUNT } from "../../../../devnet/src/accounts.ts";
import { startChain } from "../../../../devnet/src/chain.ts";
import { deployContracts, deploymentsFolder, writeDeployment } from "../../../../devnet/src/deploy.ts";
import { productsFolder } from "../../../../devnet/src/documents.ts";
import { sealBatches } from "../../../../devnet/src/fleet/batches.ts";
import { devicesOf } from "../../../../devnet/src/fleet/devices.ts";
import { FleetCalls } from "../../../../devnet/src/fleet/operatorCalls.ts";
import { OWNER_DELAY } from "../../../../devnet/src/roles.ts";
import { planWorld } from "../../../../devnet/src/seed/plan.ts";
import { runPlan } from "../../../../devnet/src/seed/run.ts";
import { Sender } from "../../../../devnet/src/sender.ts";
import { freePort } from "../../../../devnet/test/support/port.ts";
import { readConfig } from "../../../server/src/config.ts";
import { startInstance } from "../../../server/src/instance.ts";
import { createLog } from "../../../server/src/log.ts";
import { makeDataFolder, removeDataFolder } from "../../../server/test/support/dataFolder.ts";
import { operatorToken } from "../../../server/test/support/identity.ts";

const DAY = 86_400;
/** A month has every rare event of the year, which a soak runs. */
const [DAYS, DEPOSITORS] = process.env.AQUA_SOAK === "1" ? [365, DEPOSITOR_COUNT] : [30, 8];
const END = Date.UTC(2026, 10, 22, 1) / 1_000;

export interface SeededSite {
  url: string;
  rpcUrl: string;
  /** The folder with the chain's contracts. */
  deployments: string;
  mine(): Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * A whole server on a chain with a month of every kind of product: queues, early exits, losses, a recovery, batches of
 * readings. The chain mines another block only on request.
 */
export async function openSeededSite(): Promise<SeededSite> {
  const folder = await makeDataFolder();
  const genesisTime = END - DAYS * DAY;
  const chain = await startChain({ port: await freePort(), blockTime: "manual", genesisTime });
  const closers = [() => removeDataFolder(folder), () => chain.stop()];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const sender = await Sender.on(chain.rpc);
    const plan = planWorld({ start: genesisTime + 12, end: END - 60, depositors: DEPOSITORS });
    const world = await deployContracts(sender, genesisTime + 12, { ownerDelay: OWNER_DELAY, evidence: plan.evidence });
    const { batches } = await sealBatches(plan, world.addresses.telemetryAnchor);
    await runPlan({ sender, world, plan, batches, end: END });
    await writeDeployment(folder, world.deployment);
    const environment = {
      PORT: "0",
      MQTT_PORT: "off",
      DATA_DIR: folder,
      RPC_URL_31337: chain.url,
      DEPLOYMENTS_DIR: deploymentsFolder(folder),
      PRODUCTS_DIR: productsFolder,
      // An audit asks as fast as it can, which may exceed a visitor's limit.
      RATE_LIMIT_API: "1000000",
      OPERATOR_TOKEN: operatorToken,
    };
    const config = readConfig({ ...environment, LOG_LEVEL: "error" });
    const instance = await startInstance(
      config,
      createLog(config, () => {}),
    );
    closers.push(() => instance.stop());
    const number = Number(await chain.rpc.call<string>("eth_blockNumber"));
    await vi.waitFor(async () => expect((await headOf(instance.url))?.block).toBe(number), 60_000);
    const calls = new FleetCalls(instance.url, operatorToken);
    // The second product's devices have a co-signer.
    for (const shortId of ["sahel-solar", "alps-hydro"])
      for (const device of devicesOf(shortId)) await calls.enrol(device);
    const deployments = deploymentsFolder(folder);
    return { url: instance.url, rpcUrl: chain.url, deployments, mine: () => chain.rpc.call("evm_mine"), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function headOf(url: string): Promise<{ block: number } | null> {
  const { data } = (await (await fetch(`${url}/api/v2/network`)).json()) as {
    data: { chains: { head: { block: number } | null }[] };
  };
  return data.chains[0]?.head ?? null;
}
