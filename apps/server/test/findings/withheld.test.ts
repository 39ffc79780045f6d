import type { List } from "@aqua/sdk/api/envelope";
import type { Home } from "@aqua/sdk/api/home";
import type { Holding, TotalHoldValue } from "@aqua/sdk/api/portfolio";
import type { DemandDetail, Product, ProductSummary, TimeDetail } from "@aqua/sdk/api/product";
import type { Recoveries, TransparencySummary } from "@aqua/sdk/api/transparency";
import type { Address } from "viem";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { depositor } from "../../../../devnet/src/accounts.ts";
import type { Difference } from "../../src/audit/difference.ts";
import { auditFinding } from "../../src/audit/schema.ts";
import { createAuditStore } from "../../src/audit/store.ts";
import { openQueue, type QueueCalls } from "../indexer/queue-calls.ts";
import { DOLLAR, openTermDeposit, type TermWorld } from "../indexer/termWorld.ts";
import { CHAIN_ID, openWorld, type World } from "../indexer/world.ts";
import { served } from "../portfolio/api.ts";
import { withDatabase } from "../support/databases.ts";

const SHARE = 10n ** 12n;
const DAY = 86_400;
let world: World;
let queue: QueueCalls;
let term: TermWorld;
let demandId: string;
let [wallet, other]: Address[] = [];

beforeAll(async () => {
  world = await openWorld();
  demandId = world.shortIds[0] as string;
  queue = await openQueue(world, world.vaults[0] as Address);
  term = await openTermDeposit(world, { shortId: "term-product" });
  await world.mine([world.deposit(0, 0, 6_000n * DOLLAR), world.deposit(1, 0, 500n * DOLLAR)]);
  await world.mine([term.open(1, 0, 500n * DOLLAR), queue.request(0, 1_000n * SHARE)], DAY);
  await world.mine([await world.report(0, 900_000n)]);
  [wallet, other] = [depositor(0).address, depositor(1).address];
});
afterAll(() => world.stop());

withDatabase("figures that an open finding concerns", (open) => {
  const running = served(() => world, open, "suite");
  const { api } = running;

  /** Records a finding about the first product as the audit does. */
  async function find(table: string, parts: Partial<Difference> = {}) {
    const product = (world.vaults[0] as string).toLowerCase();
    const row = { table, row: "block 7, log 1", column: "assets", expected: "1", found: "2" };
    await createAuditStore(running.db).find(CHAIN_ID, [{ ...row, product, ...parts }], 1);
  }
  const heal = () => running.db.orm.update(auditFinding).set({ healed: 2 });
  afterEach(heal);

  const product = (id = demandId) => api.get<DemandDetail>(`product/${id}`);
  const codeOf = async (path: string) => (await api.refusal(path)).error_code;
  const period = `from=0&to=${Date.now() + 10 * 365 * 86_400_000}`;
  const ofProduct = (id: string) => [
    `product/${id}/performance`,
    `product/${id}/liquidity`,
    `product/${id}/queue`,
    `product/${id}/transactions`,
  ];
  const ofWallet = (of: string | undefined) => [
    `account/totalProfit/${of}`,
    `account/statement/${of}?${period}`,
    `account/statement/${of}?${period}&format=csv`,
    `account/requests/${of}`,
    `account/transaction/${of}`,
  ];

  it("are null on the product, in lists and sums, and are shown again when the row is right", async () => {
    const before = await product();
    const list = () => api.get<List<Product>>("product/list");
    const [listed, summary] = [await list(), await api.get<ProductSummary>("product/summary")];
    expect(before.withheld).toEqual([]);
    await find("vault_state", { column: "settled" });
    const after = await product();
    expect(after).toMatchObject({
      withheld: ["accounts"],
      share: { price: null, supply: null },
      apy: { value: null },
      ...{ tvl: null, cap_used: null, instant_capacity: null, wait: null, holders: null, proof_age: null },
      conditions: { cash: null, deployed: null },
      vault: { settled: null, streaming: null, supply: null, deployed: null, queue: { shares: null } },
      ...{ max_drawdown: null, exit_curve: [], income_months: [] },
      // What a wallet needs to read the contract stays.
      contract: before.contract,
      contracts: before.contracts,
    });
    const items = (await list()).items;
    expect(items.find(({ short_id }) => short_id === demandId)).toMatchObject({ tvl: null, withheld: ["accounts"] });
    expect(items.filter(({ tvl }) => tvl === null)).toHaveLength(1);
    const home = await api.get<Home>("product/home");
    expect(home).toMatchObject({ positions: null, report: null, totals: [{ deposits: null, income: null }] });
    expect(home.featured.map(({ short_id }) => short_id)).not.toContain(demandId);
    const { reserves } = await api.get<TransparencySummary>("transparency/summary");
    expect(reserves.filter(({ total_assets }) => total_assets === null).map((one) => one.short_id)).toEqual([demandId]);
    await heal();
    expect(await product()).toEqual(before);
    expect(await list()).toEqual(listed);
    expect(await api.get("product/summary")).toEqual(summary);
  });

  it("are refused where a whole answer is made of them", async () => {
    for (const path of [...ofProduct(demandId), ...ofWallet(wallet)]) await api.get(path).catch(() => undefined);
    await find("vault_state");
    await find("movement", { wallet: wallet?.toLowerCase() as string });
    for (const path of [...ofProduct(demandId), ...ofWallet(wallet)]) {
      expect([path, await api.refusal(path)]).toMatchObject([path, { error_code: "figures_withheld", status: 409 }]);
    }
    await heal();
    for (const path of [...ofProduct(demandId), ...ofWallet(wallet)].filter((one) => !one.includes("csv")))
      expect(await api.get(path)).toBeDefined();
  });

  it("withhold a time deposit's amounts, and leave the receipt that a wallet chooses", async () => {
    const { items } = await api.get<List<Holding>>(`account/hold/${term.wallet(1)}?type=time_deposit`);
    const address = (await api.get<TimeDetail>("product/term-product")).contract.toLowerCase();
    await find("term_state", { product: address });
    const detail = await api.get<TimeDetail>("product/term-product");
    expect(detail).toMatchObject({ withheld: ["accounts"], tvl: null, terms: [], open_terms: [], term: null });
    expect(detail.books).toMatchObject({ cash: null, liabilities: null, losses: null, winding_down: null });
    const held = await api.get<List<Holding>>(`account/hold/${term.wallet(1)}?type=time_deposit`);
    expect(held.items).toMatchObject([
      {
        ...{ withheld: true, value: null, exit_value: null, principal: null, claimable: null },
        ...{ deposit_id: items[0]?.deposit_id, maturity: items[0]?.maturity },
        receipt: { term: items[0]?.receipt?.term, principal: null, interest_at_maturity: null, rate: null },
      },
    ]);
    expect((await product()).withheld).toEqual([]);
  });

  it("are those of one wallet if the row is that wallet's", async () => {
    const hold = (of: string | undefined) => api.get<List<Holding>>(`account/hold/${of}?type=demand_deposit`);
    const total = (of: string | undefined) => api.get<TotalHoldValue>(`account/totalHoldValue/${of}`);
    await find("position", { wallet: wallet?.toLowerCase() as string });
    expect((await hold(wallet)).items).toMatchObject([{ withheld: true, value: null, shares: null, unrealised: null }]);
    expect(await total(wallet)).toMatchObject({ total: null, claimable: null, by_product: [{ value: null }] });
    expect((await hold(other)).items).toMatchObject([{ withheld: false, value: expect.any(String) }]);
    expect(await total(other)).toMatchObject({ total: expect.any(String) });
    expect((await product()).withheld).toEqual([]);
    expect(await codeOf(`account/totalProfit/${wallet}`)).toBe("figures_withheld");
    expect(await codeOf(`account/totalProfit/${other}?also=${wallet}`)).toBe("figures_withheld");
    await api.get(`account/totalProfit/${other}`);
  });

  it("are of every wallet in the product if the row names none, and of no other wallet", async () => {
    await find("queue_batch");
    expect(await codeOf(`account/totalProfit/${other}`)).toBe("figures_withheld");
    await api.get(`account/totalProfit/${depositor(5).address}`);
  });

  it("are only those that follow from the row's table", async () => {
    const before = await product();
    await find("movement", { wallet: other?.toLowerCase() as string });
    expect(await product()).toMatchObject({ withheld: ["flows"], tvl: before.tvl, wait: null, exit_curve: [] });
    await api.get(`product/${demandId}/performance`);
    expect(await codeOf(`product/${demandId}/transactions`)).toBe("figures_withheld");
    await heal();
    await find("report");
    expect(await product()).toMatchObject({ withheld: ["reports"], tvl: before.tvl, income_months: [] });
    await api.get(`product/${demandId}/liquidity`);
    expect(await codeOf(`product/${demandId}/performance`)).toBe("figures_withheld");
  });

  it("are of all products if no product has the address that the finding names", async () => {
    await find("product", { product: "0x00000000000000000000000000000000000000aa" });
    const { items } = await api.get<List<Product>>("product/list");
    expect(items.every(({ tvl }) => tvl === null)).toBe(true);
  });

  it("never include the proposals that a wallet can veto", async () => {
    for (const table of ["privileged_act", "identity_record"]) await find(table);
    const { recoveries } = await api.get<Recoveries>(`transparency/recoveries?wallet=${wallet}`);
    expect(recoveries).toEqual([]);
    expect(await codeOf("transparency/acts")).toBe("figures_withheld");
  });
});
