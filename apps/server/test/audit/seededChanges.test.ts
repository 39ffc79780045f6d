import { recompute } from "@aqua/sdk/audit/recompute";
import type { Rows } from "@aqua/sdk/audit/rows";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEPOSITOR_COUNT } from "../../../../devnet/src/accounts.ts";
import { Random } from "../../../../devnet/src/random.ts";
import type { Difference } from "../../src/audit/difference.ts";
import { auditDocuments } from "../../src/audit/documents.ts";
import { compareRows, rowsBeyond } from "../../src/audit/rows.ts";
import { auditTelemetry } from "../../src/audit/telemetry.ts";
import { type Database, isTaken, type Orm } from "../../src/db/database.ts";
import { type Change, type ChangeKind, chainTables, changeKinds, changeRows, storedTables } from "./changes.ts";
import { openSeededWorld, type SeededWorld } from "./seededWorld.ts";
import { CHAIN, collect } from "./world.ts";

type Table = Change["table"];
interface Campaign {
  days: number;
  depositors: number;
  tables: readonly Table[];
  changes: number;
}

const ofChain = Object.keys(chainTables) as Table[];
const stored = Object.keys(storedTables) as Table[];
const month = { days: 30, depositors: 8 };
/**
 * A pass over a year of signed readings takes half a minute, over the rows of its chain less than a second. Readings are
 * therefore changed in a month.
 */
const campaigns: Record<string, Campaign> =
  process.env.AQUA_SOAK === "1"
    ? {
        "the seeded year": { days: 365, depositors: DEPOSITOR_COUNT, tables: ofChain, changes: 400 },
        "the seeded month": { ...month, tables: stored, changes: 100 },
      }
    : { "the seeded month": { ...month, tables: [...ofChain, ...stored], changes: 6 } };

/** A document that is missing is not a finding, because a server need not have the texts of each product. */
const unproved: Partial<Record<Table, readonly ChangeKind[]>> = { product_document: ["delete", "older"] };

class Undo extends Error {}

describe.each(Object.entries(campaigns))("the rows of %s", (name, { days, depositors, tables, changes }) => {
  let world: SeededWorld;
  let rows: Rows;
  beforeAll(async () => {
    world = await openSeededWorld({ days, depositors });
    const { client, deployment, head } = world;
    rows = await recompute({ client: client as never, chainId: CHAIN, deployment }, { to: head });
  });
  afterAll(() => world?.stop());

  /** One pass of each audit that covers these tables. */
  async function audited(
    db: Pick<Database, "orm" | "transaction">,
    of: readonly Table[],
  ): Promise<{ figures: number; differences: Difference[] }> {
    const differences: Difference[] = [];
    let figures = 0;
    if (of.some((table) => table in chainTables)) {
      const scope = { chainId: CHAIN, from: null, to: world.head, introduced: [], unreached: [] };
      const compared = await compareRows(db.orm, rows, scope);
      differences.push(...compared.differences, ...(await rowsBeyond(db.orm, { chainId: CHAIN, cursor: world.head })));
      figures += compared.figures;
    }
    if (of.some((table) => table in storedTables)) {
      for (const audit of [auditTelemetry({ db, chainIds: [CHAIN] }), auditDocuments({ db })]) {
        const compared = await collect(audit);
        differences.push(...compared.differences);
        figures += compared.compared;
      }
    }
    return { figures, differences };
  }

  it("equal what the audit expects, without a finding", async () => {
    const { figures, differences } = await audited(world.db, tables);
    expect(differences).toEqual([]);
    expect(figures).toBeGreaterThan(25_000);
  });

  it(`differ after each of ${changes} changes with a superuser's rights`, async () => {
    const random = new Random(`changes of ${name}`);
    const made = new Map<string, { made: number; found: number }>();
    const missed: Change[] = [];
    for (let count = 0; count < changes; ) {
      const table = random.pick(tables);
      const kind = random.pick(changeKinds);
      if (unproved[table]?.includes(kind)) continue;
      const undone = world.db.orm.transaction(async (tx) => {
        const change = await changeRows(tx, { kind, table }, random);
        if (change !== null) {
          const inside = { orm: tx, transaction: <T>(work: (inner: Orm) => Promise<T>) => work(tx) };
          const { differences } = await audited(inside, [table]);
          count += 1;
          const cell = made.get(`${table} ${kind}`) ?? { made: 0, found: 0 };
          made.set(`${table} ${kind}`, cell);
          cell.made += 1;
          if (differences.length > 0) cell.found += 1;
          else missed.push(change);
        }
        throw new Undo();
      });
      await undone.catch((error: unknown) => {
        // A change of a key can meet another row. The database itself refuses it.
        if (!(error instanceof Undo) && !isTaken(error)) throw error;
      });
    }
    console.log(tableOf(made));
    expect(missed).toEqual([]);
  }, 3_600_000);
});

/** The number of found and made changes as a table in Markdown. */
function tableOf(made: ReadonlyMap<string, { made: number; found: number }>): string {
  const tables = [...new Set([...made.keys()].map((key) => key.split(" ")[0]))].sort();
  const cell = (table: string | undefined, kind: ChangeKind) => {
    const of = made.get(`${table} ${kind}`);
    return of ? `${of.found} of ${of.made}` : "";
  };
  const lines = tables.map((table) => `| \`${table}\` | ${changeKinds.map((kind) => cell(table, kind)).join(" | ")} |`);
  return [`| Table | ${changeKinds.join(" | ")} |`, `|---|${"---|".repeat(changeKinds.length)}`, ...lines].join("\n");
}
