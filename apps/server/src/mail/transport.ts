import { createTransport } from "nodemailer";
import type { Orm } from "../db/database.ts";
import type { RenderedMail } from "./render.ts";
import { mailOutbox } from "./schema.ts";

export interface OutgoingMail extends RenderedMail {
  /** A mail that is sent again bears the same. */
  id: string;
  to: string;
}

export interface Transport {
  /**
   * `signal` ends the attempt, a few seconds after its abort.
   * @throws MailRefused when the recipient will never get it, MailServerTrouble when the server takes nothing of ours now,
   * any other error when it may take this mail later
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** The recipient's mailbox does not exist or is closed for good. */
export class MailRefused extends Error {
  override name = "MailRefused";
}

/** The mail server is away or refuses us, not the recipient: the mails wait for the operator. */
export class MailServerTrouble extends Error {
  override name = "MailServerTrouble";
}

const TIMEOUT_MS = 20_000;
/** A mail that was handed over and not answered yet may go out twice, so its answer is waited for at a stop. */
const ANSWER_MS = 4_000;

/** @param smtpUrl `smtp://` or `smtps://`, with user and password where the server wants them */
export function smtpTransport(smtpUrl: string, from: string): Transport {
  const { hostname, password } = new URL(smtpUrl);
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 2,
    // A password goes over an open line to nobody but this machine.
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
      const given = new AbortController();
      const giveUpSoon = () => void setTimeout(() => given.abort(), ANSWER_MS).unref();
      signal.addEventListener("abort", giveUpSoon, { once: true });
      try {
        const mail = { from, to: { name: "", address: to }, messageId, headers, ...content };
        await transport.sendMail({ ...mail, signal: given.signal });
      } catch (error) {
        throw refusalOf(error);
      } finally {
        signal.removeEventListener("abort", giveUpSoon);
      }
    },
    close: () => transport.close(),
  };
}

/** Only codes: what a server says may hold the recipient's address, which is not for the log. */
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

/** RFC 3463: 5.1.x is about addresses, of which 5.1.7 and 5.1.8 are the sender's, and 5.2.x about the mailbox. */
const RECIPIENT_STATUS = /^5\.(1\.(?![78]$)\d+|2\.\d+)$/;
/** A full mailbox is emptied, and a mail that is too long for one is our fault. */
const FULL = /^5\.2\.[23]$/;
/** RFC 5321, 4.2.3: what a server without such codes answers where there is no such mailbox. */
const RECIPIENT_CODES = new Set([550, 551, 553]);

/** Keeps mails in a table for the developer to read. */
export function outboxTransport(db: { orm: Orm }, now: () => number = Date.now): Transport {
  return {
    async send({ id, to, ...content }) {
      const values = { id, recipient: to, ...content, createTime: now() };
      await db.orm.insert(mailOutbox).values(values).onConflictDoNothing();
    },
    close: () => {},
  };
}
