import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Database, Orm } from "../db/database.ts";
import type { JobHandler } from "../jobs/runner.ts";
import { enqueue } from "../jobs/store.ts";
import type { Keys } from "../keys.ts";
import { account } from "./schema.ts";
import { removeAccount } from "./store.ts";

const KIND = "account.deleted";
const payloadShape = z.object({ hash: z.string() });

/** Deletions that a restored backup of the database must not undo. */
export interface DeletedAccounts {
  /** Creates a job, in the transaction that deletes an account, to add the account to the list. */
  note(tx: Orm, accountId: string): Promise<void>;
  /**
   * Deletes the accounts again that are in the list and in the database. Returns their number. `before` is called for
   * each account with its id.
   */
  apply(before: (tx: Orm, accountId: string) => Promise<void>): Promise<number>;
  handlers: Readonly<Record<string, JobHandler>>;
}

/** The list is a file of keyed hashes in the data folder. No backup of the database contains it. */
export function createDeletedAccounts({
  db,
  keys,
  dataDir,
}: {
  db: Pick<Database, "orm" | "transaction">;
  keys: Keys;
  dataDir: string;
}): DeletedAccounts {
  const file = join(dataDir, "deleted-accounts");
  // Hashes under every key, because the restored backup may have only one of the keys.
  const hashesOf = (accountId: string) => keys.hashes("deleted", accountId);

  async function listed(): Promise<ReadonlySet<string>> {
    const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
    return new Set(text.split("\n").filter((line) => line !== ""));
  }

  return {
    async note(tx, accountId) {
      for (const hash of hashesOf(accountId)) await enqueue(tx, { kind: KIND, payload: { hash } });
    },
    async apply(before) {
      const hashes = await listed();
      if (hashes.size === 0) return 0;
      const rows = await db.orm.select({ id: account.id }).from(account);
      const undone = rows.filter(({ id }) => hashesOf(id).some((hash) => hashes.has(hash)));
      for (const { id } of undone) {
        await db.transaction(async (tx) => {
          await before(tx, id);
          await removeAccount(tx, id);
        });
      }
      return undone.length;
    },
    handlers: {
      async [KIND](payload) {
        const { hash } = payloadShape.parse(payload);
        if ((await listed()).has(hash)) return;
        await mkdir(dataDir, { recursive: true, mode: 0o700 });
        await appendFile(file, `${hash}\n`, { mode: 0o600, flush: true });
      },
    },
  };
}
