import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { withDatabase } from "../support/databases.ts";
import { readsOf } from "../support/growthReads.ts";
import { fillTables } from "../support/growthTables.ts";
import { counting } from "../support/queries.ts";

/** Tables that grow with the history of a site. */
const growing = [
  "movement",
  "position",
  "vault_state",
  "term_state",
  "receipt",
  "report",
  "queue_place",
  "reading",
  "reading_bucket",
];

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  Plans?: Plan[];
}

withDatabase("the reads behind the screens", (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
    await fillTables(db, {
      movements: 200,
      wallets: 10,
      receiptVersions: 200,
      reports: 10,
      requests: 10,
      readings: 400,
    });
  });

  /** Tables that a statement can read only as a whole. */
  async function scannedBy(statement: string): Promise<string[]> {
    const plan = await db.transaction(async (tx) => {
      // The planner then scans a table only if no index serves the statement, however small the table is.
      await tx.execute(sql`set local enable_seqscan = off`);
      const { rows } = await tx.execute<{ "QUERY PLAN": [{ Plan: Plan }] }>(
        sql`explain (generic_plan, format json) ${sql.raw(statement)}`,
      );
      return rows[0]?.["QUERY PLAN"][0].Plan as Plan;
    });
    const nodes = (of: Plan): Plan[] => [of, ...(of.Plans ?? []).flatMap(nodes)];
    return nodes(plan).flatMap((node) => (node["Node Type"] === "Seq Scan" ? [node["Relation Name"] ?? ""] : []));
  }

  it("read no growing table as a whole", async () => {
    const { db: watched, queries } = counting(db);
    const scans: string[] = [];
    const planned = new Set<string>();
    for (const [name, read] of Object.entries(readsOf(watched))) {
      queries.length = 0;
      await read();
      for (const query of new Set(queries.filter((one) => /^\s*(select|with)\b/i.test(one)))) {
        planned.add(query);
        const found = (await scannedBy(query)).filter((table) =>
          growing.some((one) => table === one || table.startsWith(`${one}_`)),
        );
        if (found.length > 0) scans.push(`${name}: ${found.join(", ")}: ${query.replace(/\s+/g, " ").slice(0, 200)}`);
      }
    }
    expect(scans).toEqual([]);
    expect(planned.size).toBeGreaterThan(40);
  });

  it("would be found if one did", async () => {
    expect(await scannedBy("select * from movement where assets = 1")).toEqual(["movement"]);
  });
});
