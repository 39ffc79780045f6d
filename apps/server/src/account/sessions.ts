import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { SessionInfo } from "@aqua/sdk/api/auth";
import { confirmationMs } from "@aqua/sdk/api/security";
import { DAY_MS } from "@aqua/sdk/durations";
import { and, desc, eq, gt, lt, lte, ne, notInArray } from "drizzle-orm";
import type { Database, Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Keys } from "../keys.ts";
import { hasFactor } from "./factors.ts";
import { placeOf } from "./place.ts";
import { accountSession, type Proof } from "./schema.ts";
import type { Origin } from "./securityEvents.ts";
import { lockAccount } from "./store.ts";
import { knownProgram, programOf } from "./userAgent.ts";

/** A valid session. */
export interface ActiveSession {
  accountId: string;
  /** SHA-256 of its token, hex. */
  tokenHash: string;
  /** Time at which the holder last proved to be the owner, Unix milliseconds; 0: none in this session. */
  confirmedTime: number;
  /** Kind of that proof; null: none in this session. */
  confirmedBy: Proof | null;
}

/**
 * Origin of a log-in and the proof of the owner. Logging in with a wallet is no proof: a thief of the wallet could then
 * switch the account to another one.
 */
export interface LogIn {
  origin: Origin | null;
  proof: Proof | null;
}

export interface Sessions {
  /**
   * Returns the session of the header `Authorization: Bearer …`. It ends 30 days after the log-in.
   * @throws ApiError token_error when there is none, or it is unknown, expired or ended
   */
  require(authorization: string | undefined): Promise<ActiveSession>;
  /**
   * Returns null without the header.
   * @throws ApiError token_error when the session of the header is not valid
   */
  optional(authorization: string | undefined): Promise<ActiveSession | null>;
  /**
   * Returns the session like `require`.
   * @throws ApiError confirmation_required when the last proof is older than 5 minutes, or was not the second factor of
   *   an account that has one
   */
  requireConfirmed(authorization: string | undefined): Promise<ActiveSession>;
  /** Checks a session that was already read, like `requireConfirmed`. `orm`: the transaction that locked it, if any. */
  checkConfirmed(session: ActiveSession, orm?: Orm): Promise<void>;
  /**
   * Locks the account and then the session, so that neither changes before the transaction ends. Each sensitive change
   * begins with this call, because the session may have ended since the request was checked.
   * @throws ApiError token_error
   */
  lock(tx: Orm, session: ActiveSession): Promise<ActiveSession>;
  /**
   * Does the same as `lock`, and reads the proof again.
   * @throws ApiError token_error, confirmation_required
   */
  lockConfirmed(tx: Orm, session: ActiveSession): Promise<ActiveSession>;
  /**
   * Records that the holder of the session has just proved to be the owner. Returns the time until which the proof is
   * valid, Unix milliseconds.
   */
  confirm(tx: Orm, tokenHash: string, by: Proof): Promise<number>;
  /** Ends the proofs of the account's sessions except the one with the hash `except`. */
  resetProofs(tx: Orm, accountId: string, except: string): Promise<void>;
  /** Opens a session and returns its token. The server stores only a hash of the token. */
  open(tx: Orm, accountId: string, logIn: LogIn): Promise<string>;
  /** Ends the session with this token hash. Returns false when there is none. */
  end(tx: Orm, tokenHash: string): Promise<boolean>;
  /** Ends the session with this id. Returns false when the account has no such session. */
  endById(tx: Orm, accountId: string, id: string): Promise<boolean>;
  /**
   * Ends every session of the account, or all except the one with the hash `except`. Returns how many valid ones it
   * ended.
   */
  endAll(tx: Orm, accountId: string, except?: string): Promise<number>;
  /** Returns the account's valid sessions, the last used first. */
  list(session: ActiveSession): Promise<SessionInfo[]>;
  /** Deletes expired sessions. */
  deleteExpired(): Promise<void>;
}

/** Milliseconds from the log-in. Use of the session does not extend them. */
export const LIFE_MS = 30 * DAY_MS;
/** Minimum time between two updates of the last use, so that most requests only read. */
const USE_MS = 60_000;
/** Maximum number of concurrent sessions of one account. A new session replaces the least recently used one. */
const MAX_SESSIONS = 50;

export function createSessions(
  db: Pick<Database, "orm">,
  keys: Pick<Keys, "hash" | "hashes">,
  now: () => number = Date.now,
): Sessions {
  const bound = (secret: string, accountId: string) => `${secret} ${accountId}`;

  async function optional(authorization: string | undefined): Promise<ActiveSession | null> {
    if (authorization === undefined) return null;
    const token = tokenOf(authorization);
    if (token === null) throw dead();
    const tokenHash = hashOfToken(token);
    const [secret = "", proof] = token.split(".");
    const time = now();
    const [row] = await db.orm
      .select({
        accountId: accountSession.accountId,
        lastUse: accountSession.lastUse,
        confirmedTime: accountSession.confirmedTime,
        confirmedBy: accountSession.confirmedBy,
      })
      .from(accountSession)
      .where(and(eq(accountSession.tokenHash, tokenHash), gt(accountSession.expires, time)));
    if (row === undefined) throw dead();
    if (!keys.hashes("session", bound(secret, row.accountId)).some((hash) => hash === proof)) throw dead();
    if (row.lastUse <= time - USE_MS) {
      await db.orm
        .update(accountSession)
        .set({ lastUse: time })
        .where(and(eq(accountSession.tokenHash, tokenHash), lt(accountSession.lastUse, time)));
    }
    const { accountId, confirmedTime, confirmedBy } = row;
    return { accountId, tokenHash, confirmedTime, confirmedBy };
  }

  async function require(authorization: string | undefined): Promise<ActiveSession> {
    const session = await optional(authorization);
    if (session === null) throw dead();
    return session;
  }

  async function checkConfirmed(session: ActiveSession, orm: Orm = db.orm): Promise<void> {
    if (confirmedUntil(session, await hasFactor(orm, session.accountId), now()) !== null) return;
    throw new ApiError("confirmation_required", "Confirm that it is you: with the password, a code or a passkey");
  }

  async function lock(tx: Orm, session: ActiveSession): Promise<ActiveSession> {
    const { accountId, tokenHash } = session;
    // The account is always locked first. Otherwise two calls that lock two sessions of one account could deadlock.
    if (!(await lockAccount(tx, accountId))) throw dead();
    const [row] = await tx
      .select({ confirmedTime: accountSession.confirmedTime, confirmedBy: accountSession.confirmedBy })
      .from(accountSession)
      .where(and(eq(accountSession.tokenHash, tokenHash), gt(accountSession.expires, now())))
      .for("update");
    if (row === undefined) throw dead();
    return { accountId, tokenHash, ...row };
  }

  return {
    optional,
    require,
    checkConfirmed,
    async requireConfirmed(authorization) {
      const session = await require(authorization);
      await checkConfirmed(session);
      return session;
    },
    lock,
    async lockConfirmed(tx, session) {
      const locked = await lock(tx, session);
      await checkConfirmed(locked, tx);
      return locked;
    },
    async resetProofs(tx, accountId, except) {
      await tx
        .update(accountSession)
        .set({ confirmedTime: 0, confirmedBy: null })
        .where(and(eq(accountSession.accountId, accountId), ne(accountSession.tokenHash, except)));
    },
    async confirm(tx, tokenHash, by) {
      const time = now();
      const rows = await tx
        .update(accountSession)
        .set({ confirmedTime: time, confirmedBy: by })
        .where(eq(accountSession.tokenHash, tokenHash))
        .returning({ id: accountSession.id });
      if (rows.length === 0) throw dead();
      return time + confirmationMs;
    },
    async open(tx, accountId, { origin, proof }) {
      const secret = randomBytes(32).toString("base64url");
      const token = `${secret}.${keys.hash("session", bound(secret, accountId))}`;
      const time = now();
      await tx.insert(accountSession).values({
        tokenHash: hashOfToken(token),
        id: randomUUID(),
        accountId,
        createTime: time,
        lastUse: time,
        expires: time + LIFE_MS,
        userAgent: programOf(origin?.userAgent),
        place: origin === null ? null : placeOf(origin.ip),
        confirmedTime: proof === null ? 0 : time,
        confirmedBy: proof,
      });
      const newest = tx
        .select({ tokenHash: accountSession.tokenHash })
        .from(accountSession)
        .where(eq(accountSession.accountId, accountId))
        .orderBy(desc(accountSession.lastUse), desc(accountSession.createTime))
        .limit(MAX_SESSIONS);
      await tx
        .delete(accountSession)
        .where(and(eq(accountSession.accountId, accountId), notInArray(accountSession.tokenHash, newest)));
      return token;
    },
    async end(tx, tokenHash) {
      const rows = await tx.delete(accountSession).where(eq(accountSession.tokenHash, tokenHash)).returning();
      return rows.length > 0;
    },
    async endById(tx, accountId, id) {
      const rows = await tx
        .delete(accountSession)
        .where(and(eq(accountSession.accountId, accountId), eq(accountSession.id, id)))
        .returning();
      return rows.length > 0;
    },
    async endAll(tx, accountId, except) {
      const all = eq(accountSession.accountId, accountId);
      const rows = await tx
        .delete(accountSession)
        .where(except === undefined ? all : and(all, ne(accountSession.tokenHash, except)))
        .returning({ expires: accountSession.expires });
      return rows.filter(({ expires }) => expires > now()).length;
    },
    async list({ accountId, tokenHash }) {
      const rows = await db.orm
        .select()
        .from(accountSession)
        .where(and(eq(accountSession.accountId, accountId), gt(accountSession.expires, now())))
        .orderBy(desc(accountSession.lastUse), desc(accountSession.createTime));
      return rows.map((row) => ({
        id: row.id,
        create_time: row.createTime,
        last_use: row.lastUse,
        expires_at: row.expires,
        user_agent: knownProgram(row.userAgent),
        place: row.place,
        current: row.tokenHash === tokenHash,
      }));
    },
    async deleteExpired() {
      await db.orm.delete(accountSession).where(lte(accountSession.expires, now()));
    },
  };
}

/**
 * Returns the time until which the session's last proof is valid, Unix milliseconds, or null when it is not valid. For
 * an account with a second factor only a proof by that factor is valid.
 */
export function confirmedUntil(
  { confirmedTime, confirmedBy }: Pick<ActiveSession, "confirmedTime" | "confirmedBy">,
  secondFactor: boolean,
  now = Date.now(),
): number | null {
  const until = confirmedTime + confirmationMs;
  return until > now && (confirmedBy === "factor" || !secondFactor) ? until : null;
}

/** Returns the hash of the session named by the header, valid or not; null when the header names none. */
export function sessionHashOf(authorization: string | undefined): string | null {
  const token = tokenOf(authorization);
  return token === null ? null : hashOfToken(token);
}

/**
 * A token is a random secret and a keyed hash of this secret with the account. A row that a user of the database inserts
 * or moves to another account therefore opens nothing.
 */
function tokenOf(authorization: string | undefined): string | null {
  return /^Bearer +([\w-]{43}\.[\da-f]{64})$/i.exec(authorization ?? "")?.[1] ?? null;
}

/** A plain hash cannot be reversed, because tokens are long and random. */
function hashOfToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function dead(): ApiError {
  return new ApiError("token_error", "Log in again: the session has ended");
}
