import { spawn } from "node:child_process";
import { join } from "node:path";
import { CommandError } from "../api.ts";
import type { Terminal } from "../terminal.ts";

/** Set by the bundler of `npm run build`. */
declare const __BUNDLED__: true | undefined;

/** Arguments of Node that start the server of this version. */
export const ownServer: readonly string[] =
  typeof __BUNDLED__ === "undefined"
    ? ["--import", import.meta.resolve("tsx"), join(import.meta.dirname, "../../../server/src/main.ts")]
    : [join(import.meta.dirname, "../server.js")];

/**
 * Settings that a server on a copy gets. All others are left out, so that it holds no key of ours, sends no mail, writes
 * to no folder and reaches no broker.
 */
const passed = [
  "NODE_ENV",
  "PUBLIC_URL",
  "SECRET_KEY",
  "DATABASE_PREPARED_STATEMENTS",
  "DEPLOYMENTS_DIR",
  "PRODUCTS_DIR",
  "WEB_DIR",
];
/** Variables of the system that any program may need. */
const ofSystem = /^(PATH|HOME|TZ|LANG|LC_\w+|TMPDIR|NODE_\w+|SSL_\w+|[Hh][Tt][Tt][Pp][Ss]?_[Pp][Rr][Oo][Xx][Yy])$/;
const ofChain = /^CONFIRMATIONS_\d+$/;

/** Settings of a server on a copy of the database that is reached by nobody else and does nothing but serve. */
export function copyEnvironment(
  environment: Terminal["environment"],
  own: { databaseUrl: string; dataDir: string; rpcUrls: ReadonlyMap<number, string> },
): Record<string, string> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (passed.includes(entry[0]) || ofSystem.test(entry[0]) || ofChain.test(entry[0])),
  );
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries([...own.rpcUrls].map(([chainId, url]) => [`RPC_URL_${chainId}`, url])),
    DATABASE_URL: own.databaseUrl,
    DATA_DIR: own.dataDir,
    ROLES: "web",
    HOST: "127.0.0.1",
    PORT: "0",
    MQTT_PORT: "off",
    // In production a server must have one. Without the role `jobs`, it sends nothing; before there were roles, it fails.
    SMTP_URL: "smtp://127.0.0.1:9",
    LOG_LEVEL: "info",
    RATE_LIMIT_API: "1000000",
  };
}

export interface RunningServer {
  url: string;
  /** The reason that its log named last, or null. */
  reason(): string | null;
  /** Resolves when the server has ended. */
  stop(): Promise<void>;
}

const SAID = 20_000;

/**
 * Starts a server and resolves when it listens, however long that takes.
 * @param name of the build, for messages
 * @param ended called if it ends before `stop`
 * @throws CommandError with its last words, if it ends before it listens
 */
export function startServer(
  args: readonly string[],
  {
    name,
    environment,
    ended,
  }: { name: string; environment: Record<string, string>; ended: (error: CommandError) => void },
): { listening: Promise<RunningServer>; stop: () => Promise<void> } {
  // Its channel ends the server when this process is killed. Ctrl-C reaches only this process, which then stops it.
  const child = spawn(process.execPath, args, {
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: environment,
  });
  let isStopping = false;
  let said = "";
  const exited = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  async function stop(): Promise<void> {
    isStopping = true;
    child.kill("SIGKILL");
    await exited;
  }
  const listening = new Promise<RunningServer>((resolve, reject) => {
    const fail = (why: string) => {
      const error = new CommandError(`the server of the ${name} build ended (${why})`);
      reject(error);
      if (!isStopping) ended(error);
    };
    child.once("error", (error) => fail(error.message));
    child.once("close", (code, signal) => fail(`${signal ?? `exit code ${code}`}: ${lastWords(said)}`));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-SAID);
        const [, url] = /"url":"(http[^"]+)"[^\n]*"listening"/.exec(said) ?? [];
        if (url !== undefined)
          resolve({ url, stop, reason: () => said.match(/"reason":"(?:[^"\\\\]|\\\\.)*"/g)?.at(-1) ?? null });
      });
    }
  });
  // `ended` reports the same failure. Without this, Node would end at it while no caller awaits the promise.
  listening.catch(() => {});
  return { listening, stop };
}

/** What it printed last: the line of its refusal, or else of its log. */
function lastWords(said: string): string {
  const lines = said.trim().split("\n");
  return (lines.findLast((line) => line.startsWith("aqua: ")) ?? lines.at(-1) ?? "").slice(0, 1_000);
}
