import { DAY } from "@aqua/sdk/durations";
import { type Apy, apyBetween } from "@aqua/sdk/maths/apy";
import { sharePrice } from "@aqua/sdk/maths/shares";
import type { Orm } from "../db/database.ts";
import { poolAt } from "../indexer/world.ts";
import { type CurrentProduct, columnsAt, inceptionOf, pricedColumns } from "./store.ts";

const HEADLINE_DAYS = 30;

export const unknownApy: Apy = { value: null, annualised: false };

/**
 * Returns the APY that a list shows. The window is 30 days, or the time since the first deposit for a younger
 * product.
 */
export async function headlineApy(
  tx: Orm,
  current: CurrentProduct,
  now: number,
): Promise<Apy & { window_days: number }> {
  const inception = await inceptionOf(tx, current.product);
  if (inception === null) return { ...unknownApy, window_days: HEADLINE_DAYS };
  const full = await apyOver(tx, { current, days: HEADLINE_DAYS, inception, now });
  if (full) return { ...full, window_days: HEADLINE_DAYS };
  const young = await apySince(tx, { current, start: inception, now });
  return { ...young, window_days: Math.floor((now - inception) / DAY) };
}

/** Returns null if the product is younger than the window. */
export async function apyOver(
  tx: Orm,
  { current, days, inception, now }: { current: CurrentProduct; days: number; inception: number; now: number },
) {
  const start = now - days * DAY;
  return start < inception ? null : apySince(tx, { current, start, now });
}

export async function apySince(
  tx: Orm,
  { current, start, now }: { current: CurrentProduct; start: number; now: number },
): Promise<Apy> {
  const [then] = await columnsAt(tx, { of: current.product, times: [start], columns: pricedColumns });
  if (!then) return unknownApy;
  return apyBetween(
    { time: BigInt(start), price: sharePrice(poolAt(then.vault, start)) },
    { time: BigInt(now), price: sharePrice(poolAt(current.vault, now)) },
  );
}
