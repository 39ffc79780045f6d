import { createHash, randomBytes, randomInt, randomUUID, timingSafeEqual } from "node:crypto";
import { type CodePurpose, type CodeSent, codePurpose } from "@aqua/sdk/api/accounts";
import { codeLength } from "@aqua/sdk/api/rules";
import { type LanguageCode, languageCodes } from "@aqua/sdk/languages";
import { z } from "zod";
import type { Database, Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { JobHandler } from "../jobs/runner.ts";
import { openPayload, sealPayload } from "../jobs/sealed.ts";
import { enqueue } from "../jobs/store.ts";
import type { Keys } from "../keys.ts";
import { codeMinutes, type MailContent } from "../mail/content.ts";
import type { Mailer } from "../mail/mail.ts";
import * as store from "./store.ts";

const LIFE_MS = codeMinutes * 60_000;
const RESEND_MS = 60_000;
const MOST_TRIES = 5;
const KIND = "account.code";

export interface Codes {
  /**
   * Sends a code, or answers how long the last one still counts when it is less than a minute old. It does the same
   * whether the e-mail has an account or not: only the job that sends the mail looks.
   */
  send(email: string, purpose: CodePurpose, language: LanguageCode | undefined): Promise<CodeSent>;
  /** Exchanges a code for a ticket. @throws ApiError code_invalid, code_expired */
  verify(email: string, purpose: CodePurpose, code: string): Promise<string>;
  /** @throws ApiError code_expired unless the ticket is alive and of this e-mail and purpose */
  checkTicket(orm: Orm, email: string, purpose: CodePurpose, ticket: string): Promise<void>;
  /** Like `checkTicket`, and from then on it is not; of many at once one gets through. */
  useTicket(tx: Orm, email: string, purpose: CodePurpose, ticket: string): Promise<void>;
  /** Forgets every code and ticket of an e-mail. */
  forget(tx: Orm, email: string): Promise<void>;
  sweep(): Promise<void>;
  handlers: Readonly<Record<string, JobHandler>>;
}

const payloadShape = z.object({
  id: z.string(),
  email: z.string(),
  purpose: codePurpose,
  code: z.string(),
  language: z.enum(languageCodes).nullable(),
});

export function createCodes(parts: {
  db: Pick<Database, "orm" | "transaction">;
  keys: Keys;
  mailer: Pick<Mailer, "deliver">;
  /** Called after a commit that took on jobs. */
  wakeJobs: () => void;
  now?: () => number;
}): Codes {
  const { db, keys, mailer, wakeJobs, now = Date.now } = parts;
  const emailHashOf = (email: string) => keys.hash("email", email);
  const codeHashOf = (email: string, purpose: CodePurpose, code: string) =>
    keys.hash("code", `${purpose} ${email} ${code}`);

  /** What the mail says; null where none may go out. */
  async function contentOf(
    email: string,
    purpose: CodePurpose,
    code: string,
    known: boolean,
  ): Promise<MailContent | null> {
    const kept = await store.findCode(db.orm, emailHashOf(email), purpose);
    // Replaced by a newer one, used, or too old by now: it would only mislead.
    if (kept === null || kept.codeHash !== codeHashOf(email, purpose, code) || kept.expires <= now()) return null;
    if (purpose === "register") return known ? { kind: "account_exists" } : { kind: "register_code", code };
    // Whoever has no account gets no mail from us because someone typed an address.
    return known ? { kind: "reset_code", code } : null;
  }

  return {
    async send(email, purpose, language) {
      const code = String(randomInt(10 ** codeLength)).padStart(codeLength, "0");
      const time = now();
      const life = await db.transaction(async (tx) => {
        const row = { emailHash: emailHashOf(email), purpose, codeHash: codeHashOf(email, purpose, code) };
        const times = { createTime: time, expires: time + LIFE_MS };
        const payload = { id: randomUUID(), email, purpose, code, language: language ?? null };
        if (await store.putCode(tx, { ...row, ...times }, time - RESEND_MS)) {
          await enqueue(tx, { kind: KIND, payload: sealPayload(keys, KIND, payload) });
          return times;
        }
        return (await store.findCode(tx, row.emailHash, purpose)) ?? times;
      });
      wakeJobs();
      const seconds = (until: number) => Math.max(0, Math.ceil((until - time) / 1_000));
      return { expires_in: seconds(life.expires), resend_in: seconds(life.createTime + RESEND_MS) };
    },

    async verify(email, purpose, code) {
      const emailHash = emailHashOf(email);
      const ticket = randomBytes(32).toString("base64url");
      // A wrong try must stay counted, so a refusal leaves the transaction as a value.
      const refusal = await db.transaction(async (tx) => {
        const kept = await store.countTry(tx, emailHash, purpose, now(), MOST_TRIES);
        if (kept === null) return (await store.findCode(tx, emailHash, purpose)) === null ? wrong() : over();
        const given = codeHashOf(email, purpose, code);
        if (!timingSafeEqual(Buffer.from(kept), Buffer.from(given))) return wrong();
        await store.removeCode(tx, emailHash, purpose);
        await store.putTicket(tx, { ticketHash: hashOf(ticket), emailHash, purpose, expires: now() + LIFE_MS });
        return null;
      });
      if (refusal !== null) throw refusal;
      return ticket;
    },

    async checkTicket(orm, email, purpose, ticket) {
      if (!(await store.hasTicket(orm, hashOf(ticket), emailHashOf(email), purpose, now()))) throw over();
    },
    async useTicket(tx, email, purpose, ticket) {
      if (!(await store.takeTicket(tx, hashOf(ticket), emailHashOf(email), purpose, now()))) throw over();
    },
    forget: (tx, email) => store.removeCodesAndTickets(tx, emailHashOf(email)),
    // A day more, in which a late try is told that its code is too old.
    sweep: () => store.sweepCodes(db.orm, now() - 24 * 60 * 60_000),
    handlers: {
      async [KIND](payload) {
        const { id, email, purpose, code, language } = payloadShape.parse(openPayload(keys, KIND, payload));
        const account = await store.findByEmail(db.orm, email);
        const content = await contentOf(email, purpose, code, account !== null);
        if (content === null) return;
        await mailer.deliver(id, { to: email, language: language ?? account?.language ?? "en-US", content });
      },
    },
  };
}

/** Tickets are random and long. */
function hashOf(ticket: string): string {
  return createHash("sha256").update(ticket).digest("hex");
}

const wrong = () => new ApiError("code_invalid", "The code is not right");
const over = () => new ApiError("code_expired", "The code no longer counts; ask for a new one");
