import { DAY, HOUR } from "@aqua/sdk/durations";
import { dollars, timeProducts } from "../products.ts";
import { Random } from "../random.ts";
import { founders, habitsOf, round } from "./intents.ts";

/** Actions of an owner on a receipt; days count from its maturity, for "leaveEarly" and "leavePart" from its opening. */
export type Outcome =
  | { kind: "close"; days: number }
  | { kind: "rollOver"; days: number; termId: number; all: boolean }
  | { kind: "autoRoll"; termId: number; all: boolean }
  | { kind: "leaveEarly"; days: number }
  /** Takes a part early. The rest is closed a day after its maturity. */
  | { kind: "leavePart"; days: number; perThousand: bigint };

/** A time deposit someone means to open. Times are seconds after the world's start. */
export interface OpenIntent {
  kind: "open";
  time: number;
  depositor: number;
  shortId: string;
  termId: number;
  principal: bigint;
  outcome: Outcome;
  /** Its block has exactly this time; otherwise up to half an hour later. */
  exact?: true;
}

interface PlannedReceipt {
  depositor: number;
  shortId: string;
  termId: number;
  /** Day of the world; a negative day counts from its end. */
  day: number;
  amount: number;
  outcome: Outcome;
}

/**
 * Receipts of the founders in every world, even one of a month. Together they cover every course of a receipt, and at
 * the end some have matured and wait for their owners.
 */
const told: readonly PlannedReceipt[] = [
  {
    depositor: 5,
    shortId: "jutland-biogas",
    termId: 0,
    day: 5,
    amount: 7_300,
    outcome: { kind: "leavePart", days: 13, perThousand: 375n },
  },
  { depositor: 4, shortId: "amman-mains", termId: 0, day: 6, amount: 5_000, outcome: { kind: "close", days: 2 } },
  { depositor: 0, shortId: "amman-mains", termId: 0, day: 1, amount: 75_000, outcome: { kind: "close", days: 1.2 } },
  { depositor: 1, shortId: "amman-mains", termId: 0, day: 2, amount: 8_500, outcome: { kind: "close", days: 38 } },
  {
    depositor: 2,
    shortId: "amman-mains",
    termId: 0,
    day: 3,
    amount: 15_000,
    outcome: { kind: "autoRoll", termId: 0, all: false },
  },
  {
    depositor: 4,
    shortId: "amman-mains",
    termId: 0,
    day: 4,
    amount: 20_000,
    outcome: { kind: "rollOver", days: 1.5, termId: 1, all: true },
  },
  { depositor: 5, shortId: "amman-mains", termId: 1, day: 3, amount: 4_000, outcome: { kind: "leaveEarly", days: 12 } },
  {
    depositor: 0,
    shortId: "jutland-biogas",
    termId: 0,
    day: 5,
    amount: 25_000,
    outcome: { kind: "autoRoll", termId: 1, all: true },
  },
  { depositor: 4, shortId: "jutland-biogas", termId: 1, day: 6, amount: 18_000, outcome: { kind: "close", days: 2 } },
  {
    depositor: 2,
    shortId: "atlantic-forest",
    termId: 0,
    day: 7,
    amount: 30_000,
    outcome: { kind: "autoRoll", termId: 1, all: false },
  },
  { depositor: 1, shortId: "atlantic-forest", termId: 1, day: 8, amount: 22_000, outcome: { kind: "close", days: 1 } },
  { depositor: 5, shortId: "amman-mains", termId: 1, day: -56, amount: 6_000, outcome: { kind: "close", days: 60 } },
  {
    depositor: 1,
    shortId: "jutland-biogas",
    termId: 0,
    day: -104,
    amount: 9_000,
    outcome: { kind: "close", days: 60 },
  },
];

/** Returns every time deposit that one depositor intends to open in a world of `days` days, in no order. */
export function termIntentsOf(depositor: number, days: number): OpenIntent[] {
  const random = new Random(`terms ${depositor}`);
  const clock = (day: number) => Math.floor(day) * DAY + random.between(7 * HOUR, 21 * HOUR);
  const own = told.filter((one) => one.depositor === depositor && (one.day >= 0 || days + one.day > 30));
  const intents: OpenIntent[] = own.map(({ shortId, termId, day, amount, outcome }) => ({
    kind: "open",
    depositor,
    shortId,
    termId,
    outcome,
    principal: dollars(amount),
    time: clock(day < 0 ? days + day : day),
  }));
  const { join, base } = habitsOf(depositor, days);
  if (!founders.has(depositor) && !random.chance(560)) return intents;
  const first = join + Math.max(1, Math.ceil(days * 0.02));
  if (first >= days) return intents;
  for (const { shortId, terms } of timeProducts) {
    if (!random.chance(550)) continue;
    for (let left = random.between(1, shortId === "amman-mains" ? 4 : 2); left > 0; left--) {
      const termId = random.between(0, terms.length - 1);
      const amount = round((base * random.between(8, 45)) / 100);
      intents.push({
        kind: "open",
        depositor,
        shortId,
        termId,
        principal: dollars(Math.max(100, amount)),
        time: clock(random.between(first, days - 1)),
        outcome: outcomeOf(random, terms.length),
      });
    }
  }
  return intents;
}

function outcomeOf(random: Random, terms: number): Outcome {
  const kind = random.pick([
    "close",
    "close",
    "close",
    "late",
    "rollOver",
    "autoRoll",
    "autoRoll",
    "leaveEarly",
  ] as const);
  const termId = random.between(0, terms - 1);
  const all = random.chance(600);
  switch (kind) {
    case "close":
      return { kind, days: random.between(4, 130) / 24 };
    case "late":
      return { kind: "close", days: random.between(20, 70) };
    case "rollOver":
      return { kind, days: random.between(3, 70) / 24, termId, all };
    case "autoRoll":
      return { kind, termId, all };
    case "leaveEarly":
      return { kind, days: random.between(5, 90) };
  }
}
