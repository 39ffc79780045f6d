import type { DevnetProduct } from "./products.ts";
import { Random } from "./random.ts";

const DAY = 86_400;
const YEAR = 365n * 86_400n;
const PPM = 1_000_000n;

/** Days of the month at which the season's figures stand; between them it runs straight. */
function seasonOn(product: DevnetProduct, day: number): number {
  const date = new Date(day * DAY * 1000);
  const month = date.getUTCMonth();
  const position = date.getUTCDate() - 15;
  const figure = (index: number) => product.season[(index + 12) % 12] ?? 1000;
  const towards = position >= 0 ? figure(month + 1) : figure(month - 1);
  return figure(month) + Math.trunc(((towards - figure(month)) * Math.abs(position)) / 31);
}

/** How one day earned compared with the mean day, in parts per thousand. Weather lasts: neighbouring days are alike. */
export function dayFactor(product: DevnetProduct, day: number): number {
  const weather = (at: number) =>
    new Random(`${product.shortId} weather ${at}`).between(-product.unrest, product.unrest);
  const idle = new Random(`${product.shortId} idle ${day}`).chance(product.idleDays);
  if (idle) return 0;
  const stray = Math.trunc((weather(day) * 5 + weather(day - 1) * 3 + weather(day - 2) * 2) / 10);
  return Math.max(0, Math.trunc((seasonOn(product, day) * (1000 + stray)) / 1000));
}

/**
 * Net income of `product` between two moments (Unix seconds) on `assets` (smallest units), rounded down; the same for
 * the same arguments. Simple interest: assets × rate × time / 365 days, the rate being that of each day touched.
 */
export function incomeBetween(product: DevnetProduct, from: number, to: number, assets: bigint): bigint {
  let weighted = 0n;
  for (let at = from; at < to; ) {
    const day = Math.floor(at / DAY);
    const until = Math.min(to, (day + 1) * DAY);
    weighted += BigInt(dayFactor(product, day)) * BigInt(until - at);
    at = until;
  }
  return (assets * BigInt(product.yearlyIncome) * weighted) / (PPM * 1000n * YEAR);
}
