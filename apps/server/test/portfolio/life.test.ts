import type { List } from "@aqua/sdk/api/envelope";
import type {
  Holding,
  RedemptionRequest,
  Statement,
  TotalHoldValue,
  TotalProfit,
  Transaction,
} from "@aqua/sdk/api/portfolio";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { xirr } from "@aqua/sdk/maths/xirr";
import { type Address, getAddress } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openWorld, type World } from "../indexer/world.ts";
import { withDatabase } from "../support/databases.ts";
import { served } from "./api.ts";
import { chainOf, FIRST, type Money, openStage, runSimulation, type Simulation, type Stage } from "./life.ts";
import { expectBalanced } from "./statements.ts";

const MOVES = 110;

let world: World;
let stage: Stage;
let life: Simulation;
beforeAll(async () => {
  world = await openWorld();
  stage = await openStage(world);
  life = await runSimulation(stage, "tide", MOVES);
});
afterAll(() => world.stop());

const units = (text: string | null | undefined) => parseUnits(text ?? "", 6);
const sum = <T>(items: readonly T[], part: (item: T) => bigint) =>
  items.reduce((total, item) => total + part(item), 0n);

withDatabase("a portfolio of all kinds of deposits compared with the chain", (open) => {
  const { api, caughtUp } = served(() => world, open, "suite");

  /** Checks the wallet's holdings against the chain and returns their total value. */
  async function expectHoldings(wallet: Address): Promise<bigint> {
    const chain = chainOf(stage);
    const { time } = await world.head();
    const { items } = await api.get<List<Holding>>(`account/hold/${wallet}?page_size=100`);
    const [shares, pending, claimable] = [
      await chain.shares(wallet),
      await chain.pending(wallet),
      await chain.claimable(wallet),
    ];
    let value = claimable + (await chain.worth(shares + pending));
    const demand = items.find(({ type }) => type === "demand_deposit");
    if (shares + pending + claimable === 0n) expect(demand).toBeUndefined();
    else {
      expect(demand).toMatchObject({
        shares: formatUnits(shares, 12),
        pending_shares: formatUnits(pending, 12),
        claimable: formatUnits(claimable, 6),
        value: formatUnits(value, 6),
        exit_value: formatUnits((await chain.instant(wallet)) + claimable, 6),
        receipt: null,
        deposit_id: null,
        interest: "0.000000",
      });
      expect(units(demand?.unrealised)).toBe(value - claimable - units(demand?.principal));
    }
    const own = [...life.receipts].filter(([, owner]) => owner === wallet).map(([id]) => id);
    const receipts = items.filter(({ type }) => type === "time_deposit");
    expect(receipts.map(({ deposit_id }) => deposit_id).sort()).toEqual(own.map(String).sort());
    for (const id of own) {
      const holding = receipts.find(({ deposit_id }) => deposit_id === String(id));
      const { principal, openedAt, maturity, termId } = await chain.receipt(id);
      const worth = principal + (await chain.earned(id, time));
      const matured = Number(maturity) <= time;
      const paid = await chain.paid(id, wallet, matured ? "close" : "exitEarly");
      value += worth;
      expect(holding).toMatchObject({
        value: formatUnits(worth, 6),
        exit_value: formatUnits(paid, 6),
        claimable: formatUnits(matured ? paid : 0n, 6),
        start: Number(openedAt) * 1_000,
        maturity: Number(maturity) * 1_000,
        shares: null,
        unrealised: "0.000000",
        realised: "0.000000",
        wallet: getAddress(wallet),
        receipt: { principal: formatUnits(principal, 6), term_id: Number(termId), matured },
      });
      expect(units(holding?.interest)).toBe(worth - units(holding?.principal));
    }
    return value;
  }

  /** `query` names the wallets: one, or one with others. */
  async function expectMoney(query: string, money: Money, value: bigint): Promise<void> {
    const [path, also = ""] = query.split("&");
    const { time } = await world.head();
    const held = await api.get<TotalHoldValue>(`account/totalHoldValue/${path}?${also}`);
    expect(units(held.total)).toBe(value);
    expect(sum(held.by_product, (part) => units(part.value))).toBe(value);
    expect(units(held.exit_value)).toBeLessThanOrEqual(value);

    const profit = await api.get<TotalProfit>(`account/totalProfit/${path}?${also}`);
    expect(units(profit.value)).toBe(value);
    expect(units(profit.net_deposits)).toBe(money.in - money.out);
    expect(units(profit.total)).toBe(value + money.out - money.in);
    expect(units(profit.realised) + units(profit.unrealised) + units(profit.interest)).toBe(units(profit.total));
    for (const point of profit.series) expect(units(point.profit)).toBe(units(point.value) - units(point.net_deposits));
    if (money.flows.length > 0) {
      expect(profit.series.at(-1)).toMatchObject({ time: time * 1_000, value: profit.value, profit: profit.total });
      // Each jump of the net deposits has its two points, so that no chart draws it as a slope.
      const drawn = new Set(profit.series.map((point) => point.time));
      const [begin = 0, ...later] = money.flows
        .flatMap((flow) => (flow.amount === 0n ? [] : [Number(flow.time)]))
        .sort((a, b) => a - b);
      for (const at of later)
        if (at > begin) expect([drawn.has((at - 1) * 1_000), drawn.has(at * 1_000)], `at ${at}`).toEqual([true, true]);
      expect(profit.money_weighted_return).toBe(xirr([...byTime(money), { time: BigInt(time), amount: value }]));
    }
  }

  async function expectStatements(query: string, money: Money, value: bigint, moments: readonly number[]) {
    const [path, also = ""] = query.split("&");
    const get = (from: number, to: number) =>
      api.get<Statement>(`account/statement/${path}?from=${from}&to=${to}&${also}`);
    const whole = await get(0, 8_000_000_000_000);
    expectBalanced(whole);
    expect(sum(whole.products, ({ opening }) => units(opening.value))).toBe(0n);
    expect(sum(whole.products, ({ closing }) => units(closing.value))).toBe(value);
    expect(sum(whole.products, ({ paid_in }) => units(paid_in))).toBe(money.in);
    expect(sum(whole.products, ({ paid_out }) => units(paid_out))).toBe(money.out);
    expect(sum(whole.products, ({ earned }) => units(earned))).toBe(value + money.out - money.in);

    // Partial statements agree with the whole: each begins with the closing balance of the previous one.
    const bounds = [0, ...moments.flatMap((time) => [time * 1_000 + (time % 2 === 0 ? 0 : 500)]), 8_000_000_000_000];
    const closings = new Map<string, Statement["products"][number]["closing"]>();
    const lines = [];
    for (const [index, to] of bounds.slice(1).entries()) {
      const piece = await get(bounds[index] ?? 0, to);
      expectBalanced(piece);
      for (const { short_id, opening, closing, lines: own } of piece.products) {
        const before = closings.get(short_id);
        if (before) expect(opening).toEqual(before);
        else expect(units(opening.value)).toBe(0n);
        closings.set(short_id, closing);
        lines.push(
          ...own.map(({ hash, log_index, wallet, amount, paid_in }) => ({ hash, log_index, wallet, amount, paid_in })),
        );
      }
    }
    const all = whole.products.flatMap((product) => product.lines);
    expect(lines.length).toBe(all.length);
    const history = await api.get<List<Transaction>>(`account/transaction/${path}?page_size=100&${also}`);
    expect(history.total).toBe(all.length);
  }

  async function expectRequests(wallets: readonly Address[]): Promise<void> {
    const chain = chainOf(stage);
    const [, eligible, processed] = await chain.line();
    const waiting = life.line.filter(({ start, shares }) => start + shares > processed);
    const query = wallets.length > 1 ? `?also=${wallets.slice(1).join(",")}` : "";
    const requests = await api.get<RedemptionRequest[]>(`account/requests/${wallets[0]}${query}`);
    const expected = [];
    for (const [index, { wallet, start, shares, time }] of waiting.entries()) {
      if (!wallets.includes(wallet)) continue;
      const from = start > processed ? start : processed;
      const left = start + shares - from;
      expected.push({
        wallet: getAddress(wallet),
        requested_at: time * 1_000,
        position: index + 1,
        shares: formatUnits(shares, 12),
        pending_shares: formatUnits(left, 12),
        value: formatUnits(await chain.worth(left), 6),
        ahead: formatUnits(await chain.worth(from - processed), 6),
        ready: start + shares <= eligible,
      });
    }
    expect(requests).toMatchObject(expected);
    expect(requests.length).toBe(expected.length);
    for (const wallet of wallets) {
      const own = requests.filter((request) => request.wallet === getAddress(wallet));
      expect(sum(own, ({ pending_shares }) => parseUnits(pending_shares, 12))).toBe(await chain.pending(wallet));
      const [next] = own;
      if (next) expect(units(next.ahead)).toBe(await chain.worth(await chain.ahead(wallet)));
    }
  }

  it("includes every event that can happen to a deposit", async () => {
    await caughtUp();
    const kinds = new Map<string, Set<string>>();
    for (const wallet of stage.wallets) {
      const { items } = await api.get<List<Transaction>>(`account/transaction/${wallet}?page_size=100`);
      for (const { kind, deposit_id } of items) {
        const type = deposit_id === null ? "demand" : "time";
        kinds.set(type, (kinds.get(type) ?? new Set()).add(kind));
      }
    }
    expect([...(kinds.get("demand") ?? [])].sort()).toEqual([
      "claim",
      "deposit",
      "processed",
      "request",
      "transfer_in",
      "transfer_out",
      "withdraw",
    ]);
    expect([...(kinds.get("time") ?? [])].sort()).toEqual([
      "deposit",
      "mature",
      "rollover",
      "transfer_in",
      "transfer_out",
      "withdraw",
    ]);
  });

  it("answers the same as the chain after a life of random moves", async () => {
    await caughtUp();
    const { wallets, deposits } = stage;
    const [first, second] = [wallets[FIRST], wallets[deposits.second]] as [Address, Address];
    let ours = 0n;
    for (const wallet of wallets) {
      const value = await expectHoldings(wallet);
      const money = life.money.get(wallet);
      if (!money) throw new Error(`${wallet} has no account`);
      await expectRequests([wallet]);
      if (wallet === first || wallet === second) {
        // Transfers between the two wallets also move the cost, so each wallet alone only satisfies the identity.
        ours += value;
        const { total, value: now, net_deposits } = await api.get<TotalProfit>(`account/totalProfit/${wallet}`);
        expect([units(now), units(total)]).toEqual([value, value - units(net_deposits)]);
        continue;
      }
      await expectMoney(wallet, money, value);
      await expectStatements(wallet, money, value, life.moments);
    }
    const query = `${first}&also=${second}`;
    await expectRequests([first, second]);
    await expectMoney(query, life.together, ours);
    await expectStatements(query, life.together, ours, life.moments);
  });
});

/** Adds up the flows of each time, as the API does. */
function byTime({ flows }: Money) {
  const times = new Map<bigint, bigint>();
  for (const { time, amount } of flows) times.set(time, (times.get(time) ?? 0n) + amount);
  return [...times].map(([time, amount]) => ({ time, amount }));
}
