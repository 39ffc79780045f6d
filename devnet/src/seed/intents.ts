import { DAY, HOUR } from "@aqua/sdk/durations";
import { devnetProducts, dollars } from "../products.ts";
import { Random } from "../random.ts";

/** An intended action of a depositor; the plan computes exact amounts. Times are seconds after the world's start. */
export type Intent =
  | { kind: "onboard"; time: number; depositor: number }
  | { kind: "deposit"; time: number; depositor: number; shortId: string; assets: bigint }
  | { kind: "withdraw"; time: number; depositor: number; shortId: string; perThousand: number }
  | { kind: "exit"; time: number; depositor: number; shortId: string }
  | { kind: "transfer"; time: number; depositor: number; shortId: string; to: number; perThousand: number }
  /**
   * The holder with the `rank` + 1st largest holding requests the withdrawal of a part of it. With `exact`, its block
   * has exactly this time.
   */
  | { kind: "rush"; time: number; shortId: string; rank: number; perThousand: number; exact?: true };

/** Depositors of the first day, so that the first report covers money that has earned. */
export const founders: ReadonlySet<number> = new Set([0, 1, 2, 4, 5, 17]);
/** Depositors who withdraw everything during the year. */
const leavers = new Set([3, 8, 14, 20, 27, 33, 38]);
/** Depositors who transfer part of a holding to another wallet, and that wallet. */
const transfers = new Map([
  [1, 2],
  [10, 11],
  [18, 19],
  [24, 25],
]);

export interface Behaviour {
  /** Day of the world. */
  join: number;
  products: readonly string[];
  base: number;
}

/** Time of the flood that costs this product money, in parts per thousand of the world's time. */
export const flood = { shortId: "alps-hydro", after: 580 };

/**
 * A mistaken report of a loss: its time in parts per thousand of the world's time, and the loss in parts per thousand
 * of assets.
 */
export const mistake = { shortId: "aegean-water", after: 300, perThousand: 15n, takenBackAfter: 5 * HOUR };

/**
 * A request between the time that a report covers and the report itself, which therefore does not cover the request:
 * its report is the first from `after` parts per thousand of the world's time on, and the request comes `before`
 * seconds before it.
 */
export const lateRequest = { shortId: "aegean-water", after: 640, before: 600, rank: 1, perThousand: 120 };

/** Large exits: after the flood, and two more in the year. */
const rushes = [
  { shortId: "sahel-solar", after: 420, days: 0, rank: 0, perThousand: 450 },
  { shortId: flood.shortId, after: flood.after, days: 0.3, rank: 0, perThousand: 550 },
  { shortId: flood.shortId, after: flood.after, days: 1.2, rank: 2, perThousand: 800 },
  { shortId: flood.shortId, after: flood.after, days: 1.4, rank: 4, perThousand: 300 },
  { shortId: "aegean-water", after: 770, days: 0, rank: 1, perThousand: 700 },
];

/** The product whose queue still waits when the seeded time ends. */
export const crowded = "sahel-solar";

/** Requests in its queue in the last days; the first is so large that the queue still waits at the end. */
const lastRushes = [
  { days: 3, rank: 0, perThousand: 520 },
  { days: 2.9, rank: 0, perThousand: 450 },
  { days: 2.8, rank: 1, perThousand: 400 },
  { days: 0.4, rank: 0, perThousand: 250 },
  { days: 0.1, rank: 0, perThousand: 300 },
];

/** Yields every large exit of a world of that many seconds. */
export function* rushIntents(seconds: number): Generator<Intent> {
  for (const { shortId, after, days, rank, perThousand } of rushes) {
    yield { kind: "rush", time: Math.floor((seconds * after) / 1_000 + days * DAY), shortId, rank, perThousand };
  }
  for (const { days, rank, perThousand } of lastRushes) {
    yield { kind: "rush", time: Math.floor(seconds - days * DAY), shortId: crowded, rank, perThousand };
  }
}

/** Rounds an amount as a person would: nobody deposits 8 317 dollars. */
export function round(amount: number): number {
  const step = amount < 1_000 ? 50 : amount < 10_000 ? 250 : amount < 100_000 ? 1_000 : 5_000;
  return Math.max(step, Math.round(amount / step) * step);
}

export function habitsOf(depositor: number, days: number): Behaviour {
  const random = new Random(`depositor ${depositor}`);
  const early = leavers.has(depositor) || transfers.has(depositor);
  const latest = early ? Math.floor(days * 0.4) : days - Math.ceil(days * 0.03);
  const join = founders.has(depositor) ? 0 : random.between(1, Math.max(1, latest));
  const [low, high] = depositor < 5 ? [55_000, 170_000] : depositor < 17 ? [6_000, 42_000] : [150, 4_000];
  const shuffled = [...devnetProducts.map((product) => product.shortId)];
  for (let left = shuffled.length; left > 1; left--) {
    const other = random.between(0, left - 1);
    const last = shuffled[left - 1] as string;
    shuffled[left - 1] = shuffled[other] as string;
    shuffled[other] = last;
  }
  const count = founders.has(depositor) ? 3 : random.pick([1, 1, 2, 2, 3]);
  return { join, products: shuffled.slice(0, count), base: random.between(low, high) };
}

/** Returns everything that one depositor intends in a world of `days` days, in no order. */
export function intentsOf(depositor: number, days: number, count: number): Intent[] {
  const { join, products, base } = habitsOf(depositor, days);
  const random = new Random(`habits ${depositor}`);
  // Between six in the morning and ten at night. The actions of a wallet are hours apart.
  const clock = (day: number) => day * DAY + random.between(6 * HOUR, 22 * HOUR);
  const joined = join === 0 ? random.between(600, 1_800) : clock(join);
  const intents: Intent[] = [{ kind: "onboard", time: joined, depositor }];
  const habit = random.pick(["saver", "saver", "occasional", "occasional", "once"]);
  const leaves = leavers.has(depositor) ? random.between(join + Math.ceil(days * 0.2), days - 4) : null;
  const until = leaves ?? days - 1;

  products.forEach((shortId, index) => {
    const deposit = (time: number, amount: number) =>
      intents.push({ kind: "deposit", time, depositor, shortId, assets: dollars(round(amount)) });
    const share = [100, 60, 35][index] ?? 35;
    const first = joined + 2 * HOUR + index * 5_400 + random.between(0, 3_000);
    deposit(first, (base * share) / 100);
    const later = join + Math.max(1, Math.ceil(days * 0.02));
    if (later >= until) return;
    if (habit === "saver") {
      const payday = random.between(later, later + 27);
      for (let day = payday; day < until; day += 30) deposit(clock(day), (base * random.between(6, 14)) / 100);
    } else if (habit === "occasional") {
      const times = random.between(1, 3);
      for (let time = 0; time < times; time++) {
        deposit(clock(random.between(later, until - 1)), (base * random.between(15, 60)) / 100);
      }
    }
    if (random.chance(420)) {
      const times = random.between(1, 3);
      for (let time = 0; time < times; time++) {
        const day = random.between(later, until - 1);
        intents.push({ kind: "withdraw", time: clock(day), depositor, shortId, perThousand: random.between(60, 380) });
      }
    }
    if (leaves !== null) {
      intents.push({ kind: "exit", time: leaves * DAY + (8 + 2 * index) * HOUR, depositor, shortId });
    }
  });

  const to = transfers.get(depositor);
  const [shortId] = products;
  if (to !== undefined && to < count && shortId !== undefined) {
    const day = Math.max(join, habitsOf(to, days).join) + Math.max(2, Math.ceil(days * 0.05));
    if (day < days) {
      const perThousand = random.between(150, 450);
      intents.push({ kind: "transfer", time: clock(day), depositor, shortId, to, perThousand });
    }
  }
  return intents;
}
