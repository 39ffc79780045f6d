import { DAY } from "@aqua/sdk/durations";
import { nameHex } from "@aqua/sdk/proofs/reading";
import { type SQL, sql } from "drizzle-orm";
import pg from "pg";
import type { Database, Orm } from "../../src/db/database.ts";

export const CHAIN = 31_337;
/** The first and the last second of the history: two years. */
export const START = 1_700_000_000;
export const END = START + 730 * DAY;

const address = (digit: string) => `0x${digit.repeat(40)}`;
const [vault, term, registry] = [address("a"), address("b"), address("c")];
/** The wallet of the reads: it makes a thousandth of all movements. */
export const wallet = address("1");

/** Numbers of rows in the tables that grow. */
export interface Sizes {
  movements: number;
  wallets: number;
  receiptVersions: number;
  reports: number;
  requests: number;
  readings: number;
}

export const sizesOf = (scale: number): Sizes => ({
  movements: 100_000 * scale,
  wallets: 1_000 * scale,
  receiptVersions: 10_000 * scale,
  reports: 100 * scale,
  requests: 100 * scale,
  readings: 100_000 * scale,
});

/** Devices of the demand deposit, whose readings grow with the history. */
const DEVICES = 20;
/** Of the receipts, the part that is live does not grow: products close receipts as they open others. */
const LIVE = 2_000;

/**
 * Writes a demand and a time deposit with a history of these sizes straight into the tables. The figures are plausible
 * rather than exact: only how many rows a read touches is measured.
 */
export async function fillTables(db: Database, sizes: Sizes): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    await fill(tx, sizes);
  });
}

async function fill(tx: Orm, sizes: Sizes): Promise<void> {
  const run = (statement: SQL) => tx.execute(statement);
  const span = END - START;
  /** The second of row `n` of `of`, evenly spread. */
  const at = (of: number) => sql`(${START}::bigint + n::bigint * ${span}::bigint / ${of}::bigint)`;
  const owner = (n: SQL) =>
    sql`case when ${n} % 1000 = 0 then ${wallet} else '0x' || lpad(to_hex(${n} % ${sizes.wallets}::bigint + 256), 40, '0') end`;
  const hash = sql`'0x' || lpad(to_hex(n), 64, '0')`;
  await run(sql`insert into chain_cursor (chain_id, product_registry, block, hash, time, state, epoch)
    values (${CHAIN}, ${registry}, 100000000, '0x01', ${END}, 'live', 1)`);
  for (const [product, type] of [
    [vault, 0],
    [term, 1],
  ] as const) {
    await run(sql`insert into product (chain_id, address, short_id, product_type, asset, asset_symbol, asset_decimals,
        share_name, share_symbol, share_decimals, block, log_index, time)
      values (${CHAIN}, ${product}, ${type === 0 ? "demand" : "time"}, ${type}, ${registry}, 'tUSD', 6, 'Aqua', 'aq', 12, 1, ${type}, ${START})`);
    await run(sql`insert into product_state (chain_id, block, log_index, product, time, status, metadata_hash)
      values (${CHAIN}, 1, ${type}, ${product}, ${START}, 0, '0x')`);
  }

  // Deposits, each with the vault's and the wallet's state after it, every sixth one a withdrawal.
  const { movements, reports, requests, receiptVersions, readings } = sizes;
  await run(sql`insert into movement (chain_id, block, log_index, wallet, product, time, hash, kind, assets, shares, price)
    select ${CHAIN}, n + 1, 9, ${owner(sql`n`)}, ${vault}, ${at(movements)}, ${hash},
      case when n % 6 = 0 then 'withdraw' else 'deposit' end, 1000000, 1000000000000, 1000000000000000000
    from generate_series(1, ${movements}::bigint) as n`);
  await run(sql`insert into position (chain_id, block, log_index, wallet, product, time, shares, cost, realised, total_in, total_out,
      cost_estimated, since)
    select ${CHAIN}, n + 1, 9, ${owner(sql`n`)}, ${vault}, ${at(movements)}, 1000000000000::numeric * (n / 1000 + 1),
      1000000::numeric * (n / 1000 + 1), 0, 1000000::numeric * (n / 1000 + 1), 0, false, ${START}
    from generate_series(1, ${movements}::bigint) as n`);
  await run(sql`insert into vault_state (chain_id, block, log_index, product, time, supply, settled, streaming, stream_start, stream_end,
      cap, min_deposit, paused_until, vesting_time, max_report_age, report_as_of, report_time, deposited, withdrawn, holders, queue,
      queued, requested, eligible, processed, fees_taken)
    select ${CHAIN}, n + 1, 9, ${vault}, ${at(movements)}, n * 1000000000000::numeric, n * 1000000::numeric, 0, ${START}, ${START},
      100000000000000, 1, 0, 1, 1, ${START}, ${START}, n * 1000000::numeric, n * 100000::numeric, 3, ${registry},
      1000000000000::numeric * ${requests}::bigint, 1000000000000::numeric * ${requests}::bigint, 0, 0, n * 10::numeric
    from generate_series(0, ${movements}::bigint) as n`);
  // Each report has the vault's state of its own log.
  await run(sql`insert into report (chain_id, block, log_index, product, time, hash, delta, as_of, evidence_root)
    select ${CHAIN}, n * ${movements}::bigint / ${reports}::bigint, 9, ${vault}, ${at(reports)}, ${hash},
      case when n % 50 = 0 then -1000 else 1000000 end, ${at(reports)}, ${hash}
    from generate_series(1, ${reports}::bigint) as n`);
  await run(sql`insert into queue_place (chain_id, block, log_index, product, wallet, time, start, shares, requested_at, hash)
    select ${CHAIN}, n, 7, ${vault}, ${owner(sql`n`)}, ${at(requests)}, (n - 1) * 1000000000000::numeric, 1000000000000, ${at(requests)}, ${hash}
    from generate_series(1, ${requests}::bigint) as n`);

  // Receipts of a year, opened and closed one after the other, so that LIVE of them are live at any time.
  const receipts = receiptVersions / 2 + LIVE / 2;
  await run(sql`insert into term (chain_id, block, log_index, product, time, term_id, count, unit, rate, break_rate, penalty, cap, open, principal)
    values (${CHAIN}, 2, 1, ${term}, ${START}, 0, 1, 3, 50000000000000000, 0, 0, 100000000000000, true, 0)`);
  const receipt = (event: SQL, place: { log: number; time: SQL; status: number; from: SQL }) => sql`
    insert into receipt (chain_id, block, log_index, product, time, receipt_id, owner, term_id, principal, interest, opened_at,
      maturity, hash, status, roll, roll_term_id, paid, cost, cost_estimated)
    select ${CHAIN}, ${event} + 10, ${place.log}::int, ${term}, ${place.time}, n, ${owner(sql`n`)}, 0, 1000000, 50000,
      ${at(receipts)}, ${at(receipts)} + 31536000, ${hash}, ${place.status}::int, 0, 0, 0, 1000000, false from ${place.from}`;
  const opened = sql`generate_series(1, ${receipts}::bigint) as n`;
  await run(receipt(sql`n`, { log: 5, time: at(receipts), status: 1, from: opened }));
  const later = sql`(${START}::bigint + (n + ${LIVE}::bigint) * ${span}::bigint / ${receipts}::bigint)`;
  const closed = sql`generate_series(1, ${receipts - LIVE}::bigint) as n`;
  await run(receipt(sql`(n + ${LIVE}::bigint)`, { log: 6, time: later, status: 3, from: closed }));
  await run(sql`insert into term_state (chain_id, block, log_index, product, time, custodian, buffer, cap, min_deposit, paused_until, cash,
      deployed, principal, liabilities, reserved, claims, received, deposited, paid_out, losses, receipts, holders)
    select ${CHAIN}, n + 10, 5, ${term}, ${at(receipts)}, ${registry}, 0, 100000000000000, 1, 0, 10000000000, 0, 2000000000, 2100000000,
      100000000, 0, 0, n * 1000000::numeric, n * 900000::numeric, 0, ${LIVE}::int, 100 from generate_series(1, ${receipts}::bigint) as n`);

  // Devices that report all the time, in months, as the server stores them; buckets by hour and day.
  await run(sql`insert into device (name, chain_id, short_id, metric, exponent, place, latitude, longitude, model, trust, min, max, interval,
      secret_hash, create_time)
    select 'meter-' || n, ${CHAIN}, 'demand', 'energy', -3, 'Sahel', 14.5, 2.1, 'M1', 'declared', 0, 1000000000, 60000, '\\x00', ${START * 1_000}
    from generate_series(1, ${DEVICES}::int) as n`);
  await run(sql`create table reading_of_bench partition of reading default`);
  const each = Math.ceil(readings / DEVICES);
  await run(sql`insert into reading (device, seq, time, accepted, value, prev, hash, signature)
    select d.id, n, ${START * 1_000}::bigint + n * ${span * 1_000}::bigint / ${each}::bigint,
      ${START * 1_000}::bigint + n * ${span * 1_000}::bigint / ${each}::bigint, n, '\\x00', '\\x00', '\\x00'
    from device d cross join generate_series(1, ${each}::bigint) as n`);
  for (const bucket of [3_600_000, 86_400_000]) {
    await run(sql`insert into reading_bucket (device, span, start, count, bounds, jump, frozen, backwards, min, max, sum, first_time, first_value,
        last_time, last_value)
      select d.id, ${bucket}::int, s, 60, 0, 0, 0, 0, 1, 60, 600, s, 1, s + 1000, 60
      from device d cross join generate_series(${Math.ceil((START * 1_000) / bucket) * bucket}::bigint, ${END * 1_000}::bigint, ${bucket}::bigint) as s`);
  }
  await run(sql`insert into device_head (device, seq, hash, time, accepted, good_seq, good_time, good_value, repeats, readings)
    select id, ${each}::bigint, '\\x00', ${END * 1_000}, ${END * 1_000}, ${each}::bigint, ${END * 1_000}, ${each}::bigint, 0, ${each}::bigint from device`);
}

/** Enrols devices with P-256 keys: the first `ofProduct` of the demand deposit, then as many for each further short id. */
export async function enrolFleet(
  db: Database,
  devices: readonly { name: string; x: string; y: string }[],
  { ofProduct, interval }: { ofProduct: number; interval: number },
): Promise<void> {
  const list = (texts: readonly string[]) => `{${texts.join(",")}}`;
  const names = devices.map(({ name }) => name);
  const [x, y] = [devices.map((one) => one.x), devices.map((one) => one.y)];
  await db.orm.execute(sql`insert into device (name, chain_id, short_id, metric, exponent, place, latitude, longitude, model, trust, min, max,
      interval, secret_hash, create_time)
    select name, ${CHAIN}, case when n <= ${ofProduct}::int then 'demand' else 'site-' || (n / ${ofProduct}::int) end, 'power', -1, 'Brest', 48.4,
      -4.5, 'T1', 'secure_element', 0, 1000000, ${interval}::int, '\\x00', 1
    from unnest(${list(names)}::text[]) with ordinality as of(name, n)`);
  await db.orm.execute(sql`insert into device_head (device, seq, hash, time, accepted, repeats, readings)
    select id, 0, decode(repeat('00', 32), 'hex'), 0, 0, 0, 0 from device on conflict do nothing`);
  await db.orm.execute(sql`insert into device_key (chain_id, block, log_index, time, device, what, kind, x, y, valid_from)
    select ${CHAIN}, n, 0, 1, word, 'registered', 1, x, y, 1
    from unnest(${list(names.map(nameHex))}::text[], ${list(x)}::text[], ${list(y)}::text[]) with ordinality as of(word, x, y, n)`);
}

/** Carries out a statement that no transaction may contain. */
export async function carryOut(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(statement);
  await client.end();
}
