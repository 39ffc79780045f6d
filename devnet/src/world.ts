import { existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Deployment } from "@aqua/sdk/deployment";
import { DAY } from "@aqua/sdk/durations";
import type { Address, Hex } from "viem";
import { DEPOSITOR_COUNT } from "./accounts.ts";
import { buildContracts, buildWeb } from "./build.ts";
import { type Chain, chainFolder, startChain } from "./chain.ts";
import { type ChainAddress, hiddenAddress, startChainProxy } from "./chainProxy.ts";
import { ensureDemoAccount } from "./demoAccount.ts";
import { deployContracts, deploymentsFolder, readDeployment, writeDeployment } from "./deploy.ts";
import { sealBatches, telemetryFolder, writeBatches } from "./fleet/batches.ts";
import { modelIncome } from "./fleet/modelIncome.ts";
import { serverIncome } from "./fleet/serverIncome.ts";
import { keepSeeded, operatorToken } from "./fleet/settle.ts";
import { startFleet } from "./fleet/start.ts";
import { FolderLock } from "./lock.ts";
import { Operator } from "./operator.ts";
import type { Person } from "./person.ts";
import { portIsTaken } from "./processes.ts";
import { type Progress, silent } from "./progress.ts";
import { OWNER_DELAY } from "./roles.ts";
import type { Rpc } from "./rpc.ts";
import { planWorld } from "./seed/plan.ts";
import { runPlan } from "./seed/run.ts";
import { Sender } from "./sender.ts";
import { type Server, startServer } from "./server.ts";

/** Increase it when a world seeded by earlier code no longer fits the contracts. */
const SEED_VERSION = 13;
const BLOCK_TIME = 2;

/** History of a new world: a year of forty-two depositors, or a month of eight for tests. */
export const histories = {
  year: { days: 365, depositors: DEPOSITOR_COUNT },
  month: { days: 30, depositors: 8 },
} as const;
export type History = keyof typeof histories;

export interface StartWorldOptions {
  dataDir: string;
  chainPort: number;
  httpPort: number;
  /** Port of the server's MQTT broker; without it the server has no broker and devices send over HTTP. */
  mqttPort?: number;
  publicUrl?: string;
  databaseUrl?: string | null;
  walletConnectProjectId?: string | null;
  /** Default "year". Counts only for a new world. */
  history?: History;
  /** Seconds between blocks; default 2. */
  blockTime?: number;
  /** Compile and build what changed first; default true. */
  build?: boolean;
  /** False: the chain alone, no server. */
  server?: boolean;
  /** For development: the server starts again as its sources change, and a separate web server is in front. */
  development?: boolean;
  /** More environment for the server. */
  serverEnvironment?: Readonly<Record<string, string>>;
  progress?: Progress;
  /** Cancels the start and stops the parts that run; `startWorld` then rejects. */
  signal?: AbortSignal;
}

export interface World {
  /** Address of Aqua for a browser. */
  url: string;
  rpcUrl: string;
  rpc: Rpc;
  deployment: Deployment;
  /** The account for logging in; null without a server, or when its password was changed. */
  demo: Pick<Person, "email" | "password"> | null;
  /** Process ids of the parts, for tests that kill them. */
  pids: { chain: number; server: number | null };
  /** Resolves with a line that names the part when one ended by itself. The other parts must still be stopped. */
  died: Promise<string>;
  /** Server first, then chain. */
  stop(): Promise<void>;
}

interface Stamp {
  seed_version: number;
  history: History;
  block: Hex;
  hash: Hex;
}

/**
 * Starts the local world, a new one or from where it stopped, and resolves when it can be used. Locks `dataDir` until
 * it is stopped.
 */
export async function startWorld(options: StartWorldOptions): Promise<World> {
  const { dataDir, progress = silent, signal } = options;
  const lock = await FolderLock.take(dataDir);
  const parts: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) await part.stop();
    lock.release();
  };
  // Stopping the parts makes the operations that wait for them fail, which ends the start.
  const abort = () => void stop();
  signal?.addEventListener("abort", abort);
  try {
    await requireFreePorts(options);
    const building = build(options, progress);
    // A failed build is reported where it is awaited, after the parts started meanwhile.
    building.all.catch(() => {});
    const target = await hiddenAddress();
    const { chain, fresh } = await progress.step("local chain", () => openChain(options, target));
    parts.push(chain);
    const appOrigin = originOf(options);
    const proxy = await startChainProxy({ port: options.chainPort, target, appOrigin });
    parts.push(proxy);
    lock.remember("chain", chain.pid);
    signal?.throwIfAborted();
    const sender = await Sender.on(chain.rpc);
    await building.contracts;
    const deployment = fresh ? await seed({ options, chain, sender, progress }) : await resume(dataDir, chain);

    await chain.follow(options.blockTime ?? BLOCK_TIME);
    const income =
      options.server === false
        ? modelIncome(chain.url, deployment.telemetry_anchor as Address)
        : serverIncome(`http://127.0.0.1:${options.httpPort}`);
    const operator = new Operator(sender, deployment, { income });
    await operator.catchUp();
    operator.start((error) => console.error(`The operator of the local chain: ${(error as Error).message}`));
    parts.push(operator);

    await building.all;
    signal?.throwIfAborted();
    const server = options.server === false ? null : await openServer(options, chain, progress);
    if (server !== null) {
      parts.push(server);
      lock.remember("server", server.pid);
    }
    signal?.throwIfAborted();
    const registry = deployment.identity_registry as Address;
    let demo: Person | null = null;
    if (server !== null) {
      const settled = progress.step("devices and their readings", async (note) => {
        parts.push(await startFleet({ url: server.url, mqttPort: options.mqttPort ?? null, dataDir, note }));
      });
      const account = progress.step("demo account", () => ensureDemoAccount(server.url, chain.rpc, registry));
      // Waits for both to end, so that nothing begins after a stop.
      const ends = await Promise.allSettled([account, settled]);
      for (const end of ends) if (end.status === "rejected") throw end.reason;
      demo = await account;
    }
    signal?.throwIfAborted();
    const deaths = [chain.died.then((words) => `The local chain stopped by itself: ${words}`)];
    if (server !== null) deaths.push(server.died.then((words) => `The server stopped by itself: ${words}`));
    return {
      url: appOrigin,
      rpcUrl: proxy.url,
      rpc: chain.rpc,
      deployment,
      demo,
      pids: { chain: chain.pid, server: server?.pid ?? null },
      died: Promise.race(deaths),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

function originOf({ publicUrl, httpPort }: StartWorldOptions): string {
  return publicUrl ?? `http://localhost:${httpPort}`;
}

async function requireFreePorts({ chainPort, httpPort, mqttPort, server }: StartWorldOptions): Promise<void> {
  if (server !== false && (await portIsTaken(httpPort))) {
    throw new Error(`Port ${httpPort} is in use; set PORT to another one.`);
  }
  if (server !== false && mqttPort !== undefined && (await portIsTaken(mqttPort))) {
    throw new Error(`Port ${mqttPort} is in use; set MQTT_PORT to another one.`);
  }
  if (await portIsTaken(chainPort)) throw new Error(`Port ${chainPort} is in use; set CHAIN_PORT to another one.`);
}

function build({ build: wanted, server, development, signal }: StartWorldOptions, progress: Progress) {
  if (wanted === false) return { contracts: Promise.resolve(), all: Promise.resolve() };
  const contracts = progress.step("contracts", () => buildContracts(signal));
  if (server === false || development) return { contracts, all: contracts };
  const web = progress.step("web app", () => buildWeb("demo", signal));
  // The web app is built in parallel with the contracts, from the current ABIs. The second build does something only
  // when the ABIs have changed.
  const all = Promise.all([contracts, web]).then(() => buildWeb("demo", signal));
  return { contracts, all };
}

function stampFile(dataDir: string): string {
  return join(dataDir, "world.json");
}

async function openChain(options: StartWorldOptions, address: ChainAddress): Promise<{ chain: Chain; fresh: boolean }> {
  const { dataDir } = options;
  const fresh = !existsSync(stampFile(dataDir));
  if (fresh) {
    // Existing files come from a start that was interrupted before the world was complete, or from an older chain.
    await rm(chainFolder(dataDir), { recursive: true, force: true });
    await rm(deploymentsFolder(dataDir), { recursive: true, force: true });
    await rm(join(dataDir, "db"), { recursive: true, force: true });
    await rm(telemetryFolder(dataDir), { recursive: true, force: true });
  }
  const { days } = histories[options.history ?? "year"];
  const genesisTime = Math.floor(Date.now() / 1000) - days * DAY;
  const allowOrigin = originOf(options);
  return { chain: await startChain({ ...address, allowOrigin, dataDir, blockTime: "manual", genesisTime }), fresh };
}

async function seed({
  options,
  chain,
  sender,
  progress,
}: {
  options: StartWorldOptions;
  chain: Chain;
  sender: Sender;
  progress: Progress;
}): Promise<Deployment> {
  const { dataDir, history = "year" } = options;
  const { depositors } = histories[history];
  const genesis = Number((await chain.rpc.call<{ timestamp: Hex }>("eth_getBlockByNumber", ["0x0", false])).timestamp);
  const created = genesis + 12;
  const end = Math.floor(Date.now() / 1000) - 30;
  const plan = planWorld({ start: created, end: end - 30, depositors });
  const { evidence } = plan;
  const world = await progress.step("deployment", () =>
    deployContracts(sender, created, { ownerDelay: OWNER_DELAY, evidence }),
  );
  await writeDeployment(dataDir, world.deployment);
  const { batches } = await progress.step(`a ${history} of signed readings`, async () => {
    const sealed = await sealBatches(plan, world.addresses.telemetryAnchor);
    await writeBatches(dataDir, sealed.batches);
    await keepSeeded(dataDir, sealed.heads, plan.history);
    return sealed;
  });
  await progress.step(`a ${history} of deposits, income and withdrawals`, async (note) => {
    await runPlan({ sender, world, plan, batches, end, progress: (part) => note(`${Math.round(part * 100)} %`) });
    await chain.persist();
    const { number, hash } = await chain.rpc.call<{ number: Hex; hash: Hex }>("eth_getBlockByNumber", [
      "latest",
      false,
    ]);
    const stamp: Stamp = { seed_version: SEED_VERSION, history, block: number, hash };
    // Written last: without this file the next start begins again.
    await writeFile(`${stampFile(dataDir)}.new`, `${JSON.stringify(stamp, null, 2)}\n`);
    await rename(`${stampFile(dataDir)}.new`, stampFile(dataDir));
  });
  return world.deployment;
}

async function resume(dataDir: string, chain: Chain): Promise<Deployment> {
  const stamp = JSON.parse(await readFile(stampFile(dataDir), "utf8")) as Stamp;
  const block = await chain.rpc.call<{ hash: Hex } | null>("eth_getBlockByNumber", [stamp.block, false]);
  if (stamp.seed_version !== SEED_VERSION || block?.hash !== stamp.hash) {
    const why = stamp.seed_version === SEED_VERSION ? "lost its chain" : "comes from another version of Aqua";
    throw new Error(`The world in ${dataDir} ${why}; \`npm run reset\` removes it, the next start makes a new one.`);
  }
  return readDeployment(dataDir);
}

async function openServer(options: StartWorldOptions, chain: Chain, progress: Progress): Promise<Server> {
  const token = await operatorToken(options.dataDir);
  return progress.step("server, with everything indexed", (note) =>
    startServer(
      {
        port: options.httpPort,
        mqttPort: options.mqttPort ?? null,
        dataDir: options.dataDir,
        publicUrl: originOf(options),
        databaseUrl: options.databaseUrl ?? null,
        walletConnectProjectId: options.walletConnectProjectId ?? null,
        rpcUrl: chain.url,
        operatorToken: token,
        ...(options.development ? { watch: true } : {}),
        ...(options.serverEnvironment ? { environment: options.serverEnvironment } : {}),
      },
      note,
    ),
  );
}
