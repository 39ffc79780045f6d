import type { CodeSent, Factor, Session } from "@aqua/sdk/api/auth";
import type { ConfirmBody } from "@aqua/sdk/api/security";
import { HOUR_MS } from "@aqua/sdk/durations";
import { and, eq } from "drizzle-orm";
import { type Database, isTaken, type Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Limits } from "../limits/limits.ts";
import { mailFormat } from "../mail/format.ts";
import type { Mailer } from "../mail/mail.ts";
import type { LogWriter } from "../publicLog/writer.ts";
import type { Codes } from "./codes.ts";
import { type Factors, factorState, hasFactor } from "./factors.ts";
import { type Failures, whereOf } from "./failures.ts";
import { type Caller, passwordTries } from "./limits.ts";
import type { AccountMail } from "./mails.ts";
import type { PasskeyAnswer } from "./passkeyCeremony.ts";
import { type Passkeys, passkeysOf } from "./passkeys.ts";
import type { Passwords } from "./passwords.ts";
import { account as accounts, type Proof } from "./schema.ts";
import { countEvents, type Origin, recordEvent } from "./securityEvents.ts";
import type { ActiveSession, Sessions } from "./sessions.ts";
import * as store from "./store.ts";

export interface SecurityParts {
  db: Pick<Database, "orm" | "transaction">;
  passwords: Passwords;
  codes: Codes;
  sessions: Sessions;
  limits: Pick<Limits, "spend" | "clear">;
  mailer: Pick<Mailer<AccountMail>, "enqueue">;
  writer: LogWriter;
  factors: Factors;
  passkeys: Passkeys;
  failures: Pick<Failures, "note">;
  /** Called after a commit that created jobs. */
  notifyJobs: () => void;
}

/** A log-in that has proved its owner. */
export interface Proved {
  account: store.Account;
  kind: "log_in" | "log_in_wallet" | "log_in_passkey";
  caller: Caller;
}

export interface SecurityService {
  /**
   * Proves the owner of a session again. Returns the time until which the proof is valid, Unix milliseconds.
   * @throws ApiError login_failed, code_invalid, …
   */
  confirm(session: ActiveSession, proof: ConfirmBody, caller: Caller): Promise<number>;
  /**
   * Mails a code for confirmation.
   * @throws ApiError second_factor_required when a mailed code is not sufficient
   */
  sendConfirmCode(session: ActiveSession, caller: Caller): Promise<CodeSent>;
  /** All of these require a confirmed session and read it again in the transaction of their change. */
  changePassword(session: ActiveSession, password: string, caller: Caller): Promise<void>;
  sendEmailCode(session: ActiveSession, email: string, caller: Caller): Promise<CodeSent>;
  changeEmail(session: ActiveSession, changed: { email: string; code: string }, caller: Caller): Promise<void>;
  /** Returns recovery codes with the first factor, otherwise an empty list. */
  addPasskey(session: ActiveSession, made: { name: string; answer: PasskeyAnswer }, caller: Caller): Promise<string[]>;
  addTotp(session: ActiveSession, code: string, caller: Caller): Promise<string[]>;
  removeFactor(session: ActiveSession, id: string, caller: Caller): Promise<void>;
  makeRecoveryCodes(session: ActiveSession, caller: Caller): Promise<string[]>;
  /**
   * Records, in the caller's transaction, that the account's data was downloaded. Call `notifyJobs` after the commit.
   */
  noteExport(tx: Orm, accountId: string, origin: Origin): Promise<void>;
  /**
   * Proves the second factor of a log-in by password. Returns false when the account has none.
   * @throws ApiError second_factor_required, code_invalid, too_many_requests
   */
  proveSecond(account: store.Account, factor: Factor | undefined, caller: Caller): Promise<boolean>;
  /** Records a log-in in the caller's transaction, and sends a mail when the device is new. */
  noteLogIn(tx: Orm, proved: Proved): Promise<void>;
  logInWithPasskey(answer: PasskeyAnswer, callerOf: (email: string) => Caller): Promise<Session>;
}

export function createSecurityService(parts: SecurityParts): SecurityService {
  const { db, passwords, codes, sessions, limits, mailer, factors, passkeys, failures, writer, notifyJobs } = parts;

  async function read(accountId: string): Promise<store.Account> {
    const account = await store.findById(db.orm, accountId);
    if (account === null) throw missingAccountError();
    return account;
  }

  const mail = (tx: Orm, { email, language }: store.Account, content: AccountMail) =>
    mailer.enqueue(tx, { to: email, language, content });

  /** Records a failed try on the account, also when it comes from within a session. */
  async function withFailureRecorded<T>(account: store.Account, caller: Caller, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError && ["login_failed", "code_invalid"].includes(error.code)) {
        await failures.note(account.email, "confirm_failed", caller);
      }
      throw error;
    }
  }

  async function provePassword(account: store.Account, password: string, caller: Caller): Promise<void> {
    const tries = passwordTries(caller, account.email);
    await limits.spend(tries);
    if (!(await passwords.verify(account.passwordHash, password))) {
      throw new ApiError("login_failed", "The password is wrong");
    }
    await limits.clear(tries);
  }

  async function proveFactor(account: store.Account, factor: Factor | undefined, caller: Caller): Promise<void> {
    const onAccepted = async (tx: Orm) => {
      const { recoveryCodes } = await factorState(tx, account.id);
      await recordEvent(tx, { accountId: account.id, kind: "recovery_used", origin: caller });
      await mail(tx, account, { kind: "recovery_code_used", left: String(recoveryCodes) });
    };
    if ((await factors.prove(factor, { account, caller, onAccepted })) === "recovery") notifyJobs();
  }

  /**
   * Completes a new factor in the transaction that activates it and has locked the session. From then on only a factor
   * counts as proof: this session has just proved one, and the proofs of the other sessions end. The first factor comes
   * with recovery codes, because otherwise a lost device would mean a lost account.
   */
  async function completeFactor(
    tx: Orm,
    account: store.Account,
    { kind, name, caller, session }: { kind: "passkey" | "totp"; name: string; caller: Caller; session: ActiveSession },
  ): Promise<string[]> {
    await sessions.confirm(tx, session.tokenHash, "factor");
    await sessions.resetProofs(tx, account.id, session.tokenHash);
    await recordEvent(tx, { accountId: account.id, kind: `${kind}_added`, origin: caller, detail: name });
    await mail(tx, account, { kind: "factor_added", factor: kind });
    const { recoveryCodes } = await factorState(tx, account.id);
    const made = recoveryCodes > 0 ? [] : await factors.makeRecoveryCodes(tx, account.id);
    await writer.account(tx, account.id);
    return made;
  }

  const service: SecurityService = {
    async confirm(session, { password, code, factor }, caller) {
      const account = await read(session.accountId);
      const by = await withFailureRecorded<Proof>(account, caller, async () => {
        if (await hasFactor(db.orm, account.id)) {
          await proveFactor(account, factor, caller);
          return "factor";
        }
        if (password !== undefined) {
          await provePassword(account, password, caller);
          return "password";
        }
        const message = "Enter the password or the code of the mail";
        if (code === undefined)
          throw new ApiError("validation_error", message, { details: [{ path: "code", message }] });
        const of = { email: account.email, purpose: "confirm" } as const;
        const ticket = await codes.verify({ ...of, code }, caller);
        await codes.useTicket(db.orm, { ...of, ticket });
        return "mail";
      });
      return sessions.confirm(db.orm, session.tokenHash, by);
    },

    async sendConfirmCode({ accountId }, caller) {
      const { email, language } = await read(accountId);
      if (await hasFactor(db.orm, accountId)) {
        throw new ApiError("second_factor_required", "This account confirms with its second factor");
      }
      return codes.send({ email, purpose: "confirm", language }, caller);
    },

    async changePassword(session, password, caller) {
      await sessions.checkConfirmed(session);
      const account = await read(session.accountId);
      passwords.check(password, account.email);
      const passwordHash = await passwords.hash(password);
      await db.transaction(async (tx) => {
        await sessions.lockConfirmed(tx, session);
        await writer.requireAccount(tx, account.id);
        await store.setPassword(tx, account.id, passwordHash);
        await writer.account(tx, account.id);
        await sessions.endAll(tx, account.id, session.tokenHash);
        await codes.forget(tx, account.email);
        await recordEvent(tx, { accountId: account.id, kind: "password_changed", origin: caller });
        await mail(tx, account, { kind: "password_replaced" });
      });
      notifyJobs();
    },

    async sendEmailCode(session, email, caller) {
      await sessions.checkConfirmed(session);
      const { language } = await read(session.accountId);
      return codes.send({ email, purpose: "change_email", language }, caller);
    },

    async changeEmail(session, { email, code }, caller) {
      await sessions.checkConfirmed(session);
      const account = await read(session.accountId);
      const ticket = await codes.verify({ email, purpose: "change_email", code }, caller);
      await db.transaction(async (tx) => {
        await sessions.lockConfirmed(tx, session);
        await writer.requireAccount(tx, account.id);
        await codes.useTicket(tx, { email, purpose: "change_email", ticket });
        const rows = await tx
          .update(accounts)
          .set({ email })
          .where(and(eq(accounts.id, account.id), eq(accounts.email, account.email)))
          .returning({ id: accounts.id })
          .catch((error: unknown) => {
            // The code proves the mailbox, so its owner may learn that it has an account.
            throw isTaken(error) ? new ApiError("conflict", "This e-mail has an account already") : error;
          });
        if (rows.length === 0) throw new ApiError("conflict", "The e-mail was changed meanwhile");
        await writer.account(tx, account.id);
        await codes.forget(tx, account.email);
        await sessions.endAll(tx, account.id, session.tokenHash);
        await recordEvent(tx, {
          accountId: account.id,
          kind: "email_changed",
          origin: caller,
          detail: account.email,
        });
        await mail(tx, account, { kind: "email_changed", email });
      });
      notifyJobs();
    },

    async addPasskey(session, { name, answer }, caller) {
      await sessions.checkConfirmed(session);
      const account = await read(session.accountId);
      const credential = await passkeys.checkMade(account.id, answer);
      const recoveryCodes = await db.transaction(async (tx) => {
        await sessions.lockConfirmed(tx, session);
        await writer.requireAccount(tx, account.id);
        await passkeys.register(tx, account.id, { name, credential });
        return completeFactor(tx, account, { kind: "passkey", name, caller, session });
      });
      notifyJobs();
      return recoveryCodes;
    },

    async addTotp(session, code, caller) {
      await sessions.checkConfirmed(session);
      const account = await read(session.accountId);
      const check = (tx: Orm) => sessions.lockConfirmed(tx, session);
      const onAccepted = (tx: Orm) => completeFactor(tx, account, { kind: "totp", name: "TOTP", caller, session });
      const recoveryCodes = await factors.activateTotp(code, { account, caller, check, onAccepted });
      notifyJobs();
      return recoveryCodes;
    },

    async removeFactor(session, id, caller) {
      await sessions.checkConfirmed(session);
      const account = await read(session.accountId);
      await db.transaction(async (tx) => {
        // The account is locked. Removing the last factor also removes the recovery codes, which must not be those of a
        // factor added at the same moment.
        await sessions.lockConfirmed(tx, session);
        await writer.requireAccount(tx, account.id);
        const { kind, name } = await factors.remove(tx, account.id, id);
        await writer.account(tx, account.id);
        await recordEvent(tx, { accountId: account.id, kind: `${kind}_removed`, origin: caller, detail: name });
        await mail(tx, account, { kind: "factor_removed", factor: kind });
      });
      notifyJobs();
    },

    async makeRecoveryCodes(session, caller) {
      await sessions.checkConfirmed(session);
      const account = await read(session.accountId);
      const recoveryCodes = await db.transaction(async (tx) => {
        await sessions.lockConfirmed(tx, session);
        await writer.requireAccount(tx, account.id);
        if (!(await hasFactor(tx, account.id))) {
          throw new ApiError("conflict", "Recovery codes are for accounts with a second factor");
        }
        await recordEvent(tx, { accountId: account.id, kind: "recovery_made", origin: caller });
        await mail(tx, account, { kind: "recovery_codes_made" });
        const made = await factors.makeRecoveryCodes(tx, account.id);
        await writer.account(tx, account.id);
        return made;
      });
      notifyJobs();
      return recoveryCodes;
    },

    async noteExport(tx, accountId, origin) {
      const account = await store.findById(tx, accountId);
      if (account === null) throw missingAccountError();
      await recordEvent(tx, { accountId, kind: "exported", origin });
      await mail(tx, account, { kind: "exported" });
    },

    async proveSecond(account, factor, caller) {
      if (!(await hasFactor(db.orm, account.id))) return false;
      try {
        await proveFactor(account, factor, caller);
        return true;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.code === "second_factor_required" && caller.device === null) await notePassword(account, caller);
        if (["code_invalid", "login_failed"].includes(error.code)) {
          await failures.note(account.email, "log_in_failed", caller);
        }
        throw error;
      }
    },

    async noteLogIn(tx, { account, kind, caller }) {
      await writer.requireAccount(tx, account.id);
      await recordEvent(tx, { accountId: account.id, kind, origin: caller });
      // When a second factor was required, the owner got a mail when the password was entered.
      if (caller.device !== null || (kind === "log_in" && (await hasFactor(tx, account.id)))) return;
      const time = mailFormat(account.language).dateTime(Date.now());
      await mail(tx, account, { kind: "new_device", time, ...whereOf(caller) });
    },

    async logInWithPasskey(answer, callerOf) {
      const account = await store.findById(db.orm, await passkeys.owner(answer));
      if (account === null) throw new ApiError("login_failed", "This passkey belongs to no account here");
      const caller = callerOf(account.email);
      const token = await db.transaction(async (tx) => {
        // The passkey may have been removed since it was checked.
        await store.lockAccount(tx, account.id);
        if (!(await passkeysOf(tx, account.id)).some(({ id }) => id === answer.id)) {
          throw new ApiError("login_failed", "This passkey belongs to no account here");
        }
        await service.noteLogIn(tx, { account, kind: "log_in_passkey", caller });
        return sessions.open(tx, account.id, { origin: caller, proof: "factor" });
      });
      notifyJobs();
      return { token, email: account.email };
    },
  };

  /** Records that someone knows the password, and mails the owner at most once an hour. */
  async function notePassword(account: store.Account, caller: Caller): Promise<void> {
    const since = Date.now() - HOUR_MS;
    await db.transaction(async (tx) => {
      // Of several concurrent log-ins, the first sends a mail, and the others see that.
      if (!(await store.lockAccount(tx, account.id))) return;
      if ((await countEvents(tx, account.id, { kind: "password_entered", since })) > 0) return;
      await recordEvent(tx, { accountId: account.id, kind: "password_entered", origin: caller });
      const time = mailFormat(account.language).dateTime(Date.now());
      await mail(tx, account, { kind: "password_entered", time, ...whereOf(caller) });
    });
    notifyJobs();
  }

  return service;
}

function missingAccountError(): ApiError {
  return new ApiError("token_error", "This account is no longer there");
}
