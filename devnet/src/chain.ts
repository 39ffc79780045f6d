import { type ChildProcess, spawn } from "node:child_process";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createGunzip } from "node:zlib";
import type { Hex } from "viem";
import { anvilBinary } from "./binary.ts";
import { endProcess, isAlive, sleep } from "./processes.ts";
import { assertLocalChain, LOCAL_CHAIN_ID, Rpc } from "./rpc.ts";

/** Runs a program and ends it when this process is gone; see the file itself. */
export const guardScript = fileURLToPath(new URL("guard.mjs", import.meta.url));

/** States kept in memory to answer reads of past blocks. Each is a full copy, so the number bounds anvil's memory. */
const STATES_IN_MEMORY = 32;
const PERSIST_EVERY_MS = 5_000;
/** Writing the state may take at most this part of the time, however long the chain grows. */
const PERSIST_SHARE = 0.01;

/**
 * Anvil's own interval, seconds, while this process seals the blocks: far beyond any run, so that anvil never seals one by
 * itself, as it would keep a copy of the whole state with each (0.5 MB in the demo; none with `evm_mine`). Whoever sets
 * another interval stops ours.
 */
const SEALED_HERE = 1_000_000_000;
/** Blocks in a row without a transaction after which the chain is at rest, more than a transaction's confirmations. */
const BLOCKS_TO_REST = 3;
/** Block times between two blocks of a chain at rest: each empty block takes 8 KB of anvil's memory for good. */
const REST_TIMES = 4;

/** For anvil's allocator, jemalloc: what a write of the whole state took is given back at once, not kept for the next. */
const MALLOC_CONF = "narenas:1,dirty_decay_ms:0,muzzy_decay_ms:0";

export interface StartChainOptions {
  port: number;
  /** Address of this machine to listen on; default 127.0.0.1. */
  host?: string;
  /** Origin whose pages may read answers; default none. */
  allowOrigin?: string;
  /** Folder the chain lives in; without one it is forgotten when it stops. */
  dataDir?: string;
  /** Seconds between blocks; "auto": one block a transaction; "manual": only when asked. Default "auto". */
  blockTime?: number | "auto" | "manual";
  /** Unix seconds of block 0 of a new chain. Default: now. */
  genesisTime?: number;
}

export interface Chain {
  readonly url: string;
  readonly rpc: Rpc;
  readonly port: number;
  /** Process id of anvil itself. */
  readonly pid: number;
  /** True when an earlier chain was found in `dataDir` and goes on. */
  readonly resumed: boolean;
  /**
   * Sets how blocks come from now on; block time is the wall clock from here. With a number of seconds, blocks come four
   * times more rarely while there are no transactions.
   */
  follow(blockTime: number | "auto" | "manual"): Promise<void>;
  /** Writes the chain to `dataDir` now; the file is replaced whole or not at all. */
  persist(): Promise<void>;
  /** Writes the chain and ends it. */
  stop(): Promise<void>;
  /** Resolves when the chain ended without `stop` having been called, with what it said last. */
  readonly died: Promise<string>;
}

/** Where the chain of `dataDir` is kept. */
export function chainFolder(dataDir: string): string {
  return join(dataDir, "chain");
}

/** Starts anvil with chain id 31337 and waits until it answers. Rejects with one line when it cannot start. */
export async function startChain(options: StartChainOptions): Promise<Chain> {
  const { port, host = "127.0.0.1", allowOrigin, dataDir, blockTime = "auto", genesisTime } = options;
  const folder = dataDir === undefined ? null : chainFolder(dataDir);
  const stateFile = folder === null ? null : join(folder, "state.json.gz");
  if (folder !== null) await mkdir(folder, { recursive: true });
  const resumed = stateFile !== null && existsSync(stateFile);
  const unpacked = join(folder ?? "", "state.json");

  const args = ["--host", host, "--port", String(port), "--chain-id", String(LOCAL_CHAIN_ID), "--silent"];
  args.push(...(allowOrigin === undefined ? ["--no-cors"] : ["--allow-origin", allowOrigin]));
  args.push("--no-mining", "--order", "fifo", "--prune-history", String(STATES_IN_MEMORY));
  if (genesisTime !== undefined && !resumed) args.push("--timestamp", String(genesisTime));
  if (resumed) {
    await pipeline(createReadStream(stateFile), createGunzip(), createWriteStream(unpacked));
    args.push("--load-state", unpacked);
  }
  // Never written to while history is pruned; it also shows in the process list whose chain this is.
  if (folder !== null) args.push("--cache-path", join(folder, "cache"));

  const child = spawn(process.execPath, [guardScript, anvilBinary(), ...args], {
    // A group of its own: Ctrl-C in the terminal reaches the supervisor alone, which then stops things in order.
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: { ...process.env, _RJEM_MALLOC_CONF: MALLOC_CONF },
  });
  const chain = new AnvilChain(child, { host, port, stateFile, resumed });
  try {
    await chain.ready();
    if (resumed) await rm(unpacked);
    if (resumed || blockTime !== "manual") await chain.follow(blockTime);
  } catch (error) {
    await chain.abandon();
    throw error;
  }
  return chain;
}

class AnvilChain implements Chain {
  readonly port: number;
  readonly stateFile: string | null;
  readonly resumed: boolean;
  readonly url: string;
  readonly rpc: Rpc;
  readonly died: Promise<string>;
  pid = 0;
  #exited = false;
  #stopping = false;
  #lastLogLines = "";
  #persisting: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** How blocks come now; replaced by each `follow`, so that a look under way ends with the way it began for. */
  #following: { timer?: NodeJS.Timeout } = {};

  constructor(
    readonly child: ChildProcess,
    { host, port, stateFile, resumed }: { host: string; port: number; stateFile: string | null; resumed: boolean },
  ) {
    this.port = port;
    this.stateFile = stateFile;
    this.resumed = resumed;
    this.url = `http://${host}:${port}`;
    this.rpc = new Rpc(this.url);
    child.stderr?.on("data", (text: Buffer) => {
      this.#lastLogLines = (this.#lastLogLines + text.toString()).slice(-2_000);
    });
    child.on("message", (message: { pid: number }) => {
      this.pid = message.pid;
    });
    this.died = new Promise((resolve) => {
      child.on("exit", (code) => {
        this.#exited = true;
        clearTimeout(this.#timer);
        clearTimeout(this.#following.timer);
        if (!this.#stopping) resolve(this.#lastLogLines.trim() || `anvil ended with exit code ${code}`);
      });
    });
  }

  /** Resolves when the chain answers and is the local one. */
  async ready(): Promise<void> {
    const deadline = Date.now() + 30_000;
    while (Date.now() < deadline) {
      if (this.#exited) throw new Error(`The chain did not start: ${await this.died}`);
      try {
        await this.rpc.call("eth_chainId");
        // Someone else may hold the port while ours is failing to get it.
        if (this.pid === 0 || this.#exited) throw new Error("not yet");
        await assertLocalChain(this.rpc);
        this.#schedule(PERSIST_EVERY_MS);
        return;
      } catch {
        await sleep(20);
      }
    }
    throw new Error(`The chain did not answer on port ${this.port} within 30 s.`);
  }

  async follow(blockTime: number | "auto" | "manual"): Promise<void> {
    // Anvil goes on from the last block's time; a chain that was stopped has to catch up with the clock.
    await this.rpc.call("evm_setTime", [Math.floor(Date.now() / 1000)]);
    await this.rpc.call("evm_setAutomine", [blockTime === "auto"]);
    clearTimeout(this.#following.timer);
    this.#following = {};
    if (typeof blockTime !== "number") return;
    await this.rpc.call("evm_setIntervalMining", [SEALED_HERE]);
    this.#sealEvery(blockTime * 1_000);
  }

  #sealEvery(blockMs: number): void {
    const following = this.#following;
    const isOver = () => this.#exited || this.#stopping || this.#following !== following;
    let empty = 0;
    let skipped = 0;
    const seal = async () => {
      if ((await this.rpc.call("anvil_getIntervalMining")) !== SEALED_HERE) return;
      const { pending } = await this.rpc.call<{ pending: Hex }>("txpool_status");
      const { transactions } = await this.rpc.call<{ transactions: Hex[] }>("eth_getBlockByNumber", ["latest", false]);
      // Others seal blocks too: a transaction that is in one already waits for its confirmations all the same.
      if (Number(pending) > 0 || transactions.length > 0) empty = 0;
      skipped += 1;
      if (empty >= BLOCKS_TO_REST && skipped < REST_TIMES) return;
      await this.rpc.call("evm_mine");
      empty += 1;
      skipped = 0;
    };
    const next = (pause: number) => {
      following.timer = setTimeout(async () => {
        const begun = performance.now();
        await seal().catch((error: unknown) => {
          // Where anvil has ended, `died` says so.
          if (!isOver()) console.error(`The local chain sealed no block: ${error}`);
        });
        if (!isOver()) next(Math.max(0, blockMs - (performance.now() - begun)));
      }, pause);
      following.timer.unref();
    };
    next(blockMs);
  }

  persist(): Promise<void> {
    this.#persisting ??= this.#write().finally(() => {
      this.#persisting = null;
    });
    return this.#persisting;
  }

  async #write(): Promise<void> {
    if (this.stateFile === null || this.#exited) return;
    const packed = await this.rpc.call<Hex>("anvil_dumpState");
    const draft = `${this.stateFile}.new`;
    await writeFile(draft, Buffer.from(packed.slice(2), "hex"), { flush: true });
    await rename(draft, this.stateFile);
  }

  #schedule(delay: number): void {
    if (this.stateFile === null || this.#stopping) return;
    this.#timer = setTimeout(async () => {
      const started = performance.now();
      // A failed write is tried again; if the chain is gone, `died` says so.
      await this.persist().catch(() => {});
      this.#schedule(Math.max(PERSIST_EVERY_MS, (performance.now() - started) / PERSIST_SHARE));
    }, delay);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#following.timer);
    // The write under way may have begun before the last block.
    await this.#persisting?.catch(() => {});
    await this.persist().catch(() => {});
    await this.abandon();
  }

  /** Ends the chain without writing it. */
  async abandon(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#following.timer);
    if (!this.#exited && this.child.pid !== undefined) {
      const ended = new Promise((resolve) => this.child.once("exit", resolve));
      this.child.kill("SIGTERM");
      const giveUp = setTimeout(() => this.child.kill("SIGKILL"), 3_000);
      await ended;
      clearTimeout(giveUp);
    }
    // A guard that was killed leaves anvil behind.
    if (this.pid !== 0 && isAlive(this.pid)) await endProcess(this.pid, 500);
  }
}
