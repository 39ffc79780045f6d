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
   * @throws MailRefused when the server will never take it, any other error when it may later
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** The mail server said no for good. */
export class MailRefused extends Error {
  override name = "MailRefused";
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
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  const text = `the mail server answered ${responseCode ?? "nothing"} (${code ?? "unknown"})`;
  // A refused log-in is the operator's to put right: the mails wait.
  const permanent = responseCode !== undefined && responseCode >= 500 && code !== "EAUTH";
  return permanent ? new MailRefused(text) : new Error(text);
}

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
