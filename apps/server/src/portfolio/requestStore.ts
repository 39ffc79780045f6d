import { sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { list, listOf, packed, statement } from "../db/statement.ts";
import { withdrawalRequest } from "../indexer/schema.ts";
import type { WithdrawalRequest } from "../indexer/world.ts";

const places = packed(withdrawalRequest);
const wallets = list("wallets", "text");
const chain = sql`${sql.placeholder("chain")}::bigint`;

const readPlaces = statement<{ wallets: string; chain: number }, { place: readonly unknown[]; before: number }>(
  "wallet_queue_places",
  sql`select ${places.json("p")} as place, (
    select count(distinct q.start)::int from queue_place q
    where q.chain_id = ${chain} and q.product = p.product and q.start < p.start and q.start >= coalesce((
      select max(h.start) from queue_place h
      where h.chain_id = ${chain} and h.product = p.product and h.start <= line.processed
    ), 0)
  ) as before
  from (
    select distinct o.product, o.start from queue_place o where o.wallet = any(${wallets}::text[]) and o.chain_id = ${chain}
  ) ever cross join lateral (
    select v.* from queue_place v where v.chain_id = ${chain} and v.product = ever.product and v.start = ever.start
    order by v.block desc, v.log_index desc limit 1
  ) p cross join lateral (
    select v.processed from vault_state v where v.chain_id = ${chain} and v.product = p.product
    order by v.time desc, v.block desc, v.log_index desc limit 1
  ) line
  where p.wallet = any(${wallets}::text[]) and p.start + p.shares > line.processed
  order by p.requested_at, p.start`,
);

/**
 * Reads the requests in a chain's queues that currently belong to the wallets and are not fully processed, oldest
 * first. Each has the number of requests before it.
 */
export async function listRequests(
  tx: Orm,
  chainId: number,
  addresses: readonly Hex[],
): Promise<{ place: WithdrawalRequest; before: number }[]> {
  const rows = await readPlaces(tx, { wallets: listOf(addresses), chain: chainId });
  return rows.map(({ place, before }) => ({ place: places.unpack(place), before }));
}
