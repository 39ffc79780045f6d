import { randomUUID } from "node:crypto";
import { DAY_MS } from "@aqua/sdk/durations";
import { type LanguageCode, languageCodes } from "@aqua/sdk/languages";
import { z } from "zod";
import type { Orm } from "../db/database.ts";
import { type JobHandler, PermanentJobError } from "../jobs/runner.ts";
import { openPayload, sealPayload } from "../jobs/sealed.ts";
import { enqueue } from "../jobs/store.ts";
import type { Keys } from "../keys.ts";
import type { ContentOf, MailContent, MailDefinitions } from "./definition.ts";
import { renderMail } from "./render.ts";
import { MailRefused, type Transport } from "./transport.ts";

export interface Mail<Content extends MailContent = MailContent> {
  to: string;
  language: LanguageCode;
  content: Content;
  /** Token that stops mails of this kind without a log-in. */
  unsubscribe?: string | undefined;
}

/** Sends mails of the given definitions. */
export interface Mailer<Content extends MailContent = MailContent> {
  /** Accepts a mail within the caller's transaction. It is sent if and only if the transaction commits. */
  enqueue(tx: Orm, mail: Mail<Content>): Promise<void>;
  /**
   * Sends a mail now. Call it within a job, with the job's signal. `id` is the same at every attempt, so that a mail
   * sent twice can be recognised. @throws PermanentJobError if the mail server will never accept it
   */
  deliver(id: string, mail: Mail<Content>, signal: AbortSignal): Promise<void>;
  /** Handlers of the jobs that `enqueue` creates. */
  handlers: Readonly<Record<string, JobHandler>>;
}

/** Kind of the jobs that send a mail. */
export const MAIL_JOB = "mail.send";
/** A notice that could not be sent for this long is out of date. */
const GIVE_UP_MS = 3 * DAY_MS;

const payloadShape = z.object({
  id: z.string(),
  until: z.number(),
  to: z.string(),
  language: z.enum(languageCodes),
  content: z.custom<MailContent>((value) => typeof value === "object" && value !== null),
  unsubscribe: z.string().optional(),
});

/** @param parts.definitions every mail that can be sent, by kind */
export function createMailer<Definitions extends MailDefinitions>(parts: {
  keys: Keys;
  transport: Transport;
  publicUrl: string;
  definitions: Definitions;
}): Mailer<ContentOf<Definitions>> {
  const { keys, transport, publicUrl, definitions } = parts;
  async function deliver(id: string, { to, ...mail }: Mail, signal: AbortSignal): Promise<void> {
    try {
      await transport.send({ id, to, ...renderMail(mail, { definitions, publicUrl }) }, signal);
    } catch (error) {
      throw error instanceof MailRefused ? new PermanentJobError(error.message) : error;
    }
  }
  return {
    deliver,
    async enqueue(tx, mail) {
      const payload = { id: randomUUID(), until: Date.now() + GIVE_UP_MS, ...mail };
      await enqueue(tx, { kind: MAIL_JOB, payload: sealPayload(keys, MAIL_JOB, payload) });
    },
    handlers: {
      async [MAIL_JOB](payload, { signal }) {
        const { id, until, ...mail } = payloadShape.parse(openPayload(keys, MAIL_JOB, payload));
        if (Date.now() > until) throw new PermanentJobError("the mail could not be sent in time");
        await deliver(id, mail, signal);
      },
    },
  };
}
