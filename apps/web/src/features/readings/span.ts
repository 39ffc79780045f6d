import type { ReadingSeries } from "@aqua/sdk/api/telemetry";
import { useCallback } from "react";
import { useSearchParams } from "react-router";

const hour = 3_600_000;
const day = 24 * hour;

type Resolution = ReadingSeries["resolution"] | undefined;

/** How far back a chart of readings reaches, and the time each point covers; undefined: the finest that fits. */
export const spans = {
  "24h": { length: day, gauge: undefined, register: undefined },
  "7d": { length: 7 * day, gauge: "hour", register: "hour" },
  "30d": { length: 30 * day, gauge: "hour", register: "day" },
  "1y": { length: 365 * day, gauge: "day", register: "day" },
} as const satisfies Record<string, { length: number; gauge: Resolution; register: Resolution }>;
export type Span = keyof typeof spans;
export const spanNames = Object.keys(spans) as Span[];
const usual: Span = "7d";

/** Device and span of a page's chart of readings, stored in the address so that a shared link shows the same. */
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
