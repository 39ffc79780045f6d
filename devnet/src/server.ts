import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { demoWallet, roleAccount, roleKey } from "./accounts.ts";
import { webFolder } from "./build.ts";
import { guardScript } from "./chain.ts";
import { demoPerson } from "./demoAccount.ts";
import { deploymentsFolder } from "./deploy.ts";
import { productsFolder } from "./documents.ts";
import { sleep } from "./processes.ts";
import { LOCAL_CHAIN_ID } from "./rpc.ts";
import { subjectOf } from "./seed/identity.ts";
import { repositoryRoot } from "./settings.ts";

const READY_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 3_000;

export interface StartServerOptions {
  port: number;
  /** Null: no broker. */
  mqttPort: number | null;
  dataDir: string;
  publicUrl: string;
  databaseUrl: string | null;
  walletConnectProjectId: string | null;
  rpcUrl: string;
  operatorToken: string;
  /** Starts the server again whenever its sources change. */
  watch?: boolean;
  /** More environment for the server, for tests. */
  environment?: Readonly<Record<string, string>>;
}

export interface Server {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
  /** Resolves with the server's last output when it ended without a call of `stop`. */
  readonly died: Promise<string>;
}

/** Returns the path of the server's log of this run. The log of the run before has the suffix `.old`. */
export function serverLog(dataDir: string): string {
  return join(dataDir, "server.log");
}

/**
 * Starts the server as a child on the local chain and waits until GET /ready answers 200. The child ends by itself
 * after this process, because its IPC channel closes.
 * @param note called with the message of /ready while the server is not ready
 */
export async function startServer(
  options: StartServerOptions,
  note: (text: string) => void = () => {},
): Promise<Server> {
  const { port, dataDir } = options;
  mkdirSync(dataDir, { recursive: true });
  const log = serverLog(dataDir);
  if (existsSync(log)) renameSync(log, `${log}.old`);
  const output = openSync(log, "a");
  const main = join(repositoryRoot, "apps", "server", "src", "main.ts");
  const tsx = join(repositoryRoot, "node_modules", "tsx", "dist", "cli.mjs");
  const args = options.watch
    ? [guardScript, process.execPath, tsx, "watch", "--clear-screen=false", main]
    : [...MEMORY_FLAGS, "--import", "tsx", main];
  const child = spawn(process.execPath, args, {
    cwd: repositoryRoot,
    detached: true,
    stdio: ["ignore", output, output, "ipc"],
    env: { ...process.env, ...serverEnvironment(options), ...options.environment },
  });
  closeSync(output);
  const server = new ServerProcess(child, port, log);
  try {
    await server.ready(note);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

/**
 * A demo on someone's own machine collects garbage early, as the built server does. With 1 MB for new objects in place
 * of 4 MB, the server needs 16 MB less memory, and twice the processor time for the same pages.
 */
const MEMORY_FLAGS = ["--heap-growing-percent=30", "--max-semi-space-size=4"];

function serverEnvironment(options: StartServerOptions): Record<string, string> {
  const { port, mqttPort, dataDir, publicUrl, databaseUrl, walletConnectProjectId, rpcUrl, operatorToken } = options;
  return {
    NODE_ENV: "development",
    // The C library returns freed memory to the system instead of reserving an arena for each thread.
    MALLOC_ARENA_MAX: "1",
    MALLOC_TRIM_THRESHOLD_: "131072",
    PORT: String(port),
    MQTT_PORT: mqttPort === null ? "off" : String(mqttPort),
    // A broker named in the shell would receive the readings of an invented fleet.
    MQTT_URL: "",
    DATA_DIR: dataDir,
    // An empty variable counts as not set. It overrides one inherited from the shell.
    DATABASE_URL: databaseUrl ?? "",
    PUBLIC_URL: publicUrl,
    [`RPC_URL_${LOCAL_CHAIN_ID}`]: rpcUrl,
    DEPLOYMENTS_DIR: deploymentsFolder(dataDir),
    PRODUCTS_DIR: productsFolder,
    WEB_DIR: webFolder("demo"),
    FAUCET_PRIVATE_KEY: roleKey("faucet"),
    ATTESTER_PRIVATE_KEY: roleKey("attester"),
    ANCHORER_PRIVATE_KEY: roleKey("anchorer"),
    // Someone who tries Aqua should not wait ten minutes to see a reading anchored.
    ANCHOR_EVERY: process.env.ANCHOR_EVERY?.trim() || "60",
    OPERATOR_TOKEN: operatorToken,
    OPERATOR_KEYS: roleAccount("operator").address,
    DEMO_MODE: "1",
    DEMO_ACCOUNT: `${demoPerson.email}=${subjectOf(demoWallet().address)}`,
    // Everyone who tries a demo comes from this machine.
    RATE_LIMIT_ACCOUNT: "2000",
    RATE_LIMIT_RPC: "24000",
    IDENTITY_PROVIDER: "sandbox",
    // Mails stay on this machine and can be read in the app.
    SMTP_URL: "",
    WALLETCONNECT_PROJECT_ID: walletConnectProjectId ?? "",
  };
}

class ServerProcess implements Server {
  readonly url: string;
  readonly died: Promise<string>;
  readonly #ended: Promise<void>;
  #exited = false;
  #stopping = false;

  constructor(
    readonly child: ChildProcess,
    readonly port: number,
    readonly log: string,
  ) {
    this.url = `http://127.0.0.1:${port}`;
    this.#ended = new Promise((resolve) => {
      child.on("exit", () => resolve());
      child.on("error", () => resolve());
    });
    this.died = new Promise((resolve) => {
      child.on("exit", (code, signal) => {
        this.#exited = true;
        if (!this.#stopping) resolve(`${signal ?? `exit code ${code}`}; its last words:\n${this.#lastLogLines()}`);
      });
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  #lastLogLines(): string {
    return readFileSync(this.log, "utf8").trim().split("\n").slice(-8).join("\n");
  }

  async ready(note: (text: string) => void): Promise<void> {
    const deadline = Date.now() + READY_WITHIN_MS;
    let said = "it did not answer at all";
    while (Date.now() < deadline) {
      if (this.#exited) throw new Error(`The server stopped by itself: ${await this.died}`);
      try {
        const response = await fetch(`${this.url}/ready`, { signal: AbortSignal.timeout(5_000) });
        const text = await response.text();
        const isIndexed = response.status === 200 && !/"part":"chain /.test(text);
        if (isIndexed) return;
        said = `${response.status} ${text.slice(0, 300)}`;
        note(said);
      } catch {
        // Not listening yet.
      }
      await sleep(50);
    }
    throw new Error(`The server was not ready within ${READY_WITHIN_MS / 1000} s: ${said}\n${this.#lastLogLines()}`);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#exited || this.child.pid === undefined) return;
    this.child.kill("SIGTERM");
    const giveUp = setTimeout(() => {
      // The whole group: in watch mode the server is a grandchild.
      if (this.child.pid !== undefined) process.kill(-this.child.pid, "SIGKILL");
    }, STOP_WITHIN_MS);
    await this.#ended;
    clearTimeout(giveUp);
  }
}
