import { createTransport } from "nodemailer";
import type { Orm } from "../db/database.ts";
import type { RenderedMail } from "./render.ts";
import { mailOutbox } from "./schema.ts";

export interface OutgoingMail extends RenderedMail {
  /** The id of the mail. It is the same if the mail is sent again. */
  id: string;
  to: string;
}

export interface Transport {
  /**
   * Sends a mail. The attempt ends a few seconds after `signal` aborts.
   * @throws MailRefused if the recipient will never get it, MailServerTrouble if the server currently accepts no mail
   *   from us, any other error if it may accept this mail later
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** The recipient's mailbox does not exist or is closed permanently. */
export class MailRefused extends Error {
  override name = "MailRefused";
}

/** The mail server is unreachable or rejects us, not the recipient. The mails wait until the operator fixes it. */
export class MailServerTrouble extends Error {
  override name = "MailServerTrouble";
}

const TIMEOUT_MS = 20_000;
/**
 * A mail that was transmitted but not yet acknowledged may be sent twice. A stop therefore waits this long for the
 * acknowledgement.
 */
const ANSWER_MS = 4_000;

/** @param smtpUrl `smtp://` or `smtps://`, with user and password if the server requires them */
export function smtpTransport(
  smtpUrl: string,
  from: string,
): Transport & {
  /** Connects, and logs in if the URL has a user. @throws MailServerTrouble */
  verify(): Promise<void>;
} {
  const { hostname, password } = new URL(smtpUrl);
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 2,
    // A password must not be sent unencrypted, except to this machine.
    requireTLS: password !== "" && !local,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^\s>]+)>?$/.exec(from)?.[1] ?? "localhost";
  return {
    async send({ id, to, headers: own, ...content }, signal) {
      signal.throwIfAborted();
      const messageId = `<${id}@${domain}>`;
      const headers = { "auto-submitted": "auto-generated", ...own };
      const controller = new AbortController();
      const giveUpSoon = () => void setTimeout(() => controller.abort(), ANSWER_MS).unref();
      signal.addEventListener("abort", giveUpSoon, { once: true });
      try {
        const mail = { from, to: { name: "", address: to }, messageId, headers, ...content };
        await transport.sendMail({ ...mail, signal: controller.signal });
      } catch (error) {
        throw refusalOf(error);
      } finally {
        signal.removeEventListener("abort", giveUpSoon);
      }
    },
    async verify() {
      await transport.verify().catch((error: unknown) => {
        throw refusalOf(error);
      });
    },
    close: () => transport.close(),
  };
}

/**
 * Converts an error of the mail server. Only codes are included: the server's text may contain the recipient's address,
 * which must not be logged.
 */
function refusalOf(error: unknown): Error {
  const { code, responseCode, response, command } = error as Partial<SmtpError>;
  const status = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? "")?.[1] ?? null;
  const answer = [responseCode ?? "nothing", ...(status === null ? [] : [status])].join(" ");
  const text = `the mail server answered ${answer} (${code ?? "unknown"})${command ? ` to ${command}` : ""}`;
  const isOfRecipient = command !== "MAIL FROM" && RECIPIENT_STATUS.test(status ?? "");
  if (responseCode === undefined) return new MailServerTrouble(text);
  if (responseCode < 500) return new Error(text);
  if (status === null && command === "RCPT TO" && RECIPIENT_CODES.has(responseCode)) return new MailRefused(text);
  if (!isOfRecipient) return new MailServerTrouble(text);
  return FULL.test(status ?? "") ? new Error(text) : new MailRefused(text);
}

/** An error of nodemailer. */
interface SmtpError {
  code: string;
  responseCode: number;
  response: string;
  command: string;
}

/** RFC 3463: 5.1.x concerns addresses (5.1.7 and 5.1.8 the sender's), and 5.2.x the mailbox. */
const RECIPIENT_STATUS = /^5\.(1\.(?![78]$)\d+|2\.\d+)$/;
/** These are not permanent: a full mailbox may be emptied, and a mail that is too long for it is our fault. */
const FULL = /^5\.2\.[23]$/;
/** RFC 5321, 4.2.3: the codes for a missing mailbox of a server without enhanced status codes. */
const RECIPIENT_CODES = new Set([550, 551, 553]);

/** Stores mails in a table for the developer. */
export function outboxTransport(db: { orm: Orm }, now: () => number = Date.now): Transport {
  return {
    async send({ id, to, ...content }) {
      const values = { id, recipient: to, ...content, createTime: now() };
      await db.orm.insert(mailOutbox).values(values).onConflictDoNothing();
    },
    close: () => {},
  };
}
