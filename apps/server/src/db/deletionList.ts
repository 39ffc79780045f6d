import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { connectDatabase, type Orm } from "./database.ts";

/**
 * Keyed hashes of the deleted accounts. The list is in no dump of the instance's database, and nothing is ever removed
 * from it.
 */
export interface DeletionList {
  all(): Promise<ReadonlySet<string>>;
  /** Resolves when the hashes are stored for good. Returns how many of them were new. */
  add(hashes: readonly string[]): Promise<number>;
}

interface Place {
  dataDir: string;
  /** A database other than the instance's. Null: the list is a file in the data folder. */
  deletionsUrl: string | null;
}

/** The list as it is, without a change to its place. */
export function deletionList({ dataDir, deletionsUrl }: Place): DeletionList {
  return deletionsUrl === null ? fileList(dataDir) : tableList(deletionsUrl);
}

/**
 * The list for a server. A list that was a file until now is copied to the table.
 * @throws StartRefused if the database does not answer
 */
export async function openDeletionList({ dataDir, deletionsUrl }: Place): Promise<DeletionList> {
  const list = deletionList({ dataDir, deletionsUrl });
  if (deletionsUrl !== null) await list.add([...(await fileList(dataDir).all())]);
  return list;
}

function fileList(dataDir: string): DeletionList {
  const file = join(dataDir, "deleted-accounts");
  async function all(): Promise<ReadonlySet<string>> {
    const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
    return new Set(text.split("\n").filter((line) => line !== ""));
  }
  return {
    all,
    async add(hashes) {
      const known = await all();
      const missing = hashes.filter((hash) => !known.has(hash));
      if (missing.length === 0) return 0;
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      await appendFile(file, `${missing.join("\n")}\n`, { mode: 0o600, flush: true });
      return missing.length;
    },
  };
}

/** Connects for each call: between two deletions there are days. */
function tableList(url: string): DeletionList {
  async function withTable<T>(work: (orm: Orm, isThere: boolean) => Promise<T>): Promise<T> {
    const db = await connectDatabase(url, { setting: "DELETIONS_URL" });
    try {
      const { rows } = await db.orm.execute<{ table: string | null }>(
        sql`select to_regclass('deleted_account') as table`,
      );
      return await work(db.orm, rows[0]?.table != null);
    } finally {
      await db.close();
    }
  }
  return {
    all: () =>
      withTable(async (orm, isThere) => {
        if (!isThere) return new Set();
        const { rows } = await orm.execute<{ hash: string }>(sql`select hash from deleted_account`);
        return new Set(rows.map(({ hash }) => hash));
      }),
    add: (hashes) =>
      withTable(async (orm, isThere) => {
        // A role that may only add and read needs no more once the table is there.
        if (!isThere) {
          await orm.execute(
            sql`create table if not exists deleted_account (
              hash text primary key, create_time timestamptz not null default now())`,
          );
        }
        if (hashes.length === 0) return 0;
        const { rows } = await orm.execute(
          sql`insert into deleted_account (hash) select unnest(${sql.param(hashes)}::text[])
            on conflict do nothing returning hash`,
        );
        return rows.length;
      }),
  };
}
