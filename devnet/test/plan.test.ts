import { sharePrice } from "@aqua/sdk/maths/shares";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEMO_DEPOSITOR, DEPOSITOR_COUNT } from "../src/accounts.ts";
import { countedBetween } from "../src/fleet/figures.ts";
import { gainFor } from "../src/income.ts";
import { devnetProducts, dollars, vaultLimits } from "../src/products.ts";
import { crowded, flood, mistake } from "../src/seed/intents.ts";
import type { VaultModel } from "../src/seed/model.ts";
import { type Plan, planWorld } from "../src/seed/plan.ts";
import { frozen, recovered } from "../src/seed/records.ts";
import { receiptStatus } from "../src/seed/termModel.ts";

const DAY = 86_400;
const start = Date.UTC(2025, 10, 20, 9, 30) / 1000;
const options = { start, end: start + 365 * DAY, depositors: DEPOSITOR_COUNT };
const plan = planWorld(options);
const actions = plan.blocks.flatMap((block) => block.actions);
const product = fc.constantFrom(...devnetProducts);

/** Returns the income of the registers' count between two moments, for a product with these assets. */
function incomeBetween(shortId: string, from: number, to: number, assets: bigint): bigint {
  return gainFor(shortId, countedBetween(shortId, from, to), assets);
}

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

  it("never has two transactions of one vault or one wallet in a block", () => {
    for (const block of plan.blocks) {
      const vaults = block.actions.flatMap((action) => ("shortId" in action ? [action.shortId] : []));
      const wallets = block.actions.flatMap((action) => ("depositor" in action ? [action.depositor] : []));
      expect(new Set(vaults).size).toBe(vaults.length);
      expect(new Set(wallets).size).toBe(wallets.length);
    }
  });

  it("has some forty depositors of very different size, some of whom leave, and some transfers", () => {
    const deposits = actions.filter((action) => action.kind === "deposit").map((action) => action.assets);
    expect(actions.filter((action) => action.kind === "onboard")).toHaveLength(DEPOSITOR_COUNT + 1);
    expect(deposits.some((assets) => assets < dollars(500))).toBe(true);
    expect(deposits.some((assets) => assets > dollars(50_000))).toBe(true);
    expect(actions.filter((action) => action.kind === "withdraw").length).toBeGreaterThan(50);
    expect(actions.filter((action) => action.kind === "exit").length).toBeGreaterThan(5);
    expect(actions.filter((action) => action.kind === "transfer").length).toBeGreaterThanOrEqual(3);
  });

  it.each(["sahel-solar", "aegean-water", "alps-hydro"])("earns %s between 4 and 9 percent", (shortId) => {
    const vault = vaultOf(plan, shortId);
    const earned = sharePrice(vault.pool(options.end)) - 10n ** 18n;
    expect(earned).toBeGreaterThan(40n * 10n ** 15n);
    expect(earned).toBeLessThan(90n * 10n ** 15n);
  });

  it("earns more in the season than out of it", () => {
    const month = (shortId: string, index: number) => {
      const from = Date.UTC(2026, index, 1) / 1000;
      return incomeBetween(shortId, from, from + 30 * DAY, dollars(1_000_000));
    };
    expect(month("sahel-solar", 3)).toBeGreaterThan(month("sahel-solar", 7));
    expect(month("aegean-water", 7)).toBeGreaterThan(2n * month("aegean-water", 1));
    expect(month("alps-hydro", 5)).toBeGreaterThan(2n * month("alps-hydro", 0));
  });
});

function vaultOf(of: Plan, shortId: string): VaultModel {
  const vault = of.vaults.get(shortId);
  if (vault === undefined) throw new Error("no vault");
  return vault;
}

/** Worlds that start at any hour of any weekday: a year of all depositors, and a month of eight. */
const anyWorld = fc.record({
  long: fc.boolean(),
  end: fc.integer({ min: 0, max: 400 * 24 }).map((hour) => Date.UTC(2026, 5, 1) / 1_000 + hour * 3_600),
});

const worldOf = ({ long, end }: { long: boolean; end: number }) =>
  planWorld({ start: end - (long ? 365 : 30) * DAY, end, depositors: long ? DEPOSITOR_COUNT : 8 });

function check(holds: (of: Plan, end: number) => void): void {
  fc.assert(
    fc.property(anyWorld, (world) => holds(worldOf(world), world.end)),
    { numRuns: 25 },
  );
}

describe("any planned world", () => {
  it("leaves several requests in one queue, some of which lack only the money, and all other queues empty", () => {
    check((of, end) => {
      for (const [shortId, vault] of of.vaults) {
        const waiting = [...vault.shares.keys()].filter((holder) => vault.pending(holder) > 0n);
        if (shortId === crowded) {
          expect(waiting.length).toBeGreaterThanOrEqual(3);
          expect(vault.due(end)).toBeGreaterThan(vault.processed.shares);
        } else {
          expect({ shortId, waiting }).toEqual({ shortId, waiting: [] });
          expect(vault.instant(end), shortId).toBeGreaterThan(0n);
        }
        expect(vault.processed.shares > 0n || shortId !== crowded).toBe(true);
      }
    });
  });

  it("has a mistaken loss that is reversed, a real one, and one closed product with a few holders", () => {
    check((of, end) => {
      const reports = of.blocks.flatMap(({ actions }) => actions).filter((action) => action.kind === "report");
      const losses = reports.filter(({ delta }) => delta < 0n).map(({ shortId }) => shortId);
      expect(losses).toEqual([mistake.shortId, flood.shortId]);
      const takenBack = of.blocks.flatMap(({ actions }) => actions).filter(({ kind }) => kind === "takeBack");
      expect(takenBack).toEqual([{ kind: "takeBack", shortId: mistake.shortId }]);
      expect(sharePrice(vaultOf(of, flood.shortId).pool(end))).toBeGreaterThan(10n ** 18n);
      const closed = [...of.vaults.values()].filter((vault) => vault.closed);
      expect(closed).toHaveLength(1);
      const holders = [...(closed[0]?.shares.values() ?? [])].filter((shares) => shares > 0n);
      expect(holders.length).toBeGreaterThanOrEqual(2);
      expect(closed[0]?.deployed).toBe(0n);
    });
  });

  it("gives the demo wallet holdings, something to collect, a request that waits and a deposit that matures soon", () => {
    check((of, end) => {
      const holds = ["alps-hydro", "aegean-water", crowded].map((shortId) =>
        vaultOf(of, shortId).sharesOf(DEMO_DEPOSITOR),
      );
      expect(holds.every((shares) => shares > 0n)).toBe(true);
      expect(vaultOf(of, "aegean-water").claimable(DEMO_DEPOSITOR).assets).toBeGreaterThan(dollars(1_000));
      expect(vaultOf(of, crowded).pending(DEMO_DEPOSITOR)).toBeGreaterThan(0n);
      const receipts = [...of.termDeposits.values()].flatMap(({ receipts: all }) => [...all.values()]);
      const soon = receipts.filter(({ holder, status, maturity }) => {
        const left = Number(maturity) - end;
        return holder === DEMO_DEPOSITOR && status === receiptStatus.live && left > 0 && left < 3_600;
      });
      expect(soon.map(({ maturity }) => Number(maturity) - end)).toEqual([12 * 60]);
    });
  });

  it("has receipts that were closed, left early, rolled over by owner and keeper, that wait, and that will roll over", () => {
    check((of, end) => {
      const kinds = new Set(of.blocks.flatMap(({ actions }) => actions).map(({ kind }) => kind));
      const wanted = ["open", "closeReceipt", "exitEarly", "rollOver", "setAutoRoll", "autoRoll", "fund"] as const;
      expect(wanted.filter((kind) => !kinds.has(kind))).toEqual([]);
      const receipts = [...of.termDeposits.values()].flatMap((product) => [...product.receipts.values()]);
      const live = receipts.filter(({ status }) => status === receiptStatus.live);
      expect(live.some(({ maturity }) => maturity <= BigInt(end))).toBe(true);
      expect(live.some(({ maturity, roll }) => maturity > BigInt(end) && roll !== 0)).toBe(true);
      for (const product of of.termDeposits.values()) {
        expect(product.freeInterest).toBeGreaterThanOrEqual(0n);
        expect(product.accounts.deployed).toBeGreaterThan(0n);
      }
    });
  });
});

describe("rare events in any planned world", () => {
  const actionsOf = (of: Plan) =>
    of.blocks.flatMap(({ time, actions }) => actions.map((action) => ({ time, ...action })));

  it("are a request between the time that a report covers and the report", () => {
    check((of) => {
      const all = actionsOf(of);
      const reports = all.filter((action) => action.kind === "report");
      const requests = all.flatMap((action) => (action.kind === "request" ? [action] : []));
      const between = requests.filter(({ shortId, time }) =>
        reports.some((report) => report.shortId === shortId && report.asOf < time && time < report.time),
      );
      expect(between.length).toBeGreaterThan(0);
    });
  });

  it("are a demanded payment that the custodian brings, and a part of a receipt that leaves early", () => {
    check((of) => {
      const all = actionsOf(of);
      const demands = all.flatMap((action) => (action.kind === "demand" ? [action] : []));
      const paid = all.filter((action) => action.kind === "repayAndClose");
      expect(paid).toHaveLength(1);
      expect(demands).toContainEqual(expect.objectContaining({ shortId: paid[0]?.shortId, id: paid[0]?.id }));
      expect(paid[0]?.assets).toBeGreaterThan(0n);
      const exits = all.filter((action) => action.kind === "exitEarly");
      const paidLater = all.flatMap((action) =>
        action.kind === "closeReceipt" || action.kind === "exitEarly" ? [action] : [],
      );
      const parts = exits.filter(
        ({ shortId, id, time }) =>
          of.termDeposits.get(shortId)?.receipt(id).status !== receiptStatus.exitedEarly ||
          paidLater.some((other) => other.shortId === shortId && other.id === id && other.time > time),
      );
      expect(parts.length).toBeGreaterThan(0);
    });
  });

  it("are a frozen wallet with holdings, and a wallet that is recovered with its holdings", () => {
    check((of) => {
      const kinds = actionsOf(of).map(({ kind }) => kind);
      for (const kind of ["freeze", "proposeRecovery", "executeRecovery"] as const)
        expect(kinds.filter((one) => one === kind)).toHaveLength(1);
      expect(kinds).toContain("recoverHoldings");
      for (const { depositor } of [frozen, recovered]) {
        const shares = [...of.vaults.values()].some((vault) => vault.sharesOf(depositor) > 0n);
        const receipts = [...of.termDeposits.values()].some(({ receipts: all }) =>
          [...all.values()].some(({ holder, status }) => holder === depositor && status === receiptStatus.live),
        );
        expect(shares || receipts).toBe(true);
      }
    });
  });
});

describe("income", () => {
  it("is the same for a time counted as a whole or in two parts, except for rounding", () => {
    const moment = fc.integer({ min: 0, max: 400 * DAY }).map((offset) => start + offset);
    fc.assert(
      fc.property(product, fc.array(moment, { minLength: 3, maxLength: 3 }), (of, moments) => {
        const [a = 0, b = 0, c = 0] = moments.sort((x, y) => x - y);
        const assets = dollars(1_000_000);
        const whole = incomeBetween(of.shortId, a, c, assets);
        const parts = incomeBetween(of.shortId, a, b, assets) + incomeBetween(of.shortId, b, c, assets);
        expect(whole - parts).toBeGreaterThanOrEqual(0n);
        expect(whole - parts).toBeLessThanOrEqual(1n);
      }),
    );
  });

  it("of a day or more never exceeds what the vault accepts", () => {
    const assets = dollars(1_000_000);
    fc.assert(
      fc.property(
        product,
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: DAY, max: 60 * DAY }),
        (of, day, length) => {
          const from = start + day * DAY;
          const bound = (assets * vaultLimits.maxRate * BigInt(length)) / (365n * BigInt(DAY) * 10n ** 18n);
          expect(incomeBetween(of.shortId, from, from + length, assets)).toBeLessThanOrEqual(bound);
        },
      ),
    );
  });
});
