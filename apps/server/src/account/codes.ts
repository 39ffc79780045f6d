import { createHash, randomBytes, randomInt, randomUUID, timingSafeEqual } from "node:crypto";
import { type CodePurpose, type CodeSent, codePurpose } from "@aqua/sdk/api/auth";
import { codeLength } from "@aqua/sdk/api/rules";
import { DAY_MS, MINUTE_MS } from "@aqua/sdk/durations";
import { type LanguageCode, languageCodes } from "@aqua/sdk/languages";
import { z } from "zod";
import type { Database, Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { JobHandler } from "../jobs/runner.ts";
import { openPayload, sealPayload } from "../jobs/sealed.ts";
import { enqueue } from "../jobs/store.ts";
import type { Keys } from "../keys.ts";
import type { Limits } from "../limits/limits.ts";
import type { Mailer } from "../mail/mail.ts";
import { type Caller, codeGuess, codeGuesses, codesSent } from "./limits.ts";
import type { AccountMail } from "./mails.ts";
import * as store from "./store.ts";

/** Minutes for which a code is valid. */
export const CODE_MINUTES = 10;
const LIFE_MS = CODE_MINUTES * MINUTE_MS;
/** Time for which an expired code is stored, so that a late try is told that the code has expired. */
export const CODE_KEPT_MS = DAY_MS;
const RESEND_MS = 60_000;
const KIND = "account.code";

interface GivenTicket {
  email: string;
  purpose: CodePurpose;
  ticket: string;
}

export interface Codes {
  /**
   * Sends a code. If the last one is less than a minute old, it returns the remaining validity of that one instead.
   * The call does the same work whether or not the e-mail has an account, because only the job that sends the mail
   * checks that. Only a code that is sent counts towards the limit.
   * @throws ApiError too_many_requests
   */
  send(
    to: { email: string; purpose: CodePurpose; language: LanguageCode | undefined },
    caller: Caller,
  ): Promise<CodeSent>;
  /**
   * Exchanges a code for a ticket.
   * @throws ApiError code_invalid, code_expired, too_many_requests
   */
  verify(entry: { email: string; purpose: CodePurpose; code: string }, caller: Caller): Promise<string>;
  /** @throws ApiError code_expired unless the ticket is valid for this e-mail and purpose */
  checkTicket(orm: Orm, ticket: GivenTicket): Promise<void>;
  /** Does the same as `checkTicket` and then invalidates the ticket. Of several concurrent calls, one succeeds. */
  useTicket(tx: Orm, ticket: GivenTicket): Promise<void>;
  /** Deletes every code and ticket of an e-mail. */
  forget(tx: Orm, email: string): Promise<void>;
  deleteExpired(): Promise<void>;
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
  limits: Pick<Limits, "spend">;
  mailer: Pick<Mailer<AccountMail>, "deliver">;
  /** Called after a commit that created jobs. */
  notifyJobs: () => void;
  now?: () => number;
}): Codes {
  const { db, keys, limits, mailer, notifyJobs, now = Date.now } = parts;
  const emailHashesOf = (email: string) => keys.hashes("email", email);
  const codeHashesOf = (email: string, purpose: CodePurpose, code: string) =>
    keys.hashes("code", codeText(email, purpose, code));

  /** Returns the content of the mail, or null if no mail may be sent. */
  async function contentOf({
    email,
    purpose,
    code,
    known,
  }: {
    email: string;
    purpose: CodePurpose;
    code: string;
    known: boolean;
  }): Promise<AccountMail | null> {
    const storedCode = await store.findCode(db.orm, emailHashesOf(email), purpose);
    // The code has been replaced, used or has expired, so a mail would only mislead.
    if (
      storedCode === null ||
      !codeHashesOf(email, purpose, code).includes(storedCode.codeHash) ||
      storedCode.expires <= now()
    ) {
      return null;
    }
    const minutes = CODE_MINUTES;
    switch (purpose) {
      case "register":
        return known ? { kind: "account_exists" } : { kind: "register_code", code, minutes };
      case "change_email":
        return known ? { kind: "account_exists" } : { kind: "change_email_code", code, minutes };
      // An address without an account gets no mail, regardless of who enters it.
      case "reset_password":
        return known ? { kind: "reset_code", code, minutes } : null;
      case "confirm":
        return known ? { kind: "confirm_code", code, minutes } : null;
    }
  }

  return {
    async send({ email, purpose, language }, caller) {
      const code = String(randomInt(10 ** codeLength)).padStart(codeLength, "0");
      const time = now();
      const life = await db.transaction(async (tx) => {
        const emailHashes = emailHashesOf(email);
        const codeHash = keys.hash("code", codeText(email, purpose, code));
        const times = { createTime: time, expires: time + LIFE_MS };
        const payload = { id: randomUUID(), email, purpose, code, language: language ?? null };
        if (await store.upsertCode(tx, { emailHashes, purpose, codeHash, ...times }, time - RESEND_MS)) {
          await limits.spend(
            countedAs(caller, purpose).flatMap((one) => codesSent(one, email)),
            tx,
          );
          await enqueue(tx, { kind: KIND, payload: sealPayload(keys, KIND, payload) });
          return times;
        }
        return (await store.findCode(tx, emailHashes, purpose)) ?? times;
      });
      notifyJobs();
      const seconds = (until: number) => Math.max(0, Math.ceil((until - time) / 1_000));
      return { expires_in: seconds(life.expires), resend_in: seconds(life.createTime + RESEND_MS) };
    },

    async verify({ email, purpose, code }, caller) {
      const sent = await store.findCode(db.orm, emailHashesOf(email), purpose);
      if (sent === null) throw wrong();
      if (sent.expires <= now()) throw over();
      // Only a guess at a valid code counts. A guess beyond the limit of its device or address does not count.
      await db.transaction(async (tx) => {
        await limits.spend(codeGuess(caller, sent.codeHash), tx).catch((error: unknown) => {
          throw error instanceof ApiError && error.code === "too_many_requests" ? over() : error;
        });
        await limits.spend(
          countedAs(caller, purpose).flatMap((one) => codeGuesses(one, email)),
          tx,
        );
      });
      const isRight = codeHashesOf(email, purpose, code).some((codeHash) =>
        timingSafeEqual(Buffer.from(sent.codeHash), Buffer.from(codeHash)),
      );
      if (!isRight) throw wrong();
      const ticket = randomBytes(32).toString("base64url");
      await db.transaction(async (tx) => {
        // Of several concurrent calls, one gets the ticket.
        if (!(await store.removeCode(tx, sent))) throw wrong();
        const emailHash = keys.hash("email", email);
        await store.insertTicket(tx, { ticketHash: hashOf(ticket), emailHash, purpose, expires: now() + LIFE_MS });
      });
      return ticket;
    },

    async checkTicket(orm, { email, purpose, ticket }) {
      if (
        !(await store.hasTicket(orm, {
          ticketHash: hashOf(ticket),
          emailHashes: emailHashesOf(email),
          purpose,
          now: now(),
        }))
      )
        throw over();
    },
    async useTicket(tx, { email, purpose, ticket }) {
      if (
        !(await store.consumeTicket(tx, {
          ticketHash: hashOf(ticket),
          emailHashes: emailHashesOf(email),
          purpose,
          now: now(),
        }))
      )
        throw over();
    },
    forget: (tx, email) => store.removeCodesAndTickets(tx, emailHashesOf(email)),
    deleteExpired: () => store.deleteExpiredCodes(db.orm, now() - CODE_KEPT_MS),
    handlers: {
      async [KIND](payload, { signal }) {
        const { id, email, purpose, code, language } = payloadShape.parse(openPayload(keys, KIND, payload));
        const account = await store.findByEmail(db.orm, email);
        const content = await contentOf({ email, purpose, code, known: account !== null });
        if (content === null) return;
        const mail = { to: email, language: language ?? account?.language ?? "en-US", content };
        await mailer.deliver(id, mail, signal);
      },
    },
  };
}

/**
 * The new address of an e-mail change is not the session's own address. The caller therefore also counts as a
 * stranger to it.
 */
const countedAs = (caller: Caller, purpose: CodePurpose): Caller[] =>
  purpose === "change_email" && caller.device !== null ? [caller, { ...caller, device: null }] : [caller];

const codeText = (email: string, purpose: CodePurpose, code: string) => `${purpose} ${email} ${code}`;

/** A plain hash is sufficient because tickets are long and random. */
function hashOf(ticket: string): string {
  return createHash("sha256").update(ticket).digest("hex");
}

const wrong = () => new ApiError("code_invalid", "The code is not right");
const over = () => new ApiError("code_expired", "The code is no longer valid; ask for a new one");
