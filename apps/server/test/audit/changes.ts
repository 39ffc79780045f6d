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

/**
 * Tables whose rows come from no event, with the columns that something proves: docs/auditors/audit.md. Rows of `device`
 * and `product_document` are proved only while others refer to them, so that a new one is not a fault by itself.
 */
export const storedTables = {
  reading: ["device", "seq", "time", "value", "prev", "hash", "signature", "co_signature", "flaw"],
  telemetry_batch: [
    ...["chain_id", "stream", "number", "short_id", "previous_head", "root", "from", "to", "count"],
    ...["data_hash", "head", "file"],
  ],
  telemetry_batch_part: ["chain_id", "stream", "number", "device", "first_seq", "last_seq"],
  reading_bucket: [
    ...["device", "span", "start", "count", "bounds", "jump", "frozen", "backwards", "min", "max", "sum"],
    ...["first_time", "first_value", "last_time", "last_value"],
  ],
  device_head: [
    ...["device", "seq", "hash", "time", "accepted", "good_seq", "good_time", "good_value", "repeats", "readings"],
    "rejoins",
  ],
  device: ["id", "name", "chain_id", "short_id", "metric", "exponent", "co_signer"],
  product_document: ["hash", "content"],
} as const;
export type StoredTable = keyof typeof storedTables;

/** The columns of a new row that get another value, and the time by which an older backup lacks rows. */
const shapes: Record<StoredTable, { key: readonly string[]; age: string }> = {
  reading: { key: ["seq"], age: "time" },
  telemetry_batch: { key: ["number"], age: '"to"' },
  telemetry_batch_part: { key: ["number"], age: "number" },
  reading_bucket: { key: ["start"], age: "start" },
  device_head: { key: ["device"], age: "time" },
  device: { key: ["id", "name"], age: "id" },
  product_document: { key: ["hash"], age: "stored" },
};

export const changeKinds = ["update", "delete", "insert", "swap", "older"] as const;
export type ChangeKind = (typeof changeKinds)[number];

export interface Change {
  table: ChainTable | StoredTable;
  kind: ChangeKind;
  /** The changed column. Null if whole rows change. */
  column: string | null;
}

type Column = { name: string; type: string };

/**
 * Makes one change with a superuser's rights, drawn by `random`. Returns null if the drawn rows are equal, so that
 * nothing changed.
 */
export async function changeRows(
  tx: Orm,
  { kind, table }: Pick<Change, "kind" | "table">,
  random: Random,
): Promise<Change | null> {
  const run = async (text: string) => (await tx.execute(sql.raw(text))) as unknown as { rowCount: number };
  const [count] = (await tx.execute<{ count: number }>(sql.raw(`select count(*)::int as count from "${table}"`))).rows;
  const rows = count?.count ?? 0;
  if (rows < 2) return null;
  /** A condition that selects one row, also in a table with partitions. */
  const rowAt = async (index: number) => {
    const { rows: found } = await tx.execute<{ part: string; id: string }>(
      sql.raw(
        `select tableoid::int as part, ctid::text as id from "${table}" order by tableoid, ctid offset ${index} limit 1`,
      ),
    );
    return (name: string) => `(${name}.tableoid = ${found[0]?.part} and ${name}.ctid = '${found[0]?.id}')`;
  };
  const index = random.between(0, rows - 1);
  const one = await rowAt(index);
  const all = await columnsOf(tx, table);
  const shape = isStored(table)
    ? shapes[table]
    : { key: table === "product" ? ["block", "address"] : ["block"], age: "block" };
  const proved: readonly string[] = isStored(table)
    ? storedTables[table]
    : all.map(({ name }) => name).filter((name) => name !== "chain_id");
  const drawn = proved[random.between(0, proved.length - 1)] as string;
  const column = all.find(({ name }) => name === drawn) as Column;
  const quoted = `"${column.name}"`;
  switch (kind) {
    case "update": {
      const { rowCount } = await run(`update "${table}" t set ${quoted} = ${otherValue(column)} where ${one("t")}`);
      return rowCount === 1 ? { table, kind, column: column.name } : null;
    }
    case "delete":
      await run(`delete from "${table}" t where ${one("t")}`);
      return { table, kind, column: null };
    case "insert": {
      // A row with another key: of a later event, reading, batch or time.
      const values = all.map((of) => (shape.key.includes(of.name) ? otherValue(of) : `"${of.name}"`));
      const names = all.map(({ name }) => `"${name}"`).join();
      await run(`insert into "${table}" (${names}) select ${values.join()} from "${table}" t where ${one("t")}`);
      return { table, kind, column: null };
    }
    case "swap": {
      const other = await rowAt((index + random.between(1, rows - 1)) % rows);
      const { rowCount } = await run(`update "${table}" t set ${quoted} = o.${quoted} from "${table}" o
        where ((${one("t")} and ${other("o")}) or (${other("t")} and ${one("o")}))
          and t.${quoted} is distinct from o.${quoted}`);
      return rowCount > 0 ? { table, kind, column: column.name } : null;
    }
    case "older": {
      // The table as an older backup holds it.
      const { age } = shape;
      const { rowCount } = await run(
        `delete from "${table}" where ${age} > (select percentile_disc(0.7) within group (order by ${age}) from "${table}")`,
      );
      return rowCount > 0 ? { table, kind, column: null } : null;
    }
  }
}

const isStored = (table: ChainTable | StoredTable): table is StoredTable => table in storedTables;

async function columnsOf(tx: Orm, table: string): Promise<Column[]> {
  const { rows } = await tx.execute<Column>(sql`
    select column_name as name, data_type as type from information_schema.columns
    where table_name = ${table} and table_schema = 'public' order by 1`);
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
    case "bytea":
      return `coalesce(set_byte("${name}", 0, get_byte("${name}", 0) # 1), '\\x00'::bytea)`;
    case "smallint":
      return `"${name}" + 1::smallint`;
    default:
      return `coalesce("${name}", 0) + 1000003`;
  }
}
