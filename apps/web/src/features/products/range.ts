import type { Range } from "@aqua/sdk/api/product";
import { useCallback } from "react";
import { useSearchParams } from "react-router";

export const ranges: readonly Range[] = ["7d", "30d", "90d", "1y", "all"];
const whole: Range = "all";

/** The range of a page's charts, stored in the address so that a shared link shows the same. */
export function useRange(): [Range, (range: Range) => void] {
  const [search, setSearch] = useSearchParams();
  const setRange = useCallback(
    (next: Range) =>
      setSearch(
        (now) => {
          if (next === whole) now.delete("range");
          else now.set("range", next);
          return now;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setSearch],
  );
  return [ranges.find((range) => range === search.get("range")) ?? whole, setRange];
}
