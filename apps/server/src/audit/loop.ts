import { setTimeout as sleep } from "node:timers/promises";
import { DAY_MS } from "@aqua/sdk/durations";
import type { Database } from "../db/database.ts";
import { rewindChain } from "../indexer/store.ts";
import { type ChainAudit, type ChainAuditParts, createChainAudit } from "./chainAudit.ts";
import type { Difference } from "./difference.ts";
import { type AuditStore, blockOf } from "./store.ts";

export interface AuditedChain extends Omit<ChainAuditParts, "db"> {}

interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface AuditLoopParts {
  db: Database;
  chains: readonly AuditedChain[];
  store: AuditStore;
  /** The part of a core's time that the audit may take, above 0 and up to 1. */
  share: number;
  log: Log;
  /** Milliseconds between two looks for new blocks. */
  everyMs?: number;
  /** Milliseconds after which the whole history is audited again. */
  wholeEveryMs?: number;
}

const EVERY_MS = 20_000;
/** The same while rows are read again. */
const URGENT_MS = 1_000;
/** At most so many differences of one audit are recorded. */
const MOST = 1_000;

/** An audit in progress, and its row in the record. */
interface Audit {
  audit: ChainAudit;
  run: number;
  started: number;
  /** True once it has compared the whole history. From then on it follows the chain. */
  isComplete: boolean;
  /** What differs. It is judged when every block was compared. */
  differences: Difference[];
  /** The rows that were read again because they differed, until all rows are right. */
  reread: ReadonlySet<string>;
  /** True after one of them differed again, until all rows are right. Then nothing is read again. */
  disagrees: boolean;
  /** What was logged last, so that a condition that lasts is logged once. */
  said: string;
}

/** Audits the chains in turn until the signal aborts. */
export async function runAudits(parts: AuditLoopParts, signal: AbortSignal): Promise<void> {
  await Promise.all(parts.chains.map((chain) => auditChain(parts, chain, signal)));
}

async function auditChain(parts: AuditLoopParts, chain: AuditedChain, signal: AbortSignal): Promise<void> {
  const { db, store, share, log, everyMs = EVERY_MS, wholeEveryMs = DAY_MS } = parts;
  const { chainId } = chain;

  async function begin(reread: ReadonlySet<string> = new Set()): Promise<Audit> {
    const started = Date.now();
    const run = await store.begin(chainId, started);
    const audit = createChainAudit({ ...chain, db });
    return { audit, run, started, isComplete: false, differences: [], reread, disagrees: false, said: "" };
  }

  function say(current: Audit, what: string, write: () => void): void {
    if (current.said !== what) write();
    current.said = what;
  }

  /**
   * Records what differs and has the chain's writer read the blocks from the first difference on again. If a row differs
   * after that too, the two disagree, and only a person can say which of them is wrong. Returns whether the history is to
   * be compared again. If the node or the database fails meanwhile, the differences remain, and it is called again.
   */
  async function judge(current: Audit): Promise<boolean> {
    const { differences, audit, reread } = current;
    const node = await audit.contradictions();
    if (node.length > 0) {
      const message = "audit: the node's logs and its contracts differ; no row is judged by them";
      say(current, "node", () => log.warn({ chain_id: chainId, differences: node.slice(0, 10) }, message));
      current.differences = [];
      return false;
    }
    if (differences.length === 0) {
      [current.reread, current.disagrees] = [new Set(), false];
      await complete(current);
      return false;
    }
    await store.find(chainId, differences, Date.now());
    const fields = { chain_id: chainId, count: differences.length, first: differences[0] };
    const rows = differences.map(({ table, row }) => `${table} ${row}`);
    current.disagrees ||= rows.some((row) => reread.has(row));
    if (current.disagrees) {
      const message = "audit: rows differ although they were read again: the indexer and the audit disagree";
      say(current, "disagree", () => log.error(fields, message));
      await complete(current);
      current.differences = [];
      return false;
    }
    log.error(fields, "audit: stored rows differ from the chain; their blocks are read again");
    const first = Math.min(...differences.map((one) => blockOf(one) ?? 0));
    await rewindChain(db, chainId, await blockBefore(chain, first));
    Object.assign(current, await begin(new Set([...reread, ...rows])));
    return true;
  }

  async function complete(current: Audit): Promise<void> {
    if (current.isComplete) return;
    current.isComplete = true;
    await store.end(current.run, chainId, Date.now());
    log.info({ chain_id: chainId }, "audit: the whole history was compared");
  }

  /** Returns whether there is more to do at once. */
  async function advance(current: Audit): Promise<boolean> {
    const step = await current.audit.step();
    const now = Date.now();
    switch (step.kind) {
      case "compared": {
        const { from, to, head, figures, differences } = step;
        await store.advance(current.run, { to, figures, now });
        if (differences.length === 0) await store.heal(chainId, { from, to, head, now });
        current.differences.push(...differences.slice(0, MOST - current.differences.length));
        return true;
      }
      case "done":
        if ((!current.isComplete || current.differences.length > 0) && (await judge(current))) return true;
        await store.advance(current.run, { to: null, figures: 0, now });
        return false;
      case "restarted":
        log.info({ chain_id: chainId }, "audit: the chain replaced compared blocks; the audit starts again");
        current.differences = [];
        return true;
      case "waiting":
        return false;
    }
  }

  let following = await begin();
  let whole: Audit | null = null;
  while (!signal.aborted) {
    const begun = performance.now();
    let isMore = false;
    try {
      for (const current of whole === null ? [following] : [following, whole]) {
        if (await advance(current)) isMore = true;
      }
      if (whole?.isComplete) [following, whole] = [whole, null];
      else if (whole === null && following.isComplete && Date.now() - following.started > wholeEveryMs)
        whole = await begin();
    } catch (error) {
      if (signal.aborted) return;
      say(following, String(error), () =>
        log.warn({ err: error, chain_id: chainId }, "audit: a step failed; it is tried again"),
      );
    }
    const spent = performance.now() - begun;
    // What differs is compared and corrected at full speed.
    const isUrgent = [following, whole].some(
      (one) => one !== null && (one.reread.size > 0 || one.differences.length > 0),
    );
    const rest = isUrgent ? 0 : (spent * (1 - share)) / share;
    await pause(isMore ? rest : Math.min(everyMs, isUrgent ? URGENT_MS : everyMs), signal);
  }
}

/** The block before one that a row claims. A block that the chain has not reached comes after the newest one. */
async function blockBefore({ client, deployment }: AuditedChain, block: number) {
  if (block <= deployment.start_block) return null;
  const newest = await client.getBlock();
  const { number, hash, timestamp } =
    block > Number(newest.number) ? newest : await client.getBlock({ blockNumber: BigInt(block - 1) });
  return { number: Number(number), hash, time: Number(timestamp) };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
