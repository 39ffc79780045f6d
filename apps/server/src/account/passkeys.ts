import { eq } from "drizzle-orm";
import type { Database, Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { createPasskeyCeremony, type PasskeyAnswer, type PasskeyCredential } from "./passkeyCeremony.ts";
import { accountPasskey } from "./schema.ts";

/** Maximum number of passkeys of one account. More add no security and make unreadable lists. */
const MAX_PASSKEYS = 20;

export interface Passkeys {
  /** Options that the browser needs to create a passkey for the account. */
  registerOptions(account: { id: string; subject: string; email: string }): Promise<{ challenge: string }>;
  /**
   * Verifies a new passkey and uses its challenge up.
   * @throws ApiError signature_invalid
   */
  checkMade(accountId: string, answer: PasskeyAnswer): Promise<PasskeyCredential>;
  /**
   * Stores a verified passkey. The caller must hold a lock on the account's row.
   * @throws ApiError conflict
   */
  register(tx: Orm, accountId: string, made: { name: string; credential: PasskeyCredential }): Promise<void>;
  /** Options that the browser needs to use a passkey. The passkey identifies the account. */
  useOptions(): Promise<{ challenge: string }>;
  /**
   * Returns the account of the passkey that gave this answer.
   * @throws ApiError login_failed
   */
  owner(answer: PasskeyAnswer): Promise<string>;
  deleteExpired(): Promise<void>;
}

export function createPasskeys(parts: { db: Pick<Database, "orm">; publicUrl: string; now?: () => number }): Passkeys {
  const { db, now = Date.now } = parts;
  const ceremony = createPasskeyCeremony({ ...parts, uses: ["register", "use"] });
  return {
    registerOptions: async ({ id, subject, email }) =>
      ceremony.registerOptions({
        owner: id,
        // A hash, so that the authenticator stores nothing by which the account could be found on chain.
        handle: `passkey ${subject}`,
        name: email,
        known: await passkeysOf(db.orm, id),
      }),
    checkMade: ceremony.checkMade,
    async register(tx, accountId, { name, credential }) {
      if ((await passkeysOf(tx, accountId)).length >= MAX_PASSKEYS) {
        throw new ApiError("conflict", `An account has at most ${MAX_PASSKEYS} passkeys`);
      }
      const rows = await tx
        .insert(accountPasskey)
        .values({ ...credential, accountId, name, createTime: now() })
        .onConflictDoNothing()
        .returning({ id: accountPasskey.id });
      if (rows.length === 0) throw new ApiError("conflict", "This passkey is in use already");
    },
    useOptions: ceremony.useOptions,
    async owner(answer) {
      const [passkey] = await db.orm.select().from(accountPasskey).where(eq(accountPasskey.id, answer.id));
      const { id, accountId, counter } = await ceremony.checkUse(answer, passkey);
      await db.orm.update(accountPasskey).set({ counter, lastUse: now() }).where(eq(accountPasskey.id, id));
      return accountId;
    },
    deleteExpired: ceremony.deleteExpired,
  };
}

export async function passkeysOf(orm: Orm, accountId: string) {
  return orm
    .select()
    .from(accountPasskey)
    .where(eq(accountPasskey.accountId, accountId))
    .orderBy(accountPasskey.createTime);
}
