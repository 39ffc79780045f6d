import type { Rows } from "@aqua/sdk/audit/rows";
import {
  and,
  between,
  eq,
  getTableColumns,
  getTableName,
  gt,
  inArray,
  lte,
  notInArray,
  or,
  type SQL,
} from "drizzle-orm";
import { getTableConfig, type PgColumn, type PgTable } from "drizzle-orm/pg-core";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import * as schema from "../indexer/schema.ts";
import type { Difference } from "./difference.ts";

/** The tables whose rows come from a chain's events, by the name of the rows in the recomputation. */
const tables = {
  product: schema.product,
  productState: schema.productState,
  vaultState: schema.vaultState,
  position: schema.position,
  movement: schema.movement,
  report: schema.report,
  withdrawalRequest: schema.withdrawalRequest,
  queueBatch: schema.queueBatch,
  termState: schema.termState,
  term: schema.term,
  receipt: schema.receipt,
  privilegedAct: schema.privilegedAct,
  identityRecord: schema.identityRecord,
  anchor: schema.anchor,
  storedHead: schema.storedHead,
  deviceKey: schema.deviceKey,
} satisfies Record<keyof Rows, PgTable>;

type Row = Record<string, unknown>;
type ChainTable = PgTable & { chainId: PgColumn; block: PgColumn };

export interface Scope {
  chainId: number;
  /** Null: from whatever block the oldest row claims. */
  from: number | null;
  to: number;
  /** Products whose whole history is compared, because they are listed in these blocks. */
  introduced: readonly Hex[];
  /** Products that the recomputation has not reached yet: they are listed after its last block. */
  unreached: readonly Hex[];
}

/** The number of figures that were compared, and the rows that differ. */
export interface Comparison {
  figures: number;
  differences: Difference[];
}

/** Compares the stored rows of a range of blocks with the rows that the chain's events make. */
export async function compareRows(tx: Orm, expected: Rows, scope: Scope): Promise<Comparison> {
  const result: Comparison = { figures: 0, differences: [] };
  for (const name of Object.keys(tables) as (keyof Rows)[]) {
    const table = tables[name] as ChainTable;
    const rows = (await tx.select().from(table).where(inScope(table, scope))) as Row[];
    compareTable(result, { table, expected: expected[name] as unknown as Row[], found: rows });
  }
  return result;
}

/** Finds rows that claim a block after the last one that was applied. They would count as the newest. */
export async function rowsBeyond(
  tx: Orm,
  { chainId, cursor }: { chainId: number; cursor: number },
): Promise<Difference[]> {
  const result: Comparison = { figures: 0, differences: [] };
  for (const table of Object.values(tables) as ChainTable[]) {
    const beyond = and(eq(table.chainId, chainId), gt(table.block, cursor));
    const found = (await tx.select().from(table).where(beyond).limit(MOST)) as Row[];
    compareTable(result, { table, expected: [], found });
  }
  return result.differences;
}

const MOST = 1_000;

/** Products in the table that are listed after block `to`, with their listing not yet recomputed. */
export async function unreachedProducts(tx: Orm, chainId: number, to: number): Promise<Hex[]> {
  const { product } = schema;
  const rows = await tx
    .select({ address: product.address })
    .from(product)
    .where(and(eq(product.chainId, chainId), gt(product.block, to)));
  return rows.map(({ address }) => address);
}

function inScope(table: ChainTable, { chainId, from, to, introduced, unreached }: Scope): SQL | undefined {
  const { product, contract } = getTableColumns(table) as { product?: PgColumn; contract?: PgColumn };
  const of = product ?? contract;
  const inRange = from === null ? lte(table.block, to) : between(table.block, from, to);
  const those =
    of && introduced.length > 0 ? or(inRange, and(lte(table.block, to), inArray(of, [...introduced]))) : inRange;
  return and(
    eq(table.chainId, chainId),
    those,
    of && unreached.length > 0 ? notInArray(of, [...unreached]) : undefined,
  );
}

function compareTable(
  result: Comparison,
  { table, expected, found }: { table: PgTable; expected: readonly Row[]; found: readonly Row[] },
): void {
  const columns = Object.entries(getTableColumns(table));
  const keys = keysOf(table);
  const inWords = (row: Row, properties: readonly string[]) =>
    properties.map((property) => `${wordOf(property)} ${text(row[property])}`).join(", ");
  const keyOf = (row: Row) => inWords(row, keys);
  const labelOf = (row: Row) => inWords(row, [...new Set(["block", "logIndex", ...keys])]);
  const name = getTableName(table);
  const stored = new Map(found.map((row) => [keyOf(row), row]));
  for (const row of expected) {
    const key = keyOf(row);
    const other = stored.get(key);
    stored.delete(key);
    const of = { table: name, row: labelOf(row), ...concerned(row) };
    if (!other) {
      result.differences.push({ ...of, column: null, expected: "a row", found: null });
      continue;
    }
    for (const [property, { name: column }] of columns) {
      result.figures += 1;
      const [should, is] = [text(row[property]), text(other[property])];
      if (should !== is) result.differences.push({ ...of, column, expected: should, found: is });
    }
  }
  for (const row of stored.values()) {
    const of = { table: name, row: labelOf(row), ...concerned(row) };
    result.differences.push({ ...of, column: null, expected: null, found: "a row" });
  }
}

/** Properties of the primary key, without the chain. */
function keysOf(table: PgTable): string[] {
  const names = new Set(getTableConfig(table).primaryKeys.flatMap(({ columns }) => columns.map(({ name }) => name)));
  return Object.entries(getTableColumns(table))
    .filter(([property, { name }]) => names.has(name) && property !== "chainId")
    .map(([property]) => property);
}

const words: { readonly [Property in string]?: string } = { logIndex: "log", receiptId: "receipt", termId: "term" };
const wordOf = (property: string) => words[property] ?? property;

function concerned({ product, wallet, owner, address, shortId }: Row): Pick<Difference, "product" | "wallet"> {
  const [of, who] = [shortId === undefined ? product : address, wallet ?? owner];
  return { ...(typeof of === "string" && { product: of }), ...(typeof who === "string" && { wallet: who }) };
}

/** Null for null, so that an empty text and none differ. */
function text(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== "object") return String(value);
  return JSON.stringify(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
