import { setTimeout as sleep } from "node:timers/promises";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { MINUTE_MS } from "@aqua/sdk/durations";
import { and, eq } from "drizzle-orm";
import { BaseError, type Hex, type PublicClient, parseErc6492Signature, stringToHex } from "viem";
import { z } from "zod";
import { CallReverted, OutOfGas, type Sender } from "../chain/sender.ts";
import type { Database, Orm } from "../db/database.ts";
import type { EventHub } from "../events/hub.ts";
import { type JobContext, type JobHandler, RetryLater } from "../jobs/runner.ts";
import { readBinding, upsertBinding } from "./bindings.ts";
import { enqueueRecords, type RecordJob } from "./enqueue.ts";
import { walletBinding } from "./schema.ts";
import { type ChainRecord, nextStep, type Step, TIER } from "./step.ts";
import { heldUntil } from "./switches.ts";
import { type Target, targetOf, type VerificationOf } from "./target.ts";

/** A chain with records, and the account that writes them. */
export interface RecordChain {
  chainId: number;
  client: PublicClient;
  registry: Hex;
  attester: Sender;
  /** Called with true if the attester cannot pay for its transactions, otherwise with false. */
  outOfGas(is: boolean): void;
}

export interface RecordJobParts {
  db: Database;
  events: Pick<EventHub, "publishIdentity">;
  verificationOf: VerificationOf;
  /** Throws if somebody changed the stored rows of an account, so that nothing is written on chain because of them. */
  requireAccount(tx: Orm, accountId: string): Promise<void>;
  chains: readonly RecordChain[];
  log: { error(fields: object, message: string): void };
  settings?: Partial<RecordJobSettings>;
}
export interface RecordJobSettings {
  /** How long one attempt waits for a block before it makes room for other jobs. */
  blockWithinMs: number;
  /** The time after which a transaction that no block has included is sent again with a higher fee. */
  stuckAfterMs: number;
  /** The time after which a record is checked again, because the block that contained it may have been replaced. */
  lookAgainMs: number;
  /**
   * How often the job checks whether a waiting switch was stopped, or whether the account's identity was decided again.
   */
  heldAgainMs: number;
}
const defaults: RecordJobSettings = {
  blockWithinMs: 3_000,
  stuckAfterMs: 180_000,
  lookAgainMs: 15 * MINUTE_MS,
  heldAgainMs: 60_000,
};

const payloadSchema = z.object({ chainId: z.number(), address: z.string().transform((text) => text as Hex) });

/**
 * Updates the record of one wallet on one chain to match the tables. Every attempt starts from the current state of the
 * chain and the tables, and the hash of a transaction is stored before it is sent. The job can therefore stop at any
 * point and start again.
 */
export function createRecordJob({
  db,
  events,
  verificationOf,
  requireAccount,
  chains,
  log,
  settings,
}: RecordJobParts): JobHandler {
  const { blockWithinMs, stuckAfterMs, lookAgainMs, heldAgainMs } = { ...defaults, ...settings };
  const turns = new Map<string, Promise<void>>();

  return async (payload, context) => {
    const job = payloadSchema.parse(payload);
    const chain = chains.find(({ chainId }) => chainId === job.chainId);
    // The chain is no longer served, so nothing can be written there.
    if (chain === undefined) return;
    const key = `${job.chainId} ${job.address}`;
    const turn = (turns.get(key) ?? Promise.resolve()).catch(() => {}).then(() => run(chain, job, context));
    turns.set(key, turn);
    try {
      await turn;
    } catch (error) {
      // The full message contains the address of the node, which may include a key, and the sent data.
      throw error instanceof BaseError ? new Error(`chain ${job.chainId}: ${error.shortMessage}`) : error;
    } finally {
      if (turns.get(key) === turn) turns.delete(key);
    }
  };

  async function run(chain: RecordChain, job: RecordJob, context: JobContext): Promise<void> {
    const stuck = await settleSent(chain, job, context.signal);
    for (let sent = false; ; sent = true) {
      const target = await targetOf(db.orm, job.address, verificationOf);
      await waitForSwitch(job, target);
      const step = await stepOf(chain, job.address, target);
      if (step.kind === "done" || step.kind === "refused") {
        // A stuck transaction may still be included in a block and change the record.
        if (stuck !== undefined && !sent) throw new RetryLater(30_000);
        const reason = step.reason ?? null;
        return end(job, target, { state: step.kind === "refused" ? "failed" : step.state, reason });
      }
      // The transaction is in a block without effect, or the node that was read is behind. The next attempt waits.
      if (sent) throw new RetryLater(pauseAfter(context, { first: 2_000, longest: 60_000 }));
      try {
        await send({ chain, job, target, step, stuck });
      } catch (error) {
        if (!(error instanceof CallReverted)) throw error;
        return refuse({ chain, job, target, error, context });
      }
      await settleSent(chain, job, context.signal);
    }
  }

  /**
   * Waits while a switch can still be stopped; until then nothing is written about its two wallets. An account that is
   * no longer verified does not wait, so that its wallets become exit-only at once.
   */
  async function waitForSwitch(job: RecordJob, target: Target): Promise<void> {
    const until = await heldUntil(db.orm, job.address);
    if (until === null || target.wallet === null) return;
    if ((await verificationOf(db.orm, target.wallet.accountId)) === null) return;
    const before = await readBinding(db.orm, job);
    if (target.kind === "verified" && (before?.state !== "waiting" || before.reason !== "switch_waits")) {
      await show(job, target, { state: "waiting", reason: "switch_waits" });
    }
    throw new RetryLater(Math.max(1, Math.min(heldAgainMs, until - Date.now())));
  }

  /** Waits for a transaction that is under way. Returns its hash if it is stuck, and undefined if none is under way. */
  async function settleSent(chain: RecordChain, job: RecordJob, signal: AbortSignal): Promise<Hex | undefined> {
    const binding = await readBinding(db.orm, job);
    if (binding?.state !== "sent" || binding.hash === null) return undefined;
    const { hash, updateTime } = binding;
    const until = Date.now() + blockWithinMs;
    for (;;) {
      const found = await transactionOf(chain.client, hash);
      // A transaction unknown to the node was never sent or is lost, so its nonce is free.
      if (found === null || found.blockNumber !== null) return undefined;
      if (updateTime + stuckAfterMs <= Date.now()) return hash;
      if (Date.now() >= until || signal.aborted) throw new RetryLater(1_000);
      await sleep(100);
    }
  }

  async function send({
    chain,
    job,
    target,
    step: { kind },
    stuck,
  }: {
    chain: RecordChain;
    job: RecordJob;
    target: Target;
    step: Step;
    stuck?: Hex | undefined;
  }): Promise<void> {
    const registry = { address: chain.registry, abi: identityRegistryAbi } as const;
    const remember = async (hash: Hex) => {
      await upsertBinding(db.orm, job, { state: "sent", hash });
      if (target.wallet !== null) events.publishIdentity(target.wallet.accountId);
    };
    try {
      if (target.kind !== "verified" || kind === "revoke") {
        await chain.attester.submit({ ...registry, functionName: "revoke", args: [job.address] }, remember, stuck);
        chain.outOfGas(false);
        return;
      }
      await db.transaction((tx) => requireAccount(tx, target.wallet.accountId), "repeatable read");
      if (kind === "renew") {
        const args = [job.address, target.validUntil] as const;
        await chain.attester.submit({ ...registry, functionName: "renew", args }, remember, stuck);
      } else {
        const { subject, validUntil, country, wallet } = target;
        // A wallet that has been deployed meanwhile needs its plain signature.
        const { signature } = parseErc6492Signature(wallet.signature);
        const proof = [stringToHex(wallet.message), signature] as const;
        const args = [job.address, subject, validUntil, country, TIER, ...proof] as const;
        await chain.attester.submit({ ...registry, functionName: "bind", args }, remember, stuck);
      }
      chain.outOfGas(false);
    } catch (error) {
      if (error instanceof OutOfGas) {
        chain.outOfGas(true);
        log.error({ chain_id: chain.chainId }, "the attester cannot pay for wallets' records; send it some coin");
      }
      throw error;
    }
  }

  /**
   * Handles a call that the chain rejected. If the cause may disappear by itself, the job tries again. If the owner
   * must act, the record shows the reason.
   */
  async function refuse({
    chain,
    job,
    target,
    error,
    context,
  }: {
    chain: RecordChain;
    job: RecordJob;
    target: Target;
    error: CallReverted;
    context: JobContext;
  }) {
    switch (error.errorName) {
      case "InvalidWalletSignature": {
        // A key's signature was checked when the wallet was linked, and it is valid on every chain.
        const here = target.wallet?.chainId === chain.chainId;
        if (here && (await chain.client.getCode({ address: job.address })) === undefined) {
          await show(job, target, { state: "waiting", reason: "not_created" });
          throw new RetryLater(pauseAfter(context, { first: 15_000, longest: 600_000 }));
        }
        return end(job, target, { state: "failed", reason: here ? "signature" : "other_chain" });
      }
      case "SignatureUsed": {
        // A node that was behind returned the record as it was before this very signature bound the wallet.
        const { kind } = await stepOf(chain, job.address, target);
        if (kind !== "bind") throw new RetryLater(1_000);
        return end(job, target, { state: "failed", reason: "signature_used" });
      }
      case "WalletBoundToAnotherSubject":
        return end(job, target, { state: "failed", reason: "other_subject" });
      case "WalletRetired":
        return end(job, target, { state: "failed", reason: "retired" });
      default:
        // The record changed between reading and simulating, or the attester has lost its role.
        throw error;
    }
  }

  async function end(job: RecordJob, target: Target, shown: Shown): Promise<void> {
    const before = await readBinding(db.orm, job);
    // This comes first: a process that stops between the two steps finds "sent" again, and sending twice does no harm.
    if (before?.state === "sent") {
      await enqueueRecords(db.orm, { chainIds: [job.chainId], address: job.address, runAt: Date.now() + lookAgainMs });
    }
    await show(job, target, { hash: before?.hash ?? null, ...shown });
  }

  async function show(job: RecordJob, target: Target, shown: Shown): Promise<void> {
    if (target.wallet === null) {
      const { chainId, address } = job;
      await db.orm
        .delete(walletBinding)
        .where(and(eq(walletBinding.chainId, chainId), eq(walletBinding.address, address)));
      return;
    }
    await upsertBinding(db.orm, job, shown);
    events.publishIdentity(target.wallet.accountId);
  }
}

/** A pause in milliseconds that grows with the time that the job has waited. */
function pauseAfter({ waitedMs }: JobContext, { first, longest }: { first: number; longest: number }): number {
  return Math.min(longest, Math.max(first, waitedMs / 4));
}

type Shown = Parameters<typeof upsertBinding>[2];

function recordOf({ client, registry }: RecordChain, wallet: Hex): Promise<ChainRecord> {
  return client.readContract({
    address: registry,
    abi: identityRegistryAbi,
    functionName: "recordOf",
    args: [wallet],
  });
}

async function stepOf(chain: RecordChain, wallet: Hex, target: Target): Promise<Step> {
  const [record, { timestamp }] = await Promise.all([recordOf(chain, wallet), chain.client.getBlock()]);
  return nextStep(record, target, timestamp);
}

/** Null if the node does not know it. */
async function transactionOf(client: PublicClient, hash: Hex): Promise<{ blockNumber: bigint | null } | null> {
  return client.getTransaction({ hash }).catch((error: unknown) => {
    if (error instanceof BaseError && error.name === "TransactionNotFoundError") return null;
    throw error;
  });
}
