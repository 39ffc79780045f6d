import { isZero } from "../decimal.ts";
import type { Reported } from "./instance.ts";

const bare = /^0x0*$/;

/**
 * The newest report that was a gain, with the share price then and now; null when there is none. A report that names
 * its evidence takes precedence, since it can be verified further back.
 */
export function newestGain({ reports, performances }: Reported) {
  const gains = reports.filter(({ delta }) => !delta.startsWith("-") && !isZero(delta));
  const report = gains.find(({ evidence_root }) => !bare.test(evidence_root)) ?? gains[0];
  const performance = performances.find(({ product }) => product.short_id === report?.product.short_id)?.performance;
  if (!report || !performance) return null;
  const before = performance.series.findLast((point) => point.time <= report.time)?.share_price ?? null;
  return { report, before, now: performance.share_price, bare: bare.test(report.evidence_root) };
}
