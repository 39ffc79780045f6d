import { DAY } from "@aqua/sdk/durations";
import type { Term } from "@aqua/sdk/maths/term";
import { parseUnits } from "@aqua/sdk/maths/units";

interface Listed {
  shortId: string;
  shareName: string;
  shareSymbol: string;
  /** In units of 1e-6 tUSD. */
  cap: bigint;
  minDeposit: bigint;
  /** Part of the money that is never deployed, 18 decimals. */
  buffer: bigint;
}

/** Vault settings of one demand deposit of the seeded world. The registers of `fleet` determine its income. */
export interface DevnetProduct extends Listed {
  /** Days the custodian needs to bring money back for a request that waits. */
  noticeDays: number;
  /** Days between two income reports, and the minute of the day (UTC) of the report. */
  reportEveryDays: number;
  reportMinute: number;
  /** Point of the seeded time, in parts per thousand, at which it was closed; absent when it is open. */
  closedAfter?: number;
}

/** A term as `addTerm` takes it, with a cap of its own. */
export interface OfferedTerm extends Term {
  cap: bigint;
}

/** One time deposit of the seeded world. */
export interface TimeProduct extends Listed {
  terms: readonly OfferedTerm[];
  /** Interest reserve that is promised to nobody; the treasurer keeps it funded. */
  freeInterest: bigint;
}

export const DOLLAR_DECIMALS = 6;

/** Whole dollars as units of 1e-6 tUSD. */
export function dollars(amount: number | string): bigint {
  return parseUnits(String(amount), DOLLAR_DECIMALS);
}

/** Settings that all vaults of the devnet share. */
export const vaultLimits = {
  /** Seconds over which a report's gain is streamed. */
  vestingTime: BigInt(DAY),
  /** Most gain a year as a fraction of assets, 1e18 = 100 %. */
  maxRate: 300_000_000_000_000_000n,
  /** Seconds after which an old report closes deposits. */
  maxReportAge: BigInt(7 * DAY),
  /** 0: the evidence never lapses. */
  evidenceUntil: 0n,
};

/** Performance fee of every vault, 18 decimals. */
export const performanceFee = percent("10");

/** The higher performance fee of a vault that the owner has announced when the seeded time ends. */
export const announcedFee = { shortId: "aegean-water", fee: percent("12") };

/** A percentage as a fraction with 18 decimals. */
function percent(figure: string): bigint {
  return parseUnits(figure, 16);
}

export const devnetProducts: readonly DevnetProduct[] = [
  {
    shortId: "sahel-solar",
    shareName: "Aqua Sahel Solar Irrigation",
    shareSymbol: "aqSOLAR",
    cap: dollars(1_500_000),
    minDeposit: dollars(10),
    buffer: percent("10"),
    noticeDays: 5,
    reportEveryDays: 1,
    reportMinute: 19 * 60 + 10,
  },
  {
    shortId: "aegean-water",
    shareName: "Aqua Aegean Desalination",
    shareSymbol: "aqWATER",
    cap: dollars(3_000_000),
    minDeposit: dollars(10),
    buffer: percent("6"),
    noticeDays: 4,
    reportEveryDays: 2,
    reportMinute: 6 * 60 + 30,
  },
  {
    shortId: "alps-hydro",
    shareName: "Aqua Alpine River Hydropower",
    shareSymbol: "aqHYDRO",
    cap: dollars(2_500_000),
    minDeposit: dollars(10),
    buffer: percent("8"),
    noticeDays: 3,
    reportEveryDays: 1,
    reportMinute: 22 * 60 + 45,
  },
  {
    shortId: "lofoten-tidal",
    shareName: "Aqua Lofoten Tidal Pilot",
    shareSymbol: "aqTIDAL",
    cap: dollars(600_000),
    minDeposit: dollars(10),
    buffer: percent("12"),
    noticeDays: 3,
    reportEveryDays: 3,
    reportMinute: 10 * 60 + 20,
    closedAfter: 640,
  },
];

export const timeProducts: readonly TimeProduct[] = [
  {
    shortId: "amman-mains",
    shareName: "Aqua Amman Mains Repair",
    shareSymbol: "aqMAINS",
    cap: dollars(800_000),
    minDeposit: dollars(50),
    buffer: percent("15"),
    freeInterest: dollars(6_000),
    terms: [
      term(2, "week", { rate: "4.2", breakRate: "0.5", penalty: "0.1", cap: 250_000 }),
      term(6, "week", { rate: "5", breakRate: "1", penalty: "0.15", cap: 300_000 }),
      term(13, "week", { rate: "5.6", breakRate: "1.5", penalty: "0.2", cap: 400_000 }),
    ],
  },
  {
    shortId: "jutland-biogas",
    shareName: "Aqua Jutland Biogas",
    shareSymbol: "aqBIOGAS",
    cap: dollars(1_200_000),
    minDeposit: dollars(100),
    buffer: percent("12"),
    freeInterest: dollars(18_000),
    terms: [
      term(3, "month", { rate: "5.4", breakRate: "1.5", penalty: "0.25", cap: 400_000 }),
      term(6, "month", { rate: "6", breakRate: "2", penalty: "0.25", cap: 500_000 }),
      term(9, "month", { rate: "6.4", breakRate: "2", penalty: "0.3", cap: 500_000 }),
    ],
  },
  {
    shortId: "atlantic-forest",
    shareName: "Aqua Atlantic Forest Restoration",
    shareSymbol: "aqFOREST",
    cap: dollars(1_500_000),
    minDeposit: dollars(100),
    buffer: percent("10"),
    freeInterest: dollars(45_000),
    terms: [
      term(1, "year", { rate: "6.6", breakRate: "2", penalty: "0.5", cap: 600_000 }),
      term(2, "year", { rate: "7.2", breakRate: "2.5", penalty: "0.5", cap: 500_000 }),
      term(3, "year", { rate: "7.8", breakRate: "3", penalty: "0.5", cap: 500_000 }),
    ],
  },
];

/** Rates and penalty in percent, the cap in whole dollars. */
function term(
  count: number,
  unit: Term["unit"],
  { rate, breakRate, penalty, cap }: { rate: string; breakRate: string; penalty: string; cap: number },
): OfferedTerm {
  return {
    count,
    unit,
    rate: percent(rate),
    breakRate: percent(breakRate),
    penalty: percent(penalty),
    cap: dollars(cap),
  };
}

/** Short ids of all products, in the order they are listed. */
export const shortIds: readonly string[] = [...devnetProducts, ...timeProducts].map(({ shortId }) => shortId);

export function findProduct(shortId: string): DevnetProduct {
  const product = devnetProducts.find((candidate) => candidate.shortId === shortId);
  if (product === undefined) throw new Error(`The devnet has no product "${shortId}".`);
  return product;
}
