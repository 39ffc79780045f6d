import type { ReadingSeries } from "@aqua/sdk/api/telemetry";
import { DAY_MS, YEAR_MS } from "@aqua/sdk/durations";
import { useCallback } from "react";
import { useSearchParams } from "react-router";

type Resolution = ReadingSeries["resolution"] | undefined;

/**
 * The time that a chart of readings covers, and the time that each point covers. Undefined selects the finest
 * resolution that fits.
 */
export const spans = {
  "24h": { length: DAY_MS, gauge: undefined, register: undefined },
  "7d": { length: 7 * DAY_MS, gauge: "hour", register: "hour" },
  "30d": { length: 30 * DAY_MS, gauge: "hour", register: "day" },
  "1y": { length: YEAR_MS, gauge: "day", register: "day" },
} as const satisfies Record<string, { length: number; gauge: Resolution; register: Resolution }>;
export type Span = keyof typeof spans;
export const spanNames = Object.keys(spans) as Span[];
const usual: Span = "7d";

/**
 * Device and span of a page's chart of readings. The address stores them, so that a shared link shows the same view.
 */
export function useView() {
  const [search, setSearch] = useSearchParams();
  const set = useCallback(
    (name: "device" | "span", value: string | null) =>
      setSearch(
        (now) => {
          if (value === null) now.delete(name);
          else now.set(name, value);
          return now;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setSearch],
  );
  return {
    device: search.get("device"),
    span: spanNames.find((name) => name === search.get("span")) ?? usual,
    setDevice: (name: string) => set("device", name),
    setSpan: (span: Span) => set("span", span === usual ? null : span),
  };
}
