import { revertOf } from "@aqua/contracts/deploy/reverts";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import pLimit from "p-limit";
import { BaseError } from "viem";
import { type AccountKey, accountOf } from "../../../server/src/accountKey.ts";
import { CallReverted, createSender, OutOfGas } from "../../../server/src/chain/sender.ts";
import { CommandError } from "../api.ts";
import { requireKey } from "../chainOptions.ts";
import { type ChainSession, refusalOf, senderOf } from "../chainSession.ts";
import type { Terminal } from "../terminal.ts";
import { anchorOf, type KeyValues, leadOf, refusals, registrar, registration } from "./device.ts";
import { type Fault, type ListedKey, refuse } from "./deviceFile.ts";

/** Keys to put on chain. */
interface Registrations {
  keys: readonly ListedKey[];
  desk: ChainSession;
  values: KeyValues;
}

/**
 * Transactions of the registrar without a block at a time. Nodes may drop more than 16 of one account while their pool
 * is full.
 */
const WINDOW = 16;
/** Look-ups at a time at the node or the server. */
const TOGETHER = 8;

/**
 * Tries all registrations at the newest block. Returns the function that sends them without a wait for each block, and
 * with --dry-run does nothing.
 * @throws CommandError that names each line which the contract refuses
 */
export async function prepareRegistrations(file: string, registrations: Registrations): Promise<() => Promise<void>> {
  if (registrations.keys.length === 0) return async () => {};
  const { desk, values } = registrations;
  const { sender, account } = await senderOf(values, registrar, desk.terminal);
  await tryAll(file, registrations, sender);
  if (account === null) return async () => {};
  const key = await requireKey(registrar.keySetting, registrar.role, desk.terminal);
  return () => sendAll(registrations, key);
}

async function tryAll(file: string, { keys, desk, values }: Registrations, from: `0x${string}`): Promise<void> {
  const [latest, pending] = await Promise.all(
    (["latest", "pending"] as const).map((blockTag) => desk.client.getTransactionCount({ address: from, blockTag })),
  );
  if (latest !== pending)
    throw new CommandError(`a transaction of ${from} waits for its block; run the command again when it has one`);
  const begin = await beginOf(desk, values);
  const faults: Fault[] = [];
  await together(keys, async ({ name, key, line }) => {
    const call = { address: anchorOf(desk), abi: telemetryAnchorAbi, ...registration(name, key, begin) };
    try {
      await desk.client.simulateContract({ ...call, account: from } as never);
    } catch (error) {
      if (revertOf(error) === null) throw error;
      faults.push({ line, message: `${name}: ${refusalOf({ error, sender: from, role: registrar.role, refusals })}` });
    }
  });
  refuse(file, faults);
}

async function sendAll({ keys, desk, values }: Registrations, key: AccountKey): Promise<void> {
  const sender = createSender(desk.client, key);
  try {
    for (let start = 0; start < keys.length; start += WINDOW) {
      const begin = await beginOf(desk, values);
      const hashes = await Promise.all(
        keys.slice(start, start + WINDOW).map((one) => {
          const call = { address: anchorOf(desk), abi: telemetryAnchorAbi, ...registration(one.name, one.key, begin) };
          return sender.call(call as never);
        }),
      );
      await sender.included(hashes);
      progress(desk.terminal, "keys registered", [start + hashes.length, keys.length]);
    }
  } catch (error) {
    const next = "nothing is lost; run the command again, which goes on where it stopped";
    if (error instanceof OutOfGas) throw new CommandError(`${error.message}; ${next}`);
    if (error instanceof CallReverted) {
      const sender = accountOf(key).address;
      const words = revertOf(error) && refusalOf({ error, sender, role: registrar.role, refusals });
      throw new CommandError(`${words ?? "the contract refuses a key"}; ${next}`);
    }
    throw new CommandError(`${error instanceof BaseError ? error.shortMessage : (error as Error).message}; ${next}`);
  }
}

async function beginOf(desk: ChainSession, values: KeyValues): Promise<bigint> {
  return (await desk.client.getBlock()).timestamp + BigInt(leadOf(values));
}

/** Progress is for people, so it goes to the error stream. */
export function progress(terminal: Terminal, what: string, [done, all]: readonly [number, number]): void {
  if (done % WINDOW === 0 || done === all) terminal.error(`${done} of ${all} ${what}\n`);
}

/** Runs `work` for all items, some at a time. Returns the results in the order of the items. */
export const together = <Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) =>
  pLimit(TOGETHER).map(items, work);
