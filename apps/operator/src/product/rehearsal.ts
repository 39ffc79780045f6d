import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import {
  type ProductAct,
  type ProductChain,
  type ProductOnChain,
  transactionNow,
  whatNow,
} from "@aqua/contracts/deploy/product";
import { revertTextOf } from "@aqua/contracts/deploy/reverts";
import type { Address, Hex } from "viem";
import { toHex } from "viem/utils";
import { CommandError } from "../api.ts";
import type { Terminal } from "../terminal.ts";

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const STARTED_WITHIN_MS = 30_000;
const ANSWER_WITHIN_MS = 120_000;
/** Acts are scheduled, then made; a third look finds nothing left. */
const MAX_ROUNDS = 5;
/** Creates the contracts on the fork, as any account may. */
const ANY_ACCOUNT: Address = "0x00000000000000000000000000000000000a9Aa1";
const GAS_MONEY = 10n ** 20n;

/** A copy of a chain on this machine, on which every account may send. It ends with the command. */
export interface Fork {
  url: string;
  rpc<Result>(method: string, params: readonly unknown[]): Promise<Result>;
  stop(): Promise<void>;
}

/** Starts anvil as a fork of the node's chain. @throws CommandError */
export async function startFork(rpcUrl: string, { environment }: Terminal): Promise<Fork> {
  const program = environment.ANVIL?.trim() || "anvil";
  const args = ["--host", "127.0.0.1", "--port", "0", "--auto-impersonate"];
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  // anvil does not notice that this process ends.
  const endBoth = (signal: NodeJS.Signals) => {
    child.kill();
    process.kill(process.pid, signal);
  };
  for (const signal of stopSignals) process.once(signal, endBoth);
  const stop = async () => {
    for (const signal of stopSignals) process.off(signal, endBoth);
    child.kill();
    await ended;
  };
  try {
    const url = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new CommandError(`${program} did not start`)), STARTED_WITHIN_MS);
      const settle = (work: () => void) => {
        clearTimeout(timer);
        work();
      };
      child.once("error", () => {
        settle(() => reject(new CommandError(`--rehearse needs anvil of Foundry on the PATH, or ANVIL must name it`)));
      });
      child.once("close", () => settle(() => reject(new CommandError(`${program} ended before it answered`))));
      createInterface({ input: child.stdout }).on("line", (line) => {
        const [, address] = /^Listening on (\S+)$/.exec(line) ?? [];
        if (address !== undefined) settle(() => resolve(`http://${address}`));
      });
    });
    const rpc = <Result>(method: string, params: readonly unknown[]) => call<Result>(url, method, params);
    // The node's URL, which may hold a key, is not an argument: other users of the machine could read it there.
    await rpc("anvil_reset", [{ forking: { jsonRpcUrl: rpcUrl } }]);
    return { url, rpc, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function call<Result>(url: string, method: string, params: readonly unknown[]): Promise<Result> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  const { result, error } = (await answer.json()) as { result: Result; error?: { message: string } };
  if (error !== undefined) throw new CommandError(revertTextOf(error) ?? error.message);
  return result;
}

export interface Rehearsal {
  /** The acts in the order in which they were carried out. */
  done: readonly string[];
  left: ProductOnChain;
}

/**
 * Carries out all acts on a fork, each by an account that may, and moves the fork's time past each delay.
 * @throws CommandError that names the first act that fails
 */
export async function rehearse(
  fork: Fork,
  onFork: ProductChain,
  wanted: (chain: ProductChain) => Promise<ProductOnChain>,
): Promise<Rehearsal> {
  const done: string[] = [];
  let left = await wanted(onFork);
  for (let round = 0; round < MAX_ROUNDS && left.acts.length > 0; round++) {
    const before = done.length;
    for (const act of left.acts) {
      const what = whatNow(act, left.time);
      if (await carryOut(fork, act, { time: left.time, what })) done.push(what);
    }
    left = await wanted(onFork);
    const times = left.acts.flatMap((act) =>
      act.kind === "call" && act.scheduled !== null ? [act.scheduled.from] : [],
    );
    const next = Math.max(...times, left.time);
    if (next > left.time) {
      await fork.rpc("evm_setNextBlockTimestamp", [next]);
      await fork.rpc("evm_mine", []);
      left = await wanted(onFork);
    } else if (done.length === before) break;
  }
  return { done, left };
}

/** Sends the transaction of an act; false where there is none now. */
async function carryOut(fork: Fork, act: ProductAct, { time, what }: { time: number; what: string }): Promise<boolean> {
  const transaction = transactionNow(act, time);
  if (transaction === null) return false;
  const from = act.kind === "call" && act.by !== null ? act.by : ANY_ACCOUNT;
  await fork.rpc("anvil_setBalance", [from, toHex(GAS_MONEY)]);
  try {
    const hash = await fork.rpc<Hex>("eth_sendTransaction", [{ from, ...transaction }]);
    await fork.rpc("evm_mine", []);
    const receipt = await fork.rpc<{ status: Hex } | null>("eth_getTransactionReceipt", [hash]);
    if (receipt?.status !== "0x1") {
      // A receipt does not say why; the same call does.
      await fork.rpc("eth_call", [{ from, ...transaction }, "latest"]);
      throw new CommandError("it reverted");
    }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(`the rehearsal stopped: "${what}" would fail: ${error.message}; nothing was sent`);
  }
  return true;
}
