import { asc, gt } from "drizzle-orm";
import { account } from "../account/schema.ts";
import type { Orm } from "../db/database.ts";
import { rowKinds, subjectsOf } from "./publicContent.ts";
import type { LogWriter } from "./writer.ts";

const PAGE = 500;

/** States every row that was stored before the log began. */
export async function stateAll(tx: Orm, writer: LogWriter): Promise<void> {
  for (const kind of rowKinds) {
    for (const subject of await subjectsOf(tx, kind)) await writer.row(tx, kind, { subject });
  }
  for (let after = ""; ; ) {
    const ids = await tx
      .select({ id: account.id })
      .from(account)
      .where(gt(account.id, after))
      .orderBy(asc(account.id))
      .limit(PAGE);
    for (const { id } of ids) await writer.account(tx, id);
    if (ids.length < PAGE) return;
    after = ids.at(-1)?.id as string;
  }
}
