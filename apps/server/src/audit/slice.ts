import { toHex } from "@aqua/sdk/proofs/reading";
import type { Difference } from "./difference.ts";

/** One step of an audit, after which the caller may pause. */
export interface Slice {
  /** Number of fields that were compared. */
  compared: number;
  differences: Difference[];
}

/** The row under comparison. */
export type About = Pick<Difference, "table" | "row" | "product" | "device">;
type Value = string | number | bigint | boolean | Uint8Array | null;

export const newSlice = (): Slice => ({ compared: 0, differences: [] });

/** Compares columns of a row, each given as the expected and the found value. A column is reported once in a slice. */
export function compareColumns(slice: Slice, about: About, columns: Record<string, readonly [Value, Value]>): void {
  for (const [column, pair] of Object.entries(columns)) {
    const [expected, found] = pair.map(textOf) as [string | null, string | null];
    slice.compared += 1;
    if (expected === found || isReported(slice, about, column)) continue;
    slice.differences.push({ ...about, column, expected, found });
  }
}

const isReported = ({ differences }: Slice, { table, row }: About, column: string) =>
  differences.some((one) => one.table === table && one.row === row && one.column === column);

/** Records a row that is missing (`expected` identifies it) or that must not exist (`found` identifies it). */
export function recordRow(slice: Slice, about: About, row: { expected: Value } | { found: Value }): void {
  slice.compared += 1;
  const { expected = null, found = null } = row as { expected?: Value; found?: Value };
  slice.differences.push({ ...about, column: null, expected: textOf(expected), found: textOf(found) });
}

function textOf(value: Value): string | null {
  if (value === null) return null;
  return value instanceof Uint8Array ? toHex(value) : String(value);
}
