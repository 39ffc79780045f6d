import { randomBytes } from "node:crypto";
import type { Factor } from "@aqua/sdk/api/auth";
import type { SecondFactor } from "@aqua/sdk/api/security";
import { and, count, eq, gt, inArray, lt, sql } from "drizzle-orm";
import type { Database, Orm } from "../db/database.ts";
import type { SealedColumn } from "../db/sealed.ts";
import { ApiError } from "../errors.ts";
import type { Keys } from "../keys.ts";
import type { Limits } from "../limits/limits.ts";
import type { LogWriter } from "../publicLog/writer.ts";
import { type Caller, factorTries } from "./limits.ts";
import { type Passkeys, passkeysOf } from "./passkeys.ts";
import { accountPasskey, accountTotp, recoveryCode } from "./schema.ts";
import { type Account, lockAccount } from "./store.ts";
import { base32, matchingPeriod, newTotpSecret, totpUri } from "./totp.ts";

/** The second factor that proved the owner. */
export type FactorKind = "passkey" | "totp" | "recovery";

export interface FactorState {
  passkeys: SecondFactor[];
  totp: SecondFactor | null;
  /** Number of remaining recovery codes. */
  recoveryCodes: number;
}

const RECOVERY_CODES = 8;
const TOTP_ID = "totp";
const totpContext = (accountId: string) => `totp ${accountId}`;

export const sealedTotpSecrets: SealedColumn = {
  purpose: "factor",
  table: sql`account_totp`,
  id: sql`account_id`,
  sealed: sql`secret`,
  context: sql`'totp ' || account_id`,
  set: (sealed) => sql`secret = ${sealed}`,
};

/** The caller that tries a code, and the work of the transaction that accepts the right one. */
export interface Trying<T> {
  account: Account;
  caller: Caller;
  /** Checks before the code is accepted whether the caller is allowed to do this. */
  check?: (tx: Orm) => Promise<unknown>;
  onAccepted: (tx: Orm) => Promise<T>;
}

/** Proofs of an account's owner other than the password. */
export interface Factors {
  /**
   * Proves the owner by a second factor. `onAccepted` is for a recovery code, which is used up.
   * @throws ApiError second_factor_required without a factor, code_invalid for a wrong one, too_many_requests
   */
  prove(factor: Factor | undefined, trying: Trying<void>): Promise<FactorKind>;
  /** Creates a new secret for an authenticator app. It has no effect before `activateTotp`. */
  setUpTotp(account: Account): Promise<{ secret: string; uri: string }>;
  /** @throws ApiError code_invalid, too_many_requests */
  activateTotp<T>(code: string, trying: Trying<T>): Promise<T>;
  /** Replaces the recovery codes. */
  makeRecoveryCodes(tx: Orm, accountId: string): Promise<string[]>;
  /**
   * Removes the factor and returns its name. With the last factor, it also removes the recovery codes.
   * @throws ApiError not_found
   */
  remove(tx: Orm, accountId: string, id: string): Promise<{ kind: "passkey" | "totp"; name: string }>;
}

export function createFactors(parts: {
  db: Pick<Database, "orm" | "transaction">;
  keys: Keys;
  limits: Pick<Limits, "spend" | "clear">;
  passkeys: Passkeys;
  publicUrl: string;
  writer: LogWriter;
  now?: () => number;
}): Factors {
  const { db, keys, limits, passkeys, publicUrl, writer, now = Date.now } = parts;
  const hashed = (accountId: string, code: string) => `${accountId} ${code.toUpperCase().replace(/[^A-Z2-7]/g, "")}`;

  /** Accepts a code once. `active` says whether the app must already be in use. */
  async function takeTotp(tx: Orm, accountId: string, { code, active }: { code: string; active: boolean }) {
    // The row is locked, because `totp/new` in another tab may replace it, and the code proves nothing about the new
    // secret.
    const [row] = await tx.select().from(accountTotp).where(eq(accountTotp.accountId, accountId)).for("update");
    if (row === undefined || row.activeTime > 0 !== active) return false;
    const period = matchingPeriod(keys.open("factor", row.secret, totpContext(accountId)), code, now());
    if (period === null) return false;
    const time = now();
    const updated = await tx
      .update(accountTotp)
      .set({ lastPeriod: period, lastUse: time, activeTime: active ? row.activeTime : time })
      .where(and(eq(accountTotp.accountId, accountId), lt(accountTotp.lastPeriod, period)))
      .returning({ id: accountTotp.accountId });
    return updated.length > 0;
  }

  async function takeRecoveryCode(tx: Orm, accountId: string, code: string): Promise<boolean> {
    const deleted = await tx
      .delete(recoveryCode)
      .where(
        and(
          eq(recoveryCode.accountId, accountId),
          inArray(recoveryCode.codeHash, keys.hashes("factor", hashed(accountId, code))),
        ),
      )
      .returning({ id: recoveryCode.accountId });
    return deleted.length > 0;
  }

  /**
   * Accepts a code and runs the related work in the same transaction.
   * @throws ApiError code_invalid
   */
  async function acceptCode<T>(
    { account, caller, check, onAccepted }: Trying<T>,
    take: (tx: Orm) => Promise<boolean>,
  ): Promise<T> {
    const tries = factorTries(caller, account.email);
    // The try is counted outside the transaction and before it, so that a wrong code counts too.
    await limits.spend(tries);
    const done = await db.transaction(async (tx) => {
      await check?.(tx);
      const isThere = await lockAccount(tx, account.id);
      await writer.requireAccount(tx, account.id);
      if (!isThere || !(await take(tx))) {
        throw new ApiError("code_invalid", "The code is not right, or was used before");
      }
      const result = await onAccepted(tx);
      await writer.account(tx, account.id);
      return result;
    });
    await limits.clear(tries);
    return done;
  }

  return {
    async prove(factor, trying) {
      const { id } = trying.account;
      if (factor?.passkey !== undefined) {
        const owner = await passkeys.owner(factor.passkey as { id: string });
        if (owner !== id) throw new ApiError("login_failed", "This passkey belongs to another account");
        return "passkey";
      }
      const { totp, recovery } = factor ?? {};
      if (totp !== undefined) {
        await acceptCode({ ...trying, onAccepted: async () => {} }, (tx) =>
          takeTotp(tx, id, { code: totp, active: true }),
        );
        return "totp";
      }
      if (recovery === undefined) {
        throw new ApiError("second_factor_required", "Enter a code of your authenticator, or use a passkey");
      }
      await acceptCode(trying, (tx) => takeRecoveryCode(tx, id, recovery));
      return "recovery";
    },
    async setUpTotp(account) {
      const secret = newTotpSecret();
      const row = {
        secret: keys.seal("factor", secret, totpContext(account.id)),
        name: "",
        createTime: now(),
        activeTime: 0,
        lastUse: null,
        lastPeriod: 0,
      };
      const stored = await db.orm
        .insert(accountTotp)
        .values({ accountId: account.id, ...row })
        // An app that is in use must first be removed, which sends a separate mail.
        .onConflictDoUpdate({ target: accountTotp.accountId, set: row, setWhere: eq(accountTotp.activeTime, 0) })
        .returning({ id: accountTotp.accountId });
      if (stored.length === 0) throw new ApiError("conflict", "The account has an authenticator app already");
      const { host } = new URL(publicUrl);
      return { secret: base32(secret), uri: totpUri(secret, { host, email: account.email }) };
    },
    activateTotp: (code, trying) =>
      acceptCode(trying, (tx) => takeTotp(tx, trying.account.id, { code, active: false })),
    async makeRecoveryCodes(tx, accountId) {
      const codes = Array.from({ length: RECOVERY_CODES }, () => {
        const text = base32(randomBytes(8)).slice(0, 12);
        return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`;
      });
      await tx.delete(recoveryCode).where(eq(recoveryCode.accountId, accountId));
      const rows = codes.map((code) => ({ accountId, codeHash: keys.hash("factor", hashed(accountId, code)) }));
      await tx.insert(recoveryCode).values(rows);
      return codes;
    },
    async remove(tx, accountId, id) {
      const removed = id === TOTP_ID ? await removeTotp(tx, accountId) : await removePasskey(tx, accountId, id);
      if (removed === null) throw new ApiError("not_found", "The account has no such factor");
      if (!(await hasFactor(tx, accountId))) await tx.delete(recoveryCode).where(eq(recoveryCode.accountId, accountId));
      return removed;
    },
  };
}

async function removeTotp(tx: Orm, accountId: string) {
  const [row] = await tx
    .delete(accountTotp)
    .where(and(eq(accountTotp.accountId, accountId), gt(accountTotp.activeTime, 0)))
    .returning();
  return row === undefined ? null : { kind: "totp" as const, name: row.name };
}

async function removePasskey(tx: Orm, accountId: string, id: string) {
  const [row] = await tx
    .delete(accountPasskey)
    .where(and(eq(accountPasskey.accountId, accountId), eq(accountPasskey.id, id)))
    .returning();
  return row === undefined ? null : { kind: "passkey" as const, name: row.name };
}

export async function factorState(orm: Orm, accountId: string): Promise<FactorState> {
  const passkeys = await passkeysOf(orm, accountId);
  const [totp] = await orm
    .select()
    .from(accountTotp)
    .where(and(eq(accountTotp.accountId, accountId), gt(accountTotp.activeTime, 0)));
  const [left] = await orm.select({ codes: count() }).from(recoveryCode).where(eq(recoveryCode.accountId, accountId));
  return {
    passkeys: passkeys.map(({ id, name, createTime, lastUse }) => {
      return { id, name, create_time: createTime, last_use: lastUse };
    }),
    totp:
      totp === undefined
        ? null
        : { id: TOTP_ID, name: totp.name, create_time: totp.activeTime, last_use: totp.lastUse },
    recoveryCodes: left?.codes ?? 0,
  };
}

/** Returns whether the account requires more than a password. */
export async function hasFactor(orm: Orm, accountId: string): Promise<boolean> {
  const { passkeys, totp } = await factorState(orm, accountId);
  return passkeys.length > 0 || totp !== null;
}
