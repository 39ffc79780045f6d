import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { Feature } from "../feature.ts";
import type { Keys } from "../keys.ts";
import { createMailer, type Mailer } from "./mail.ts";
import { outboxRoutes } from "./routes.ts";
import { deleteOldMails } from "./store.ts";
import { outboxTransport, smtpTransport } from "./transport.ts";

export interface MailParts {
  db: Database;
  keys: Keys;
  config: Pick<Config, "mail" | "publicUrl" | "demo">;
}

export interface MailFeature extends Feature {
  mailer: Mailer;
}

/** How long the outbox keeps a mail, milliseconds. */
export const OUTBOX_MS = 7 * 24 * 60 * 60_000;

/** Mails by SMTP, or into an outbox that a demo shows. */
export function createMailFeature({ db, keys, config }: MailParts): MailFeature {
  const { smtpUrl, from } = config.mail;
  const transport = smtpUrl === null ? outboxTransport(db) : smtpTransport(smtpUrl, from);
  const mailer = createMailer({ keys, transport, publicUrl: config.publicUrl });
  return {
    mailer,
    routes: config.demo ? [outboxRoutes({ db })] : [],
    jobs: mailer.handlers,
    deleteExpired: () => deleteOldMails(db.orm, Date.now() - OUTBOX_MS),
    stop: transport.close,
  };
}
