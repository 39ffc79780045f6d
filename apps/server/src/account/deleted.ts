import { z } from "zod";
import type { Database, Orm } from "../db/database.ts";
import type { DeletionList } from "../db/deletionList.ts";
import type { JobHandler } from "../jobs/runner.ts";
import { enqueue } from "../jobs/store.ts";
import type { Keys } from "../keys.ts";
import type { LogWriter } from "../publicLog/writer.ts";
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

export function createDeletedAccounts({
  db,
  keys,
  writer,
  list,
}: {
  db: Pick<Database, "orm" | "transaction">;
  keys: Keys;
  writer: LogWriter;
  list: DeletionList;
}): DeletedAccounts {
  // Hashes under every key, because the restored backup may have only one of the keys.
  const hashesOf = (accountId: string) => keys.hashes("deleted", accountId);

  return {
    async note(tx, accountId) {
      for (const hash of hashesOf(accountId)) await enqueue(tx, { kind: KIND, payload: { hash } });
    },
    async apply(before) {
      const hashes = await list.all();
      if (hashes.size === 0) return 0;
      const rows = await db.orm.select({ id: account.id }).from(account);
      const undone = rows.filter(({ id }) => hashesOf(id).some((hash) => hashes.has(hash)));
      for (const { id } of undone) {
        await db.transaction(async (tx) => {
          await before(tx, id);
          await removeAccount(tx, id);
          await writer.account(tx, id);
        });
      }
      return undone.length;
    },
    handlers: {
      async [KIND](payload) {
        await list.add([payloadShape.parse(payload).hash]);
      },
    },
  };
}
