import { DAY } from "@aqua/sdk/durations";
import { shortIds } from "../products.ts";

/** First expiry of a product's evidence, and time of its renewal; Unix seconds. */
export interface EvidenceTerm {
  until: number;
  renewedAt: number;
  renewedUntil: number;
}

/** Products whose evidence lapses: point of the seeded time in parts per thousand, and number of days. */
const lapses = [
  { shortId: "sahel-solar", after: 500, days: 4 },
  { shortId: "jutland-biogas", after: 560, days: 5 },
];
/**
 * Evidence of the other products is renewed in time: `before` parts per thousand ahead of the point at which it would
 * lapse.
 */
const inTime = { after: 620, before: 60 };
/** Validity of a renewal, of the 400 days that a contract allows: well beyond the seeded time. */
export const RENEWED_FOR = 390 * DAY;

/** Returns when the evidence of each product is valid in a world from `start` to `end`. All products have devices. */
export function evidenceTerms({ start, end }: { start: number; end: number }): ReadonlyMap<string, EvidenceTerm> {
  const part = (perThousand: number) => Math.floor(((end - start) * perThousand) / 1_000);
  return new Map(
    shortIds.map((shortId) => {
      const lapse = lapses.find((one) => one.shortId === shortId);
      const until = start + part(lapse?.after ?? inTime.after);
      const renewedAt = lapse ? until + lapse.days * DAY : until - part(inTime.before);
      return [shortId, { until, renewedAt, renewedUntil: renewedAt + RENEWED_FOR }];
    }),
  );
}

/** Whether the evidence lapses before it is renewed. */
export function lapsed({ until, renewedAt }: EvidenceTerm): boolean {
  return renewedAt >= until;
}
