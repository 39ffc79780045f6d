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

/** Runs a program and ends it when this process has ended; see the file. */
export const guardScript = fileURLToPath(new URL("guard.mjs", import.meta.url));

/** States kept in memory to answer reads of past blocks. Each is a full copy, so the number bounds anvil's memory. */
const STATES_IN_MEMORY = 32;
const PERSIST_EVERY_MS = 5_000;
/** Maximum share of the time spent on writing the state, however long the chain grows. */
const PERSIST_SHARE = 0.01;

/**
 * Anvil's own interval in seconds while this process seals the blocks. It is longer than any run, so that anvil never
 * seals a block by itself: with each it would retain a copy of the whole state (0.5 MB in the demo; none with
 * `evm_mine`). Setting another interval stops ours.
 */
const SEALED_HERE = 1_000_000_000;
/**
 * Consecutive blocks without a transaction after which the chain is at rest: more than a transaction's confirmations.
 */
const BLOCKS_TO_REST = 3;
/** Block times between two blocks of a chain at rest. Each empty block occupies 8 KB of anvil's memory permanently. */
const REST_TIMES = 4;

/** Settings of anvil's allocator, jemalloc: memory used to write the whole state is returned to the system at once. */
const MALLOC_CONF = "narenas:1,dirty_decay_ms:0,muzzy_decay_ms:0";

export interface StartChainOptions {
  port: number;
  /** Address of this machine to listen on; default 127.0.0.1. */
  host?: string;
  /** Origin whose pages may read answers; default none. */
  allowOrigin?: string;
  /** Folder of the chain's state. Without one the state is lost when the chain stops. */
  dataDir?: string;
  /** Seconds between blocks; "auto": one block per transaction; "manual": only on request. Default "auto". */
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
  /** True when the chain continues one found in `dataDir`. */
  readonly resumed: boolean;
  /**
   * Sets how blocks are made from now on; from here block time is the wall clock. With a number of seconds, blocks are
   * four times rarer while there are no transactions.
   */
  follow(blockTime: number | "auto" | "manual"): Promise<void>;
  /** Writes the chain's state to `dataDir` now, atomically. */
  persist(): Promise<void>;
  /** Writes the chain's state and ends the chain. */
  stop(): Promise<void>;
  /** Resolves with anvil's last output when the chain ended without a call of `stop`. */
  readonly died: Promise<string>;
}

/** Returns the folder of the chain's state. */
export function chainFolder(dataDir: string): string {
  return join(dataDir, "chain");
}

/**
 * Starts anvil with chain id 31337 and waits until it answers. Rejects with a one-line message when it cannot start.
 */
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
  // Nothing is written there while history is pruned. The path also identifies the chain in the process list.
  if (folder !== null) args.push("--cache-path", join(folder, "cache"));

  const child = spawn(process.execPath, [guardScript, anvilBinary(), ...args], {
    // A group of its own: Ctrl-C in the terminal reaches only the supervisor, which then stops the parts in order.
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
  /**
   * The current way of making blocks. `follow` replaces the object, so that a pending check for the former one ends.
   */
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
        // Another process may hold the port while ours fails to open it.
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
    // Anvil continues from the last block's time, so a chain that was stopped must catch up with the clock.
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
      // Others seal blocks too. A transaction in such a block still waits for its confirmations.
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
          // `died` reports the end of anvil.
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
      // A failed write is tried again. `died` reports the end of the chain.
      await this.persist().catch(() => {});
      this.#schedule(Math.max(PERSIST_EVERY_MS, (performance.now() - started) / PERSIST_SHARE));
    }, delay);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#following.timer);
    // The current write may have begun before the last block.
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
    // A killed guard leaves anvil running.
    if (this.pid !== 0 && isAlive(this.pid)) await endProcess(this.pid, 500);
  }
}
