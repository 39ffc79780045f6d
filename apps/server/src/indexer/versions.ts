import { and, asc, desc, eq, type SQL, type SQLWrapper } from "drizzle-orm";
import type { Hex } from "viem";
import type { productState, termState, vaultState } from "./schema.ts";

/** A table with the state of a product after each of its events. Its index ends in time, block and log. */
type Versions = typeof vaultState | typeof termState;

/** Selects versions of one product, or of the product in each row of a query. */
export function ofProduct(
  versions: Versions | typeof productState,
  of: { chainId: number | SQLWrapper; address: Hex | SQLWrapper },
): SQL | undefined {
  return and(eq(versions.chainId, of.chainId), eq(versions.product, of.address));
}

export function newestFirst({ time, block, logIndex }: Versions): SQL[] {
  return [desc(time), desc(block), desc(logIndex)];
}

export function oldestFirst({ time, block, logIndex }: Versions): SQL[] {
  return [asc(time), asc(block), asc(logIndex)];
}
