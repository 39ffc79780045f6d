import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import type { List } from "@aqua/sdk/api/envelope";
import type { Home } from "@aqua/sdk/api/home";
import type { Holding, RedemptionRequest, Transaction } from "@aqua/sdk/api/portfolio";
import type {
  DemandDetail,
  Liquidity,
  Performance,
  Product,
  ProductDetail,
  ProductSummary,
} from "@aqua/sdk/api/product";
import type { TransparencySummary } from "@aqua/sdk/api/transparency";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { encodeFunctionData, getAddress, type Hex, keccak256, stringToHex } from "viem";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { forgetChain } from "../../src/indexer/store.ts";
import { createKeys } from "../../src/keys.ts";
import { openDocuments } from "../../src/product/documents.ts";
import { createLogWriter } from "../../src/publicLog/writer.ts";
import { openPreciseVault } from "../indexer/preciseVault.ts";
import { openQueue } from "../indexer/queue-calls.ts";
import { CHAIN_ID, openWorld, silent, type World } from "../indexer/world.ts";
import { served } from "../portfolio/api.ts";
import { withDatabase } from "../support/databases.ts";
import { document } from "./sahel.ts";

const DAY = 86_400;
const SHARE = 10n ** 12n;
let world: World;
let origin: Hex;
beforeAll(async () => {
  world = await openWorld();
  origin = await world.snapshot();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.revert(origin);
  origin = await world.snapshot();
});

withDatabase("products", (open) => {
  let folder: string;
  const text = JSON.stringify(document);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "aqua-products-"));
    await writeFile(join(folder, "sahel.json"), text);
    await writeFile(join(folder, "broken.json"), "{}");
    const unknown = { ...document, translations: { "de-DE": { name: "Sahel-Sonne" } } };
    await writeFile(join(folder, "unknown-language.json"), JSON.stringify(unknown));
    return () => rm(folder, { recursive: true });
  });
  const running = served(
    () => world,
    open,
    "test",
    async (db) => {
      const { documents, stop } = await openDocuments({
        db,
        folder,
        writer: createLogWriter(createKeys(new Uint8Array(32))),
        log: silent,
      });
      stop();
      return documents;
    },
  );
  const { api, caughtUp } = running;

  const registry = (functionName: "setMetadata" | "close", args: readonly unknown[]) =>
    world.as(
      functionName === "close" ? "guardian" : "editor",
      world.deployed.addresses.productRegistry,
      encodeFunctionData({ abi: productRegistryAbi, functionName, args } as never),
    );
  const shortId = (index: number) => world.shortIds[index] ?? "";
  const list = async (query = "") => (await api.get<List<Product>>(`product/list${query}`)).items;

  it("have texts only under the hash that the registry commits to", async () => {
    await caughtUp();
    const before = await api.get<ProductDetail>(`product/${shortId(0)}`);
    expect(before).toMatchObject({
      name: shortId(0),
      summary: null,
      description: [],
      risks: [],
      coordinates: null,
      image: null,
    });
    await world.mine([registry("setMetadata", [shortId(0), keccak256(stringToHex(text))])]);
    await caughtUp();
    const after = await api.get<ProductDetail>(`product/${shortId(0)}`);
    expect(after).toMatchObject({
      name: "Sahel Solar",
      location: "Niger",
      risks: document.risks,
      holder: document.holder,
      closed_to: ["US"],
      contract_audit: document.contract_audit,
    });
    expect((await list()).map(({ short_id, closed_to }) => [short_id, closed_to])).toContainEqual([shortId(0), ["US"]]);
    expect(before.closed_to).toEqual([]);
    expect(before.contract_audit).toBeNull();
    expect(after.metadata_hash).toBe(keccak256(stringToHex(text)));
    expect(running.indexer.published.filter(({ name }) => name === "product").at(-1)?.data).toEqual({
      short_id: shortId(0),
    });
  });

  it("have texts in the requested language, or in English if they are not translated", async () => {
    await world.mine([
      registry("setMetadata", [shortId(0), keccak256(stringToHex(text))]),
      world.deposit(0, 0, 90_000_000n),
    ]);
    await caughtUp();
    const detail = (query: string) => api.get<ProductDetail>(`product/${shortId(0)}${query}`);
    const { translations, ...english } = document;
    expect(await detail("?lang=fr-FR")).toMatchObject({
      name: "Solaire du Sahel",
      asset_class: "Irrigation solaire",
      location: "Niger (pays)",
      summary: english.summary,
      description: english.description,
      holder: english.holder,
      risks: [{ title: "Sécheresse", text: "No water, no income." }],
      evidence: english.evidence,
      base: { name: "Sahel Solar", summary: english.summary, location: "Niger", asset_class: "Irrigation" },
    });
    for (const query of ["", "?lang=en-US", "?lang=ko-KR"])
      expect(await detail(query), query).toMatchObject({ name: "Sahel Solar", risks: english.risks, base: null });
    const names = async (lang: string) => [
      (await list(`?lang=${lang}&sort=newest`)).find(({ short_id }) => short_id === shortId(0))?.name,
      (await api.get<List<Holding>>(`account/hold/${world.wallets[0]}?lang=${lang}`)).items[0]?.name,
      (await api.get<TransparencySummary>(`transparency/summary?lang=${lang}`)).reserves.find(
        ({ short_id }) => short_id === shortId(0),
      )?.name,
    ];
    expect(await names("fr-FR")).toEqual(["Solaire du Sahel", "Solaire du Sahel", "Solaire du Sahel"]);
    expect(await names("zh-CN")).toEqual(["Sahel Solar", "Sahel Solar", "Sahel Solar"]);
    const queue = await openQueue(world, world.vaults[0] ?? "0x");
    await world.mine([queue.request(0, 10n * SHARE)]);
    await caughtUp();
    const requests = await api.get<RedemptionRequest[]>(`account/requests/${world.wallets[0]}?lang=fr-FR`);
    expect(requests.map(({ name }) => name)).toEqual(["Solaire du Sahel"]);
    for (const path of [
      "product/list",
      `product/${shortId(0)}`,
      `account/hold/${world.wallets[0]}`,
      `account/requests/${world.wallets[0]}`,
      "transparency/summary",
    ])
      expect(await api.refusal(`${path}?lang=de-DE`), path).toMatchObject({ status: 400, details: [{ path: "lang" }] });
  });

  it("are searched by their shown and their English texts without regard to accents", async () => {
    await world.mine([registry("setMetadata", [shortId(0), keccak256(stringToHex(text))])]);
    await caughtUp();
    const found = async (query: string) => (await list(query)).map(({ short_id }) => short_id);
    for (const q of ["solaire", "SAHEL%20SOLAR", "pays"])
      expect(await found(`?lang=fr-FR&q=${q}`), q).toEqual([shortId(0)]);
    expect(await found("?q=solaire")).toEqual([]);
  });

  it("are pool_not_found for an unlisted id, and an invalid id is rejected with the reason", async () => {
    await caughtUp();
    for (const path of [
      "product/none",
      "product/none/performance",
      "product/none/liquidity",
      "product/none/transactions",
    ]) {
      expect(await api.refusal(path)).toMatchObject({ status: 404, error_code: "pool_not_found" });
    }
    expect(await api.refusal("product/NO_SUCH")).toMatchObject({ status: 400, error_code: "validation_error" });
  });

  it("have unknown values as null and not as 0 while they are empty", async () => {
    await caughtUp();
    const [product] = await list();
    expect(product).toMatchObject({ tvl: "0.000000", holders: 0, proof_age: null, term: null });
    expect(product?.apy).toMatchObject({ value: null, annualised: false });
    expect(product?.share?.price).toBe("1.000000000000000000");
    expect(await api.get<Performance>(`product/${shortId(0)}/performance`)).toMatchObject({
      series: [],
      reports: [],
      max_drawdown: null,
    });
    expect(await api.get<Liquidity>(`product/${shortId(0)}/liquidity`)).toMatchObject({
      history: [],
      total_assets: "0.000000",
    });
  });

  it("are filtered, searched, sorted and paged", async () => {
    await world.mine([
      registry("setMetadata", [shortId(0), keccak256(stringToHex(text))]),
      world.deposit(0, 1, 90_000_000n),
    ]);
    await world.mine([world.deposit(0, 2, 40_000_000n), registry("close", [shortId(1)])]);
    await world.mine([world.deposit(0, 0, 10_000_000n)]);
    await caughtUp();
    // The world has more products, which are listed after these.
    const used = world.shortIds.slice(0, 3);
    const ids = async (query: string) =>
      (await list(query)).map((product) => product.short_id).filter((id) => used.includes(id));
    expect(await ids("")).toEqual([shortId(1), shortId(2), shortId(0)]);
    expect(await ids("?status=closed")).toEqual([shortId(1)]);
    expect(await ids("?status=open&sort=name")).toEqual([shortId(2), shortId(0)]);
    expect(await ids("?type=time_deposit")).toEqual([]);
    expect(await ids("?chain_id=1")).toEqual([]);
    expect(await ids("?q=IRRIGATION%20niger")).toEqual([shortId(0)]);
    expect(await ids("?page=2&page_size=2")).toEqual([shortId(0)]);
    expect(await api.refusal("product/list?status=half")).toMatchObject({ details: [{ path: "status" }] });
  });

  it("have price, APY, assets and reports over ranges", async () => {
    await world.mine([world.deposit(0, 0, 1_000_000_000n)]);
    const start = (await world.head()).time;
    for (let report = 1; report <= 20; report += 1) {
      await world.mine([], 2 * DAY - 12);
      await world.mine([await world.report(0, 300_000n)], 12);
    }
    await world.mine([], 2 * DAY);
    await caughtUp();
    const { time } = await world.head();

    const performance = await api.get<Performance>(`product/${shortId(0)}/performance?range=30d`);
    const of = (days: number | null) => performance.apy.find((apy) => apy.window_days === days);
    expect(of(365)).toEqual({ window_days: 365, value: null, annualised: false });
    expect(of(90)?.value).toBeNull();
    expect(of(30)?.annualised).toBe(true);
    expect(Number(of(30)?.value)).toBeGreaterThan(0.04);
    expect(Number(of(null)?.value)).toBeGreaterThan(0.045);
    expect(performance.max_drawdown).toBe("0.000000");
    expect(performance.series.at(0)?.time).toBe((time - 30 * DAY) * 1_000);
    expect(performance.series.at(-1)).toMatchObject({ time: time * 1_000, share_price: performance.share_price });
    expect(performance.reports.length).toBeGreaterThan(12);
    expect(performance.reports.length).toBeLessThan(16);
    expect(performance.reports[0]).toMatchObject({ delta: "0.300000", evidence_root: `0x${"ab".repeat(32)}` });
    const all = await api.get<Performance>(`product/${shortId(0)}/performance`);
    expect(all.series[0]).toMatchObject({ time: start * 1_000, tvl: "1000.000000" });
    expect(all.reports).toHaveLength(20);

    const [product] = await list("?sort=apy&type=demand_deposit");
    expect(product).toMatchObject({ short_id: shortId(0), proof_age: 2 * DAY * 1_000, holders: 1 });
    expect(product?.apy).toMatchObject({ window_days: 30, value: of(30)?.value, kind: "variable" });
  });

  it("have deposits and withdrawals per step that sum to the total", async () => {
    await world.mine([world.deposit(0, 0, 500_000_000n), world.deposit(1, 0, 70_000_000n)]);
    await world.mine([world.withdraw(0, 0, 120_000_000n), await world.report(0, 0n)], 3 * DAY);
    await world.mine([world.deposit(2, 0, 15_000_000n)], 2 * DAY);
    await caughtUp();
    const liquidity = await api.get<Liquidity>(`product/${shortId(0)}/liquidity`);
    const sum = (key: "deposits" | "withdrawals") =>
      liquidity.history.reduce((total, point) => total + parseUnits(point[key], 6), 0n);
    expect([sum("deposits"), sum("withdrawals")]).toEqual([585_000_000n, 120_000_000n]);
    expect(liquidity.history.at(-1)?.total_assets).toBe(liquidity.total_assets);
    expect(liquidity).toMatchObject({ idle: "465.000000", instant_capacity: "465.000000" });
  });

  it("are summed exactly per unit, with unknown income before the first report", async () => {
    await world.mine([world.deposit(0, 0, 1_000_000_000n), world.deposit(1, 1, 70_000_001n)]);
    await caughtUp();
    const summary = () => api.get<ProductSummary>("product/summary");
    const symbol = (await list())[0]?.asset.symbol;
    const open = world.shortIds.length + world.deployed.termDeposits.size;
    expect(await summary()).toMatchObject({
      open,
      positions: 2,
      last_report: null,
      totals: [{ symbol, deposits: "1070.000001", income: null }],
    });
    await world.mine([], 2 * DAY);
    await world.mine([await world.report(0, 600_000n), registry("close", [shortId(2)])]);
    await world.mine([], 2 * DAY);
    await world.mine([await world.report(1, 7n)]);
    await world.mine([], 2 * DAY);
    await world.mine([await world.report(0, 200_000n), world.deposit(1, 0, 30_000_000n)]);
    await caughtUp();
    const after = await summary();
    expect(after).toMatchObject({ open: open - 1, positions: 3 });
    const first = await api.get<Home>("product/home");
    expect(first).toMatchObject(after);
    expect(first.featured.every(({ status }) => status === "open")).toBe(true);
    expect(
      first.events
        .map(({ kind, amount }) => [kind, amount])
        .slice(0, 3)
        .toSorted(),
    ).toEqual([
      ["deposit", "30.000000"],
      ["report", "0.000007"],
      ["report", "0.200000"],
    ]);
    expect(first.events.map(({ time }) => time)).toEqual(
      first.events.map(({ time }) => time).toSorted((a, b) => b - a),
    );
    const { income_months, max_drawdown } = await api.get<DemandDetail>(`product/${shortId(0)}`);
    expect(income_months.reduce((sum, { amount }) => sum + parseUnits(amount, 6), 0n)).toBe(800_000n);
    expect(max_drawdown).toBe("0.000000");
    const { share_price } = await api.get<Performance>(`product/${shortId(0)}/performance`);
    expect(first.report).toMatchObject({
      product: { short_id: shortId(0) },
      delta: "0.200000",
      price_now: share_price,
      reading: null,
      batch: null,
    });
    expect(after.as_of).toEqual((await list())[0]?.as_of);
    const total = (amounts: readonly (string | null)[]) =>
      formatUnits(
        amounts.reduce((sum, amount) => sum + parseUnits(amount ?? "", 6), 0n),
        6,
      );
    expect(after.totals).toEqual([
      { symbol, deposits: total((await list()).map(({ tvl }) => tvl)), income: "0.800007" },
    ]);
    const reports = await Promise.all(
      world.shortIds.map((id) => api.get<Performance>(`product/${id}/performance?range=all`)),
    );
    expect(total(reports.flatMap(({ reports }) => reports.map(({ delta }) => delta)))).toBe(after.totals[0]?.income);
    expect(after.last_report).toBe(Math.max(...reports.flatMap(({ reports }) => reports.map(({ time }) => time))));
  });

  it("exclude a reversed loss from sums, but not from the price", async () => {
    const queue = await openQueue(world, world.vaults[0] ?? "0x");
    await world.mine([world.deposit(0, 0, 1_000_000_000n)]);
    await world.mine([queue.deploy(900_000_000n)]);
    await world.mine([await world.report(0, -20_000_000n, DAY)], DAY);
    const data = encodeFunctionData({ abi: demandVaultAbi, functionName: "takeBackLoss" });
    await world.mine([world.as("confirmer", world.vaults[0] as Hex, data)]);
    const takenBack = (await world.head()).time;
    await world.mine([await world.report(0, -1_000_000n)], 2 * DAY);
    await caughtUp();
    const { reports, max_drawdown, max_drawdown_taken_back } = await api.get<Performance>(
      `product/${shortId(0)}/performance?range=all`,
    );
    expect(reports.map(({ delta, taken_back }) => [delta, taken_back])).toEqual([
      ["-1.000000", null],
      ["-20.000000", takenBack * 1_000],
    ]);
    const worst = { max_drawdown: "0.020000", max_drawdown_taken_back: takenBack * 1_000 };
    expect({ max_drawdown, max_drawdown_taken_back }).toEqual(worst);
    expect(await api.get<DemandDetail>(`product/${shortId(0)}`)).toMatchObject(worst);
    // Every range has the worst fall since the first deposit, also one in which the price rose.
    await world.mine([], 8 * DAY);
    await caughtUp();
    const week = await api.get<Performance>(`product/${shortId(0)}/performance?range=7d`);
    expect(week.reports).toEqual([]);
    expect(week).toMatchObject(worst);
    const { totals } = await api.get<ProductSummary>("product/summary");
    expect(totals).toMatchObject([{ income: "-1.000000" }]);
  });

  it("take no deposits for a time exactly while the contract refuses them", async () => {
    const [address, abi] = [world.vaults[0] as Hex, demandVaultAbi];
    const queue = await openQueue(world, address);
    const act = (role: Parameters<World["as"]>[0], functionName: "pause" | "unpause" | "confirmLoss") =>
      world.as(role, address, encodeFunctionData({ abi, functionName }));
    const expectPaused = async (paused: boolean) => {
      await caughtUp();
      const { number } = await world.head();
      const args = [world.wallets[0] as Hex] as const;
      const most = await world.client.readContract({
        ...{ address, abi, functionName: "maxDeposit", args, blockNumber: BigInt(number) },
      });
      const listed = (await list()).find(({ short_id }) => short_id === shortId(0));
      expect({ paused: listed?.deposits_paused, refused: most === 0n }).toEqual({ paused, refused: paused });
    };
    await world.mine([world.deposit(0, 0, 1_000_000_000n)]);
    await world.mine([queue.deploy(900_000_000n)]);
    await expectPaused(false);
    await world.mine([act("guardian", "pause")]);
    await expectPaused(true);
    await world.mine([act("owner", "unpause")]);
    await expectPaused(false);
    await world.mine([await world.report(0, -20_000_000n)]);
    await expectPaused(true);
    await world.mine([act("confirmer", "confirmLoss")]);
    await expectPaused(true);
    await world.mine([], DAY);
    await expectPaused(false);
    const { report_max_age } = (await api.get<DemandDetail>(`product/${shortId(0)}`)).vault;
    await world.mine([], report_max_age / 1_000 + 1);
    await expectPaused(true);
    await world.mine([await world.report(0, 0n)]);
    await expectPaused(false);
  });

  it("have every digit of an asset with 18 decimals, and are summed apart from other units", async () => {
    const { shortId: precise, address, asset, unit, queue } = await openPreciseVault(world);
    const [wallet, abi] = [world.wallets[0] as Hex, demandVaultAbi];
    const by = (to: Hex, data: Hex) => ({ ...world.deposit(0, 0, 1n), to, data });
    const assets = 1_234n * unit + 1n;
    await world.mine([
      world.as(
        "faucet",
        asset,
        encodeFunctionData({ abi: testDollarAbi, functionName: "mint", args: [wallet, assets] }),
      ),
      by(asset, encodeFunctionData({ abi: testDollarAbi, functionName: "approve", args: [address, assets] })),
      by(address, encodeFunctionData({ abi, functionName: "deposit", args: [assets, wallet] })),
      world.deposit(0, 0, 500_000_000n),
    ]);
    await caughtUp();
    const held = await api.get<List<Holding>>(`account/hold/${wallet}`);
    expect(held.items.find(({ short_id }) => short_id === precise)).toMatchObject({
      ...{ value: "1234.000000000000000001", shares: "1234.000000000000000001000000" },
    });
    const detail = await api.get<DemandDetail>(`product/${precise}`);
    expect(detail).toMatchObject({
      ...{ asset: { symbol: "tETH", decimals: 18 }, tvl: "1234.000000000000000001", share: { decimals: 24 } },
      ...{ vault: { settled: "1234.000000000000000001", queue: { address: getAddress(queue) } } },
    });
    const { totals } = await api.get<ProductSummary>("product/summary");
    expect(totals.map(({ symbol, deposits }) => [symbol, deposits])).toEqual([
      ["tUSD", "500.000000"],
      ["tETH", "1234.000000000000000001"],
    ]);
  });

  it("list transactions newest first, page by page without a gap or a repeat, and filtered", async () => {
    for (let i = 0; i < 7; i += 1)
      await world.mine([world.deposit(i % 5, 0, 20_000_000n + BigInt(i)), world.deposit((i + 1) % 5, 0, 30_000_000n)]);
    await world.mine([world.transfer(0, 1, 0, 1_000_000n)]);
    const before = (await world.head()).time;
    await world.mine([world.withdraw(0, 0, 5_000_000n)]);
    await caughtUp();
    const page = (path: string) => api.get<List<Transaction>>(path);
    const whole = await page(`product/${shortId(0)}/transactions?page_size=100`);
    expect(whole.total).toBe(16);
    expect(whole.items.map((item) => item.kind).slice(0, 2)).toEqual(["withdraw", "transfer_out"]);
    const pieces: Transaction[] = [];
    for (let number = 1; number <= 4; number += 1) {
      pieces.push(...(await page(`product/${shortId(0)}/transactions?page=${number}&page_size=5`)).items);
    }
    expect(pieces).toEqual(whole.items);
    expect((await page(`product/${shortId(0)}/transactions?kind=deposit`)).total).toBe(14);
    expect((await page(`product/${shortId(0)}/transactions?from=${before * 1_000 + 1}`)).items).toHaveLength(1);
    expect((await page(`product/${shortId(0)}/transactions?to=${before * 1_000}`)).total).toBe(15);
    const [, sent] = whole.items;
    const ofOne = await page(`product/${shortId(0)}/transactions?hash=${sent?.hash.toUpperCase().replace("X", "x")}`);
    expect(ofOne.items.map(({ kind, hash }) => [kind, hash]).sort()).toEqual([
      ["transfer_in", sent?.hash],
      ["transfer_out", sent?.hash],
    ]);
    expect((await page(`product/${shortId(1)}/transactions?hash=${sent?.hash}`)).total).toBe(0);

    const wallet = world.wallets[0] ?? "0x";
    const mine = await page(`account/transaction/${wallet}?page_size=100`);
    const halves = await Promise.all(
      [1, 2].map((number) =>
        page(`account/transaction/${wallet}?page=${number}&page_size=${Math.ceil(mine.total / 2)}`),
      ),
    );
    expect(halves.flatMap((half) => half.items)).toEqual(mine.items);
    expect((await page(`account/transaction/${wallet}?kind=transfer_out&short_id=${shortId(0)}`)).total).toBe(1);
    expect((await page(`account/transaction/${wallet}?short_id=${shortId(1)}`)).total).toBe(0);
    expect((await page(`account/transaction/${wallet}?chain_id=5`)).total).toBe(0);
  });

  it("accept an address in any letter case, answer it in EIP-55, and return zeros for an unknown wallet", async () => {
    await world.mine([world.deposit(0, 0, 50_000_000n)]);
    await caughtUp();
    const wallet = world.wallets[0] ?? "0x";
    const upper = `0x${wallet.slice(2).toUpperCase()}`;
    const answers = await Promise.all(
      [wallet, wallet.toLowerCase(), upper].map((address) => api.get(`account/totalHoldValue/${address}`)),
    );
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    const { items } = await api.get<List<Holding>>(`account/hold/${wallet}`);
    const unit = items[0]?.symbol;
    expect(answers[0]).toMatchObject({ address: getAddress(wallet), currency: "USD", unit, total: "50.000000" });
    const stranger = "0x000000000000000000000000000000000000dEaD";
    expect(await api.get(`account/totalHoldValue/${stranger}`)).toMatchObject({
      unit: "USD",
      total: "0.000000",
      claimable: "0.000000",
      by_product: [],
    });
    expect(await api.get(`account/hold/${stranger}`)).toEqual({ items: [], total: 0, page: 1, page_size: 20 });
    expect(await api.get(`account/totalProfit/${stranger}`)).toMatchObject({
      total: "0.000000",
      value: "0.000000",
      money_weighted_return: null,
      series: [],
    });
    expect(await api.get(`account/checkAddress/${stranger}`)).toBe(false);
    expect(await api.refusal("account/totalHoldValue/0x12")).toMatchObject({ status: 400, message: "Invalid address" });
  });

  it("do not report a wallet as empty before the chain has been indexed", async () => {
    await running.indexer.stop();
    await forgetChain(running.db, CHAIN_ID);
    for (const path of [
      ...["totalHoldValue", "hold", "transaction", "totalProfit"].map((name) => `account/${name}/${world.wallets[0]}`),
      ...["product/list", "product/summary", "product/home", `product/${shortId(0)}`],
    ])
      expect(await api.refusal(path), path).toMatchObject({
        status: 503,
        error_code: "chain_unavailable",
      });
  });
});
