import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { Random } from "../../../../devnet/src/random.ts";
import { createChainAudit } from "../../src/audit/chainAudit.ts";
import { runAudits } from "../../src/audit/loop.ts";
import { auditFinding } from "../../src/audit/schema.ts";
import { auditSummary, createAuditStore } from "../../src/audit/store.ts";
import { type Database, isTaken } from "../../src/db/database.ts";
import { derivedTables } from "../indexer/tables.ts";
import { CHAIN_ID, caughtUp, indexerOf, openWorld, type RunningIndexer, type World } from "../indexer/world.ts";
import { withDatabase } from "../support/databases.ts";
import { type ChainTable, type Change, chainTables, changeKinds, changeRows } from "./changes.ts";
import { openPlay, type Play } from "./play.ts";

const CONFIRMATIONS = 12;
/** A day in `npm run test:long`. The last figure is the chain's seconds. */
const [REORGANIZATIONS, DEEPEST, CHANGES, PLAYED] =
  process.env.AQUA_SOAK === "1" ? [20, 64, 40, 86_400] : [1, 16, 1, 0];

withDatabase("an audit beside a day of play", (open) => {
  const random = new Random("a day of play");
  let world: World;
  let db: Database;
  let indexer: RunningIndexer;
  let play: Play;
  let started: number;
  const errors: string[] = [];
  const messages: string[] = [];
  const stopping = new AbortController();
  let running: Promise<void>;

  beforeAll(async () => {
    world = await openWorld();
    play = await openPlay(world, random);
    started = (await world.head()).time;
    db = await open();
    indexer = indexerOf(world, db, { settings: { confirmations: CONFIRMATIONS } });
    await indexer.start();
    await caughtUp(world, indexer);
    const log = {
      // A node that is asked for a block that it has just replaced answers with an error, and the step is tried again.
      warn: () => {},
      error: (fields: object, message: string) => void errors.push(`${message} ${JSON.stringify(fields)}`),
      info: (_: object, message: string) => void messages.push(message),
    };
    const parts = { db, chains: [audited(CONFIRMATIONS)], store: createAuditStore(db), log, share: 0.5 };
    running = runAudits({ ...parts, everyMs: 20, wholeEveryMs: 3_000 }, stopping.signal);
  });
  afterAll(async () => {
    stopping.abort();
    await running;
    await indexer?.stop();
    await world?.stop();
  });

  const audited = (confirmations: number) => ({
    ...{ chainId: CHAIN_ID, client: world.client, confirmations },
    deployment: world.deployed.deployment,
  });
  const findings = () => db.orm.select().from(auditFinding).orderBy(auditFinding.id);

  async function untilAudited(): Promise<void> {
    await caughtUp(world, indexer);
    const { number } = await world.head();
    await vi.waitFor(
      async () => {
        const { chains } = await auditSummary(db.orm, [CHAIN_ID]);
        expect(chains[0]?.block).toBe(number - CONFIRMATIONS);
      },
      { timeout: 120_000 },
    );
  }

  /** Replaces the last `depth` blocks by others. Half of the time, the audit has compared all of them that are final. */
  async function reorganize(depth: number): Promise<void> {
    const fork = await world.snapshot();
    await play.blocks(depth);
    if (depth === DEEPEST || random.chance(500)) await untilAudited();
    await world.revert(fork);
    await play.blocks(depth + random.between(1, 4));
  }

  it(`finds nothing while ${REORGANIZATIONS} reorganizations replace up to ${DEEPEST} blocks`, async () => {
    for (let made = 0; made < REORGANIZATIONS; made += 1) {
      await play.blocks(random.between(10, 40));
      await reorganize(made % 6 === 0 ? DEEPEST : random.between(1, DEEPEST));
    }
    while ((await world.head()).time - started < PLAYED) await play.blocks(50);
    for (let block = 0; block < CONFIRMATIONS; block += 1) await world.mine();
    await untilAudited();
    expect(errors).toEqual([]);
    expect(await findings()).toEqual([]);
    expect(messages.filter((message) => message.includes("starts again"))).not.toEqual([]);
  }, 3_600_000);

  it("compares every row, and each of its contracts agrees", async () => {
    const audit = createChainAudit({ ...audited(0), db });
    let figures = 0;
    for (let step = await audit.step(); step.kind !== "done"; step = await audit.step()) {
      if (step.kind !== "compared") continue;
      expect(step.differences).toEqual([]);
      figures += step.figures;
    }
    expect(await audit.contradictions()).toEqual([]);
    const tables = Object.entries(await derivedTables(db));
    const { number } = await world.head();
    console.log(`${number} blocks, ${tables.map(([name, rows]) => `${rows.length} rows of ${name}`).join(", ")}`);
    console.log(`${figures} figures equal`);
    if (PLAYED > 0) expect(tables.filter(([, rows]) => rows.length < 5)).toEqual([]);
  });

  it(`finds each of ${CHANGES} changes, and the rows are right again`, async () => {
    const honest = await derivedTables(db);
    const tables = Object.keys(chainTables) as ChainTable[];
    for (let made = 0; made < CHANGES; ) {
      const [last] = (await findings()).slice(-1);
      const drawn = { table: random.pick(tables), kind: random.pick(changeKinds) };
      const change = await db
        .transaction((tx) => changeRows(tx, drawn, random))
        .catch((error: unknown) => {
          // A change of a key can meet another row. The database itself refuses it.
          if (!isTaken(error)) throw error;
          return null;
        });
      if (change === null) continue;
      await untilFound(change, last?.id ?? 0);
      // Of two swapped rows, the first can be found by the next cycle.
      await vi.waitFor(async () => expect(await derivedTables(db)).toEqual(honest), { interval: 500 });
      made += 1;
    }
    expect(errors.filter((message) => message.includes("disagree"))).toEqual([]);
  }, 3_600_000);

  async function untilFound({ table, kind, column }: Change, after: number): Promise<void> {
    await vi.waitFor(
      async () => {
        const found = (await findings()).filter(({ id }) => id > after);
        const state = { table, kind, column, isFound: found.some((one) => one.table === table) };
        expect({ ...state, open: found.filter(({ healed }) => healed === null).length }).toEqual({
          ...{ ...state, isFound: true, open: 0 },
        });
      },
      { timeout: 120_000, interval: 200 },
    );
  }
});
