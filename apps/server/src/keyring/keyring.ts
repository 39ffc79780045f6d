import { eq, sql } from "drizzle-orm";
import type { Logger } from "pino";
import type { Database, Orm } from "../db/database.ts";
import { lockSealed, type SealedColumn } from "../db/sealed.ts";
import { StartRefused } from "../errors.ts";
import { createKeys, type Keys, keyIdOf } from "../keys.ts";
import { secretKey } from "./schema.ts";
import { tryOpen } from "./sealing.ts";

const idOf = (secret: Uint8Array) => keyIdOf(secret).toString("hex");

/**
 * The keys of an instance: those of SECRET_KEY, and those that they replaced, which the database stores sealed. If the
 * first key of SECRET_KEY is unknown to the database, it replaces the key in use, which must then be given too. A
 * replaced key is never used again: otherwise anyone who has it could obtain the key that replaced it.
 * @throws StartRefused if the key in use is not given
 */
export function openKeyring(
  db: Pick<Database, "transaction">,
  {
    secrets,
    columns,
    log,
  }: { secrets: readonly Uint8Array[]; columns: readonly SealedColumn[]; log: Pick<Logger, "info"> },
): Promise<Keys> {
  return db.transaction(async (tx) => {
    // If several processes start together, one replaces the key and the others find it replaced.
    await tx.execute(sql`lock table secret_key in exclusive mode`);
    const rows = await tx.select().from(secretKey);
    if (rows.length === 0) {
      const only = await requireKeyInUse(tx, secrets, columns);
      await tx.insert(secretKey).values({ id: idOf(only), sealed: null, createTime: Date.now() });
      return createKeys(only);
    }
    const inUse = rows.find(({ sealed }) => sealed === null)?.id;
    const current = secrets.find((secret) => idOf(secret) === inUse);
    if (current === undefined) {
      const ids = secrets.map(idOf).join(", ");
      throw new StartRefused(
        `SECRET_KEY (or secret.key in DATA_DIR) must hold the key this database is sealed with, ${inUse}, not only ${ids}`,
      );
    }
    const [first = current] = secrets;
    const opened = createKeys(current);
    const former = rows.flatMap(({ id, sealed }) => (sealed === null ? [] : [opened.open("secret", sealed, id)]));
    if (rows.some(({ id }) => id === idOf(first))) {
      return createKeys(current, { accepted: secrets.filter((secret) => secret !== current), former });
    }
    const replaced = [current, ...former];
    const keys = createKeys(first, { accepted: secrets.slice(1), former: replaced });
    for (const secret of replaced) {
      const id = idOf(secret);
      await tx
        .update(secretKey)
        .set({ sealed: keys.seal("secret", secret, id) })
        .where(eq(secretKey.id, id));
    }
    await tx.insert(secretKey).values({ id: idOf(first), sealed: null, createTime: Date.now() });
    log.info({ key: idOf(first), former: inUse }, "the key of this database was replaced");
    return keys;
  });
}

/**
 * The key of a database that does not contain a key id yet, such as a dump of an earlier version. @throws StartRefused
 * for a wrong key
 */
async function requireKeyInUse(
  tx: Orm,
  [secret, ...others]: readonly Uint8Array[],
  columns: readonly SealedColumn[],
): Promise<Uint8Array> {
  if (secret === undefined || others.length > 0) {
    throw new StartRefused("SECRET_KEY must hold one key, the one in use, at the first start that records it");
  }
  const keys = createKeys(secret);
  const tried = [];
  for (const column of columns) {
    const value = await lockSealed(tx, column);
    if (value !== null) tried.push(tryOpen(keys, column, value) !== null);
  }
  if (tried.length > 0 && !tried.includes(true)) {
    throw new StartRefused(
      `SECRET_KEY, ${idOf(secret)}, is not the key of this database: it opens no sealed value there`,
    );
  }
  return secret;
}
