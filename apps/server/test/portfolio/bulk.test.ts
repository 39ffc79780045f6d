import type { List } from "@aqua/sdk/api/envelope";
import type { Holding, Statement, TotalProfit, Transaction } from "@aqua/sdk/api/portfolio";
import { type SQL, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { createOpenFindings } from "../../src/findings/open.ts";
import { createOnce } from "../../src/idempotency/once.ts";
import { createLookups } from "../../src/portfolio/lookups.ts";
import { portfolioRoutes } from "../../src/portfolio/routes.ts";
import { createPortfolioService } from "../../src/portfolio/service.ts";
import { MAX_LINES } from "../../src/portfolio/statement.ts";
import { localDeployment, type TestApp, testApp } from "../support/app.ts";
import { withDatabase } from "../support/databases.ts";
import { counting } from "../support/queries.ts";
import { expectBalanced } from "./statements.ts";

const CHAIN = 31_337;
const START = 1_750_000_000;
const address = (digit: string) => `0x${digit.repeat(40)}`;
const [vault, term, registry] = [address("a"), address("b"), address("c")];
/** Wallets by the number of their movements. */
const quiet = address("1");
const busy = address("2");
const busier = address("3");
const rows = { quiet: 10, busy: 3_000, busier: MAX_LINES + 1 };
const RECEIPTS = 1_000;

/** Two products with many depositors, written straight into the tables: a deposit of one dollar every ten seconds. */
async function fill(db: Database): Promise<void> {
  const run = (statement: SQL) => db.orm.execute(statement);
  await run(sql`insert into chain_cursor (chain_id, product_registry, block, hash, time, state, epoch)
    values (${CHAIN}, ${registry}, 100000, '0x01', ${START + 1_000_000}, 'live', 1)`);
  for (const [product, type] of [
    [vault, 0],
    [term, 1],
  ] as const) {
    await run(sql`insert into product (chain_id, address, short_id, product_type, asset, asset_symbol, asset_decimals,
        share_name, share_symbol, share_decimals, block, log_index, time)
      values (${CHAIN}, ${product}, ${type === 0 ? "solar" : "wind"}, ${type}, ${registry}, 'tUSD', 6, 'Aqua', 'aq', 12, 1, ${type}, ${START})`);
    await run(sql`insert into product_state (chain_id, block, log_index, product, time, status, metadata_hash)
      values (${CHAIN}, 1, ${type}, ${product}, ${START}, 0, '0x')`);
  }
  await run(sql`insert into vault_state (chain_id, block, log_index, product, time, supply, settled, streaming, stream_start, stream_end,
      cap, min_deposit, paused_until, vesting_time, max_report_age, report_as_of, deposited, withdrawn, holders)
    select ${CHAIN}, n + 1, 9, ${vault}, ${START} + n * 10, n * 1000000000000::numeric, n * 1000000::numeric, 0, ${START}, ${START},
      1000000000000, 1, 0, 1, 1, ${START}, n * 1000000::numeric, 0, 3 from generate_series(0, 15000) as n`);
  for (const [wallet, first, count] of [
    [quiet, 14_500, rows.quiet],
    [busy, 1, rows.busy],
    [busier, 4_000, rows.busier],
  ] as const) {
    await run(sql`insert into position (chain_id, block, log_index, wallet, product, time, shares, cost, realised, total_in, total_out,
        cost_estimated, since)
      select ${CHAIN}, ${first}::int + n, 9, ${wallet}, ${vault}, ${START} + (${first}::int + n - 1) * 10, n * 1000000000000::numeric,
        n * 1000000::numeric, 0, n * 1000000::numeric, 0, false, ${START} from generate_series(1, ${count}::int) as n`);
    await run(sql`insert into movement (chain_id, block, log_index, wallet, product, time, hash, kind, assets, shares, price)
      select ${CHAIN}, ${first}::int + n, 9, ${wallet}, ${vault}, ${START} + (${first}::int + n - 1) * 10,
        '0x' || lpad(to_hex(${first}::int + n), 64, '0'), 'deposit', 1000000, 1000000000000, 1000000000000000000
      from generate_series(1, ${count}::int) as n`);
  }
  await run(sql`insert into term (chain_id, block, log_index, product, time, term_id, count, unit, rate, break_rate, penalty, cap, open, principal)
    values (${CHAIN}, 2, 1, ${term}, ${START}, 0, 1, 3, 50000000000000000, 0, 0, 1000000000000, true, 0)`);
  await run(sql`insert into term_state (chain_id, block, log_index, product, time, custodian, buffer, cap, min_deposit, paused_until, cash,
      deployed, principal, liabilities, reserved, claims, received, deposited, paid_out, losses, receipts, holders)
    values (${CHAIN}, 2, 2, ${term}, ${START}, ${registry}, 0, 1000000000000, 1, 0, 10000000000, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0)`);
  await run(sql`insert into receipt (chain_id, block, log_index, product, time, receipt_id, owner, term_id, principal, interest, opened_at,
      maturity, hash, status, roll, roll_term_id, paid, cost, cost_estimated)
    select ${CHAIN}, 50000 + n, 5, ${term}, ${START} + 500000 + n, n, case when n % 2 = 0 then ${quiet} else ${busy} end, 0, 1000000, 50000,
      ${START} + 500000 + n, ${START} + 500000 + n + 31536000, '0x' || lpad(to_hex(n), 64, '0'), 1, 0, 0, 0, 1000000, false
    from generate_series(1, ${RECEIPTS}::int) as n`);
  await run(sql`insert into position (chain_id, block, log_index, wallet, product, time, shares, receipts, cost, realised, total_in, total_out,
      cost_estimated, since)
    select ${CHAIN}, 50000 + n, 5, case when n % 2 = 0 then ${quiet} else ${busy} end, ${term}, ${START} + 500000 + n, 0, (n + 1) / 2,
      ((n + 1) / 2) * 1000000::numeric, 0, ((n + 1) / 2) * 1000000::numeric, 0, false, ${START} from generate_series(1, ${RECEIPTS}::int) as n`);
  await run(sql`insert into movement (chain_id, block, log_index, wallet, product, time, hash, kind, assets, shares, price, receipt_id)
    select ${CHAIN}, 50000 + n, 5, case when n % 2 = 0 then ${quiet} else ${busy} end, ${term}, ${START} + 500000 + n,
      '0x' || lpad(to_hex(n), 64, '0'), 'deposit', 1000000, 0, null, n from generate_series(1, ${RECEIPTS}::int) as n`);
  await run(sql`analyze`);
}

withDatabase("a portfolio with a long history", (open) => {
  let app: TestApp["app"];
  let queries: string[];
  beforeAll(async () => {
    const db = await open();
    await fill(db);
    const watched = counting(db);
    queries = watched.queries;
    const chain = { chainId: CHAIN, deployment: localDeployment as never, status: () => ({ state: "live" }) };
    const parts = {
      db: watched.db,
      chains: [{ ...chain, client: undefined as never }],
      documents: new Map(),
      lookups: createLookups(),
      // A server reads them once a second, whatever the requests; here only the first request does.
      findings: createOpenFindings(db, { maxAgeMs: Number.POSITIVE_INFINITY }),
    };
    ({ app } = await testApp({ features: [portfolioRoutes(createPortfolioService(parts), createOnce(db))] }));
  });
  afterAll(() => app.close());

  const ask = async <Data>(path: string) => {
    queries.length = 0;
    const response = await app.inject({ url: `/api/v2/account/${path}` });
    return {
      status: response.statusCode,
      asked: queries.length,
      ...response.json<{ data: Data; error_code?: string }>(),
    };
  };
  const always = "from=0&to=9000000000000";

  it.each([
    ["hold", ""],
    ["totalHoldValue", ""],
    ["totalProfit", "range=all"],
    ["transaction", ""],
    ["requests", ""],
    ["statement", always],
  ])("sends as many queries for a large portfolio as for a small one: %s", async (route, query) => {
    // Data shared by all wallets is read once per block.
    await ask(`${route}/${quiet}?${query}`);
    const few = await ask(`${route}/${quiet}?${query}`);
    const many = await ask(`${route}/${busy}?${query}`);
    expect([few.status, many.status]).toEqual([200, 200]);
    expect(many.asked).toBe(few.asked);
    expect(many.asked).toBeLessThan(40);
  });

  it("sums thousands of lines of both types", async () => {
    const { data } = await ask<Statement>(`statement/${busy}?${always}`);
    expectBalanced(data);
    expect(data.products.map(({ lines }) => lines.length)).toEqual([rows.busy, RECEIPTS / 2]);
    expect(data.products[0]?.closing).toMatchObject({ value: `${rows.busy}.000000` });
    const { data: profit } = await ask<TotalProfit>(`totalProfit/${busy}`);
    expect(profit).toMatchObject({ net_deposits: `${rows.busy + RECEIPTS / 2}.000000`, realised: "0.000000" });
    const { data: holdings } = await ask<List<Holding>>(`hold/${busy}?page_size=100&page=2`);
    expect([holdings.total, holdings.items.length]).toEqual([1 + RECEIPTS / 2, 100]);
    const { data: history } = await ask<List<Transaction>>(`transaction/${busy}?page=3&kind=deposit&short_id=solar`);
    expect([history.total, history.items.length]).toEqual([rows.busy, 20]);
  });

  it("rejects a statement above the maximum length, and returns its parts", async () => {
    const whole = await ask(`statement/${busier}?${always}`);
    expect(whole).toMatchObject({ status: 400, error_code: "validation_error" });
    const middle = (START + 90_000) * 1_000;
    const [first, second] = [
      await ask<Statement>(`statement/${busier}?from=0&to=${middle}`),
      await ask<Statement>(`statement/${busier}?from=${middle}&to=9000000000000`),
    ];
    const lines = [first, second].flatMap(({ data }) => data.products.map((product) => product.lines.length));
    expect(lines.reduce((sum, count) => sum + count, 0)).toBe(rows.busier);
    expect(second.data.products[0]?.opening).toEqual(first.data.products[0]?.closing);
  });
});
