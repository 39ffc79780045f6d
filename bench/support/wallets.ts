import { createHash } from "node:crypto";
import { YEAR } from "@aqua/sdk/durations";
import type { Orm } from "../../apps/server/src/db/database.ts";
import type { Deployment } from "../../packages/sdk/src/deployment.ts";

export const CHAIN = 31_337;
export const VAULTS = 8;
/** Time deposits, listed after the vaults. */
export const TERMS = 2;
/** Time of the last block, Unix seconds; the first block is a year before. */
export const END = 1_790_000_000;
const START = END - YEAR;
const BLOCK_SECONDS = 2;
/** A wallet with 200 movements in the year, in two vaults and a time deposit. */
export const BUSY = 0;
export const BUSY_LINES = 200;
const BUSY_RECEIPTS = 10;

/** A deployment without contracts: the tables are written without a chain. */
export const deployment: Deployment = {
  chain_id: CHAIN,
  start_block: 0,
  access_manager: productOf(101),
  identity_registry: productOf(102),
  product_registry: productOf(103),
};

/** The address of wallet `number`; they lie in the index as real ones do, in no order. */
export function walletOf(number: number): `0x${string}` {
  return `0x${createHash("md5").update(`wallet ${number}`).digest("hex")}00000000`;
}

export function productOf(number: number): `0x${string}` {
  return `0x${createHash("md5").update(`product ${number}`).digest("hex")}00000000`;
}

/**
 * Writes a year of `wallets` wallets straight into the tables: one to three demand deposits each of two movements, every
 * fifth a receipt, every fiftieth a request in a queue, and wallet `BUSY`. Products have new versions every hour. `tx` is a
 * transaction: it uses temporary tables.
 */
export async function fillWallets(tx: Orm, wallets: number): Promise<void> {
  const run = (text: string) => tx.execute(text);
  const wallet = (number: string) => `('0x' || md5('wallet ' || ${number}) || '00000000')`;
  const product = (number: string) => `('0x' || md5('product ' || ${number}) || '00000000')`;
  const hash = (seed: string) => `('0x' || md5(${seed}) || md5('more ' || ${seed}))`;
  const block = (time: string) => `((${time} - ${START}) / ${BLOCK_SECONDS} + 1)`;
  const address = `'0x${"c".repeat(40)}'`;

  await run(`insert into chain_cursor (chain_id, product_registry, block, hash, time, state, epoch)
    values (${CHAIN}, ${address}, ${block(String(END))}, '0x01', ${END}, 'live', 1)`);
  await run(`insert into product (chain_id, address, short_id, product_type, asset, asset_symbol, asset_decimals,
      share_name, share_symbol, share_decimals, block, log_index, time)
    select ${CHAIN}, ${product("n")}, 'product-' || n, case when n < ${VAULTS} then 0 else 1 end, ${address}, 'tUSD', 6,
      'Aqua ' || n, 'aq' || n, 12, 1, n, ${START} from generate_series(0, ${VAULTS + TERMS - 1}) as n`);
  await run(`insert into product_state (chain_id, block, log_index, product, time, status, metadata_hash)
    select ${CHAIN}, 1, n, ${product("n")}, ${START}, 0, ${hash("'document ' || n")}
    from generate_series(0, ${VAULTS + TERMS - 1}) as n`);
  await run(`insert into vault_state (chain_id, block, log_index, product, time, supply, settled, streaming, stream_start,
      stream_end, deployed, queue, queued, requested, eligible, processed, cap, min_deposit, paused_until, vesting_time,
      max_report_age, report_as_of, report_time, deposited, withdrawn, holders)
    select ${CHAIN}, ${block("at")}, 100 + n, ${product("n")}, at, s * 1000000, s + s * h / 175200 + n * 1000003, 40000000, at, at + 3600,
      s * 4 / 5, ${hash("'queue ' || n")}, 2000 * 10000000000000, 4000 * 10000000000000, 3000 * 10000000000000,
      2000 * 10000000000000, 1000000000000000, 1, 0, 3600, 7200, at, at, s, 0, 1000
    from generate_series(0, ${VAULTS - 1}) as n, generate_series(0, ${YEAR / 3_600}::bigint) as h,
      lateral (select ${START} + h * 3600 as at, 50000000000000::numeric as s) as hour`);

  await run(`create temporary table step as
    select w, ${wallet("w")} as wallet, ${product("p")} as product, at, ${block("at")} as block, k * 2 + v as log, v,
      (1 + v) * (100 + w % 900)::numeric as amount
    from generate_series(1, ${wallets - 1}) as w, lateral generate_series(0, w % 3) as k, generate_series(0, 1) as v,
      lateral (select (w * 7 + k * 3) % ${VAULTS} as p, ${START} + 3600 + (w::bigint * 7919 + k * 5003) % 15000000 + v * 15000000 as at) as place
    union all
    select ${BUSY}, ${wallet(String(BUSY))}, ${product("n % 2")}, at, ${block("at")}, 50, n, 100::numeric * (n / 2 + 1)
    from generate_series(0, ${BUSY_LINES - BUSY_RECEIPTS - 1}) as n, lateral (select ${START} + 86400 + n * 150000 as at) as place`);
  await run(`insert into position (chain_id, block, log_index, wallet, product, time, shares, cost, realised, total_in, total_out,
      cost_estimated, since)
    select ${CHAIN}, block, log, wallet, product, at, amount * 1000000000000, amount * 1000000, 0, amount * 1000000, 0, false, ${START}
    from step`);
  await run(`insert into movement (chain_id, block, log_index, wallet, product, time, hash, kind, assets, shares, price)
    select ${CHAIN}, block, log, wallet, product, at, ${hash("w || ' ' || log || ' ' || at")}, 'deposit', 100000000, 100000000000000,
      1000000000000000000 from step`);

  await run(`insert into term (chain_id, block, log_index, product, time, term_id, count, unit, rate, break_rate, penalty, cap, open, principal)
    select ${CHAIN}, 2, n, ${product("n")}, ${START}, 0, 24, 2, 50000000000000000, 10000000000000000, 5000000000000000, 1000000000000000, true, 0
    from generate_series(${VAULTS}, ${VAULTS + TERMS - 1}) as n`);
  await run(`insert into term_state (chain_id, block, log_index, product, time, custodian, buffer, cap, min_deposit, paused_until,
      cash, deployed, principal, liabilities, reserved, claims, received, deposited, paid_out, losses, receipts, holders)
    select ${CHAIN}, ${block("at")}, 200 + n, ${product("n")}, at, ${address}, 0, 1000000000000000, 1, 0, 90000000000000, 0,
      80000000000000, 85000000000000, 5000000000000, 0, 0, 80000000000000, 0, 0, 10000, 10000
    from generate_series(${VAULTS}, ${VAULTS + TERMS - 1}) as n, generate_series(0, 8760) as h, lateral (select ${START} + h * 3600 as at) as hour`);
  await run(`create temporary table opened as
    select w, ${wallet("w")} as wallet, ${product(`(${VAULTS} + w / 5 % ${TERMS})`)} as product, w as id, at, ${block("at")} as block
    from generate_series(1, ${wallets - 1}) as w, lateral (select ${START} + 7200 + w::bigint * 7907 % 30000000 as at) as place
    where w % 5 = 0
    union all
    select ${BUSY}, ${wallet(String(BUSY))}, ${product(String(VAULTS))}, ${wallets} + n, at, ${block("at")}
    from generate_series(0, ${BUSY_RECEIPTS - 1}) as n, lateral (select ${START} + 90000 + n * 3000000 as at) as place`);
  await run(`insert into receipt (chain_id, block, log_index, product, time, receipt_id, owner, term_id, principal, interest,
      opened_at, maturity, hash, status, roll, roll_term_id, paid, cost, cost_estimated)
    select ${CHAIN}, block, 60, product, at, id, wallet, 0, 500000000, 50000000, at, at + ${2 * YEAR}, ${hash("id::text")}, 1, 0, 0, 0,
      500000000, false from opened`);
  await run(`insert into position (chain_id, block, log_index, wallet, product, time, shares, receipts, cost, realised, total_in,
      total_out, cost_estimated, since)
    select ${CHAIN}, block, 60, wallet, product, at, 0, n, n * 500000000, 0, n * 500000000, 0, false, at
    from (select *, row_number() over (partition by wallet order by at) as n from opened) as numbered`);
  await run(`insert into movement (chain_id, block, log_index, wallet, product, time, hash, kind, assets, shares, price, receipt_id)
    select ${CHAIN}, block, 60, wallet, product, at, ${hash("id::text")}, 'deposit', 500000000, 0, null, id from opened`);

  await run(`insert into identity_record (chain_id, block, log_index, time, wallet, subject, valid_until, country, tier, revoked, frozen)
    select ${CHAIN}, 3 + w, 0, ${START}, ${wallet("w")}, '0x' || md5('subject ' || w), 18446744073709551615, 250, 1, false, false
    from generate_series(0, ${wallets - 1}) as w`);
  await run(`insert into queue_place (chain_id, block, log_index, time, product, wallet, start, shares, requested_at, hash)
    select ${CHAIN}, ${block("at")}, 70, at, ${product("p")}, ${wallet("w")}, (row_number() over (partition by p order by w) - 1) * 10000000000000::numeric,
      10000000000000, at, ${hash("'request ' || w")}
    from generate_series(50, ${wallets - 1}, 50) as w, lateral (select (w * 7) % ${VAULTS} as p, ${START} + 16000000 + w::bigint * 31 as at) as place`);
  await run("drop table step, opened");
}

/** One more block without an event, as the indexer commits it. */
export async function nextBlock(orm: Orm): Promise<void> {
  await orm.execute(
    `update chain_cursor set block = block + 1, time = time + ${BLOCK_SECONDS}, hash = '0x' || md5(block::text)
      where chain_id = ${CHAIN}`,
  );
}
