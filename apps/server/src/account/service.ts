import { randomBytes, randomUUID } from "node:crypto";
import type {
  deleteAccountBody,
  LinkedWallet,
  loginBody,
  PasswordReset,
  registerBody,
  resetPasswordBody,
  Session,
} from "@aqua/sdk/api/auth";
import type { z } from "zod";
import type { Config } from "../config.ts";
import type { Database, Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Limits } from "../limits/limits.ts";
import type { Mailer } from "../mail/mail.ts";
import { deleteMailsTo } from "../mail/store.ts";
import type { Act, LogWriter } from "../publicLog/writer.ts";
import type { Codes } from "./codes.ts";
import { hasFactor } from "./factors.ts";
import type { Failures } from "./failures.ts";
import { type Caller, passwordTries } from "./limits.ts";
import type { AccountMail } from "./mails.ts";
import type { Passwords } from "./passwords.ts";
import type { SecurityService } from "./security.ts";
import { type Origin, recordEvent } from "./securityEvents.ts";
import type { ActiveSession, Sessions } from "./sessions.ts";
import * as store from "./store.ts";

export interface AccountParts {
  db: Pick<Database, "orm" | "transaction">;
  passwords: Passwords;
  codes: Codes;
  sessions: Sessions;
  limits: Limits;
  mailer: Pick<Mailer<AccountMail>, "enqueue">;
  writer: LogWriter;
  security: Pick<SecurityService, "proveSecond" | "noteLogIn">;
  failures: Pick<Failures, "note">;
  /** The one account whose subject a seeded chain already knows. */
  demoAccount: Config["demoAccount"];
  /** Returns the wallets of an account. They belong to a feature above this one. */
  walletsOf: (orm: Orm, accountId: string) => Promise<LinkedWallet[]>;
  /** Called in the transaction that deletes an account, before its rows are deleted. */
  beforeDelete: (tx: Orm, accountId: string) => Promise<void>;
  /** Called after a commit that created jobs. */
  notifyJobs: () => void;
}

export interface AccountService {
  /**
   * @throws ApiError login_failed, the same for an unknown e-mail; second_factor_required or code_invalid when the
   *   account has a second factor
   */
  login(body: z.output<typeof loginBody>, caller: Caller): Promise<Session>;
  /** @throws ApiError validation_error, code_expired for an invalid ticket, conflict when the e-mail has an account */
  register(body: z.output<typeof registerBody>, caller: Caller): Promise<Session>;
  /**
   * Sets the password and ends every session. Returns the wallets; the current one can still log in.
   * @throws ApiError validation_error, code_expired for an invalid ticket
   */
  resetPassword(body: z.output<typeof resetPasswordBody>, caller: Caller): Promise<PasswordReset>;
  /**
   * Ends the session of the header.
   * @throws ApiError logout_error when there is none
   */
  logout(authorization: string | undefined): Promise<void>;
  /**
   * Ends all sessions except the calling one, or only the one with `id`.
   * @throws ApiError not_found
   */
  endSessions(session: ActiveSession, id: string | undefined, origin: Origin): Promise<void>;
  /**
   * Ends every session of an account for the operator, for example when an owner has lost a device and cannot log in.
   * Returns how many it ended. The owner sees this among the account's security events.
   * @throws ApiError not_found
   */
  logOutEverywhere(email: string, act: Act): Promise<number>;
  /**
   * Does the same, and states in the public log the account's rows as they are, after an operator has checked them.
   * @throws ApiError not_found
   */
  acceptChanges(email: string, act: Act): Promise<number>;
  /**
   * @throws ApiError login_failed when the password is wrong, confirmation_required when a second factor must confirm
   */
  remove(session: ActiveSession, body: z.output<typeof deleteAccountBody>, caller: Caller): Promise<void>;
}

export function createAccountService(parts: AccountParts): AccountService {
  const { db, passwords, codes, sessions, limits, mailer, demoAccount, beforeDelete, writer, notifyJobs } = parts;
  const { security, failures, walletsOf } = parts;

  /** Does the same work whether or not the account exists. */
  async function prove(account: store.Account | null, password: string): Promise<store.Account> {
    const right = await passwords.verify(account?.passwordHash ?? null, password);
    if (!right || account === null) throw new ApiError("login_failed", "E-mail or password is wrong");
    return account;
  }

  /** @throws ApiError not_found */
  async function lockByEmail(tx: Orm, email: string): Promise<string> {
    const account = await store.findByEmail(tx, email);
    if (account !== null && (await store.lockAccount(tx, account.id))) return account.id;
    throw new ApiError("not_found", "No account has this e-mail");
  }

  async function logOut(tx: Orm, accountId: string): Promise<number> {
    await recordEvent(tx, { accountId, kind: "logged_out_by_operator", origin: null });
    return sessions.endAll(tx, accountId);
  }

  return {
    async login({ email, password, factor }, caller) {
      await limits.spend(passwordTries(caller, email));
      const account = await prove(await store.findByEmail(db.orm, email), password).catch(async (error: unknown) => {
        const wrong = error instanceof ApiError && error.code === "login_failed";
        if (wrong) await failures.note(email, "log_in_failed", caller);
        throw error;
      });
      const withFactor = await security.proveSecond(account, factor, caller);
      const renewed = passwords.isOutdated(account.passwordHash) ? await passwords.hash(password) : null;
      const token = await db.transaction(async (tx) => {
        // A concurrent password reset has revoked what this password could open.
        if (!(await store.lockWithPassword(tx, account.id, account.passwordHash))) return null;
        if (renewed !== null) {
          await writer.requireAccount(tx, account.id);
          await store.setPassword(tx, account.id, renewed);
          await writer.account(tx, account.id);
        }
        await security.noteLogIn(tx, { account, kind: "log_in", caller });
        return sessions.open(tx, account.id, { origin: caller, proof: withFactor ? "factor" : "password" });
      });
      if (token === null) throw new ApiError("login_failed", "E-mail or password is wrong");
      notifyJobs();
      await limits.clear(passwordTries(caller, email));
      return { token, email };
    },

    async register({ email, password, ticket, country, language }, caller) {
      passwords.check(password, email);
      // Checked before the costly hash, and used up in the transaction.
      await codes.checkTicket(db.orm, { email, purpose: "register", ticket });
      const passwordHash = await passwords.hash(password);
      const token = await db.transaction(async (tx) => {
        const row: store.Account = {
          id: randomUUID(),
          email,
          passwordHash,
          country,
          language: language ?? "en-US",
          subject: email === demoAccount?.email ? demoAccount.subject : `0x${randomBytes(16).toString("hex")}`,
          createTime: Date.now(),
        };
        // The ticket proves the mailbox, so its owner may learn that the account exists.
        if (!(await store.insertAccount(tx, row))) {
          throw new ApiError("conflict", "This e-mail has an account already; log in");
        }
        await codes.useTicket(tx, { email, purpose: "register", ticket });
        await codes.forget(tx, email);
        await writer.account(tx, row.id);
        await recordEvent(tx, { accountId: row.id, kind: "registered", origin: caller });
        return sessions.open(tx, row.id, { origin: caller, proof: "mail" });
      });
      return { token, email };
    },

    async resetPassword({ email, ticket, password }, caller) {
      passwords.check(password, email);
      await codes.checkTicket(db.orm, { email, purpose: "reset_password", ticket });
      const passwordHash = await passwords.hash(password);
      const wallets = await db.transaction(async (tx) => {
        await codes.useTicket(tx, { email, purpose: "reset_password", ticket });
        const account = await store.findByEmail(tx, email);
        if (account === null || !(await store.lockAccount(tx, account.id))) {
          throw new ApiError("code_expired", "This e-mail has no account any more");
        }
        await writer.requireAccount(tx, account.id);
        await store.setPassword(tx, account.id, passwordHash);
        await writer.account(tx, account.id);
        await sessions.endAll(tx, account.id);
        await codes.forget(tx, email);
        const { language } = account;
        await recordEvent(tx, { accountId: account.id, kind: "password_changed", origin: caller });
        const linked = await walletsOf(tx, account.id);
        const current = linked.find((wallet) => wallet.current);
        const still = current === undefined ? {} : { wallet: current.address, notes: ["wallet_logs_in"] as const };
        await mailer.enqueue(tx, { to: email, language, content: { kind: "password_changed", ...still } });
        return linked;
      });
      notifyJobs();
      // The owner has proved the mailbox, so earlier guesses must not slow them down.
      await limits.clear([...passwordTries(caller, email), ...passwordTries({ ...caller, device: null }, email)]);
      return { wallets };
    },

    async logout(authorization) {
      const session = await sessions.optional(authorization).catch((error: unknown) => {
        if (error instanceof ApiError) return null;
        throw error;
      });
      const ended = session !== null && (await sessions.end(db.orm, session.tokenHash));
      if (!ended) throw new ApiError("logout_error", "There is no session to end");
    },

    async endSessions(session, id, origin) {
      const { accountId, tokenHash } = session;
      await db.transaction(async (tx) => {
        await sessions.lock(tx, session);
        if (id === undefined) await sessions.endAll(tx, accountId, tokenHash);
        else if (!(await sessions.endById(tx, accountId, id))) throw new ApiError("not_found", "No such session");
        await recordEvent(tx, { accountId, kind: "sessions_ended", origin });
      });
    },

    logOutEverywhere: (email, act) =>
      db.transaction(async (tx) => {
        await writer.act(tx, "POST operator/account/logout", act);
        return logOut(tx, await lockByEmail(tx, email));
      }),

    acceptChanges: (email, act) =>
      db.transaction(async (tx) => {
        const accountId = await lockByEmail(tx, email);
        await writer.acceptAccount(tx, accountId, act);
        return logOut(tx, accountId);
      }),

    async remove(session, { password }, caller) {
      const { accountId } = session;
      const account = await store.findById(db.orm, accountId);
      if (account === null) throw new ApiError("token_error", "This account is no longer there");
      // For an account with a second factor the password alone is not sufficient.
      if (await hasFactor(db.orm, accountId)) await sessions.checkConfirmed(session);
      const tries = passwordTries(caller, account.email);
      await limits.spend(tries);
      await prove(account, password);
      await db.transaction(async (tx) => {
        if (await hasFactor(tx, accountId)) await sessions.lockConfirmed(tx, session);
        else await sessions.lock(tx, session);
        if (!(await store.lockWithPassword(tx, account.id, account.passwordHash))) {
          throw new ApiError("login_failed", "E-mail or password is wrong");
        }
        await writer.requireAccount(tx, account.id);
        await beforeDelete(tx, account.id);
        await codes.forget(tx, account.email);
        await deleteMailsTo(tx, account.email);
        await store.removeAccount(tx, account.id);
        await writer.account(tx, account.id);
      });
      notifyJobs();
      await limits.clear(tries);
    },
  };
}
