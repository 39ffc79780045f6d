import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { createIndexer, type Indexer, type IndexerSettings } from "../../src/indexer/indexer.ts";
import { chainCursor } from "../../src/indexer/schema.ts";
import { forgetChain } from "../../src/indexer/store.ts";
import { withDatabase } from "../support/databases.ts";
import { type Call, clientOf, type History, makeHistory } from "./history.ts";
import { derivedTables, rowCount } from "./tables.ts";
import { silent } from "./world.ts";

const CONFIRMATIONS = 2;
/** Long enough that a busy machine does not lose the lease. */
const LEASE_MS = 2_000;
const history = makeHistory({ size: 2_000 });
const late = makeHistory({ size: 2_000, lateListing: true });

/** The answer of a node on whose chain the blocks above `fork` and their transactions are others. */
function onBranch(answer: unknown, fork: number): unknown {
  const other = (hash: string) => hash.replace(/^0x../, "0xff");
  if (Array.isArray(answer)) return answer.map((one) => onBranch(one, fork));
  if (typeof answer !== "object" || answer === null) return answer;
  const one = answer as Record<string, string>;
  const block = Number(one.blockNumber ?? one.number);
  return {
    ...one,
    ...(block > fork && one.blockHash && { blockHash: other(one.blockHash) }),
    ...(block > fork && one.transactionHash && { transactionHash: other(one.transactionHash) }),
    ...(block > fork && one.hash && { hash: other(one.hash) }),
    ...(block > fork + 1 && one.parentHash && { parentHash: other(one.parentHash) }),
  };
}

withDatabase("steps of a backfill", (open) => {
  let db: Database;
  const running: Indexer[] = [];
  beforeAll(async () => {
    db = await open();
  });
  afterEach(async () => {
    for (const indexer of running.splice(0)) await indexer.stop();
    await forgetChain(db, history.deployment.chain_id);
  });

  /** `blocks`: the block of the tables after each step. */
  async function start(
    chain: History,
    settings: Partial<IndexerSettings>,
    tamper?: Parameters<typeof clientOf>[1],
  ): Promise<Indexer & { blocks: number[] }> {
    const blocks: number[] = [];
    const indexer = createIndexer({
      db,
      client: clientOf(chain, tamper),
      chainId: chain.deployment.chain_id,
      deployment: chain.deployment,
      events: { publish: (name, data) => name === "block" && blocks.push((data as { block: number }).block) },
      log: silent,
      settings: { confirmations: CONFIRMATIONS, pollMs: 25, backoffMs: 5, ...settings },
    });
    running.push(indexer);
    await indexer.start();
    return { ...indexer, blocks };
  }

  async function untilLive(chain: History, ...indexers: Indexer[]): Promise<void> {
    const live = { state: "live", cursor: { block: chain.head } };
    for (const indexer of indexers) await expect.poll(() => indexer.status()).toMatchObject(live);
  }

  /** Waits until an indexer has the lease. It is started alone, because either of two could get it. */
  const untilWriting = () => expect.poll(epoch).toBe(1);

  async function tablesOf(
    chain: History,
    settings: Partial<IndexerSettings>,
    tamper?: Parameters<typeof clientOf>[1],
  ): Promise<Record<string, unknown[]>> {
    const indexer = await start(chain, settings, tamper);
    await untilLive(chain, indexer);
    await indexer.stop();
    const tables = await derivedTables(db);
    await forgetChain(db, chain.deployment.chain_id);
    return tables;
  }

  async function epoch(): Promise<number | undefined> {
    const [row] = await db.orm.select().from(chainCursor);
    return row?.epoch;
  }

  for (const [name, chain] of Object.entries({ "a whole history": history, "a product listed late": late })) {
    it(`write the same tables of ${name} for any maximum of events per step and of rows in memory`, async () => {
      const atOnce = await tablesOf(chain, { stepEvents: 1_000_000 });
      expect(rowCount(atOnce)).toBeGreaterThan(chain.size);
      for (const settings of [{ stepEvents: 1 }, { stepEvents: 50 }, { stepEvents: 50, keptRows: 10 }])
        expect(await tablesOf(chain, settings)).toEqual(atOnce);
    });
  }

  it("contain no more events than allowed, except for a single block with more", async () => {
    const stepEvents = 60;
    const indexer = await start(history, { stepEvents });
    await untilLive(history, indexer);
    const { blocks } = indexer;
    // The first step lists all products and also contains their past events.
    let from = (blocks[0] ?? 0) + 1;
    for (const to of blocks.slice(1)) {
      const events = history.logsIn(from, to);
      if (events > stepEvents) expect(history.logsIn(to, to)).toBe(events);
      from = to + 1;
    }
    expect(from).toBe(history.head + 1);
    // Most steps contain several blocks.
    expect(blocks.length).toBeLessThan(history.head / 2);
  });

  it.each([
    ["continue on the new branch when it replaces a block that is being written", 0],
    ["continue on the new branch when it replaces a block that was read ahead", 1],
    ["continue on the new branch when it is older than what was read ahead", 40],
  ])("%s", async (_name, depth) => {
    const settings = { stepEvents: 60 };
    const middle = Math.floor(history.head / 2);
    const truth = await tablesOf(history, settings, (_call, answer) => onBranch(answer(), middle - depth));
    let isReplaced = false;
    const indexer = await start(history, settings, (call, answer) => {
      const [filter] = (call.params ?? []) as [{ fromBlock?: string }];
      const answered = isReplaced ? onBranch(answer(), middle - depth) : answer();
      // The indexer has just read the middle, while it writes the blocks before.
      if (call.method === "eth_getLogs" && Number(filter.fromBlock) > middle) isReplaced = true;
      return answered;
    });
    await untilLive(history, indexer);
    expect(await derivedTables(db)).toEqual(truth);
  });

  const slow = async (_: Call, answer: () => unknown) => {
    await sleep(25);
    return answer();
  };

  it("renew the lease during a backfill that takes longer", async () => {
    const settings = { leaseMs: LEASE_MS, stepEvents: 100 };
    const first = await start(history, settings, slow);
    await untilWriting();
    const second = await start(history, settings, slow);
    await untilLive(history, first, second);
    expect(await epoch()).toBe(1);
    expect(first.blocks.length).toBeGreaterThan(20);
  });

  it("renew the lease during a single step that takes longer", async () => {
    const span = 4;
    const settings = { leaseMs: LEASE_MS, span };
    let asked = 0;
    /** Delays requests for a single contract, such as those for a new product's past. */
    const slowPast: typeof slow = async ({ method, params }, answer) => {
      const [filter] = (params ?? []) as [{ address?: unknown[] }];
      if (method !== "eth_getLogs" || filter.address?.length !== 1) return answer();
      asked += 1;
      await sleep((2 * LEASE_MS * span) / late.head);
      return answer();
    };
    const first = await start(late, settings, slowPast);
    await untilWriting();
    const second = await start(late, settings);
    await untilLive(late, first, second);
    expect(await epoch()).toBe(1);
    expect(asked).toBeGreaterThanOrEqual(late.head / span);
  });

  it("miss nothing if the holder of the lease is killed and another process continues", async () => {
    const truth = await tablesOf(history, {});
    const settings = { leaseMs: LEASE_MS, stepEvents: 100 };
    let answers = 0;
    // A killed process notices nothing, so its requests must not time out.
    const first = await start(history, { ...settings, answerMs: 60_000 }, (call, answer) => {
      answers += 1;
      // Simulates a killed process: it does nothing more, and its lease is not released.
      return answers > 130 ? new Promise(() => {}) : slow(call, answer);
    });
    await untilWriting();
    const second = await start(history, settings);
    await untilLive(history, second);
    expect(await epoch()).toBe(2);
    expect(first.blocks.length).toBeGreaterThan(3);
    expect(first.blocks.at(-1)).toBeLessThan(history.head / 2);
    expect(await derivedTables(db)).toEqual(truth);
  });
});
