import { sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Orm } from "../../db/database.ts";
import { packed, statement } from "../../db/statement.ts";
import { report, vaultState } from "../../indexer/schema.ts";
import type { Priced, Product, Report } from "../../indexer/world.ts";

const pools = packed(vaultState, ["supply", "settled", "streaming", "streamStart", "streamEnd"]);
const reports = packed(report);

/** A report, or a loss that was taken back or restored, with the vault's accounts right before and after it. */
export interface AccountsChange {
  kind: "report" | "loss_taken_back" | "loss_restored";
  block: number;
  logIndex: number;
  /** Unix seconds. */
  time: number;
  hash: Hex;
  /** Set for a report. */
  report: Report | null;
  before: Priced;
  after: Priced;
}

type Values = readonly unknown[];

const readChanges = statement<
  { chain: number; product: Hex; from: number; to: number },
  {
    kind: AccountsChange["kind"];
    block: string;
    log_index: number;
    time: string;
    hash: Hex;
    report: Values | null;
    before: Values;
    after: Values;
  }
>(
  "vault_accounts_changes",
  sql`select e.kind, e.block, e.log_index, e.time, e.hash,
    case when r.chain_id is not null then ${reports.json("r")} end as report,
    ${pools.json("b")} as before, ${pools.json("a")} as after
  from (
    select 'report' as kind, chain_id, block, log_index, time, hash, product from report
    union all
    select case name when 'LossTakenBack' then 'loss_taken_back' else 'loss_restored' end,
      chain_id, block, log_index, time, hash, contract
    from privileged_act where name in ('LossTakenBack', 'LossRestored')
  ) e
  join vault_state a on a.chain_id = e.chain_id and a.block = e.block and a.log_index = e.log_index
  cross join lateral (
    select v.* from vault_state v where v.chain_id = e.chain_id and v.product = e.product
      and (v.time, v.block, v.log_index) < (e.time, e.block, e.log_index)
    order by v.time desc, v.block desc, v.log_index desc limit 1
  ) b
  left join report r on e.kind = 'report' and r.chain_id = e.chain_id and r.block = e.block and r.log_index = e.log_index
  where e.chain_id = ${sql.placeholder("chain")}::bigint and e.product = ${sql.placeholder("product")}::text
    and e.time >= ${sql.placeholder("from")}::bigint and e.time <= ${sql.placeholder("to")}::bigint
  order by e.block, e.log_index`,
);

/** Reads what changed the stream of a vault from `from` to `to` (Unix seconds, both included), in chain order. */
export async function accountsChanges(
  tx: Orm,
  { chainId, address }: Product,
  span: { from: number; to: number },
): Promise<AccountsChange[]> {
  const rows = await readChanges(tx, { chain: chainId, product: address, ...span });
  return rows.map(({ kind, block, log_index, time, hash, report: row, before, after }) => ({
    kind,
    block: Number(block),
    logIndex: log_index,
    time: Number(time),
    hash,
    report: row && reports.unpack(row),
    before: pools.unpack(before),
    after: pools.unpack(after),
  }));
}
