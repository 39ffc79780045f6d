import { DAY } from "@aqua/sdk/durations";
import { shortIds } from "../products.ts";

/** Until when a product's evidence stands at first, and its renewal; Unix seconds. */
export interface EvidenceTerm {
  until: number;
  renewedAt: number;
  renewedUntil: number;
}

/** Whose evidence lapses, after what part of the seeded time in parts per thousand, and for how many days. */
const lapses = [
  { shortId: "sahel-solar", after: 500, days: 4 },
  { shortId: "jutland-biogas", after: 560, days: 5 },
];
/** The others' is renewed in time: so many parts per thousand before the part after which it would lapse. */
const inTime = { after: 620, before: 60 };
/** How long a renewal is valid, of the 400 days that a contract allows: long after the seeded time. */
export const RENEWED_FOR = 390 * DAY;

/** When the evidence of each product is valid in a world from `start` to `end`: all of them have devices. */
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

/** Whether there is a time in which it is no longer valid and not yet renewed. */
export function lapsed({ until, renewedAt }: EvidenceTerm): boolean {
  return renewedAt >= until;
}
