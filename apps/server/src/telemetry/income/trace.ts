import type { Documents } from "../../product/documents.ts";
import type { TraceReport } from "../../product/home.ts";
import { functionOf, reportDevices, tellMetric } from "./metric.ts";
import { windowOf } from "./reports.ts";
import { countReports } from "./service.ts";

/** Traces a report to the batch that it names and to an anchored reading of the register with the largest count. */
export function createTraceReport(documents: Documents): TraceReport {
  return async (tx, product, { hash }) => {
    const found = await windowOf(tx, product, hash);
    if (!found?.anchor) return { reading: null, batch: null };
    const batch = { number: found.anchor.number, block: found.anchor.block };
    const how = functionOf(documents, found.document, product);
    if (!how) return { reading: null, batch };
    const [counted = []] = await countReports(tx, { product, how, reports: [found] });
    const [most] = reportDevices(counted)
      .flatMap(({ name, last, counted: sum }) =>
        last && last.batch !== null ? [{ name, last, sum: Number(sum) }] : [],
      )
      .sort((a, b) => b.sum - a.sum);
    if (!most) return { reading: null, batch };
    const { value, time } = most.last;
    return { reading: { device: most.name, value, unit: tellMetric(how).unit, time }, batch };
  };
}
