/** Until when a product's evidence stands at first, and its renewal; Unix seconds. */
export interface EvidenceTerm {
  until: number;
  renewedAt: number;
  renewedUntil: number;
}

const DAY = 86_400;

/** Whose evidence lapses, after what part of the seeded time in parts per thousand, and for how many days. */
const lapses = [
  { shortId: "sahel-solar", after: 500, days: 4 },
  { shortId: "jutland-biogas", after: 560, days: 5 },
];
/** How long a renewal holds, of the 400 days that a contract allows: long after the seeded time. */
export const RENEWED_FOR = 390 * DAY;

/** The products whose evidence lapses in a world from `start` to `end`; that of the others never does. */
export function evidenceTerms({ start, end }: { start: number; end: number }): ReadonlyMap<string, EvidenceTerm> {
  return new Map(
    lapses.map(({ shortId, after, days }) => {
      const until = start + Math.floor(((end - start) * after) / 1_000);
      const renewedAt = until + days * DAY;
      return [shortId, { until, renewedAt, renewedUntil: renewedAt + RENEWED_FOR }];
    }),
  );
}
