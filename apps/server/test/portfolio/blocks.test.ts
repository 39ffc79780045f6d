import type { Holding } from "@aqua/sdk/api/portfolio";
import type { Deployment } from "@aqua/sdk/deployment";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Database, Orm } from "../../src/db/database.ts";
import { createOpenFindings } from "../../src/findings/open.ts";
import { createLookups } from "../../src/portfolio/lookups.ts";
import { createPortfolioService, type PortfolioService } from "../../src/portfolio/service.ts";
import { localDeployment } from "../support/app.ts";
import { withDatabase } from "../support/databases.ts";
import { counting } from "../support/queries.ts";

const CHAIN = 31_337;
const START = 1_750_000_000;
const address = (digit: string) => `0x${digit.repeat(40)}` as const;
const [vault, registry, wallet, other] = [address("a"), address("c"), address("1"), address("2")];

async function list(tx: Orm): Promise<void> {
  await tx.execute(
    sql`insert into chain_cursor (chain_id, product_registry, state, epoch) values (${CHAIN}, ${registry}, 'live', 1)`,
  );
  await tx.execute(sql`insert into product (chain_id, address, short_id, product_type, asset, asset_symbol, asset_decimals,
      share_name, share_symbol, share_decimals, block, log_index, time)
    values (${CHAIN}, ${vault}, 'solar', 0, ${registry}, 'tUSD', 6, 'Aqua', 'aq', 12, 1, 0, ${START})`);
  await tx.execute(sql`insert into product_state (chain_id, block, log_index, product, time, status, metadata_hash)
    values (${CHAIN}, 1, 0, ${vault}, ${START}, 0, '0x')`);
}

/**
 * Commits a block like an indexer: 100 shares in all, including the vault's virtual ones, worth `worth` dollars; each
 * of the wallets holds `shares` of them.
 */
async function commit(db: Database, block: number, hash: string, { worth, shares }: { worth: number; shares: number }) {
  const time = START + block * 10;
  await db.transaction(async (tx) => {
    await tx.execute(
      sql`update chain_cursor set block = ${block}, hash = ${hash}, time = ${time} where chain_id = ${CHAIN}`,
    );
    for (const table of ["vault_state", "position"])
      await tx.execute(sql`delete from ${sql.raw(table)} where block >= ${block}`);
    await tx.execute(sql`insert into vault_state (chain_id, block, log_index, product, time, supply, settled, streaming,
        stream_start, stream_end, cap, min_deposit, paused_until, vesting_time, max_report_age, report_as_of, deposited, withdrawn, holders)
      values (${CHAIN}, ${block}, 9, ${vault}, ${time}, 99999999000000, ${worth * 1_000_000 - 1}, 0, ${START}, ${START},
        1000000000000, 1, 0, 1, 1, ${START}, 100000000, 0, 2)`);
    for (const holder of [wallet, other])
      await tx.execute(sql`insert into position (chain_id, block, log_index, wallet, product, time, shares, cost, realised, total_in,
          total_out, cost_estimated, since)
        values (${CHAIN}, ${block}, 9, ${holder}, ${vault}, ${time}, ${shares}::numeric * 1000000000000, 1000000, 0, 1000000, 0, false, ${START})`);
  });
}

function serviceOn(db: Database): PortfolioService {
  const deployment = localDeployment as Deployment;
  const chain = { chainId: CHAIN, deployment, status: () => ({ state: "live" }), client: undefined as never };
  return createPortfolioService({
    db,
    chains: [chain],
    documents: new Map(),
    lookups: createLookups(),
    findings: createOpenFindings(db),
  });
}

async function held(service: PortfolioService, of: string = wallet, also?: string) {
  const { items } = await service.hold(of, { page: 1, page_size: 10, also });
  return items.map(({ value, as_of }: Holding) => [as_of.block, value]);
}

withDatabase("a portfolio from block to block", (open) => {
  let db: Database;
  beforeEach(async () => {
    db = await open();
    await list(db.orm);
    await commit(db, 5, "0x05", { worth: 100, shares: 10 });
  });
  afterEach(() => db.close());

  it("answers the tables' state of each block, for any writing process and any reorg", async () => {
    const service = serviceOn(db);
    expect(await held(service)).toEqual([[5, "10.000000"]]);
    await commit(db, 6, "0x06", { worth: 200, shares: 10 });
    expect(await held(service)).toEqual([[6, "20.000000"]]);
    // A reorganisation replaces the block under the same number.
    await commit(db, 6, "0x66", { worth: 300, shares: 20 });
    expect(await held(service)).toEqual([[6, "60.000000"]]);
    await commit(db, 5, "0x05", { worth: 100, shares: 10 });
    expect(await held(service)).toEqual([[5, "10.000000"]]);
    // A writer with other rules fills the tables again.
    await commit(db, 5, "0x05", { worth: 400, shares: 10 });
    await db.orm.execute("update chain_cursor set epoch = 2");
    expect(await held(service)).toEqual([[5, "40.000000"]]);
  });

  it("never combines the shares of one block with the price of another", async () => {
    let between = async () => {};
    const service = serviceOn({
      ...db,
      // A block arrives after the wallet's rows are read and before the products are read.
      transaction: async (work, isolation) => {
        await between();
        return db.transaction(work, isolation);
      },
    });
    between = () => commit(db, 6, "0x06", { worth: 200, shares: 50 });
    expect(await held(service)).toEqual([[6, "100.000000"]]);
    // A block during the snapshot has no effect.
    await commit(db, 7, "0x07", { worth: 300, shares: 60 });
    const inside = serviceOn({
      ...db,
      transaction: (work, isolation) =>
        db.transaction(async (tx) => {
          await tx.execute("select count(*) from chain_cursor");
          await commit(db, 8, "0x08", { worth: 500, shares: 70 });
          return work(tx);
        }, isolation),
    });
    expect(await held(inside, wallet, other)).toEqual([
      [7, "180.000000"],
      [7, "180.000000"],
    ]);
    expect(await held(inside)).toEqual([[8, "350.000000"]]);
  });

  it("reads the data of all wallets once per block, and each wallet with one query", async () => {
    const { db: watched, queries } = counting(db);
    const service = serviceOn(watched);
    await held(service);
    queries.length = 0;
    await held(service, other);
    await service.totalHoldValue(wallet, {});
    expect(queries.length).toBe(2);
    queries.length = 0;
    expect(await Promise.all([held(service), held(service, other), held(service, address("9"))])).toHaveLength(3);
    expect(queries.length).toBe(1);
  });

  it("reads again what the first reader failed to read", async () => {
    let fails = true;
    const service = serviceOn({
      ...db,
      transaction: (work, isolation) =>
        db.transaction((tx) => {
          const broken = new Proxy(tx, {
            get: (target, name) => {
              if (name === "select") throw new Error("the connection broke");
              return Reflect.get(target, name);
            },
          });
          return work(fails ? broken : tx);
        }, isolation),
    });
    await expect(held(service)).rejects.toThrow("the connection broke");
    fails = false;
    expect(await held(service)).toEqual([[5, "10.000000"]]);
  });

  it("caches only a few blocks and still answers all of them", async () => {
    const service = serviceOn(db);
    for (let block = 6; block < 20; block += 1) {
      await commit(db, block, `0x${block}`, { worth: block * 10, shares: 10 });
      expect(await held(service)).toEqual([[block, `${block}.000000`]]);
    }
  });
});
