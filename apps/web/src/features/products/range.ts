import type { Range } from "@aqua/sdk/api/product";
import { useAddressChoice } from "./address-choice.ts";

export const ranges: readonly Range[] = ["7d", "30d", "90d", "1y", "all"];

/** The range of a page's charts. */
export const useRange = () => useAddressChoice<Range>("range", ranges, "all");
