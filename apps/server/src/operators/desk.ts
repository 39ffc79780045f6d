import { createHash, randomBytes } from "node:crypto";
import { type AddedDeskPasskey, type DeskLogIn, deskSessionMs } from "@aqua/sdk/api/desk";
import { and, eq, gt, lte, ne } from "drizzle-orm";
import { createPasskeyCeremony, type PasskeyAnswer, type PasskeyCredential } from "../account/passkeyCeremony.ts";
import type { Database } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Keys } from "../keys.ts";
import { operator, operatorPasskey, operatorSession } from "./schema.ts";
import type { KnownOperator, Operators } from "./service.ts";

/** An operator who is logged in at the desk. */
export interface DeskSession {
  operator: KnownOperator;
  /** Unix milliseconds. */
  expires: number;
}

/** Passkeys and log-ins of named operators, for the desk in the browser. */
export interface Desk {
  /** Options that the browser needs to create a passkey for the operator. */
  passkeyOptions(operator: KnownOperator): Promise<{ challenge: string }>;
  /**
   * Stores a new passkey of the operator. With `only`, all other passkeys and log-ins of the operator end.
   * @throws ApiError signature_invalid, conflict
   */
  addPasskey(operator: KnownOperator, made: { passkey: PasskeyAnswer; only: boolean }): Promise<AddedDeskPasskey>;
  /** Options that the browser needs to use a passkey. The passkey identifies the operator. */
  logInOptions(): Promise<{ challenge: string }>;
  /** Opens a session. @throws ApiError login_failed, record_differs */
  logIn(passkey: PasskeyAnswer): Promise<DeskLogIn>;
  /** Returns the session of this token, or null if there is none. @throws ApiError record_differs */
  find(token: string): Promise<DeskSession | null>;
  /** Ends the session of this token. Returns false if there was none. */
  logOut(token: string): Promise<boolean>;
  deleteExpired(): Promise<void>;
}

/** Maximum number of passkeys of one operator. */
const MAX_PASSKEYS = 20;
/** A random secret, and a keyed hash of it with the operator's name. */
const TOKEN = /^desk_([\w-]{43})\.([\da-f]{64})$/;

/**
 * Keyed hashes bind each passkey and each token to its operator. A row that a user of the database inserts, or moves to
 * another operator, therefore opens nothing.
 *
 * @param now returns Unix milliseconds
 */
export function createDesk(
  parts: { db: Pick<Database, "orm" | "transaction">; keys: Keys; named: Pick<Operators, "byName">; publicUrl: string },
  now: () => number = Date.now,
): Desk {
  const { db, keys, named, publicUrl } = parts;
  const ceremony = createPasskeyCeremony({ db, publicUrl, uses: ["operator register", "operator use"], now });
  const bound = (secret: string, name: string) => `desk ${secret} ${name}`;
  const proven = (name: string, { id, publicKey }: Pick<PasskeyCredential, "id" | "publicKey">) =>
    `operator passkey ${name} ${id} ${Buffer.from(publicKey).toString("hex")}`;
  const passkeysOf = (name: string) => eq(operatorPasskey.operator, name);

  return {
    async passkeyOptions({ name }) {
      const known = await db.orm.select().from(operatorPasskey).where(passkeysOf(name));
      return ceremony.registerOptions({ owner: name, handle: `operator ${name}`, name: `operator ${name}`, known });
    },

    async addPasskey({ name }, { passkey, only }) {
      const credential = await ceremony.checkMade(name, passkey);
      return db.transaction(async (tx) => {
        await tx.select().from(operator).where(eq(operator.name, name)).for("update");
        const stored = await tx
          .insert(operatorPasskey)
          .values({
            ...{ ...credential, operator: name, createTime: now() },
            proof: keys.hash("factor", proven(name, credential)),
          })
          .onConflictDoNothing()
          .returning({ id: operatorPasskey.id });
        if (stored.length === 0) throw new ApiError("conflict", "This passkey is in use already");
        if (only) {
          await tx.delete(operatorPasskey).where(and(passkeysOf(name), ne(operatorPasskey.id, credential.id)));
          await tx.delete(operatorSession).where(eq(operatorSession.operator, name));
        }
        const passkeys = await tx.$count(operatorPasskey, passkeysOf(name));
        if (passkeys > MAX_PASSKEYS) throw new ApiError("conflict", `An operator has at most ${MAX_PASSKEYS} passkeys`);
        return { name, passkeys };
      });
    },

    logInOptions: ceremony.useOptions,

    async logIn(answer) {
      const [passkey] = await db.orm.select().from(operatorPasskey).where(eq(operatorPasskey.id, answer.id));
      const { id, counter, operator: name, publicKey, proof } = await ceremony.checkUse(answer, passkey);
      const isOwn = keys.hashes("factor", proven(name, { id, publicKey })).includes(proof);
      const known = isOwn ? await named.byName(name) : null;
      if (known === null) throw new ApiError("login_failed", "This passkey belongs to no operator in service");
      const time = now();
      await db.orm.update(operatorPasskey).set({ counter, lastUse: time }).where(eq(operatorPasskey.id, id));
      const secret = randomBytes(32).toString("base64url");
      const token = `desk_${secret}.${keys.hash("session", bound(secret, name))}`;
      const expires = time + deskSessionMs;
      await db.orm
        .insert(operatorSession)
        .values({ tokenHash: hashOf(token), operator: name, createTime: time, expires });
      return { token, expires_at: expires, name, scopes: [...known.scopes] };
    },

    async find(token) {
      const [, secret, proof] = TOKEN.exec(token) ?? [];
      if (secret === undefined || proof === undefined) return null;
      const [row] = await db.orm
        .select()
        .from(operatorSession)
        .where(and(eq(operatorSession.tokenHash, hashOf(token)), gt(operatorSession.expires, now())));
      if (row === undefined || !keys.hashes("session", bound(secret, row.operator)).includes(proof)) return null;
      const known = await named.byName(row.operator);
      return known && { operator: known, expires: row.expires };
    },

    async logOut(token) {
      const ended = await db.orm
        .delete(operatorSession)
        .where(eq(operatorSession.tokenHash, hashOf(token)))
        .returning({ operator: operatorSession.operator });
      return ended.length > 0;
    },

    async deleteExpired() {
      await db.orm.delete(operatorSession).where(lte(operatorSession.expires, now()));
    },
  };
}

/** A plain hash cannot be reversed, because tokens are long and random. */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
