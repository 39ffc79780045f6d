import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import type { List } from "@aqua/sdk/api/envelope";
import type { Holding, Statement, TotalHoldValue, TotalProfit, Transaction } from "@aqua/sdk/api/portfolio";
import type { TimeDetail } from "@aqua/sdk/api/product";
import { parseUnits } from "@aqua/sdk/maths/units";
import { encodeFunctionData, getAddress } from "viem";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { DAY, DOLLAR, openTermDeposit, type TermWorld } from "../indexer/termWorld.ts";
import { openWorld, type World } from "../indexer/world.ts";
import { withDatabase } from "../support/databases.ts";
import { served } from "./api.ts";
import { expectBalanced } from "./statements.ts";

const WAD = 10n ** 18n;
const SHORT_ID = "term-product";
/** The example of the product model: 90 days at 6 %, and 2 % on an early exit. */
const TERM = 3;
let world: World;
let deposits: TermWorld;
let origin: `0x${string}`;
beforeAll(async () => {
  world = await openWorld();
  deposits = await openTermDeposit(world, { shortId: SHORT_ID });
  const [rate, breakRate] = [(6n * WAD) / 100n, (2n * WAD) / 100n];
  await world.mine([deposits.as("owner", "addTerm", [90, 0, rate, breakRate, 0n, 10n ** 12n, true])]);
  origin = await world.snapshot();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.revert(origin);
  origin = await world.snapshot();
});

withDatabase("time deposits of a wallet", (open) => {
  const { api, caughtUp } = served(() => world, open, "test");

  const ask = async <Data>(path: string) => {
    await caughtUp();
    return api.get<Data>(path);
  };
  const held = async (wallet: number, query = "") =>
    (await ask<List<Holding>>(`account/hold/${deposits.wallet(wallet)}?${query}`)).items;
  const total = (wallet: number, query = "") =>
    ask<TotalHoldValue>(`account/totalHoldValue/${deposits.wallet(wallet)}?${query}`);
  const profitOf = (wallet: number, query = "") =>
    ask<TotalProfit>(`account/totalProfit/${deposits.wallet(wallet)}?${query}`);
  const units = (text: string | null | undefined) => parseUnits(text ?? "", 6);

  it("have the values of the product model's example on day 30, at maturity and after it", async () => {
    await world.mine([deposits.open(1, TERM, 1_000n * DOLLAR)]);
    const opened = (await world.head()).time;
    await world.mine([], 30 * DAY);
    const [holding] = await held(1);
    expect(holding).toMatchObject({
      short_id: SHORT_ID,
      type: "time_deposit",
      wallet: getAddress(deposits.wallet(1)),
      deposit_id: "1",
      principal: "1000.000000",
      value: "1004.931506",
      exit_value: "1001.643835",
      interest: "4.931506",
      claimable: "0.000000",
      shares: null,
      pending_shares: null,
      average_cost: null,
      cost_estimated: false,
      start: opened * 1_000,
      maturity: (opened + 90 * DAY) * 1_000,
      realised: "0.000000",
      receipt: {
        term: { value: 90, unit: "day" },
        term_id: TERM,
        rate: "0.060000000000000000",
        matured: false,
        break_rate: "0.020000000000000000",
        penalty: "0.000000000000000000",
        principal: "1000.000000",
        interest_at_maturity: "14.794520",
        roll: "none",
        roll_term_id: null,
        demanded_at: null,
        winding_down: false,
      },
    });
    expect(holding?.apy).toMatch(/^0\.0613[67]/);
    const due = { time: (opened + 90 * DAY) * 1_000, amount: "1014.794520", short_id: SHORT_ID };
    expect(await total(1)).toMatchObject({
      total: "1004.931506",
      exit_value: "1001.643835",
      claimable: "0.000000",
      next_cash: due,
      by_product: [{ short_id: SHORT_ID, value: "1004.931506" }],
    });

    await world.mine([], 70 * DAY);
    expect((await held(1))[0]).toMatchObject({
      value: "1014.794520",
      exit_value: "1014.794520",
      claimable: "1014.794520",
      interest: "14.794520",
      receipt: { matured: true },
    });
    expect(await total(1)).toMatchObject({ claimable: "1014.794520", next_cash: null });
    const earned = { interest: "14.794520", unrealised: "0.000000", realised: "0.000000", total: "14.794520" };
    expect(await profitOf(1)).toMatchObject({ ...earned, net_deposits: "1000.000000" });

    await world.mine([deposits.by(1, "close", [1n])]);
    expect(await held(1)).toEqual([]);
    expect(await profitOf(1)).toMatchObject({ ...earned, value: "0.000000", net_deposits: "-14.794520" });
    const { items } = await ask<List<Transaction>>(`account/transaction/${deposits.wallet(1)}?kind=mature`);
    expect(items).toMatchObject([
      { kind: "mature", amount: "1014.794520", deposit_id: "1", shares: null, price: null },
    ]);
    const statement = await ask<Statement>(`account/statement/${deposits.wallet(1)}?from=0&to=9000000000000`);
    expectBalanced(statement);
    expect(statement.products).toMatchObject([
      {
        short_id: SHORT_ID,
        type: "time_deposit",
        paid_in: "1000.000000",
        paid_out: "1014.794520",
        earned: "14.794520",
        closing: { shares: null, principal: "0.000000", value: "0.000000" },
        lines: [
          { kind: "deposit", deposit_id: "1", balance: { principal: "1000.000000", value: "1000.000000" } },
          { kind: "mature", deposit_id: "1", earned: "14.794520", balance: { principal: "0.000000" } },
        ],
      },
    ]);
  });

  it("report the cost of an early exit, and count less interest for it", async () => {
    await world.mine([deposits.open(1, 0, 1_000n * DOLLAR)]);
    await world.mine([deposits.by(1, "exitEarly", [1n, 1_000n * DOLLAR, 0n])], 10 * DAY);
    const { items } = await ask<List<Transaction>>(`account/transaction/${deposits.wallet(1)}?kind=withdraw`);
    // A half per cent of 1 000, and ten days at one per cent.
    expect(items).toMatchObject([{ deposit_id: "1", fee: "5.000000", amount: "995.273972" }]);
    expect(await profitOf(1)).toMatchObject({ interest: "-4.726028", total: "-4.726028", realised: "0.000000" });
  });

  it("report a partial early exit as a withdrawal, and leave the rest in the receipt", async () => {
    await world.mine([deposits.open(1, 0, 1_000n * DOLLAR)]);
    await world.mine([deposits.by(1, "exitEarly", [1n, 400n * DOLLAR, 0n])], 10 * DAY);
    const { items } = await ask<List<Transaction>>(`account/transaction/${deposits.wallet(1)}?kind=withdraw`);
    // A half per cent of 400, and ten days at one per cent.
    expect(items).toMatchObject([{ deposit_id: "1", fee: "2.000000", amount: "398.109589" }]);
    expect(await held(1)).toMatchObject([{ deposit_id: "1", principal: "600.000000" }]);
    // The cost of the part, and ten days at five per cent for the rest.
    expect(await profitOf(1)).toMatchObject({ interest: "-1.068494" });
  });

  it("count only the amount that is paid out of a receipt that will roll over", async () => {
    await world.mine([deposits.open(1, TERM, 1_000n * DOLLAR), deposits.open(1, 0, 100n * DOLLAR)]);
    const next = async () => (await total(1)).next_cash;
    expect(await next()).toMatchObject({ amount: "100.410958" });
    await world.mine([deposits.by(1, "setAutoRoll", [2n, 0n, 0n, 1n])]);
    expect(await next()).toMatchObject({ amount: "0.410958" });
    await world.mine([deposits.by(1, "setAutoRoll", [2n, 0n, 0n, 2n])]);
    expect(await next()).toMatchObject({ amount: "1014.794520" });
    expect((await held(1)).map(({ receipt }) => [receipt?.roll, receipt?.roll_term_id])).toEqual([
      ["none", null],
      ["all", 0],
    ]);
    // A rollover is no payment in or out, except for the paid interest.
    await world.mine([deposits.by(0, "autoRoll", [2n])], 30 * DAY);
    const profit = await profitOf(1);
    expect(units(profit.net_deposits)).toBe(1_100n * DOLLAR);
    expect(units(profit.total)).toBe(units(profit.value) - 1_100n * DOLLAR);
    const statement = await ask<Statement>(`account/statement/${deposits.wallet(1)}?from=0&to=9000000000000`);
    expectBalanced(statement);
    expect(statement.products[0]?.lines.map(({ kind, paid_in, paid_out }) => [kind, paid_in, paid_out])).toEqual([
      ["deposit", "1000.000000", "0.000000"],
      ["deposit", "100.000000", "0.000000"],
      ["rollover", "0.000000", "0.000000"],
    ]);
  });

  it("limit the amount that can leave now to the existing cash, over all receipts together", async () => {
    await world.mine([deposits.open(1, 0, 1_000n * DOLLAR), deposits.open(2, 0, 1_000n * DOLLAR)]);
    const free = await deposits.read("books").then((books) => (books as { cash: bigint }).cash - 2_000n * DOLLAR);
    const reserved = 2n * 4_109_589n;
    await world.mine([deposits.as("treasurer", "withdrawInterest", [free - reserved])]);
    await world.mine([deposits.as("treasurer", "deploy", [900n * DOLLAR])]);
    await world.mine([], 40 * DAY);
    const together = `also=${deposits.wallet(2)}`;
    expect((await held(1, together)).map(({ exit_value, claimable }) => [exit_value, claimable])).toEqual([
      ["1004.109589", "1004.109589"],
      ["1004.109589", "1004.109589"],
    ]);
    // The cash suffices for one of them but not for both.
    const due = { total: "2008.219178", exit_value: "1004.109589", claimable: "1004.109589" };
    expect(await total(1, together)).toMatchObject(due);
    await world.mine([deposits.by(1, "close", [1n])]);
    expect((await held(2))[0]).toMatchObject({ value: "1004.109589", exit_value: "0.000000", claimable: "0.000000" });
  });

  it("report no exit value for a frozen wallet", async () => {
    await world.mine([deposits.open(2, 0, 1_000n * DOLLAR)]);
    const data = encodeFunctionData({ abi: identityRegistryAbi, functionName: "freeze", args: [deposits.wallet(2)] });
    await world.mine([world.as("guardian", world.deployed.addresses.identityRegistry, data)]);
    expect((await held(2))[0]).toMatchObject({ exit_value: "0.000000" });
    expect((await total(2)).exit_value).toBe("0.000000");
    expect(units((await total(2)).total)).toBeGreaterThanOrEqual(1_000n * DOLLAR);
  });

  it("report no early exit while a loss is under review, also after its end, until it is taken back or settled", async () => {
    const root = `0x${"ab".repeat(32)}` as const;
    await world.mine([deposits.open(1, TERM, 2_000n * DOLLAR), deposits.open(2, TERM, 100n * DOLLAR)]);
    const books = (await deposits.read("books")) as { cash: bigint; liabilities: bigint };
    await world.mine([deposits.as("treasurer", "withdrawInterest", [books.cash - books.liabilities])]);
    await world.mine([deposits.as("treasurer", "deploy", [1_500n * DOLLAR])]);
    const page = () => ask<TimeDetail>(`product/${SHORT_ID}`);
    const exit = async () => {
      const [quoted, [holding]] = [(await deposits.read("quoteExit", [2n, await now()])) as bigint, await held(2)];
      return { quoted, shown: units(holding?.exit_value) };
    };
    const now = async () => BigInt((await world.head()).time);
    const expectHeld = async () => {
      const [, until] = (await deposits.read("reviewedLoss")) as [bigint, bigint];
      expect(await page()).toMatchObject({
        ...{ loss_reviewed_until: Number(until) * 1_000, deposits_paused: true, instant_capacity: "0.000000" },
      });
      expect((await exit()).shown).toBe(0n);
      const leaving = world.mine([deposits.by(2, "exitEarly", [2n, 100n * DOLLAR, 0n])]);
      await expect(leaving).rejects.toThrow();
    };
    const expectFree = async () => {
      expect(await page()).toMatchObject({ loss_reviewed_until: null, deposits_paused: false });
      const { quoted, shown } = await exit();
      expect(shown).toBe(quoted);
      expect(shown).toBeGreaterThan(0n);
    };
    const loss = deposits.as("reporter", "bookLoss", [1_000n * DOLLAR, root]);
    await expectFree();
    await world.mine([loss]);
    await expectHeld();
    await world.mine([deposits.as("confirmer", "takeBackLoss", [])]);
    await expectFree();
    await world.mine([deposits.as("confirmer", "confirmLoss", []), loss]);
    await world.mine([], 2 * DAY);
    await expectHeld();
    await world.mine([deposits.by(1, "settleLoss", [])]);
    expect(await page()).toMatchObject({ loss_reviewed_until: null, books: { winding_down: {} } });
  });

  it("report the contract's payment in a winding down, and consistent totals after draws", async () => {
    await world.mine([deposits.open(1, 0, 1_000n * DOLLAR), deposits.open(2, TERM, 2_000n * DOLLAR)]);
    const books = (await deposits.read("books")) as { cash: bigint; liabilities: bigint };
    await world.mine([deposits.as("treasurer", "withdrawInterest", [books.cash - books.liabilities])]);
    await world.mine([deposits.as("treasurer", "deploy", [2_300n * DOLLAR])]);
    const root = `0x${"ab".repeat(32)}` as const;
    await world.mine([deposits.as("reporter", "bookLoss", [1_000n * DOLLAR, root])]);
    await world.mine([deposits.as("confirmer", "confirmLoss", [])], 10 * DAY);
    const expectDraws = async () => {
      for (const [wallet, id] of [
        [1, 1n],
        [2, 2n],
      ] as const) {
        const claimable = (await deposits.read("claimable", [id])) as bigint;
        const [holding] = await held(wallet);
        expect(holding?.receipt?.winding_down).toBe(true);
        expect(units(holding?.claimable)).toBe(claimable);
        expect(units(holding?.exit_value)).toBe(claimable);
        expect(units(holding?.value)).toBeGreaterThanOrEqual(claimable);
        expect(await total(wallet)).toMatchObject({ claimable: holding?.claimable, next_cash: null });
        const profit = await profitOf(wallet);
        expect(units(profit.total)).toBe(units(profit.value) - units(profit.net_deposits));
        expect(units(profit.interest)).toBe(units(profit.total));
        expect(units(holding?.interest)).toBe(units(profit.interest));
        const statement = await ask<Statement>(`account/statement/${deposits.wallet(wallet)}?from=0&to=9000000000000`);
        expectBalanced(statement);
        expect(statement.products[0]?.closing).toMatchObject({ value: holding?.value, claimable: holding?.claimable });
        expect(statement.products[0]?.earned).toBe(profit.total);
      }
    };
    await expectDraws();
    await world.mine([deposits.by(1, "claim", [1n])]);
    await expectDraws();
    await world.mine([deposits.as("faucet", "repay", [1_200n * DOLLAR])], 20 * DAY);
    await expectDraws();
    await world.mine([deposits.by(1, "claim", [1n]), deposits.by(2, "claim", [2n])]);
    await expectDraws();
  });
});
