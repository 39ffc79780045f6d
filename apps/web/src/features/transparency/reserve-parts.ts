import type { Reserves } from "@aqua/sdk/api/transparency";
import { sumAmounts } from "../decimal.ts";

type Part = Reserves["assets"][number]["part"];

/** The amount of one part of a product's assets; "0" if the product has none of it, null if it is withheld. */
export function amountOf({ assets, total_assets }: Reserves, part: Part): string | null {
  if (total_assets === null) return null;
  return assets.find((entry) => entry.part === part)?.amount ?? "0";
}

/** The amount in the product's contracts, which is therefore not with the custodian. */
export function cashOf(reserves: Reserves): string | null {
  return sumAmounts([amountOf(reserves, "idle"), amountOf(reserves, "set_aside")]);
}

export const negative = (amount: string) => (amount.startsWith("-") ? amount.slice(1) : `-${amount}`);

/** The amount that a product has beyond what it owes; negative if it falls short, null if it is withheld. */
export function spareOf({ total_assets, total_liabilities }: Reserves): string | null {
  return sumAmounts([total_assets, total_liabilities && negative(total_liabilities)]);
}
