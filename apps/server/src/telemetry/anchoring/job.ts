import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import { noReading } from "@aqua/sdk/proofs/reading";
import {
  BaseError,
  type Hex,
  type PublicClient,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from "viem";
import { z } from "zod";
import { isAway } from "../../chain/away.ts";
import { CallReverted, OutOfGas, type Sender } from "../../chain/sender.ts";
import type { Database, Orm } from "../../db/database.ts";
import { type JobContext, type JobHandler, RetryLater } from "../../jobs/runner.ts";
import { enqueue } from "../../jobs/store.ts";
import { carriedCheckpoint } from "../../publicLog/tree.ts";
import { AlteredReading, allot, compose, fitting, type Run } from "./build.ts";
import type { Recovery } from "./recovery.ts";
import { type OwnBatch, Stopped, type StreamHead, standingOf } from "./standing.ts";
import * as store from "./store.ts";

/** A chain on which this process anchors batches. */
export interface AnchorChain {
  chainId: number;
  client: PublicClient;
  contract: Hex;
  anchorer: Sender;
  state: AnchoringState;
}

/** Conditions that need an operator. */
export interface AnchoringState {
  outOfGas: boolean;
  /** Products whose stream is not advanced, each with the reason. */
  stopped: Map<string, string>;
}

export interface AnchorSettings {
  /** Time between two batches of a product. */
  everyMs: number;
  /** Maximum number of readings in a batch. */
  most: number;
  /** Age after which a transaction that is in no block is sent again with a higher fee. */
  stuckAfterMs: number;
  /**
   * `lookMs` is the time between two checks of a stream with work in progress. `restMs` is the longest time between
   * two checks of any stream.
   */
  lookMs: number;
  restMs: number;
  /** Number of batches after which a head is stored on chain permanently. No proof is longer than that. */
  keepEvery: number;
}
const defaults = { stuckAfterMs: 180_000, lookMs: 1_000, keepEvery: 64 };

/** Infrequent batches need few checks: six checks per batch, one every 5 to 15 s. */
const restBetween = (everyMs: number) => Math.min(15_000, Math.max(5_000, everyMs / 6));

interface Log {
  error(fields: object, message: string): void;
}

export interface AnchorJobParts {
  db: Database;
  chains: readonly AnchorChain[];
  log: Log;
  recovery: Recovery;
  settings: Pick<AnchorSettings, "everyMs" | "most"> & Partial<AnchorSettings>;
  now?: () => number;
}

/** Kind of the job that builds and anchors the batches of a chain. The job never finishes. */
export const ANCHOR_JOB = "telemetry.anchor";

const payloadSchema = z.object({ chainId: z.number() });

/** Schedules one job for all processes of an instance, so that only one at a time builds and sends. */
export async function scheduleAnchoring(orm: Orm, chains: readonly AnchorChain[]): Promise<void> {
  for (const { chainId } of chains) {
    await enqueue(orm, { kind: ANCHOR_JOB, payload: { chainId }, dedupeKey: `${ANCHOR_JOB} ${chainId}` });
  }
}

/**
 * Builds batches from the readings of a chain's products and anchors them one after the other. Every turn starts from
 * the current tables and the current chain. A batch is stored before it is sent, and its transaction is recorded
 * before it is sent. The job can therefore stop and restart at any point, and two jobs at once do no harm.
 */
export function createAnchorJob({ db, chains, log, recovery, settings, now = Date.now }: AnchorJobParts): JobHandler {
  const rest = { restMs: restBetween(settings.everyMs) };
  const { everyMs, most, stuckAfterMs, lookMs, restMs, keepEvery } = { ...defaults, ...rest, ...settings };
  /** Time since which our transaction has been seen outside any block. */
  const firstSeen = new Map<Hex, number>();
  /** The transaction that stores the head of each stream on chain. */
  const keeping = new Map<Hex, Hex>();
  /** Stopped streams, with the reason, the start time, and whether it has been logged. */
  const stoppedStreams = new Map<Hex, { reason: string; at: number; isLogged: boolean }>();
  /**
   * Time of the next check of each stream. A stream without work costs nothing while another one has work in
   * progress.
   */
  const lookAt = new Map<Hex, number>();
  /** Chains whose problem has been logged. */
  const troubled = new Set<number>();

  return async (payload, { signal }) => {
    const { chainId } = payloadSchema.parse(payload);
    const chain = chains.find((one) => one.chainId === chainId);
    // This process no longer anchors on that chain.
    if (chain === undefined) return;
    throw new RetryLater(await turn(chain, signal));
  };

  /** Returns the number of milliseconds until the next check. */
  async function turn(chain: AnchorChain, signal: JobContext["signal"]): Promise<number> {
    const { chainId, state } = chain;
    let wait = restMs;
    try {
      if (!(await store.isFollowed(db.orm, chainId))) return lookMs;
      for (const stream of await store.streamsOf(db.orm, chainId)) {
        if (signal.aborted) break;
        const time = now();
        const at = lookAt.get(stream.stream) ?? 0;
        // Streams that are due soon are checked together, so that idle streams share their turns.
        const rest = at - time > lookMs ? at - time : Math.min(restMs, await tryAdvance(chain, stream));
        lookAt.set(stream.stream, time + rest);
        wait = Math.min(wait, rest);
      }
      troubled.delete(chainId);
    } catch (error) {
      if (error instanceof OutOfGas) {
        if (!state.outOfGas) log.error({ chain_id: chainId }, "the anchorer cannot pay for batches; send it some coin");
        state.outOfGas = true;
      } else if (!isAway(error) && !troubled.has(chainId)) {
        // The indexer logs that the node is unavailable.
        log.error({ chain_id: chainId, err: error }, "readings cannot be anchored; anchoring is retried");
        troubled.add(chainId);
      }
      return restMs;
    }
    return wait;
  }

  /** A problem with one stream does not delay another stream. */
  async function tryAdvance(chain: AnchorChain, of: store.Stream): Promise<number> {
    const { chainId, state } = chain;
    const { shortId } = of;
    try {
      const wait = await advance(chain, of);
      state.stopped.delete(shortId);
      stoppedStreams.delete(of.stream);
      return wait;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === null) throw error;
      const known = stoppedStreams.get(of.stream);
      const at = now();
      const since = known?.reason === reason ? known : { reason, at, isLogged: false };
      stoppedStreams.set(of.stream, since);
      const patience = error instanceof Stopped ? error.patience : error instanceof BaseError ? NODE_MS : 0;
      if (!since.isLogged && at - since.at >= patience) {
        log.error(
          { chain_id: chainId, short_id: shortId, reason },
          "no batch of this product is anchored until the reason is resolved",
        );
        since.isLogged = true;
        state.stopped.set(shortId, reason);
      }
      return restMs;
    }
  }

  async function advance(chain: AnchorChain, of: store.Stream): Promise<number> {
    const anchored = await store.lastAnchored(db.orm, of);
    const own = await store.ownBatches(db.orm, of, anchored?.number ?? 0);
    const next = standingOf(anchored, own);
    if (next.kind === "stopped" && next.why === "unknown") {
      await recovery.fetchMissing(of, next.number);
      return 0;
    }
    if (next.kind === "stopped") {
      throw new Stopped(`the chain holds another batch than the one built here under number ${next.number}`);
    }
    if (next.kind === "send") return bring(chain, of, next.batch);
    const wait = await build(chain, of, next.last);
    await keepHead(chain, of, anchored?.number ?? 0);
    return wait;
  }

  /** Builds the next batch when it is due, and sends it. */
  async function build(chain: AnchorChain, of: store.Stream, last: OwnBatch | null): Promise<number> {
    const due = last === null || last.count >= most ? 0 : last.createTime + everyMs;
    // A batch with a creation time in the future comes from a clock that ran ahead. There is no need to wait for that
    // time.
    const isAhead = last !== null && last.createTime > now() && last.to * 1_000 <= now();
    if (now() < due && !isAhead) return Math.max(lookMs, due - now());
    const devices = await store.waitingReadings(db.orm, of, most);
    if (devices.length === 0) return restMs;
    const shares = allot(
      devices.map(({ count }) => count),
      most,
    );
    const runs: Run[] = [];
    for (const [index, device] of devices.entries()) {
      const share = shares[index] ?? 0;
      if (share > 0)
        runs.push({
          device,
          readings: await store.readingsAfter(db.orm, { deviceId: device.id, after: device.after, most: share }),
        });
    }
    const block = await chain.client.getBlock();
    const next = fitting(last, runs, { blockTime: Number(block.timestamp), now: now() });
    if (next === null || !(await isAt(chain, of, last ?? nothing))) return lookMs;
    const { batch, parts } = await compose({
      stream: of,
      contract: chain.contract,
      last,
      runs: next.runs,
      span: next.time,
      now: now(),
      log: await carriedCheckpoint(db.orm),
    });
    return (await store.insertBatch(db, batch, parts)) ? bring(chain, of, batch) : lookMs;
  }

  /** Returns whether the chain is right after this batch. The tables follow the chain with a short delay. */
  async function isAt({ client, contract }: AnchorChain, { stream }: store.Stream, { number, head }: StreamHead) {
    const [present, batches] = await client.readContract({
      address: contract,
      abi: telemetryAnchorAbi,
      functionName: "streamOf",
      args: [stream],
    });
    return batches === BigInt(number) && present === head;
  }

  /** Brings a stored batch on chain by sending it, or sending it again. The indexer records that it is on chain. */
  async function bring(chain: AnchorChain, of: store.Stream, batch: OwnBatch): Promise<number> {
    const { number, previousHead, root, from, to, count, dataHash, hash } = batch;
    const sent = hash === null ? null : await whereIs(chain, hash);
    if (sent !== null && sent !== "stuck") return lookMs;
    const before = { number: number - 1, head: previousHead };
    if (!(await isAt(chain, of, before))) return lookMs;
    if (hash === null) await recovery.archive(of, batch);
    const remember = async (next: Hex) => {
      if (!(await store.noteSent(db.orm, { of, batch, next }))) throw new Overtaken();
    };
    const args = [of.stream, root, BigInt(from), BigInt(to), count, dataHash] as const;
    try {
      await chain.anchorer.submit({ ...targetOf(chain), functionName: "anchor", args }, remember, stuckOf(sent, hash));
    } catch (error) {
      if (error instanceof Overtaken) return lookMs;
      if (!(error instanceof CallReverted)) throw error;
      // Either the batch is not valid yet by the clock of a block that is older than the one it was built on, or
      // another batch came first.
      if (error.errorName === "InvalidTime" || !(await isAt(chain, of, before))) return lookMs;
      throw new Stopped(`the contract refuses the batch: ${error.message}`);
    }
    chain.state.outOfGas = false;
    return lookMs;
  }

  /** Null means that no node knows the transaction, because it was never sent or was lost, or that it reverted. */
  async function whereIs({ client }: AnchorChain, hash: Hex): Promise<Whereabouts | null> {
    const found = await client.getTransaction({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionNotFoundError) return null;
      throw error;
    });
    if (found === null || found.blockNumber !== null) {
      firstSeen.delete(hash);
      if (found === null) return null;
      const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
        // The block was replaced at this moment.
        if (error instanceof TransactionReceiptNotFoundError) return null;
        throw error;
      });
      return receipt?.status === "reverted" ? null : "mined";
    }
    const since = firstSeen.get(hash) ?? now();
    firstSeen.set(hash, since);
    return now() - since < stuckAfterMs ? "waiting" : "stuck";
  }

  /** Stores the head of a stream on chain if the stream has advanced far enough since the last stored head. */
  async function keepHead(chain: AnchorChain, of: store.Stream, number: number): Promise<void> {
    if (number - (await store.lastKept(db.orm, of)) < keepEvery) {
      keeping.delete(of.stream);
      return;
    }
    const hash = keeping.get(of.stream);
    const sent = hash === undefined ? null : await whereIs(chain, hash);
    if (sent !== null && sent !== "stuck") return;
    const remember = async (next: Hex) => void keeping.set(of.stream, next);
    const call = { ...targetOf(chain), functionName: "keepHead", args: [of.stream] } as const;
    await chain.anchorer.submit(call, remember, stuckOf(sent, hash ?? null)).catch((error: unknown) => {
      // The node uses an older block than the tables. The next turn tries again.
      if (!(error instanceof CallReverted)) throw error;
    });
  }
}

function targetOf({ contract: address }: AnchorChain) {
  return { address, abi: telemetryAnchorAbi } as const;
}

/** Returns the transaction to replace, or undefined if there is none. */
function stuckOf(sent: Whereabouts | null, hash: Hex | null): Hex | undefined {
  return sent === "stuck" && hash !== null ? hash : undefined;
}

type Whereabouts = "mined" | "waiting" | "stuck";

/**
 * Another process of this instance may just have used the nonce of a transaction, so one rejection by the node need
 * not be final.
 */
const NODE_MS = 60_000;
const nothing: StreamHead = { number: 0, head: noReading };

/** Returns the reason why a stream is stopped if the stream itself is the cause, and null otherwise. */
function reasonOf(error: unknown): string | null {
  if (error instanceof Stopped || error instanceof AlteredReading) return error.message;
  // The full message contains the node's address, which may include a key.
  return error instanceof BaseError && !isAway(error) ? error.shortMessage : null;
}

/** Another process has already sent the same batch. */
class Overtaken extends Error {
  override name = "Overtaken";
}
