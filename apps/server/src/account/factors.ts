import { randomBytes } from "node:crypto";
import type { Factor } from "@aqua/sdk/api/auth";
import type { SecondFactor } from "@aqua/sdk/api/security";
import { and, count, eq, gt, lt } from "drizzle-orm";
import type { Database, Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Keys } from "../keys.ts";
import type { Limits } from "../limits/limits.ts";
import { type Caller, factorTries } from "./limits.ts";
import { type Passkeys, passkeysOf } from "./passkeys.ts";
import { accountPasskey, accountTotp, recoveryCode } from "./schema.ts";
import type { Account } from "./store.ts";
import { base32, matchingPeriod, newTotpSecret, totpUri } from "./totp.ts";

/** Which second factor proved the owner. */
export type FactorKind = "passkey" | "totp" | "recovery";

export interface FactorState {
  passkeys: SecondFactor[];
  totp: SecondFactor | null;
  /** Recovery codes that are left. */
  recoveryCodes: number;
}

const RECOVERY_CODES = 8;
const TOTP_ID = "totp";

/** What of an account can prove its owner beside the password. */
export interface Factors {
  /**
   * Proves the owner by one of them. @throws ApiError second_factor_required without one, code_invalid for a wrong one,
   * too_many_requests
   */
  prove(account: Account, factor: Factor | undefined, caller: Caller): Promise<FactorKind>;
  /** A new secret for an authenticator app, which protects nothing before `activateTotp`. */
  setUpTotp(account: Account): Promise<{ secret: string; uri: string }>;
  /** @throws ApiError code_invalid */
  activateTotp(account: Account, code: string, caller: Caller): Promise<void>;
  /** New recovery codes in the place of those there are. */
  makeRecoveryCodes(tx: Orm, accountId: string): Promise<string[]>;
  /** Removes the factor and, with the last one, the recovery codes; answers its name. @throws ApiError not_found */
  remove(tx: Orm, accountId: string, id: string): Promise<{ kind: "passkey" | "totp"; name: string }>;
}

export function createFactors(parts: {
  db: Pick<Database, "orm" | "transaction">;
  keys: Keys;
  limits: Pick<Limits, "spend" | "clear">;
  passkeys: Passkeys;
  publicUrl: string;
  now?: () => number;
}): Factors {
  const { db, keys, limits, passkeys, publicUrl, now = Date.now } = parts;
  const hashOf = (accountId: string, code: string) =>
    keys.hash("factor", `${accountId} ${code.toUpperCase().replace(/[^A-Z2-7]/g, "")}`);
  const context = (accountId: string) => `totp ${accountId}`;

  /** Accepts a code once. `active`: whether the app must be in use already. */
  async function takeTotp(accountId: string, code: string, active: boolean): Promise<boolean> {
    const [row] = await db.orm.select().from(accountTotp).where(eq(accountTotp.accountId, accountId));
    if (row === undefined || row.activeTime > 0 !== active) return false;
    const period = matchingPeriod(keys.open("factor", row.secret, context(accountId)), code, now());
    if (period === null) return false;
    const time = now();
    const taken = await db.orm
      .update(accountTotp)
      .set({ lastPeriod: period, lastUse: time, activeTime: active ? row.activeTime : time })
      .where(and(eq(accountTotp.accountId, accountId), lt(accountTotp.lastPeriod, period)))
      .returning({ id: accountTotp.accountId });
    return taken.length > 0;
  }

  async function takeRecoveryCode(accountId: string, code: string): Promise<boolean> {
    const taken = await db.orm
      .delete(recoveryCode)
      .where(and(eq(recoveryCode.accountId, accountId), eq(recoveryCode.codeHash, hashOf(accountId, code))))
      .returning({ id: recoveryCode.accountId });
    return taken.length > 0;
  }

  return {
    async prove(account, factor, caller) {
      if (factor?.passkey !== undefined) {
        const owner = await passkeys.owner(factor.passkey as { id: string });
        if (owner !== account.id) throw new ApiError("login_failed", "This passkey belongs to another account");
        return "passkey";
      }
      const { totp, recovery } = factor ?? {};
      if (totp === undefined && recovery === undefined) {
        throw new ApiError("second_factor_required", "Enter a code of your authenticator, or use a passkey");
      }
      const tries = factorTries(caller, account.email);
      await limits.spend(tries);
      const right =
        totp === undefined
          ? await takeRecoveryCode(account.id, recovery ?? "")
          : await takeTotp(account.id, totp, true);
      if (!right) throw new ApiError("code_invalid", "The code is not right, or was used before");
      await limits.clear(tries);
      return totp === undefined ? "recovery" : "totp";
    },
    async setUpTotp(account) {
      const secret = newTotpSecret();
      const row = {
        secret: keys.seal("factor", secret, context(account.id)),
        name: "",
        createTime: now(),
        activeTime: 0,
        lastUse: null,
        lastPeriod: 0,
      };
      const stored = await db.orm
        .insert(accountTotp)
        .values({ accountId: account.id, ...row })
        // One that is in use is removed first, with a mail of its own.
        .onConflictDoUpdate({ target: accountTotp.accountId, set: row, setWhere: eq(accountTotp.activeTime, 0) })
        .returning({ id: accountTotp.accountId });
      if (stored.length === 0) throw new ApiError("conflict", "The account has an authenticator app already");
      const { host } = new URL(publicUrl);
      return { secret: base32(secret), uri: totpUri(secret, { host, email: account.email }) };
    },
    async activateTotp(account, code, caller) {
      await limits.spend(factorTries(caller, account.email));
      if (!(await takeTotp(account.id, code, false))) throw new ApiError("code_invalid", "The code is not right");
      await limits.clear(factorTries(caller, account.email));
    },
    async makeRecoveryCodes(tx, accountId) {
      const codes = Array.from({ length: RECOVERY_CODES }, () => {
        const text = base32(randomBytes(8)).slice(0, 12);
        return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`;
      });
      await tx.delete(recoveryCode).where(eq(recoveryCode.accountId, accountId));
      await tx.insert(recoveryCode).values(codes.map((code) => ({ accountId, codeHash: hashOf(accountId, code) })));
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

/** Whether the account wants more than a password. */
export async function hasFactor(orm: Orm, accountId: string): Promise<boolean> {
  const { passkeys, totp } = await factorState(orm, accountId);
  return passkeys.length > 0 || totp !== null;
}
