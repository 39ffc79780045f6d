import type { Reserves } from "@aqua/sdk/api/transparency";
import { sumAmounts } from "../decimal.ts";

type Part = Reserves["assets"][number]["part"];

/** One part of what a product has; "0" where it has none of it. */
export function amountOf({ assets }: Reserves, part: Part): string {
  return assets.find((entry) => entry.part === part)?.amount ?? "0";
}

/** What is in the product's contracts, and therefore not with the custodian. */
export function cashOf(reserves: Reserves): string {
  return sumAmounts([amountOf(reserves, "idle"), amountOf(reserves, "set_aside")]);
}

export const negative = (amount: string) => (amount.startsWith("-") ? amount.slice(1) : `-${amount}`);

/** What a product has beyond what it owes; below 0 where it is short. */
export function spareOf({ total_assets, total_liabilities }: Reserves): string {
  return sumAmounts([total_assets, negative(total_liabilities)]);
}
