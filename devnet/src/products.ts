import { parseUnits } from "@aqua/sdk/maths/units";

/** One income stream of the seeded world: its vault's settings and how its earnings run through a year. */
export interface DevnetProduct {
  shortId: string;
  shareName: string;
  shareSymbol: string;
  /** In units of 1e-6 tUSD. */
  cap: bigint;
  minDeposit: bigint;
  /** Days between two income reports, and the minute of the day (UTC) they come at. */
  reportEveryDays: number;
  reportMinute: number;
  /** Net income a year as parts per million of the assets. */
  yearlyIncome: number;
  /** How each month compares with the mean month, in parts per thousand, January first; they average 1000. */
  season: readonly number[];
  /** How far a day strays from its season, in parts per thousand. */
  unrest: number;
  /** Days in a thousand on which nothing is earned: dust, flood, maintenance. */
  idleDays: number;
}

export const DOLLAR_DECIMALS = 6;

/** Whole dollars as units of 1e-6 tUSD. */
export function dollars(amount: number | string): bigint {
  return parseUnits(String(amount), DOLLAR_DECIMALS);
}

/** What every vault of the devnet shares. */
export const vaultLimits = {
  /** Seconds over which a report's gain is streamed. */
  vestingTime: 86_400n,
  /** Most gain a year as a fraction of assets, 1e18 = 100 %. */
  maxRate: 300_000_000_000_000_000n,
  /** Seconds after which an old report closes deposits. */
  maxReportAge: 7n * 86_400n,
};

export const devnetProducts: readonly DevnetProduct[] = [
  {
    shortId: "sahel-solar",
    shareName: "Aqua Sahel Solar Irrigation",
    shareSymbol: "aqSOLAR",
    cap: dollars(1_500_000),
    minDeposit: dollars(10),
    reportEveryDays: 1,
    reportMinute: 19 * 60 + 10,
    yearlyIncome: 78_000,
    // Pumps run hardest in the dry, bright months; the rains of July to September water the fields for nothing.
    season: [1090, 1170, 1300, 1330, 1210, 960, 640, 520, 680, 930, 1090, 1080],
    unrest: 260,
    idleDays: 14,
  },
  {
    shortId: "aegean-water",
    shareName: "Aqua Aegean Desalination",
    shareSymbol: "aqWATER",
    cap: dollars(3_000_000),
    minDeposit: dollars(10),
    reportEveryDays: 2,
    reportMinute: 6 * 60 + 30,
    yearlyIncome: 63_000,
    // Water is sold by the cubic metre; summer guests multiply the islands' need.
    season: [660, 640, 720, 860, 1080, 1380, 1610, 1640, 1330, 930, 650, 500],
    unrest: 120,
    idleDays: 6,
  },
  {
    shortId: "alps-hydro",
    shareName: "Aqua Alpine River Hydropower",
    shareSymbol: "aqHYDRO",
    cap: dollars(2_500_000),
    minDeposit: dollars(10),
    reportEveryDays: 1,
    reportMinute: 22 * 60 + 45,
    yearlyIncome: 54_000,
    // Snow melt fills the river from April to July; in deep winter most of the water lies frozen above the weir.
    season: [470, 440, 690, 1230, 1790, 1840, 1490, 1110, 910, 810, 690, 530],
    unrest: 190,
    idleDays: 9,
  },
];

export function findProduct(shortId: string): DevnetProduct {
  const product = devnetProducts.find((candidate) => candidate.shortId === shortId);
  if (product === undefined) throw new Error(`The devnet has no product "${shortId}".`);
  return product;
}
