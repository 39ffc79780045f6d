import { withEscapes } from "@aqua/sdk/api/text";
import pino, { type Logger } from "pino";
import type { Config } from "./config.ts";
import { isDatabaseAway } from "./errors.ts";
import { currentRequestId } from "./requestId.ts";
import { accessKeysOf } from "./secrets.ts";

type LoggedSettings =
  | "logLevel"
  | "chains"
  | "databaseUrl"
  | "mqtt"
  | "nameService"
  | "anchoring"
  | "batchArchive"
  | "faucetKey"
  | "attesterKey"
  | "secrets"
  | "mail"
  | "identity"
  | "webhook"
  | "operatorToken";

/**
 * The log of the process, with one JSON object per line. Keys and passwords of the settings are removed from every
 * line, because libraries include addresses with access keys in their error messages. Characters that a terminal would
 * interpret and that JSON does not escape are escaped. Lines about the work of a request have its id. A line about a query that failed because the database does not
 * answer is at level `debug`: the database itself says once that it is away, and how many queries failed when it is back.
 */
export function createLog(
  config: Pick<Config, LoggedSettings>,
  write: (line: string) => void = byTurns((text) => process.stdout.write(text)),
): Logger {
  const accountKeys = [config.attesterKey, config.anchoring.key].filter((key) => key !== null);
  const urls = [
    ...accountKeys.flatMap((key) => (typeof key === "string" ? [] : key.url)),
    ...config.chains.flatMap(({ rpcUrls, headsUrl }) => (headsUrl === null ? rpcUrls : [...rpcUrls, headsUrl])),
    ...[
      config.databaseUrl,
      config.mail.smtpUrl,
      config.mqtt && "url" in config.mqtt ? config.mqtt.url : null,
      config.webhook?.url ?? null,
    ].filter((url) => url !== null),
  ];
  const keys = [
    config.faucetKey?.slice(2),
    ...accountKeys.map((key) => (typeof key === "string" ? key.slice(2) : null)),
    config.batchArchive.store?.secretAccessKey,
    config.nameService?.key,
    ...(config.secrets ?? []).map((secret) => Buffer.from(secret).toString("hex")),
    ...(config.webhook?.keys ?? []).map((key) => key.toString("base64").replace(/=+$/, "")),
    config.operatorToken,
    config.identity.provider === "webhook" ? config.identity.secret : null,
  ].filter((key) => typeof key === "string");
  const secrets = [...new Set([...urls.flatMap(accessKeysOf), ...keys])];
  const pattern = new RegExp(secrets.map((secret) => secret.replace(/[^\w]/g, "\\$&")).join("|"), "gi");
  const blot = secrets.length === 0 ? (line: string) => line : (line: string) => line.replace(pattern, "***");
  return pino(
    {
      level: config.logLevel,
      base: null,
      serializers: { err: briefError },
      // The logger of a request has the id already, and knows it also where the request's work has ended.
      mixin(_fields, _level, logger) {
        const id = currentRequestId();
        return id === undefined || "request_id" in logger.bindings() ? {} : { request_id: id };
      },
      hooks: {
        logMethod(args, method, level) {
          const [fields] = args as unknown[];
          const err = typeof fields === "object" && fields !== null && "err" in fields ? fields.err : null;
          if (level > DEBUG && err instanceof Error && isDatabaseAway(err)) this.debug(...args);
          else method.apply(this, args);
        },
      },
    },
    { write: (line) => write(withEscapes(blot(line))) },
  );
}

/** pino's number of this level. */
const DEBUG = 20;

/** Writes all lines of one turn of the event loop at once. Under load the system call is most of the cost of a line. */
function byTurns(write: (text: string) => void): (line: string) => void {
  let buffer = "";
  const flush = () => {
    if (buffer !== "") write(buffer);
    buffer = "";
  };
  // Also runs if an uncaught exception ends the process.
  process.once("exit", flush);
  return (line) => {
    if (buffer === "") setImmediate(flush);
    buffer += line;
  };
}

const MESSAGE_MAX = 500;

/** Shortens an error. Some libraries write pages of text into a message and repeat it in the stack. */
function briefError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error).slice(0, MESSAGE_MAX) };
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.name,
    ...(code === undefined ? {} : { code }),
    // drizzle lists the parameters after this marker. Wallet addresses must not be logged.
    message: error.message.split("\nparams: ", 1)[0]?.slice(0, MESSAGE_MAX),
    stack: frames.slice(0, 12).join("\n"),
    ...(error.cause instanceof Error ? { cause: briefError(error.cause) } : {}),
  };
}
