import { finished } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { PgDatabase, PgQueryResultHKT, PgTransactionConfig } from "drizzle-orm/pg-core";
import pg, { type ClientConfig } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import type { Logger } from "pino";
import { DatabaseUnavailable, isAwayCause, isDatabaseAway, StartRefused } from "../errors.ts";
import { currentRequestId, withRequestId } from "../requestId.ts";
import { startEmbedded } from "./embedded/embedded.ts";

interface Rows<Row> {
  rows: Row[];
}
interface RowsResult extends PgQueryResultHKT {
  type: Rows<this["row"]>;
}

/** `bigint` columns in raw SQL arrive as strings, like `numeric`. */
export type Orm = PgDatabase<RowsResult, Record<string, never>>;

const connections = new WeakMap<Orm, pg.PoolClient>();

/** Runs `copy … from stdin` in a transaction of {@link Database}, with lines in COPY's text format. */
export async function copyLines(tx: Orm, statement: string, lines: string): Promise<void> {
  const connection = connections.get(tx);
  if (!connection) throw new TypeError("COPY needs a transaction");
  await finished(connection.query(copyFrom(statement)).end(lines));
}

export interface Database {
  kind: "embedded" | "server";
  orm: Orm;
  /**
   * Runs `work` in one transaction and commits it. After a serialisation failure or a deadlock, all of `work` runs
   * again after a pause, so it must have no effect outside the transaction. Do not wait for the network in `work`.
   */
  transaction<T>(work: (tx: Orm) => Promise<T>, isolation?: Isolation): Promise<T>;
  /** Rejects if the database does not answer. */
  ping(): Promise<void>;
  /** Records a failure of a query outside `transaction`. Failures inside are recorded there. */
  noteFailure(error: unknown): void;
  /**
   * Returns whether a write failed within the last minute because the disk of the database is full. The indexer
   * writes with every block, so this remains true while the disk is full, and ends a minute after there is space
   * again.
   */
  isDiskFull(): boolean;
  /** Connections of this process, and the queries that wait for one. */
  connections(): { used: number; idle: number; waiting: number; most: number };
  /** Calls `listener` each time that the database answers again after it did not. */
  onReturn(listener: () => void): void;
  close(): Promise<void>;
}
export type Isolation = "read committed" | "repeatable read";

export interface DatabaseSettings {
  /** Folder of the embedded database, which is used if `databaseUrl` is null. */
  dataDir: string;
  /** Connection string of a PostgreSQL server; null starts the embedded one. */
  databaseUrl: string | null;
  /** False if a pooler between the server and the database moves each transaction to another session. */
  preparedStatements?: boolean;
}

interface Options {
  preparedStatements?: boolean;
  /** The setting that names the database, for messages. */
  setting?: string;
  log?: Pick<Logger, "warn" | "error">;
}

export async function openDatabase(settings: DatabaseSettings, log?: Logger): Promise<Database> {
  const { dataDir, databaseUrl, preparedStatements = true } = settings;
  const logging = log ? { log } : {};
  if (databaseUrl !== null) return connectDatabase(databaseUrl, { preparedStatements, ...logging });
  const embedded = await startEmbedded({ dataDir, ...logging });
  const pool = poolOf(embedded.connection, true);
  const end = async () => {
    await pool.end();
    await embedded.stop();
  };
  return database({ kind: "embedded", pool, end, log });
}

/**
 * Opens the database of a PostgreSQL server.
 * @throws StartRefused if it does not answer
 */
export async function connectDatabase(databaseUrl: string, options: Options = {}): Promise<Database> {
  const pool = poolOf({ connectionString: databaseUrl }, options.preparedStatements ?? true);
  try {
    await pool.query("select 1");
  } catch (error) {
    await pool.end();
    throw new StartRefused(`the database of ${options.setting ?? "DATABASE_URL"} does not answer: ${reasonOf(error)}`);
  }
  return database({ kind: "server", pool, end: () => pool.end(), log: options.log });
}

/**
 * Limits of a session in milliseconds. They are set by a statement, because a pooler refuses them as parameters of the
 * connection. Behind one that moves transactions between sessions, the settings of the role count.
 */
const limits = "set statement_timeout = 30000; set idle_in_transaction_session_timeout = 30000";

/** What callers of the driver's `query` pass first. */
type Sent = string | { text?: string; name?: string | undefined } | null | undefined;

/**
 * Adds the id of the request to a statement, so that PostgreSQL's own log and `pg_stat_activity` have it. A named
 * statement keeps its text, by which a connection knows its plan.
 */
function withComment(sent: Sent): Sent {
  const id = currentRequestId();
  if (id === undefined || sent === null || sent === undefined) return sent;
  const { text, name } = typeof sent === "string" ? { text: sent } : sent;
  if (text === undefined || name !== undefined) return sent;
  const commented = `${text} /*request_id='${id}'*/`;
  return typeof sent === "string" ? commented : { ...sent, text: commented };
}

/** Sends statements without their names, so that no session needs to know an earlier one. */
class UnnamedClient extends pg.Client {
  // The driver declares eight overloads of this method.
  override query = ((...args: [unknown, ...unknown[]]) => {
    const [config, ...rest] = args;
    const isNamed = typeof config === "object" && config !== null && "name" in config;
    const sent = isNamed ? { ...config, name: undefined } : config;
    return (pg.Client.prototype.query as (...all: unknown[]) => unknown).call(this, sent, ...rest);
  }) as pg.Client["query"];
}

const CONNECTIONS = 10;

function poolOf(connection: ClientConfig, preparedStatements: boolean): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    ...(preparedStatements ? {} : { Client: UnnamedClient }),
    application_name: "aqua",
    max: CONNECTIONS,
    connectionTimeoutMillis: 5_000,
    // A login costs as much as a hundred queries, and readings arrive in bursts a minute apart.
    idleTimeoutMillis: 120_000,
    onConnect: async (client) => void (await client.query(limits)),
    keepAlive: true,
  });
  // Without this listener, a broken idle connection would end the process. The next query reports the problem to its
  // caller.
  pool.on("error", ignore);
  return pool;
}

const ignore = () => {};

/** Milliseconds between two attempts to reach a database that does not answer. */
const RETURN_MS = 500;

/** The part of a connection that drizzle uses, with comments in what it sends. */
function commenting(client: pg.PoolClient): pg.PoolClient {
  const query = client.query.bind(client) as (...all: unknown[]) => unknown;
  return { query: (sent: Sent, ...rest: unknown[]) => query(withComment(sent), ...rest) } as pg.PoolClient;
}

interface Parts {
  kind: Database["kind"];
  pool: pg.Pool;
  end(): Promise<void>;
  log: Options["log"] | undefined;
}

function database({ kind, pool, end, log }: Parts): Database {
  const listeners: (() => void)[] = [];
  let closing: Promise<void> | null = null;
  let diskFullAt: number | null = null;
  /** Null while the database answers. */
  let away: { since: number; failures: number } | null = null;

  function noteFailure(error: unknown): void {
    if (isDiskFull(error)) diskFullAt = Date.now();
  }

  function noteAway(error: unknown): void {
    if (closing !== null || !isAwayCause(rootErrorOf(error))) return;
    if (away !== null) {
      away.failures += 1;
      return;
    }
    away = { since: performance.now(), failures: 1 };
    log?.error({ err: rootErrorOf(error) }, "the database does not answer; queries fail until it does");
    void withRequestId(undefined, awaitReturn);
  }

  /** Polls until the database answers, so that nobody else needs to. */
  async function awaitReturn(): Promise<void> {
    while (closing === null && away !== null) {
      await sleep(RETURN_MS, undefined, { ref: false });
      if (closing !== null) return;
      try {
        await query("select 1");
      } catch (error) {
        // Anything else is an answer.
        if (isAwayCause(rootErrorOf(error))) continue;
      }
      const { since, failures } = away;
      away = null;
      log?.warn(
        { away_ms: Math.round(performance.now() - since), failed_queries: failures },
        "the database answers again",
      );
      for (const listener of listeners) listener();
    }
  }

  const query = pool.query.bind(pool) as (...all: unknown[]) => Promise<unknown>;
  // The comment is added here: a statement that waits for a connection is sent within the work that returns one.
  pool.query = ((sent: Sent, ...rest: unknown[]) =>
    query(withComment(sent), ...rest).catch((error: unknown) => {
      noteAway(error);
      throw error;
    })) as pg.Pool["query"];

  async function inTransaction<T>(work: (tx: Orm) => Promise<T>, isolationLevel: Isolation): Promise<T> {
    const client = await pool.connect().catch((error: unknown) => {
      throw isAwayCause(error) ? new DatabaseUnavailable(error) : error;
    });
    // Without a listener a connection that breaks would end the process. The next query reports the problem.
    client.on("error", ignore);
    let isBroken = false;
    try {
      // With a pool, drizzle would not release a connection whose `begin` fails, and ten of those would be all.
      return await drizzle({ client: commenting(client) }).transaction(
        (tx) => {
          connections.set(tx, client);
          return work(tx);
        },
        { isolationLevel } satisfies PgTransactionConfig,
      );
    } catch (error) {
      isBroken = isDatabaseAway(error);
      throw error;
    } finally {
      client.off("error", ignore);
      client.release(isBroken);
    }
  }

  const orm: Orm = drizzle({ client: pool });
  return {
    kind,
    orm,
    noteFailure,
    isDiskFull: () => diskFullAt !== null && Date.now() - diskFullAt < DISK_FULL_MS,
    connections() {
      const { totalCount, idleCount: idle, waitingCount: waiting } = pool;
      return { used: totalCount - idle, idle, waiting, most: CONNECTIONS };
    },
    onReturn: (listener) => void listeners.push(listener),
    async transaction(work, isolation = "read committed") {
      try {
        return await retrying(() => inTransaction(work, isolation));
      } catch (error) {
        noteFailure(error);
        if (isDatabaseAway(error)) noteAway(error);
        throw error;
      }
    },
    async ping() {
      await orm.execute(sql`select 1`);
    },
    close() {
      closing ??= end();
      return closing;
    },
  };
}

/** Milliseconds for which a failed write means that the disk is full. */
const DISK_FULL_MS = 60_000;

/** Returns whether a query failed because the disk is full, by the code of PostgreSQL or of the operating system. */
export function isDiskFull(error: unknown): boolean {
  const { code } = rootOf(error);
  return code === "53100" || code === "ENOSPC";
}

const RETRIED = new Set(["40001", "40P01"]);
const ATTEMPTS = 8;

async function retrying<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS || !RETRIED.has(sqlState(error) ?? "")) throw error;
      // Full jitter: writers that conflicted once must not conflict again at the same moment.
      await sleep(Math.random() * Math.min(1_000, 5 * 2 ** attempt));
    }
  }
}

/** Returns the five-character SQLSTATE of an error or of one of its causes, or null if there is none. */
export function sqlState(error: unknown): string | null {
  const { code } = rootOf(error);
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

/**
 * Returns whether a write failed because another row has the same unique value, including a row written concurrently.
 */
export function isTaken(error: unknown): boolean {
  return sqlState(error) === "23505";
}

/** Returns what the database or its driver says, without the query. */
export function reasonOf(error: unknown): string {
  const { code, message } = rootOf(error);
  return message || (code ?? "");
}

function rootErrorOf(error: unknown): unknown {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  return root;
}

function rootOf(error: unknown): { code?: string; message: string } {
  const root = rootErrorOf(error);
  if (!(root instanceof Error)) return { message: String(root) };
  const code = (root as NodeJS.ErrnoException).code;
  return code === undefined ? { message: root.message } : { code, message: root.message };
}
