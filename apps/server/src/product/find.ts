import type { AsOf } from "@aqua/sdk/api/envelope";
import type { Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { type IndexedChain, stampOf } from "../indexer/stamp.ts";
import { type CurrentProduct, findProduct } from "./store.ts";
import { type CurrentTermProduct, findTermProduct } from "./termStore.ts";

export interface FoundProduct {
  chain: IndexedChain;
  asOf: AsOf;
  current: CurrentProduct | CurrentTermProduct;
}

/**
 * Finds a product by its short id, which is unique in a registry. If several chains use the id, the chain configured
 * first wins.
 * @throws ApiError `pool_not_found`, or `chain_unavailable` while a chain that might have the id has not been indexed
 */
export async function findCurrent(tx: Orm, chains: readonly IndexedChain[], shortId: string): Promise<FoundProduct> {
  let unread = false;
  for (const chain of chains) {
    const asOf = await stampOf(tx, chain);
    unread ||= !asOf;
    if (!asOf) continue;
    const vault = await findProduct(tx, chain.chainId, shortId);
    const current = vault ?? (await findTermProduct(tx, chain.chainId, shortId));
    if (current) return { chain, asOf, current };
  }
  if (unread) throw new ApiError("chain_unavailable", "A chain has not been indexed yet; try again soon");
  throw new ApiError("pool_not_found", "There is no product with this id");
}
