import type { List } from "@aqua/sdk/api/envelope";
import type { Holding, Statement, TotalProfit, Transaction } from "@aqua/sdk/api/portfolio";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOpenFindings } from "../../src/findings/open.ts";
import { createOnce } from "../../src/idempotency/once.ts";
import { createLookups } from "../../src/portfolio/lookups.ts";
import { portfolioRoutes } from "../../src/portfolio/routes.ts";
import { createPortfolioService } from "../../src/portfolio/service.ts";
import { openTermDeposit, type TermWorld } from "../indexer/termWorld.ts";
import { CHAIN_ID, openWorld, type World } from "../indexer/world.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { withDatabase } from "../support/databases.ts";
import { served } from "./api.ts";
import { expectBalanced } from "./statements.ts";

const DOLLAR = 1_000_000n;
let world: World;
let deposits: TermWorld;
beforeAll(async () => {
  world = await openWorld();
  deposits = await openTermDeposit(world);
  // Two strangers: the first deposits, sends half of it to the other when it is worth more, and opens a time deposit.
  await world.mine([world.deposit(1, 0, 1_000n * DOLLAR), deposits.open(1, 0, 50n * DOLLAR)]);
  await world.mine([], 40_000);
  await world.mine([await world.report(0, 1_000n)]);
  await world.mine([], 20 * 86_400);
  await world.mine([await world.report(0, 0n)]);
  await world.mine([world.transfer(1, 2, 0, (await world.shares(1, 0)) / 2n)]);
  await world.mine([world.redeem(2, 0, (await world.shares(2, 0)) / 2n)]);
});
afterAll(() => world.stop());

withDatabase("calls of a portfolio", (open) => {
  const running = served(() => world, open, "suite");
  const { api } = running;
  let raw: (path: string) => Promise<{ status: number; headers: Record<string, unknown>; body: string }>;
  let app: TestApp["app"];
  beforeAll(async () => {
    const { db, indexer } = running;
    const { status } = indexer;
    const chain = { chainId: CHAIN_ID, deployment: world.deployed.deployment, status, client: world.client };
    const service = createPortfolioService({
      db,
      chains: [chain],
      documents: new Map(),
      lookups: createLookups(),
      findings: createOpenFindings(db),
    });
    ({ app } = await testApp({ features: [portfolioRoutes(service, createOnce(db))] }));
    raw = async (path) => {
      const { statusCode, headers, body } = await app.inject({ url: `/api/v2/${path}` });
      return { status: statusCode, headers, body };
    };
  });
  afterAll(() => app.close());

  const [one, other] = [1, 2];
  const at = (index: number) => world.wallets[index] as string;
  const solar = () => world.shortIds[0] ?? "";
  const whole = "from=0&to=9000000000000";

  it("move the cost between wallets of one request without a profit", async () => {
    const alone = (await api.get<List<Holding>>(`account/hold/${at(other)}`)).items[0];
    expect(alone?.cost_estimated).toBe(true);
    const also = `also=${at(other)},${at(one).toLowerCase()},${at(other).toUpperCase().replace("0X", "0x")}`;
    const { items, total } = await api.get<List<Holding>>(`account/hold/${at(one)}?type=demand_deposit&${also}`);
    expect(total).toBe(2);
    expect(items.map(({ wallet }) => wallet).sort()).toEqual([at(one), at(other)].sort());
    // The remaining cost is half of 1 000 and half of the other half.
    expect(items.map(({ principal }) => principal).sort()).toEqual(["250.000000", "500.000000"]);
    expect(items.map(({ cost_estimated }) => cost_estimated)).toEqual([false, false]);
    const sums = (list: readonly Holding[], part: "realised" | "unrealised") =>
      list.reduce((sum, holding) => sum + Number(holding[part]) * 1e6, 0);
    const profit = await api.get<TotalProfit>(`account/totalProfit/${at(one)}?${also}`);
    expect(Number(profit.realised) * 1e6).toBeCloseTo(sums(items, "realised"), 0);
    expect(Number(profit.unrealised) * 1e6).toBeCloseTo(sums(items, "unrealised"), 0);
    const apart = await Promise.all(
      [one, other].map((index) => api.get<TotalProfit>(`account/totalProfit/${at(index)}`)),
    );
    expect(Number(profit.total)).toBeCloseTo(Number(apart[0]?.total) + Number(apart[1]?.total), 6);
  });

  it("show a transfer between wallets of one statement on both sides, and count it on neither", async () => {
    const statement = await api.get<Statement>(`account/statement/${at(one)}?${whole}&also=${at(other)}`);
    expectBalanced(statement);
    const product = statement.products.find(({ short_id }) => short_id === solar());
    expect(product?.lines.map(({ kind, paid_in }) => [kind, paid_in])).toEqual([
      ["deposit", "1000.000000"],
      ["transfer_out", "0.000000"],
      ["transfer_in", "0.000000"],
      ["withdraw", "0.000000"],
    ]);
    expect(product?.paid_in).toBe("1000.000000");
    const [, out, into] = product?.lines ?? [];
    expect(into?.balance).toEqual(out?.balance);
    expect(statement.wallets).toEqual([at(one), at(other)]);
  });

  it("filter holdings by type and status, and transactions by every field", async () => {
    const hold = async (query: string) =>
      (await api.get<List<Holding>>(`account/hold/${at(one)}?${query}`)).items.map(({ type }) => type);
    expect(await hold("")).toEqual(["demand_deposit", "time_deposit"]);
    expect(await hold("type=time_deposit")).toEqual(["time_deposit"]);
    expect(await hold("status=closed")).toEqual([]);
    const history = async (query: string, index = one) =>
      (await api.get<List<Transaction>>(`account/transaction/${at(index)}?${query}`)).items;
    const kinds = async (query: string, index = one) => (await history(query, index)).map(({ kind }) => kind);
    expect(await kinds("")).toEqual(["transfer_out", "deposit", "deposit"]);
    expect(await kinds(`short_id=${deposits.shortId}`)).toEqual(["deposit"]);
    expect(await kinds("kind=deposit")).toEqual(["deposit", "deposit"]);
    expect(await kinds(`also=${at(other)}`)).toEqual([
      ...["withdraw", "transfer_in", "transfer_out", "deposit", "deposit"],
    ]);
    const [sent] = await history("kind=transfer_out");
    expect(await kinds(`from=${sent?.time}`)).toEqual(["transfer_out"]);
    expect(await kinds(`to=${(sent?.time ?? 0) - 1}`)).toEqual(["deposit", "deposit"]);
    expect(await kinds(`chain_id=${CHAIN_ID}&to=${sent?.time}&from=${sent?.time}`)).toEqual(["transfer_out"]);
  });

  it("return a statement as a file that a spreadsheet opens", async () => {
    const { status, headers, body } = await raw(`account/statement/${at(one)}?${whole}&format=csv&short_id=${solar()}`);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(headers["content-disposition"]).toMatch(
      new RegExp(
        `^attachment; filename="aqua-statement-${at(one).toLowerCase()}-1970-01-01-\\d{4}-\\d{2}-\\d{2}.csv"$`,
      ),
    );
    const rows = body.trimEnd().split("\r\n");
    expect(rows[0]).toMatch(/^\ufeffproduct,/);
    expect(rows.map((row) => row.split(",")[4])).toEqual(["row", "opening", "movement", "movement", "closing"]);
  });

  it("reject an invalid period, and name an unknown product", async () => {
    const path = `account/statement/${at(one)}`;
    const now = (await world.head()).time * 1_000;
    for (const [query, field] of [
      ["from=5&to=5", "to"],
      ["from=6&to=5", "to"],
      [`from=${now + 60_000}&to=${now + 90_000}`, "from"],
      ["from=yesterday&to=5", "from"],
      ["from=0", "to"],
      ["from=-1&to=5", "from"],
      ["from=0&to=5&format=pdf", "format"],
      ["from=0&to=5&also=me", "also"],
    ]) {
      expect(await api.refusal(`${path}?${query}`), query).toMatchObject({
        status: 400,
        error_code: "validation_error",
        details: [{ path: field }],
      });
    }
    const unknown = await api.refusal(`${path}?${whole}&short_id=no-such`);
    expect(unknown).toMatchObject({ status: 404, error_code: "pool_not_found" });
    const nobody = await api.get<Statement>(`account/statement/0x${"9".repeat(40)}?${whole}`);
    expect(nobody.products).toEqual([]);
  });

  it("end a statement at the indexed block, including that block's movements", async () => {
    const { time } = await world.head();
    const statement = await api.get<Statement>(`account/statement/${at(other)}?${whole}`);
    expect(statement.to).toBe(time * 1_000 + 1);
    const [holding] = (await api.get<List<Holding>>(`account/hold/${at(other)}`)).items;
    expect(statement.products[0]?.closing.value).toBe(holding?.value);
    expect(statement.products[0]?.lines.at(-1)).toMatchObject({ kind: "withdraw", time: time * 1_000 });
  });
});
