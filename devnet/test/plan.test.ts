import { sharePrice } from "@aqua/sdk/maths/shares";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEPOSITOR_COUNT } from "../src/accounts.ts";
import { incomeBetween } from "../src/income.ts";
import { devnetProducts, dollars, vaultLimits } from "../src/products.ts";
import { planWorld } from "../src/seed/plan.ts";

const DAY = 86_400;
const start = Date.UTC(2025, 10, 20, 9, 30) / 1000;
const options = { start, end: start + 365 * DAY, depositors: DEPOSITOR_COUNT };
const plan = planWorld(options);
const actions = plan.blocks.flatMap((block) => block.actions);
const product = fc.constantFrom(...devnetProducts);

describe("the planned year", () => {
  it("is the same every time", () => {
    expect(planWorld(options).blocks).toEqual(plan.blocks);
  });

  it("lies between its start and its end, each block later than the one before", () => {
    let last = start;
    for (const { time } of plan.blocks) {
      expect(time).toBeGreaterThan(last);
      last = time;
    }
    expect(last).toBeLessThanOrEqual(options.end);
  });

  it("never holds two acts upon one vault, or of one wallet, in a block", () => {
    for (const block of plan.blocks) {
      const vaults = block.actions.flatMap((action) => ("shortId" in action ? [action.shortId] : []));
      const wallets = block.actions.flatMap((action) => ("depositor" in action ? [action.depositor] : []));
      expect(new Set(vaults).size).toBe(vaults.length);
      expect(new Set(wallets).size).toBe(wallets.length);
    }
  });

  it("has some forty depositors of very different size, some of whom leave, and some transfers", () => {
    const deposits = actions.filter((action) => action.kind === "deposit").map((action) => action.assets);
    expect(actions.filter((action) => action.kind === "onboard")).toHaveLength(DEPOSITOR_COUNT);
    expect(deposits.some((assets) => assets < dollars(500))).toBe(true);
    expect(deposits.some((assets) => assets > dollars(50_000))).toBe(true);
    expect(actions.filter((action) => action.kind === "withdraw").length).toBeGreaterThan(50);
    expect(actions.filter((action) => action.kind === "exit").length).toBeGreaterThan(5);
    expect(actions.filter((action) => action.kind === "transfer").length).toBeGreaterThanOrEqual(3);
  });

  it.each(devnetProducts.map(({ shortId }) => shortId))("earns %s between 5 and 9 percent", (shortId) => {
    const vault = plan.vaults.get(shortId);
    if (vault === undefined) throw new Error("no vault");
    const earned = sharePrice(vault.pool(options.end)) - 10n ** 18n;
    expect(earned).toBeGreaterThan(50n * 10n ** 15n);
    expect(earned).toBeLessThan(90n * 10n ** 15n);
  });

  it("earns more in the season than out of it", () => {
    const month = (shortId: string, index: number) => {
      const from = Date.UTC(2026, index, 1) / 1000;
      const of = devnetProducts.find((candidate) => candidate.shortId === shortId);
      if (of === undefined) throw new Error("no product");
      return incomeBetween(of, from, from + 30 * DAY, dollars(1_000_000));
    };
    expect(month("sahel-solar", 3)).toBeGreaterThan(month("sahel-solar", 7));
    expect(month("aegean-water", 7)).toBeGreaterThan(2n * month("aegean-water", 1));
    expect(month("alps-hydro", 5)).toBeGreaterThan(2n * month("alps-hydro", 0));
  });
});

describe("income", () => {
  it("is the same whether a time is counted whole or in two parts, but for rounding", () => {
    const moment = fc.integer({ min: 0, max: 400 * DAY }).map((offset) => start + offset);
    fc.assert(
      fc.property(product, fc.array(moment, { minLength: 3, maxLength: 3 }), (of, moments) => {
        const [a = 0, b = 0, c = 0] = moments.sort((x, y) => x - y);
        const assets = dollars(1_000_000);
        const whole = incomeBetween(of, a, c, assets);
        const parts = incomeBetween(of, a, b, assets) + incomeBetween(of, b, c, assets);
        expect(whole - parts).toBeGreaterThanOrEqual(0n);
        expect(whole - parts).toBeLessThanOrEqual(1n);
      }),
    );
  });

  it("never exceeds what the vault accepts", () => {
    const assets = dollars(1_000_000);
    fc.assert(
      fc.property(
        product,
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 1, max: 60 * DAY }),
        (of, day, length) => {
          const from = start + day * DAY;
          const bound = (assets * vaultLimits.maxRate * BigInt(length)) / (365n * BigInt(DAY) * 10n ** 18n);
          expect(incomeBetween(of, from, from + length, assets)).toBeLessThanOrEqual(bound);
        },
      ),
    );
  });
});
