/**
 * How long an answer counts as fresh, by the nature of the figure and not by the page that shows it. Live updates
 * (live-updates.ts) refresh what has changed before these run out.
 */
export const freshness = {
  /** Never changes once it is known. */
  IMMUTABLE: { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY },
  /** Changes with a new version of the instance or of a document. 10 minutes. */
  CONSTANT: { staleTime: 600_000 },
  /** History: grows slowly. 1 minute. */
  LAZY: { staleTime: 60_000 },
  /** What money decisions rest on: always asked again when shown. */
  EAGER: { staleTime: 0, refetchInterval: 60_000 },
} as const;
