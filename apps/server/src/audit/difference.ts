/** A stored row that differs from what it must be. */
export interface Difference {
  /** Name of the table in the database. */
  table: string;
  /** The row's key in words, such as `device 3, number 17`. */
  row: string;
  /** Null if the whole row is missing or must not exist. */
  column: string | null;
  /** Text form of the values; null for none. */
  expected: string | null;
  found: string | null;
  /** Whose figures are concerned. A lower-case address of a product or wallet, the name of a device, or none. */
  product?: string;
  wallet?: string;
  device?: string;
}
