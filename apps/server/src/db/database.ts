import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { PgDatabase, PgQueryResultHKT, PgTransactionConfig } from "drizzle-orm/pg-core";
import pg, { type ClientConfig } from "pg";
import type { Logger } from "pino";
import { StartRefused } from "../errors.ts";
import { startEmbedded } from "./embedded/embedded.ts";

interface Rows<Row> {
  rows: Row[];
}
interface RowsResult extends PgQueryResultHKT {
  type: Rows<this["row"]>;
}

/** `bigint` columns in raw SQL arrive as strings, like `numeric`. */
export type Orm = PgDatabase<RowsResult, Record<string, never>>;

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
  close(): Promise<void>;
}
export type Isolation = "read committed" | "repeatable read";

export interface DatabaseSettings {
  /** Folder of the embedded database, which is used if `databaseUrl` is null. */
  dataDir: string;
  /** Connection string of a PostgreSQL server; null starts the embedded one. */
  databaseUrl: string | null;
}

export async function openDatabase({ dataDir, databaseUrl }: DatabaseSettings, log?: Logger): Promise<Database> {
  if (databaseUrl !== null) return connectDatabase(databaseUrl);
  const embedded = await startEmbedded({ dataDir, ...(log ? { log } : {}) });
  const pool = poolOf(embedded.connection);
  return database("embedded", pool, async () => {
    await pool.end();
    await embedded.stop();
  });
}

/**
 * Opens the database of a PostgreSQL server.
 * @throws StartRefused if it does not answer
 */
export async function connectDatabase(databaseUrl: string): Promise<Database> {
  const pool = poolOf({ connectionString: databaseUrl });
  try {
    await pool.query("select 1");
  } catch (error) {
    await pool.end();
    const { code, message } = rootOf(error);
    throw new StartRefused(`the database of DATABASE_URL does not answer: ${message || code}`);
  }
  return database("server", pool, () => pool.end());
}

function poolOf(connection: ClientConfig): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    application_name: "aqua",
    max: 10,
    connectionTimeoutMillis: 5_000,
    // A login costs as much as a hundred queries, and readings arrive in bursts a minute apart.
    idleTimeoutMillis: 120_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
  });
  // Without this listener, a broken idle connection would end the process. The next query reports the problem to its
  // caller.
  pool.on("error", () => {});
  return pool;
}

function database(kind: Database["kind"], pool: pg.Pool, end: () => Promise<void>): Database {
  const orm: Orm = drizzle({ client: pool });
  let closing: Promise<void> | null = null;
  let diskFullAt: number | null = null;
  function noteFailure(error: unknown): void {
    if (isDiskFull(error)) diskFullAt = Date.now();
  }
  return {
    kind,
    orm,
    noteFailure,
    isDiskFull: () => diskFullAt !== null && Date.now() - diskFullAt < DISK_FULL_MS,
    async transaction(work, isolation = "read committed") {
      try {
        return await retrying(() => orm.transaction(work, { isolationLevel: isolation } satisfies PgTransactionConfig));
      } catch (error) {
        noteFailure(error);
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

function rootOf(error: unknown): { code?: string; message: string } {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  if (!(root instanceof Error)) return { message: String(root) };
  const code = (root as NodeJS.ErrnoException).code;
  return code === undefined ? { message: root.message } : { code, message: root.message };
}
