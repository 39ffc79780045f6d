import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import type { List } from "@aqua/sdk/api/envelope";
import type { RedemptionRequest } from "@aqua/sdk/api/portfolio";
import type { DemandDetail, Liquidity, Performance, Product, WithdrawalRequest } from "@aqua/sdk/api/product";
import { mulDivCeil, parseUnits } from "@aqua/sdk/maths/units";
import { type Address, encodeFunctionData, type Hex } from "viem";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openQueue, type QueueCalls } from "../indexer/queue-calls.ts";
import { openWorld, type World } from "../indexer/world.ts";
import { served } from "../portfolio/api.ts";
import { withDatabase } from "../support/databases.ts";

const DOLLAR = 1_000_000n;
const SHARE = 10n ** 12n;
const DAY = 86_400;
const DAY_MS = DAY * 1_000;
let world: World;
let vault: Address;
let queue: QueueCalls;
let origin: Hex;

beforeAll(async () => {
  world = await openWorld();
  vault = world.vaults[0] as Address;
  queue = await openQueue(world, vault);
  await world.mine([world.deposit(0, 0, 6_000n * DOLLAR), world.deposit(1, 0, 4_000n * DOLLAR)]);
  await world.mine([queue.deploy(9_000n * DOLLAR)]);
  origin = await world.snapshot();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.revert(origin);
  origin = await world.snapshot();
});

/** Mines this many days, each with a report and a deposit of 50. */
async function steadyDays(count: number): Promise<void> {
  for (let day = 0; day < count; day += 1) {
    await world.mine([await world.report(0, 0n, DAY), world.deposit(2, 0, 50n * DOLLAR)], DAY);
  }
}

withDatabase("the liquidity of a product", (open) => {
  const { api, caughtUp } = served(() => world, open, "test");

  const shortId = () => world.shortIds[0] as string;
  const assets = (text: string | null | undefined) => parseUnits(text ?? "", 6);
  const read = <Name extends "totalAssets" | "instantLiquidity" | "maxDeploy" | "desk" | "stream">(
    functionName: Name,
  ) => world.client.readContract({ address: vault, abi: demandVaultAbi, functionName });
  const worth = (shares: bigint) =>
    world.client.readContract({ address: vault, abi: demandVaultAbi, functionName: "convertToAssets", args: [shares] });
  /** Returns the assets that the vault counts as its own, including income that is not yet in the price. */
  const held = async () => {
    const [settled, streaming] = await read("stream");
    return settled + streaming;
  };
  async function liquidity(): Promise<Liquidity> {
    await caughtUp();
    return api.get(`product/${shortId()}/liquidity`);
  }

  it("has the idle and deployed money, the buffer and the queue of the chain", async () => {
    await world.mine([queue.request(0, 2_000n * SHARE)], DAY);
    await world.mine([await world.report(0, 1n, DAY)], DAY);
    await world.mine([queue.request(1, 70n * SHARE + 1n), queue.process()], 3 * DAY);
    await world.mine([queue.request(0, 1n * SHARE), queue.claim(0, { assets: 300n * DOLLAR })], DAY);
    const told = await liquidity();
    const total = await read("totalAssets");
    const { deployed } = await read("desk");
    expect(assets(told.total_assets)).toBe(total);
    expect(assets(told.deployed)).toBe(deployed);
    expect(assets(told.idle)).toBe((await held()) - deployed);
    expect(assets(told.instant_capacity)).toBe(await read("instantLiquidity"));
    expect(assets(told.buffer)).toBe(mulDivCeil(await held(), 1n, 10n));
    expect(parseUnits(told.utilisation ?? "", 6)).toBe((deployed * 1_000_000n) / (await held()));
    const inQueue = { address: queue.address, abi: redemptionQueueAbi } as const;
    const [requested, eligible, processed, paid] = await world.client.readContract({
      ...inQueue,
      functionName: "totals",
    });
    expect(told.queue).toMatchObject({ requests: 3 });
    expect(parseUnits(told.queue?.shares ?? "", 12)).toBe(requested - processed);
    expect(parseUnits(told.queue?.ready_shares ?? "", 12)).toBe(eligible - processed);
    expect(assets(told.queue?.value)).toBe(await worth(requested - processed));
    expect(assets(told.queue?.claimable)).toBe(paid - 300n * DOLLAR);
    const line = await api.get<List<WithdrawalRequest>>(`product/${shortId()}/queue`);
    expect(told.queue?.oldest).toBe(line.items[0]?.requested_at);
    expect(told.history.at(-1)).toMatchObject({ queued: told.queue?.value, total_assets: told.total_assets });
    // The product is too new for these figures, so there are none.
    expect([told.weeks, told.inflow_ahead]).toEqual([[], []]);
    expect(told.exit_curve.at(-1)?.wait).toBeNull();
    expect(told.track_record).toEqual({ scored: 0, within_p50: null, within_p90: null });
    const detail = await api.get<DemandDetail>(`product/${shortId()}`);
    expect(detail.contracts).toContainEqual({ role: "queue", address: queue.address });
    expect(detail.exit_curve).toEqual(told.exit_curve);
    expect(assets(detail.cap_used)).toBe(total);
    const room = await world.client.readContract({
      address: vault,
      abi: demandVaultAbi,
      functionName: "maxDeposit",
      args: [world.wallets[0] as Address],
    });
    expect(assets(detail.cap) - assets(detail.cap_used)).toBe(room);
  });

  it("includes income that is not yet in the price, as the contract's own bounds do", async () => {
    await world.mine([], DAY);
    await world.mine([await world.report(0, 3n * DOLLAR)]);
    await world.mine([queue.repay(700n * DOLLAR)], DAY / 3);
    const told = await liquidity();
    const { deployed } = await read("desk");
    expect(assets(told.idle)).toBe(await read("instantLiquidity"));
    expect(told.instant_capacity).toBe(told.idle);
    expect(told.history.at(-1)?.idle).toBe(told.idle);
    expect(assets(told.idle) + assets(told.deployed)).toBe(await held());
    expect(assets(told.total_assets) + assets(told.unstreamed)).toBe(await held());
    expect(assets(told.unstreamed)).toBeGreaterThan(DOLLAR);
    expect(assets(told.idle) - assets(told.buffer)).toBe(await read("maxDeploy"));
    expect(parseUnits(told.utilisation ?? "", 6)).toBe((deployed * 1_000_000n) / (await held()));
  });

  it("never reports more than all deployed money, even if the price lags behind", async () => {
    await world.mine([queue.request(0, 3_000n * SHARE)]);
    await world.mine([await world.report(0, 0n)]);
    await world.mine([queue.process()]);
    await world.mine([], DAY);
    await world.mine([await world.report(0, 3n * DOLLAR)]);
    await world.mine([queue.process()]);
    const told = await liquidity();
    expect(assets(told.deployed)).toBeGreaterThan(assets(told.total_assets));
    expect(assets(told.idle)).toBe((await held()) - assets(told.deployed));
    // All idle money was paid to the queue.
    expect(told).toMatchObject({ idle: "0.000000", utilisation: "1.000000" });
  });

  it("estimates an exit from past inflow, and scores its earlier estimates", async () => {
    await steadyDays(20);
    // 2 000 are requested and 2 000 are idle, so the request is processed after the next report.
    await world.mine([queue.request(0, 2_000n * SHARE)], DAY);
    await world.mine([await world.report(0, 0n, DAY)], DAY);
    await world.mine([queue.process()]);
    await steadyDays(30);
    const here = 1_500n;
    const told = await liquidity();
    expect(assets(told.instant_capacity)).toBe(here * DOLLAR);
    for (const { amount, wait } of told.exit_curve) {
      if (assets(amount) <= assets(told.instant_capacity)) expect(wait).toEqual({ p50: 0, p90: 0 });
      else if (wait) expect(wait.p90).toBeGreaterThanOrEqual(wait.p50);
    }
    expect(told.exit_curve).toHaveLength(12);
    // 20 % is 2 100, which is 600 more than the idle money. At 50 a day with two days without a deposit: 12 to 14 days.
    const fifth = told.exit_curve[6];
    expect(assets(fifth?.amount)).toBe(2_100n * DOLLAR);
    expect(fifth?.wait).toEqual({ p50: 12 * DAY_MS, p90: 14 * DAY_MS });
    expect(told.scenarios.map(({ part }) => part)).toEqual(["0.100000", "0.300000", "0.500000"]);
    for (const one of told.scenarios) {
      expect(assets(one.instant) + assets(one.queued)).toBe(assets(one.amount));
      expect(assets(one.instant)).toBeLessThanOrEqual(here * DOLLAR);
    }
    // The whole deposit is more than any measured period brought in.
    expect(told.exit_curve.at(-1)?.wait).toBeNull();
    // Consistent with the wait: the inflow reaches 600 in the second week, also in 90 % of the cases.
    const [first, second] = told.inflow_ahead;
    expect([first?.p50, first?.p90]).toEqual(["350.000000", "250.000000"]);
    expect([assets(second?.p50) >= 600n * DOLLAR, assets(second?.p90) >= 600n * DOLLAR]).toEqual([true, true]);
    expect([first?.time, second?.time]).toEqual([7, 14].map((days) => told.as_of.time + days * DAY_MS));
    // The estimate was two days: the next report and the end of its stream. The exit took one day.
    expect(told.track_record).toEqual({ scored: 1, within_p50: "1.000000", within_p90: "1.000000" });
    const [product] = (await api.get<List<Product>>("product/list")).items.filter((one) => one.short_id === shortId());
    expect(product?.wait).toEqual(told.wait);
  });

  it("lists the queue from its head, with the requested wallets' places first and the reason of each wait", async () => {
    await steadyDays(30);
    await world.mine([queue.request(0, 3_000n * SHARE)]);
    await world.mine([queue.request(1, 200n * SHARE)]);
    await world.mine([await world.report(0, 0n)]);
    await world.mine([queue.process()]);
    await world.mine([queue.request(2, 40n * SHARE)]);
    await caughtUp();
    const ask = (query: string) => api.get<List<WithdrawalRequest>>(`product/${shortId()}/queue${query}`);
    const line = await ask("");
    expect(line.items.map(({ position, wallet, ready }) => [position, wallet, ready])).toEqual([
      [1, world.wallets[0], true],
      [2, world.wallets[1], true],
      [3, world.wallets[2], false],
    ]);
    const [first, second, third] = line.items as [WithdrawalRequest, WithdrawalRequest, WithdrawalRequest];
    expect([first.shares, first.ahead]).toEqual(["500.000000000000", "0.000000"]);
    expect([second.ahead, third.ahead]).toEqual(["500.000000", "700.000000"]);
    // The requests lack 500, 700 and 740, at 50 a day.
    expect([first.wait?.p50, second.wait?.p50, third.wait?.p50]).toEqual([10, 14, 15].map((days) => days * DAY_MS));
    const mine = await ask(`?wallets=${world.wallets[2]},${world.wallets[1]?.toLowerCase()}&page_size=2`);
    expect(mine).toMatchObject({ total: 3, page: 1, page_size: 2 });
    expect(mine.items).toEqual([second, third]);
    expect((await ask(`?wallets=${world.wallets[2]}&page_size=2&page=2`)).items).toEqual([second]);
    expect(await api.refusal(`product/${shortId()}/queue?wallets=me`)).toMatchObject({ status: 400 });
    const own = await api.get<RedemptionRequest[]>(`account/requests/${world.wallets[1]}`);
    expect(own).toMatchObject([{ position: 2, wait: second.wait, ahead: second.ahead, value: second.value }]);
  });

  it("counts an exit that is later than its P90 as a miss, even if it is not paid yet", async () => {
    await steadyDays(25);
    await world.mine([queue.request(0, 2_500n * SHARE)]);
    const told = await liquidity();
    // 250 are missing, which takes five days at 50 a day.
    expect((await api.get<List<WithdrawalRequest>>(`product/${shortId()}/queue`)).items[0]?.wait?.p90).toBe(5 * DAY_MS);
    expect(told.track_record).toEqual({ scored: 0, within_p50: null, within_p90: null });
    await world.mine([], 9 * DAY);
    await world.mine([await world.report(0, 0n)]);
    expect((await liquidity()).track_record).toEqual({ scored: 1, within_p50: "0.000000", within_p90: "0.000000" });
  });

  it("counts an exit in time as a hit", async () => {
    await steadyDays(25);
    await world.mine([queue.request(0, 2_500n * SHARE)]);
    await steadyDays(4);
    await world.mine([world.deposit(2, 0, 50n * DOLLAR), queue.process()]);
    expect((await liquidity()).track_record).toEqual({ scored: 1, within_p50: "1.000000", within_p90: "1.000000" });
  });

  it("expects no deposits into a closed product, and scores earlier estimates with the data of their time", async () => {
    await steadyDays(25);
    await world.mine([queue.request(0, 2_500n * SHARE)]);
    await steadyDays(4);
    await world.mine([world.deposit(2, 0, 50n * DOLLAR), queue.process()]);
    const registry = (functionName: "close" | "open") =>
      world.as(
        functionName === "close" ? "guardian" : "owner",
        world.deployed.addresses.productRegistry,
        encodeFunctionData({ abi: productRegistryAbi, functionName, args: [shortId()] }),
      );
    const forecast = ({ inflow_ahead, exit_curve, scenarios, track_record }: Liquidity) => ({
      inflow: inflow_ahead[0]?.p50,
      waits: exit_curve.map(({ wait }) => wait?.p50 ?? null),
      half: scenarios[2]?.wait ?? null,
      track_record,
    });
    const open = forecast(await liquidity());
    expect(open).toMatchObject({ inflow: "350.000000", track_record: { scored: 1, within_p90: "1.000000" } });
    expect(open.waits.some((wait) => wait !== null && wait > 0)).toBe(true);
    await world.mine([registry("close")]);
    const closed = forecast(await liquidity());
    expect(closed).toMatchObject({ inflow: "0.000000", half: null, track_record: open.track_record });
    // Idle cash can be withdrawn at once, and no other money is expected.
    expect(closed.waits).toEqual(open.waits.map((wait) => (wait === 0 ? 0 : null)));
    await world.mine([registry("open")]);
    expect(forecast(await liquidity())).toEqual(open);
  });

  it("reports fees, the price without them, and the depth of a loss between two points of the chart", async () => {
    // The second vault has the same money and gains, but no fee.
    await world.mine([world.deposit(0, 1, 10_000n * DOLLAR)]);
    const nothing = encodeFunctionData({
      abi: demandVaultAbi,
      functionName: "setTreasury",
      args: [world.wallets[4] as Address, 0n],
    });
    await world.mine([world.as("owner", world.vaults[1] as Address, nothing)]);
    for (let day = 0; day < 5; day += 1) {
      await world.mine([], DAY);
      await world.mine([await world.report(0, 2n * DOLLAR), await world.report(1, 2n * DOLLAR)]);
    }
    await world.mine([], 2 * DAY);
    await caughtUp();
    const before = await api.get<Performance>(`product/${shortId()}/performance?range=all`);
    const twin = await api.get<Performance>(`product/${world.shortIds[1]}/performance?range=all`);
    // The fee is a tenth of each gain above the mark, and the vault holds it separately from its assets.
    const kept = before.reports.map(({ fee }) => assets(fee));
    expect(kept.every((fee) => fee === 200_000n || fee === 199_999n)).toBe(true);
    const ofVault = { address: vault, abi: demandVaultAbi } as const;
    const [settled, streaming] = await world.client.readContract({ ...ofVault, functionName: "stream" });
    const dollars = { address: world.deployed.addresses.testDollar, abi: testDollarAbi } as const;
    const there = await world.client.readContract({ ...dollars, functionName: "balanceOf", args: [vault] });
    const { deployed } = await read("desk");
    expect(kept.reduce((sum, fee) => sum + fee, 0n)).toBe(there + deployed - settled - streaming);
    expect(kept).toHaveLength(5);
    expect(twin.reports.map(({ fee }) => fee)).toEqual(Array(5).fill("0.000000"));
    const last = before.series.at(-1);
    const price = (text: string | null | undefined) => parseUnits(text ?? "", 18);
    expect(twin.series.at(-1)?.gross_price).toBe(twin.share_price);
    const gross = price(last?.gross_price);
    const bare = price(twin.share_price);
    expect(gross).toBeGreaterThan(price(last?.share_price));
    expect(gross > bare ? gross - bare : bare - gross).toBeLessThan(10n ** 11n);
    expect(before.max_drawdown).toBe("0.000000");

    // The price falls and rises again within a day, which the points of the chart hardly show.
    const peak = price(before.share_price);
    await world.mine([await world.report(0, -1_000n * DOLLAR)], 3_600);
    const bottom = await world.client.readContract({
      address: vault,
      abi: demandVaultAbi,
      functionName: "convertToAssets",
      args: [10n ** 18n],
    });
    await world.mine([], 3_600);
    await caughtUp();
    const after = await api.get<Performance>(`product/${shortId()}/performance?range=all`);
    expect(after.reports[0]).toMatchObject({ delta: "-1000.000000", fee: "0.000000" });
    expect((await api.get<DemandDetail>(`product/${shortId()}`)).max_drawdown).toBe(after.max_drawdown);
    const fall = parseUnits(after.max_drawdown ?? "", 6);
    const real = 1_000_000n - (bottom * 10n ** 6n * 1_000_000n) / peak;
    expect(fall > real ? fall - real : real - fall).toBeLessThanOrEqual(1n);
    // The product shows the same maximum drawdown, computed only around its losses.
    const detail = await api.get<DemandDetail>(`product/${shortId()}`);
    expect(detail.max_drawdown).toBe(after.max_drawdown);
    expect(detail.max_drawdown_taken_back).toBeNull();
    expect((await api.get<DemandDetail>(`product/${world.shortIds[1]}`)).max_drawdown).toBe("0.000000");
  });
});
