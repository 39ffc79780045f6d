import { DAY, HOUR } from "@aqua/sdk/durations";
import { Random } from "../random.ts";

/** Total of the registers of a product, and its course over the year and the day. Integer arithmetic only. */
interface Output {
  /** Output of a mean day, in the unit of the registers' metric. */
  daily: number;
  /** Output of each month relative to the mean month, in parts per thousand, January first; the mean is 1000. */
  season: readonly number[];
  /** Largest deviation of a day from its season, in parts per thousand. */
  unrest: number;
  /** Days in a thousand without any output: dust, flood, maintenance. */
  idleDays: number;
  /** Output up to a moment (Unix seconds) if all days were equal; only its course within a day matters. */
  rhythm: (at: number) => number;
}

/** Day on which registers begin to count. The seeded world lies later. */
const FIRST_DAY = Date.UTC(2024, 0, 1) / 1000 / DAY;
const PPM = 1_000_000;
const evenly = () => hourly(Array(24).fill(1));

const outputs: Readonly<Record<string, Output>> = {
  "sahel-solar": {
    daily: 24_000,
    // Pumps run most in the dry, bright months. From July to September the rain waters the fields.
    season: [1090, 1170, 1300, 1330, 1210, 960, 640, 520, 680, 930, 1090, 1080],
    unrest: 260,
    idleDays: 14,
    // Sun over Louga, an hour behind Greenwich.
    rhythm: hourly([0, 0, 0, 0, 0, 0, 0, 2, 14, 34, 54, 70, 80, 84, 80, 70, 54, 34, 14, 2, 0, 0, 0, 0]),
  },
  "aegean-water": {
    daily: 3_400,
    // Water is sold by the cubic metre. Summer guests multiply the demand of the islands.
    season: [660, 640, 720, 860, 1080, 1380, 1610, 1640, 1330, 930, 650, 500],
    unrest: 120,
    idleDays: 6,
    rhythm: hourly([10, 8, 7, 9, 18, 34, 42, 38, 31, 28, 27, 27, 28, 27, 26, 28, 34, 42, 44, 38, 30, 22, 16, 12]),
  },
  "alps-hydro": {
    daily: 46_575,
    // Snow melt fills the river from April to July; in deep winter most of the water lies frozen above the weir.
    season: [470, 440, 690, 1230, 1790, 1840, 1490, 1110, 910, 810, 690, 530],
    unrest: 190,
    idleDays: 9,
    rhythm: evenly(),
  },
  "lofoten-tidal": {
    daily: 8_640,
    // The tide does not depend on the season. Only winter storms make the turbine hard to maintain.
    season: [930, 950, 1010, 1040, 1050, 1040, 1030, 1030, 1020, 990, 970, 940],
    unrest: 90,
    idleDays: 18,
    rhythm: tidal,
  },
  "amman-mains": {
    daily: 21_000,
    season: [880, 880, 920, 960, 1020, 1090, 1140, 1150, 1080, 1010, 950, 920],
    unrest: 60,
    idleDays: 2,
    rhythm: hourly([18, 16, 16, 18, 30, 46, 54, 50, 44, 42, 42, 44, 44, 42, 40, 42, 48, 54, 52, 46, 38, 30, 24, 20]),
  },
  "jutland-biogas": {
    daily: 38_356,
    season: [1040, 1040, 1030, 1010, 990, 970, 950, 950, 970, 1000, 1020, 1030],
    unrest: 50,
    idleDays: 3,
    rhythm: evenly(),
  },
};

export function outputOf(shortId: string): Output {
  const output = outputs[shortId];
  if (output === undefined) throw new Error(`No device counts the output of ${shortId}.`);
  return output;
}

/** Returns the output during a day with the given output of each hour. */
function hourly(hours: readonly number[]): (at: number) => number {
  const before = [0];
  for (const hour of hours) before.push((before.at(-1) ?? 0) + hour * HOUR);
  return (at) => {
    const hour = Math.floor((at % DAY) / HOUR);
    return Math.floor(at / DAY) * (before[24] ?? 0) + (before[hour] ?? 0) + (hours[hour] ?? 0) * (at % HOUR);
  };
}

/** Seconds from slack water to slack water. */
export const TIDE = 22_357;
/** Share of a tide's output produced at each 64th of the tide: the integral of the sine's cube. */
const tideTable = Array.from({ length: 65 }, (_, step) => {
  const cosine = Math.cos((Math.PI * step) / 64);
  return Math.round(((2 - 3 * cosine + cosine ** 3) * 100_000) / 4);
});

function tidal(at: number): number {
  const position = (at % TIDE) * 64;
  const step = Math.floor(position / TIDE);
  const [done = 0, next = 0] = [tideTable[step], tideTable[step + 1]];
  return Math.floor(at / TIDE) * 100_000 + done + Math.floor(((next - done) * (position - step * TIDE)) / TIDE);
}

/** Returns the season's figure of a day, interpolated linearly between months, in parts per thousand. */
export function seasonOn(season: readonly number[], day: number): number {
  const date = new Date(day * DAY * 1000);
  const month = date.getUTCMonth();
  const position = date.getUTCDate() - 15;
  const figure = (index: number) => season[(index + 12) % 12] ?? 1000;
  const towards = position >= 0 ? figure(month + 1) : figure(month - 1);
  return figure(month) + Math.trunc(((towards - figure(month)) * Math.abs(position)) / 31);
}

/** Returns the deviation of a day from its season, at most `unrest`. Neighbouring days have similar weather. */
export function weatherOn(shortId: string, day: number, unrest: number): number {
  const weather = (at: number) => new Random(`${shortId} weather ${at}`).between(-unrest, unrest);
  return Math.trunc((weather(day) * 5 + weather(day - 1) * 3 + weather(day - 2) * 2) / 10);
}

/** Returns the output of one day relative to the mean day, in parts per thousand. */
export function dayFactor(shortId: string, day: number): number {
  const { season, unrest, idleDays } = outputOf(shortId);
  if (new Random(`${shortId} idle ${day}`).chance(idleDays)) return 0;
  return Math.max(0, Math.trunc((seasonOn(season, day) * (1000 + weatherOn(shortId, day, unrest))) / 1000));
}

/** Returns the share of the day's output produced at `at` (Unix seconds), in millionths. */
export function doneOfDay(shortId: string, at: number): number {
  const { rhythm } = outputOf(shortId);
  const start = Math.floor(at / DAY) * DAY;
  const before = rhythm(start);
  return Math.floor(((rhythm(at) - before) * PPM) / (rhythm(start + DAY) - before));
}

/** Output of a register's days, in millionths of a mean day: each day, and the sum of all days before it. */
const days = new Map<string, { own: number[]; before: number[] }>();

/**
 * Count of a meter at `at` (Unix seconds) since its installation, in 10^-12 of its count on a mean day. Never falls.
 * Meters of a product differ a little from day to day.
 */
export function counted(shortId: string, meter: string, at: number): bigint {
  const day = Math.floor(at / DAY) - FIRST_DAY;
  if (day < 0) return 0n;
  const known = days.get(meter) ?? { own: [], before: [0] };
  days.set(meter, known);
  for (let next = known.own.length; next <= day; next++) {
    const stray = new Random(`${meter} day ${next}`).between(-40, 40);
    const own = dayFactor(shortId, FIRST_DAY + next) * (1000 + stray);
    known.own.push(own);
    known.before.push((known.before[next] ?? 0) + own);
  }
  const [before = 0, own = 0] = [known.before[day], known.own[day]];
  return BigInt(before) * BigInt(PPM) + BigInt(own) * BigInt(doneOfDay(shortId, at));
}
