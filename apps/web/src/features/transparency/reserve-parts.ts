import type { Reserves } from "@aqua/sdk/api/transparency";
import { sumAmounts } from "../decimal.ts";

type Part = Reserves["assets"][number]["part"];

/** The amount of one part of a product's assets; "0" if the product has none of it. */
export function amountOf({ assets }: Reserves, part: Part): string {
  return assets.find((entry) => entry.part === part)?.amount ?? "0";
}

/** The amount in the product's contracts, which is therefore not with the custodian. */
export function cashOf(reserves: Reserves): string {
  return sumAmounts([amountOf(reserves, "idle"), amountOf(reserves, "set_aside")]);
}

export const negative = (amount: string) => (amount.startsWith("-") ? amount.slice(1) : `-${amount}`);

/** The amount that a product has beyond what it owes; negative if it falls short. */
export function spareOf({ total_assets, total_liabilities }: Reserves): string {
  return sumAmounts([total_assets, negative(total_liabilities)]);
}
