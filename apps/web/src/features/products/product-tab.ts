import { anchors, paths } from "../../paths.ts";

/** Parts of a product's own page besides the overview, by their names in the address. */
const parts = ["devices", "evidence", "activity", "contracts"] as const;
export type ProductPart = (typeof parts)[number] | "overview";
/** All tabs of a product: the parts of its page and the two pages beside it. */
export type ProductTab = ProductPart | "performance" | "liquidity";
export const productTabs = ["overview", "performance", "liquidity", ...parts] as const satisfies readonly ProductTab[];

interface Address {
  pathname: string;
  search: string;
  hash: string;
}

/**
 * The part of a product's page that an address names. A link to a device, or to the path from a device to the yield,
 * opens the devices.
 */
export function partOf({ search, hash }: Omit<Address, "pathname">): ProductPart {
  const query = new URLSearchParams(search);
  const named = parts.find((part) => part === query.get("tab"));
  if (named) return named;
  const inDevices = query.has("device") || Object.values(anchors).some((anchor) => hash === `#${anchor}`);
  return inDevices ? "devices" : "overview";
}

export function tabOf(shortId: string, address: Address): ProductTab {
  if (address.pathname === paths.performance(shortId)) return "performance";
  if (address.pathname === paths.liquidity(shortId)) return "liquidity";
  return partOf(address);
}

export function tabPath(shortId: string, tab: ProductTab): string {
  if (tab === "performance") return paths.performance(shortId);
  if (tab === "liquidity") return paths.liquidity(shortId);
  return tab === "overview" ? paths.product(shortId) : `${paths.product(shortId)}?tab=${tab}`;
}
