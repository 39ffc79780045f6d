import { existsSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg, { type ClientConfig } from "pg";
import type { Logger } from "pino";
import { StartRefused } from "../../errors.ts";
import { binaries } from "./binaries.ts";
import { type Cluster, connectionOf, createCluster, NotLeftYet, startCluster, stopCluster } from "./cluster.ts";
import { endWithThisProcess } from "./guard.ts";
import { findHome, homeOf, removeHome } from "./home.ts";
import { databaseUser } from "./systemUser.ts";

/** Another process uses the data folder. The message names that process. */
export class DataFolderInUse extends StartRefused {
  override name = "DataFolderInUse";
  constructor(folder: string, process: string) {
    super(`${folder} is in use by ${process}; stop it first or set another DATA_DIR`);
  }
}

export interface EmbeddedDatabase {
  connection: ClientConfig;
  /** Stops the server and releases the data folder. */
  stop(): Promise<void>;
}

interface Settings {
  dataDir: string;
  log?: Pick<Logger, "info" | "warn" | "error">;
  /** How long the processes of a killed server may take to end, in milliseconds. */
  leaveWithinMs?: number;
}

/** Id of the advisory lock on the data folder. A connection holds it, so the lock ends with the process. */
const LOCK = 4_171;
/** How long PostgreSQL may take to release the lock of a process that was just killed. */
const LET_GO_WITHIN_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
const LEAVE_WITHIN_MS = 30_000;

/**
 * Starts PostgreSQL for a data folder, or takes over the server that a killed process left running. Starts it again
 * whenever it ends by itself; `connection` stays valid after that.
 * @throws StartRefused when it cannot run or another process uses the folder
 */
export async function startEmbedded({
  dataDir,
  log,
  leaveWithinMs = LEAVE_WITHIN_MS,
}: Settings): Promise<EmbeddedDatabase> {
  if (existsSync(join(dataDir, "db", "PG_VERSION"))) {
    throw new StartRefused(
      `${dataDir} holds an embedded database of an earlier kind, which this version cannot read; npm run reset removes it`,
    );
  }
  await mkdir(dataDir, { recursive: true, mode: databaseUser() === null ? 0o700 : 0o711 });
  const cluster = await clusterOf(dataDir);
  if (cluster.home.folder !== join(await realpath(dataDir), "postgres")) {
    log?.info(`only root may enter ${dataDir}: its database is in ${cluster.home.folder}`);
  }
  await createCluster(cluster);
  let stopping = false;
  let holder = await holdOnceLeft(dataDir, cluster, { withinMs: leaveWithinMs, log });
  const releaseGuard = await endWithThisProcess(cluster.home, log);
  watch(holder);

  function watch(client: pg.Client): void {
    client.once("end", () => {
      if (!stopping) void restart();
    });
  }
  async function restart(): Promise<void> {
    log?.error("the embedded database ended by itself; starting it again");
    for (let pause = 1_000; !stopping; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        holder = await hold(dataDir, cluster);
        watch(holder);
        log?.warn("the embedded database runs again");
        return;
      } catch (error) {
        if (error instanceof DataFolderInUse) throw error;
        log?.error({ err: error }, "the embedded database does not start");
        await sleep(pause);
      }
    }
  }
  const connection = await connectionOf(cluster.home);
  if (connection === null) throw new Error("the embedded database ended right after its start");
  return {
    connection,
    async stop() {
      stopping = true;
      await stopCluster(cluster);
      // The server has ended, and the connection with it.
      await holder.end().catch(() => {});
      releaseGuard();
    },
  };
}

/**
 * Removes the database of a data folder, after stopping a server that a killed process left running.
 * @throws DataFolderInUse
 */
export async function removeEmbedded(dataDir: string): Promise<void> {
  if ((await findHome(dataDir)) !== null) {
    const cluster = await clusterOf(dataDir);
    const client = await connect(cluster);
    const holder = client && !(await takeLock(client)) ? await holderOf(client) : null;
    await client?.end();
    if (holder !== null) throw new DataFolderInUse(dataDir, holder);
    await stopCluster(cluster);
  }
  await removeHome(dataDir);
}

async function clusterOf(dataDir: string): Promise<Cluster> {
  const home = await homeOf(dataDir);
  return { bin: await binaries(home.user, home.shared), home };
}

/**
 * Calls `hold`, and repeats it while processes of a killed server are still running. Idle ones end at once; busy ones
 * finish their work first.
 */
async function holdOnceLeft(
  dataDir: string,
  cluster: Cluster,
  { withinMs, log }: { withinMs: number; log: Settings["log"] },
): Promise<pg.Client> {
  const deadline = Date.now() + withinMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await hold(dataDir, cluster);
    } catch (error) {
      if (!(error instanceof NotLeftYet) || Date.now() > deadline) throw error;
      if (attempt === 0) log?.warn("waiting for the processes of a killed database to end");
      await sleep(100);
    }
  }
}

/** Returns a connection that holds the lock of the folder. Starts a server when none runs. */
async function hold(dataDir: string, cluster: Cluster): Promise<pg.Client> {
  for (;;) {
    const client = await connect(cluster);
    if (client !== null) {
      if (await takeLock(client)) return client;
      const holder = await holderOf(client);
      await client.end();
      if (holder !== null) throw new DataFolderInUse(dataDir, holder);
    } else {
      await startCluster(cluster).catch(async (error: unknown) => {
        // When two processes start it at once, one of them fails and finds the other's server.
        if (!(await answersSoon(cluster))) throw error;
      });
    }
  }
}

async function takeLock(client: pg.Client): Promise<boolean> {
  const deadline = Date.now() + LET_GO_WITHIN_MS;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [LOCK]);
    if (rows[0]?.taken) return true;
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
}

async function holderOf(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and classid = 0 and objid = $1`,
    [LOCK],
  );
  return rows[0]?.name ?? null;
}

async function answersSoon(cluster: Cluster): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const client = await connect(cluster);
    if (client !== null) {
      await client.end();
      return true;
    }
    await sleep(50);
  }
  return false;
}

/** Returns null when no server runs. Waits for a server that is starting, recovering or shutting down. */
async function connect({ home }: Cluster): Promise<pg.Client | null> {
  for (;;) {
    const connection = await connectionOf(home);
    if (connection === null) return null;
    const client = new pg.Client({ ...connection, application_name: `process ${process.pid}` });
    // Without a listener a server that ends meanwhile would end this process too. The next query reports it.
    client.on("error", () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      // The connection was never open. `error` holds the cause.
      await client.end().catch(() => {});
      const { code } = error as { code?: string };
      // 57P03: the server is starting, recovering or shutting down.
      if (code !== "57P03") {
        if (code === "ECONNREFUSED" || code === "ENOENT" || code === "ECONNRESET" || code === "57P01") return null;
        throw error;
      }
      await sleep(20);
    }
  }
}
