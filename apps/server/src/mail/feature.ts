import { DAY_MS, MINUTE_MS } from "@aqua/sdk/durations";
import { Counter, Gauge, type Registry } from "prom-client";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { Feature, Trouble } from "../feature.ts";
import type { Keys } from "../keys.ts";
import type { ContentOf, MailDefinitions } from "./definition.ts";
import { createMailer, type Mailer } from "./mail.ts";
import { outboxRoutes } from "./routes.ts";
import { countWaiting, deleteOldMails } from "./store.ts";
import { MailRefused, MailServerTrouble, outboxTransport, smtpTransport, type Transport } from "./transport.ts";

export interface MailParts<Definitions extends MailDefinitions> {
  db: Database;
  keys: Keys;
  config: Pick<Config, "mail" | "publicUrl" | "demo">;
  /** All mails of the features, by kind. */
  definitions: Definitions;
  log: Log;
}
interface Log {
  error(fields: object, message: string): void;
}

export interface MailFeature<Definitions extends MailDefinitions> extends Feature {
  mailer: Mailer<ContentOf<Definitions>>;
}

/** How long the outbox stores a mail, in milliseconds. */
export const OUTBOX_MS = 7 * DAY_MS;

/** Sends mails by SMTP, or stores them in an outbox that a demo shows. */
export function createMailFeature<Definitions extends MailDefinitions>({
  db,
  keys,
  config,
  definitions,
  log,
}: MailParts<Definitions>): MailFeature<Definitions> {
  const { smtpUrl, from } = config.mail;
  const counted = countMails(smtpUrl === null ? outboxTransport(db) : smtpTransport(smtpUrl, from));
  const { transport, troubles } = watchTrouble(counted.transport, log);
  const mailer = createMailer({ keys, transport, publicUrl: config.publicUrl, definitions });
  return {
    mailer,
    routes: config.demo ? [outboxRoutes({ db })] : [],
    jobs: mailer.handlers,
    deleteExpired: () => deleteOldMails(db.orm, Date.now() - OUTBOX_MS),
    metrics(registry) {
      registerWaiting(registry, db);
      counted.register(registry);
    },
    troubles,
    stop: transport.close,
  };
}

/**
 * Every waiting mail is retried within this time, by this or another process. If no retry has failed here meanwhile,
 * the problem may be over.
 */
const TRY_MS = 20 * MINUTE_MS;

/**
 * Remembers a problem of the mail server from the first failed attempt until the server accepts a mail. Logs its
 * beginning.
 */
function watchTrouble(watched: Transport, log: Log): { transport: Transport; troubles: () => Trouble[] } {
  let trouble: { since: string; last: number; answer: string } | null = null;
  return {
    transport: {
      close: watched.close,
      async send(mail, signal) {
        try {
          await watched.send(mail, signal);
          trouble = null;
        } catch (error) {
          if (error instanceof MailServerTrouble && !signal.aborted) {
            if (trouble === null)
              log.error({ err: error }, "the mail server accepts no mails; they wait until it does");
            const since = trouble?.since ?? new Date().toISOString();
            trouble = { since, last: Date.now(), answer: error.message };
          }
          throw error;
        }
      },
    },
    troubles() {
      if (trouble === null || Date.now() - trouble.last > TRY_MS) return [];
      const note = `Mails wait since ${trouble.since}: ${trouble.answer}. Check SMTP_URL and MAIL_FROM.`;
      return [{ part: "mail", reason: "refused", note }];
    },
  };
}

/** Counts the tries to send a mail. */
function countMails({ send, close }: Transport): { transport: Transport; register(registry: Registry): void } {
  const mails = new Counter({
    name: "aqua_mails_total",
    help: "Tries to send a mail: sent, failed (tried again), or refused for good for its recipient",
    labelNames: ["outcome"],
    registers: [],
  });
  for (const outcome of ["sent", "failed", "refused"]) mails.inc({ outcome }, 0);
  return {
    transport: {
      close,
      async send(mail, signal) {
        try {
          await send(mail, signal);
          mails.inc({ outcome: "sent" });
        } catch (error) {
          if (!signal.aborted) mails.inc({ outcome: error instanceof MailRefused ? "refused" : "failed" });
          throw error;
        }
      },
    },
    register: (registry) => registry.registerMetric(mails as never),
  };
}

function registerWaiting(registry: Registry, db: Pick<Database, "orm">): void {
  new Gauge({
    name: "aqua_mails_waiting",
    help: "Mails that could not be sent yet and are tried again",
    registers: [registry],
    async collect() {
      try {
        this.set(await countWaiting(db.orm));
      } catch {
        // The other metrics must still be answered; `aqua_database_answers` is 0 meanwhile.
        this.remove();
      }
    },
  });
}
