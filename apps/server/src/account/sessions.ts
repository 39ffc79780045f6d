import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { SessionInfo } from "@aqua/sdk/api/auth";
import { confirmationMs } from "@aqua/sdk/api/security";
import { DAY_MS } from "@aqua/sdk/durations";
import { and, desc, eq, gt, lt, lte, ne, notInArray } from "drizzle-orm";
import type { Database, Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { hasFactor } from "./factors.ts";
import { placeOf } from "./place.ts";
import { accountSession, type Proof } from "./schema.ts";
import type { Origin } from "./securityEvents.ts";
import { lockAccount } from "./store.ts";
import { knownProgram, programOf } from "./userAgent.ts";

/** A session that is alive. */
export interface ActiveSession {
  accountId: string;
  /** SHA-256 of its token, hex. */
  tokenHash: string;
  /** When its holder last proved to be the owner, Unix milliseconds; 0: never in this session. */
  confirmedTime: number;
  /** How; null: never in this session. */
  confirmedBy: Proof | null;
}

/** A log-in: where it comes from, and how it proved its owner. A wallet's log-in proves nothing: a thief would switch it. */
export interface LogIn {
  origin: Origin | null;
  proof: Proof | null;
}

export interface Sessions {
  /**
   * The session of the header `Authorization: Bearer …`, which ends 30 days after the log-in.
   * @throws ApiError token_error when there is none, or it is unknown, expired or ended
   */
  require(authorization: string | undefined): Promise<ActiveSession>;
  /** Null without the header. @throws ApiError token_error when a header is given whose session is not alive */
  optional(authorization: string | undefined): Promise<ActiveSession | null>;
  /**
   * The session like `require`. @throws ApiError confirmation_required when the last proof is older than 5 minutes, or
   * was not the second factor of an account that has one
   */
  requireConfirmed(authorization: string | undefined): Promise<ActiveSession>;
  /** Like `requireConfirmed`, of a session that was read before. `orm`: the transaction that locked it, if any. */
  checkConfirmed(session: ActiveSession, orm?: Orm): Promise<void>;
  /**
   * Locks the account and then the session, so that neither changes before the transaction ends. Each sensitive change
   * begins with this: the session may have ended since the request was checked. @throws ApiError token_error
   */
  lock(tx: Orm, session: ActiveSession): Promise<ActiveSession>;
  /** Like `lock`, and reads the proof again. @throws ApiError token_error, confirmation_required */
  lockConfirmed(tx: Orm, session: ActiveSession): Promise<ActiveSession>;
  /** Stores that the holder of the session just proved to be the owner; answers until when that lasts. */
  confirm(tx: Orm, tokenHash: string, by: Proof): Promise<number>;
  /** Ends the proofs of the account's sessions except the one with the hash `except`. */
  resetProofs(tx: Orm, accountId: string, except: string): Promise<void>;
  /** Opens a session and answers its token, which is kept nowhere here. */
  open(tx: Orm, accountId: string, logIn: LogIn): Promise<string>;
  /** Ends the session of this token's hash; false when it was not there. */
  end(tx: Orm, tokenHash: string): Promise<boolean>;
  /** Ends the session an owner names by its id; false when the account has none of that id. */
  endById(tx: Orm, accountId: string, id: string): Promise<boolean>;
  /** Ends every session of the account, or all but the one with the hash `except`; answers how many were alive. */
  endAll(tx: Orm, accountId: string, except?: string): Promise<number>;
  /** Those that are alive, last used first. */
  list(session: ActiveSession): Promise<SessionInfo[]>;
  /** Removes what has expired. */
  deleteExpired(): Promise<void>;
}

/** From the log-in, milliseconds; no use makes it longer. */
export const LIFE_MS = 30 * DAY_MS;
/** A use is written down at most this often, so that reading stays reading. */
const USE_MS = 60_000;
/** Maximum number of concurrent sessions of one account. A new session replaces the least recently used one. */
const MAX_SESSIONS = 50;

export function createSessions(db: Pick<Database, "orm">, now: () => number = Date.now): Sessions {
  async function optional(authorization: string | undefined): Promise<ActiveSession | null> {
    if (authorization === undefined) return null;
    const tokenHash = sessionHashOf(authorization);
    if (tokenHash === null) throw dead();
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
    // Always the account first: two calls that lock two sessions of one account would otherwise wait for each other.
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
      const token = randomBytes(32).toString("base64url");
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
      const kept = tx
        .select({ tokenHash: accountSession.tokenHash })
        .from(accountSession)
        .where(eq(accountSession.accountId, accountId))
        .orderBy(desc(accountSession.lastUse), desc(accountSession.createTime))
        .limit(MAX_SESSIONS);
      await tx
        .delete(accountSession)
        .where(and(eq(accountSession.accountId, accountId), notInArray(accountSession.tokenHash, kept)));
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
 * Until when the session's last proof counts, Unix milliseconds; null: it does not. An account with a second factor
 * accepts only a proof by that.
 */
export function confirmedUntil(
  { confirmedTime, confirmedBy }: Pick<ActiveSession, "confirmedTime" | "confirmedBy">,
  secondFactor: boolean,
  now = Date.now(),
): number | null {
  const until = confirmedTime + confirmationMs;
  return until > now && (confirmedBy === "factor" || !secondFactor) ? until : null;
}

/** The hash of the session that the header names, whether it is alive or not; null where it names none. */
export function sessionHashOf(authorization: string | undefined): string | null {
  const token = /^Bearer +([\w-]{43})$/i.exec(authorization ?? "")?.[1];
  return token === undefined ? null : hashOfToken(token);
}

/** Tokens are random and long, so a plain hash cannot be turned back. */
function hashOfToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function dead(): ApiError {
  return new ApiError("token_error", "Log in again: the session has ended");
}
