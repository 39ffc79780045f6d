import { sql } from "drizzle-orm";
import type { Random } from "../../../../devnet/src/random.ts";
import type { Orm } from "../../src/db/database.ts";

/** Tables whose rows come from a chain's events, with the columns of their keys besides chain, block and log. */
export const chainTables = {
  product: "address",
  product_state: null,
  vault_state: null,
  position: "wallet",
  movement: "wallet",
  report: null,
  queue_place: "start",
  queue_batch: null,
  term_state: null,
  term: "term_id",
  receipt: "receipt_id",
  privileged_act: null,
  identity_record: null,
  anchor: null,
  kept_head: null,
  device_key: null,
} as const;
export type ChainTable = keyof typeof chainTables;

export const changeKinds = ["update", "delete", "insert", "swap", "older"] as const;
export type ChangeKind = (typeof changeKinds)[number];

export interface Change {
  table: ChainTable;
  kind: ChangeKind;
  /** The changed column. Null if whole rows change. */
  column: string | null;
}

type Column = { name: string; type: string };

/**
 * Makes one change with a superuser's rights, drawn by `random`. Returns null if the drawn rows are equal, so that
 * nothing changed.
 */
export async function changeRows(tx: Orm, kind: ChangeKind, table: ChainTable, random: Random): Promise<Change | null> {
  const { rows } = await tx.execute<{ id: string }>(sql.raw(`select ctid::text as id from "${table}" order by ctid`));
  if (rows.length < 2) return null;
  const ids = rows.map(({ id }) => id);
  const one = ids[random.between(0, ids.length - 1)] as string;
  const columns = await columnsOf(tx, table);
  const column = columns[random.between(0, columns.length - 1)] as Column;
  const quoted = `"${column.name}"`;
  const run = async (text: string) => (await tx.execute(sql.raw(text))) as unknown as { rowCount: number };
  switch (kind) {
    case "update": {
      const { rowCount } = await run(`update "${table}" set ${quoted} = ${otherValue(column)} where ctid = '${one}'`);
      return rowCount === 1 ? { table, kind, column: column.name } : null;
    }
    case "delete":
      await run(`delete from "${table}" where ctid = '${one}'`);
      return { table, kind, column: null };
    case "insert": {
      // A row of a later event. In the table of products it needs another address.
      const changed = table === "product" ? ["block", "address"] : ["block"];
      const values = columns.map(({ name, type }) =>
        changed.includes(name) ? otherValue({ name, type }) : `"${name}"`,
      );
      const names = columns.map(({ name }) => `"${name}"`).join();
      await run(
        `insert into "${table}" (chain_id, ${names}) select chain_id, ${values.join()} from "${table}" where ctid = '${one}'`,
      );
      return { table, kind, column: null };
    }
    case "swap": {
      const other = ids.find((id) => id !== one) as string;
      const { rowCount } = await run(`update "${table}" t set ${quoted} = o.${quoted} from "${table}" o
        where ((t.ctid = '${one}' and o.ctid = '${other}') or (t.ctid = '${other}' and o.ctid = '${one}'))
          and t.${quoted} is distinct from o.${quoted}`);
      return rowCount > 0 ? { table, kind, column: column.name } : null;
    }
    case "older": {
      // The table as an older backup holds it.
      const { rowCount } = await run(
        `delete from "${table}" where block > (select percentile_disc(0.7) within group (order by block) from "${table}")`,
      );
      return rowCount > 0 ? { table, kind, column: null } : null;
    }
  }
}

/** The columns of a table that are not in its key, so that a change does not meet another row. */
async function columnsOf(tx: Orm, table: ChainTable): Promise<Column[]> {
  const { rows } = await tx.execute<Column>(sql`
    select column_name as name, data_type as type from information_schema.columns
    where table_name = ${table} and table_schema = 'public' and column_name <> 'chain_id' order by 1`);
  return rows;
}

/** An expression for another value of the same type. */
function otherValue({ name, type }: Column): string {
  switch (type) {
    case "boolean":
      return `not coalesce("${name}", false)`;
    case "jsonb":
      return `"${name}" || '{"cap": "1"}'::jsonb`;
    case "text":
      return `coalesce("${name}", '0x') || '0'`;
    default:
      return `coalesce("${name}", 0) + 1000003`;
  }
}
