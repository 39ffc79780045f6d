import { type SQL, sql } from "drizzle-orm";
import { toEventSelector } from "viem";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createChainAudit } from "../../src/audit/chainAudit.ts";
import { runAudits } from "../../src/audit/loop.ts";
import { auditFinding, auditRun } from "../../src/audit/schema.ts";
import { auditSummary, createAuditStore } from "../../src/audit/store.ts";
import type { Database } from "../../src/db/database.ts";
import type { ChainClient } from "../../src/indexer/node.ts";
import { derivedTables } from "../indexer/tables.ts";
import { CHAIN_ID, caughtUp, indexerOf, openWorld, type RunningIndexer, silent, type World } from "../indexer/world.ts";
import { openStage, runSimulation } from "../portfolio/life.ts";
import { withDatabase } from "../support/databases.ts";

const CONFIRMATIONS = 3;

withDatabase("an audit beside an indexer", (open) => {
  let world: World;
  let db: Database;
  let indexer: RunningIndexer;
  const errors: string[] = [];
  const stopping = new AbortController();
  let running: Promise<void>;

  beforeAll(async () => {
    world = await openWorld();
    await runSimulation(await openStage(world), "audit", 40);
    db = await open();
    indexer = indexerOf(world, db, { settings: { confirmations: CONFIRMATIONS } });
    await indexer.start();
    await caughtUp(world, indexer);
  });
  afterAll(async () => {
    stopping.abort();
    await running;
    await indexer?.stop();
    await world?.stop();
  });

  /** The number of next calls of the loop that its node does not answer. */
  let unanswered = 0;
  const shaky = () => {
    const readContract = (call: never) => {
      if (unanswered === 0) return world.client.readContract(call);
      unanswered -= 1;
      return Promise.reject(new Error("the node does not answer"));
    };
    return { ...world.client, readContract } as ChainClient;
  };

  const chain = (client: ChainClient = world.client) => ({
    ...{ chainId: CHAIN_ID, client, confirmations: 0 },
    deployment: world.deployed.deployment,
  });

  /** Compares all rows. Returns how many differ, and where the node contradicts itself. */
  async function auditOnce(client?: ChainClient) {
    const audit = createChainAudit({ ...chain(client), db });
    let differing = 0;
    for (;;) {
      const step = await audit.step();
      if (step.kind === "compared") differing += step.differences.length;
      if (step.kind === "done") return { differing, contradictions: await audit.contradictions() };
    }
  }

  function start(): void {
    const log = { ...silent, error: (_: object, message: string) => void errors.push(message) };
    const parts = {
      db,
      chains: [{ ...chain(shaky()), confirmations: CONFIRMATIONS }],
      store: createAuditStore(db),
      log,
    };
    running = runAudits({ ...parts, share: 1, everyMs: 20 }, stopping.signal);
  }

  const countFindings = async () => (await db.orm.select().from(auditFinding)).length;
  const untilWhole = (audits: number) =>
    vi.waitFor(
      async () => expect((await db.orm.select().from(auditRun)).filter((run) => run.endTime)).toHaveLength(audits),
      { timeout: 60_000 },
    );

  it("agrees with every row and with the contracts", async () => {
    expect(await auditOnce()).toEqual({ differing: 0, contradictions: [] });
  });

  it("knows that it may judge no row if the node left out events", async () => {
    const { client } = world;
    const leftOut = toEventSelector("CapChanged(uint256)");
    const getLogs = async (filter: never) =>
      (await client.getLogs(filter)).filter(({ topics }: { topics: readonly string[] }) => topics[0] !== leftOut);
    const short = { ...client, getLogs };
    const { differing, contradictions } = await auditOnce(short as never);
    expect(differing).toBeGreaterThan(0);
    expect(contradictions).not.toEqual([]);
  });

  it("starts again if the chain replaces compared blocks while the next ones are read", async () => {
    const fork = await world.snapshot();
    let whileReading = async () => {};
    const getLogs = async (filter: never) => {
      await whileReading();
      return world.client.getLogs(filter);
    };
    const audit = createChainAudit({ ...chain({ ...world.client, getLogs } as never), db });
    await world.mine([await world.report(1, 0n)]);
    await caughtUp(world, indexer);
    while ((await audit.step()).kind !== "done");
    await world.mine();
    await caughtUp(world, indexer);
    whileReading = async () => {
      whileReading = async () => {};
      await world.revert(fork);
      for (let block = 0; block < 3; block += 1) await world.mine();
    };
    expect(await audit.step()).toEqual({ kind: "restarted" });
    await caughtUp(world, indexer);
  });

  it("knows the history of a product that is listed long after its creation", async () => {
    const following = createChainAudit({ ...chain(), db });
    /** Compares all blocks that are not compared yet. Returns how many rows differ. */
    const differing = async (audit: typeof following) => {
      await caughtUp(world, indexer);
      let count = 0;
      for (let step = await audit.step(); step.kind !== "done"; step = await audit.step())
        if (step.kind === "compared") count += step.differences.length;
      return count;
    };
    const { call, address } = await world.createVault();
    await world.mine([call]);
    expect(await differing(following)).toBe(0);
    // More blocks than the audit compares at first in one step.
    for (let block = 0; block < 80; block += 1) await world.mine();
    await world.mine([world.list("late", address)]);
    expect(await differing(following)).toBe(0);
    expect(await differing(createChainAudit({ ...chain(), db }))).toBe(0);
  });

  it("compares the same figures if the node does not answer one of its requests", async () => {
    let [requests, failing] = [0, 0];
    const flaky = <Name extends keyof ChainClient>(name: Name) => ({
      [name]: (...args: never[]) => {
        requests += 1;
        if (requests === failing) return Promise.reject(new Error("the node does not answer"));
        return (world.client[name] as (...all: never[]) => unknown)(...args);
      },
    });
    const client = { ...world.client, ...flaky("getBlock"), ...flaky("getLogs"), ...flaky("readContract") };
    const compared = async () => {
      requests = 0;
      const audit = createChainAudit({ ...chain(client as ChainClient), db });
      let figures = 0;
      for (;;) {
        const step = await audit.step().catch(() => null);
        if (step?.kind === "done") return figures;
        if (step?.kind !== "compared") continue;
        expect(step.differences).toEqual([]);
        figures = step.from === null ? step.figures : figures + step.figures;
      }
    };
    const honest = await compared();
    const last = requests;
    for (failing = 1; failing <= last; failing += 9) expect(await compared()).toBe(honest);
    for (failing = last - 6; failing <= last; failing += 1) expect(await compared()).toBe(honest);
  });

  it("finds changed rows, has their blocks read again and records when they were right again", async () => {
    const honest = await derivedTables(db);
    for (const change of [
      sql`update movement set assets = assets + 1 where ctid = (select min(ctid) from movement)`,
      sql`delete from position where block = (select min(block) from position)`,
      sql`update receipt set owner = '0x00000000000000000000000000000000000000aa' where ctid = (select min(ctid) from receipt)`,
      sql`update vault_state set block = 99999999 where ctid = (select max(ctid) from vault_state)`,
    ])
      await db.orm.execute(change);
    start();
    await untilWhole(1);
    expect(await derivedTables(db)).toEqual(honest);
    const found = await db.orm.select().from(auditFinding);
    expect(new Set(found.map(({ table }) => table))).toEqual(
      new Set(["movement", "vault_state", "position", "receipt"]),
    );
    expect(found.filter(({ healed }) => healed === null)).toEqual([]);
    expect(errors).toContain("audit: stored rows differ from the chain; their blocks are read again");
    const { chains, findings } = await auditSummary(db.orm, [CHAIN_ID]);
    expect(chains).toMatchObject([{ chain_id: CHAIN_ID, open: 0, whole: { figures: expect.any(Number) } }]);
    expect(findings).toHaveLength(found.length);
  });

  it("follows deep reorganizations without a false finding", async () => {
    const findings = await countFindings();
    errors.length = 0;
    const mine = async (seconds: number) => world.mine([await world.report(1, 0n, seconds)], seconds);
    for (const depth of [1, 2, 5, 9, 14]) {
      const snapshot = await world.snapshot();
      for (let block = 0; block < depth; block += 1) await mine(20);
      await caughtUp(world, indexer);
      await world.revert(snapshot);
      for (let block = 0; block <= depth; block += 1) await mine(21);
      await caughtUp(world, indexer);
    }
    const { number } = await world.head();
    await vi.waitFor(
      async () => {
        const { chains } = await auditSummary(db.orm, [CHAIN_ID]);
        expect(chains[0]?.block).toBe(number - CONFIRMATIONS);
      },
      { timeout: 60_000 },
    );
    expect(errors).toEqual([]);
    expect(await countFindings()).toBe(findings);
  });

  /** Mines a report, changes rows before they are final, and has the audit compare them. Returns what it finds. */
  async function foundAfter(change: SQL, tables: readonly string[]) {
    await world.mine([await world.report(1, 0n)]);
    await caughtUp(world, indexer);
    const honest = await derivedTables(db);
    const known = await countFindings();
    await db.orm.execute(change);
    for (let block = 0; block < CONFIRMATIONS; block += 1) await world.mine();
    const found = async () => (await db.orm.select().from(auditFinding).orderBy(auditFinding.id)).slice(known);
    await vi.waitFor(async () => {
      const rows = await found();
      expect(new Set(rows.map(({ table }) => table))).toEqual(new Set(tables));
      expect(rows.filter(({ healed }) => healed === null)).toEqual([]);
    });
    await caughtUp(world, indexer);
    expect(await derivedTables(db)).toEqual(honest);
    return found();
  }

  it("deletes a row that claims a block that the chain has not reached", async () => {
    const found = await foundAfter(
      sql`insert into privileged_act
      select chain_id, 99999999, log_index, time, hash, contract, name, args from privileged_act limit 1`,
      ["privileged_act"],
    );
    expect(found).toMatchObject([{ table: "privileged_act", column: "", expected: null, block: 99_999_999 }]);
  });

  it("judges again what it found while the node did not answer", async () => {
    unanswered = 1;
    const found = await foundAfter(
      sql`update report set delta = delta + 1
      where block = (select max(block) from report)`,
      ["report"],
    );
    expect(unanswered).toBe(0);
    expect(found).toMatchObject([{ table: "report", column: "delta" }]);
  });

  it("corrects rows that are changed while others are read again", async () => {
    errors.length = 0;
    await db.orm.execute(sql`create function again() returns trigger language plpgsql as
      $$ begin update movement set assets = assets + 1 where ctid = (select min(ctid) from movement); return new; end $$`);
    await db.orm.execute(sql`create trigger again after insert on audit_finding for each row
      when (new."table" = 'report') execute function again()`);
    await foundAfter(sql`update report set delta = delta + 1 where block = (select max(block) from report)`, [
      "movement",
      "report",
    ]);
    await db.orm.execute(sql`drop trigger again on audit_finding`);
    expect(errors.filter((message) => message.includes("disagree"))).toEqual([]);
  });

  it("keeps a finding open and reads nothing a third time if the rows stay wrong", async () => {
    await db.orm.execute(sql`create function wrong() returns trigger language plpgsql as
      $$ begin new.delta := new.delta + 1; return new; end $$`);
    await db.orm.execute(sql`create trigger wrong before insert on report for each row execute function wrong()`);
    const known = await countFindings();
    errors.length = 0;
    await world.mine([await world.report(1, 0n)]);
    for (let block = 0; block < CONFIRMATIONS; block += 1) await world.mine();
    await vi.waitFor(() => expect(errors).toContainEqual(expect.stringContaining("disagree")), { timeout: 60_000 });
    expect(errors.filter((message) => message.includes("read again"))).toHaveLength(2);
    const { chains } = await auditSummary(db.orm, [CHAIN_ID]);
    expect(chains[0]?.open).toBe(1);
    // It was not right in between, while the audit compared the blocks before it.
    expect(await countFindings()).toBe(known + 1);
  });
});
