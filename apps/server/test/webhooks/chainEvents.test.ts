import { webhookData } from "@aqua/sdk/api/webhooks";
import { getAddress } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { auditFinding } from "../../src/audit/schema.ts";
import type { Database } from "../../src/db/database.ts";
import { createOpenFindings } from "../../src/findings/open.ts";
import { anchor } from "../../src/indexer/schema.ts";
import { forgetChain } from "../../src/indexer/store.ts";
import { job } from "../../src/jobs/schema.ts";
import { createChainEvents } from "../../src/webhooks/chainEvents.ts";
import { createEmit } from "../../src/webhooks/emit.ts";
import { webhookCursor, webhookEvent } from "../../src/webhooks/schema.ts";
import { CHAIN_ID, caughtUp, indexerOf, openWorld, type RunningIndexer, type World } from "../indexer/world.ts";
import { withDatabase } from "../support/databases.ts";

const CONFIRMATIONS = 3;
const DOLLAR = 1_000_000n;
let world: World;
let origin: `0x${string}`;

beforeAll(async () => {
  world = await openWorld();
  origin = await world.snapshot();
});
afterAll(() => world.stop());

withDatabase("webhooks of a chain", (open) => {
  let db: Database;
  let indexer: RunningIndexer;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    await world.revert(origin);
    origin = await world.snapshot();
    await world.mine([world.deposit(0, 0, 70n * DOLLAR)]);
    for (let block = 0; block < CONFIRMATIONS; block += 1) await world.mine();
    await start();
  });
  afterEach(async () => {
    await indexer.stop();
    await forgetChain(db, CHAIN_ID);
    for (const table of [webhookEvent, webhookCursor, auditFinding, job]) await db.orm.delete(table);
  });

  async function start(): Promise<void> {
    indexer = indexerOf(world, db, { settings: { confirmations: CONFIRMATIONS } });
    await indexer.start();
    await caughtUp(world, indexer);
  }
  async function mine(calls: Parameters<World["mine"]>[0] = [], empty = 0): Promise<void> {
    await world.mine(calls);
    for (let block = 0; block < empty; block += 1) await world.mine();
    await caughtUp(world, indexer);
  }
  const chain = () => ({
    ...{ chainId: CHAIN_ID, deployment: world.deployed.deployment, confirmations: CONFIRMATIONS },
    status: indexer.status,
  });
  const turn = (of = chain()) =>
    createChainEvents({ db, findings: createOpenFindings(db, { maxAgeMs: 0 }), emit: createEmit(true) }, of);
  /** The bodies of the events that were stored, in order of their creation. */
  const events = async () => {
    const rows = await db.orm.select().from(webhookEvent).orderBy(webhookEvent.time, webhookEvent.type);
    return rows.map(({ body }) => JSON.parse(body));
  };
  const amounts = async () => (await events()).map(({ type, data }) => `${type} ${data.amount}`);

  it("tell of deposits, withdrawals and reports, each once, when their block is final", async () => {
    await turn();
    const shares = await world.shares(0, 0);
    await mine([world.deposit(1, 0, 120_500_000n), world.redeem(0, 0, shares / 7n), world.transfer(0, 2, 0, 5n)], 2);
    await turn();
    expect(await amounts()).toEqual([]);
    await mine([await world.report(0, 1n)]);
    await turn();
    expect(await amounts()).toEqual(["deposit 120.500000", "withdrawal 10.000000"]);
    await mine([], CONFIRMATIONS);
    for (let time = 0; time < 3; time += 1) await turn();
    const [deposit, withdrawal, report, ...more] = await events();
    expect(more).toEqual([]);
    expect(webhookData.deposit.parse(deposit.data)).toEqual(deposit.data);
    expect(webhookData.withdrawal.parse(withdrawal.data)).toEqual(withdrawal.data);
    expect(webhookData.report.parse(report.data)).toEqual(report.data);
    expect(deposit).toMatchObject({
      type: "deposit",
      timestamp: new Date(deposit.data.time).toISOString(),
      data: { chain_id: CHAIN_ID, kind: "deposit", short_id: world.shortIds[0], symbol: "tUSD" },
    });
    expect(deposit.data.address).toBe(getAddress(world.wallets[1] ?? ""));
    expect(withdrawal).toMatchObject({ type: "withdrawal", data: { kind: "withdraw" } });
    expect(report).toMatchObject({ type: "report", data: { amount: "0.000001", short_id: world.shortIds[0] } });
    expect(await db.orm.select().from(job)).toHaveLength(3);
  });

  it("tell of no deposit that a reorganisation has removed", async () => {
    await turn();
    const fork = await world.snapshot();
    await mine([world.deposit(1, 0, 111n * DOLLAR)], CONFIRMATIONS - 1);
    await turn();
    await world.revert(fork);
    await mine([world.deposit(1, 0, 222n * DOLLAR)], CONFIRMATIONS + 1);
    await turn();
    expect(await amounts()).toEqual(["deposit 222.000000"]);
  });

  it("do not tell of what happened before they were set up, nor of years that are read first", async () => {
    await turn({ ...chain(), status: () => ({ state: "backfill" }) as ReturnType<RunningIndexer["status"]> });
    expect(await db.orm.select().from(webhookCursor)).toEqual([]);
    await turn();
    await mine([], CONFIRMATIONS);
    await turn();
    expect(await amounts()).toEqual([]);
  });

  it("tell of what happened while the server was down, and of nothing twice when the chain is read again", async () => {
    await turn();
    await mine([world.deposit(1, 0, 100n * DOLLAR)], CONFIRMATIONS);
    await turn();
    await indexer.stop();
    await world.mine([world.deposit(2, 0, 200n * DOLLAR)]);
    await forgetChain(db, CHAIN_ID);
    await turn();
    await start();
    await mine([], CONFIRMATIONS);
    await turn();
    expect(await amounts()).toEqual(["deposit 100.000000", "deposit 200.000000"]);
    await db.orm.delete(webhookCursor);
    await db.orm.insert(webhookCursor).values({ chainId: CHAIN_ID, block: 0 });
    await turn();
    // The deposit from before the setting, and both again under their former ids.
    expect(await amounts()).toEqual(["deposit 70.000000", "deposit 100.000000", "deposit 200.000000"]);
  });

  it("tell of an anchored batch of a product", async () => {
    await turn();
    await mine([], CONFIRMATIONS + 1);
    const word = (digit: string) => `0x${digit.repeat(64)}` as const;
    const { number } = await world.head();
    const row = {
      ...{ chainId: CHAIN_ID, block: number - CONFIRMATIONS, logIndex: 7, time: 1_750_000_100, hash: word("1") },
      ...{ number: 4, root: word("2"), from: 1_750_000_000, to: 1_750_000_060, count: 12 },
      ...{ dataHash: word("3"), head: word("4") },
    };
    const stream = `0x${Buffer.from("sahel-solar").toString("hex").padEnd(64, "0")}` as const;
    await db.orm.insert(anchor).values([
      { ...row, stream },
      { ...row, stream: word("f"), logIndex: 8 },
    ]);
    await turn();
    const [event, ...more] = await events();
    expect(more).toEqual([]);
    expect(webhookData.anchor.parse(event.data)).toEqual(event.data);
    expect(event).toMatchObject({
      type: "anchor",
      data: { short_id: "sahel-solar", number: 4, count: 12, from: 1_750_000_000_000, to: 1_750_000_060_000 },
    });
  });

  it("wait while the audit has an open finding about rows that they state", async () => {
    await turn();
    await mine([world.deposit(1, 0, 100n * DOLLAR)], CONFIRMATIONS);
    const finding = { chainId: CHAIN_ID, row: "r", column: "assets", since: 1 };
    await db.orm.insert(auditFinding).values({ ...finding, table: "movement" });
    await turn();
    expect(await amounts()).toEqual([]);
    await db.orm.update(auditFinding).set({ healed: 2 });
    await turn();
    expect(await amounts()).toEqual(["deposit 100.000000"]);
  });
});
