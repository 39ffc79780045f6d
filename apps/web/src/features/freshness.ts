/**
 * How long an answer counts as fresh, by the nature of the figure rather than by page. Live updates (live-updates.ts)
 * refresh changed data earlier.
 */
export const freshness = {
  /** Never changes once known. */
  IMMUTABLE: { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY },
  /** Changes with a new version of the instance or of a document. 10 minutes. */
  CONSTANT: { staleTime: 600_000 },
  /** History: grows slowly. 1 minute. */
  LAZY: { staleTime: 60_000 },
  /**
   * Figures for money decisions: refetched when shown again, once for all parts of a page that show them. 10 seconds;
   * what changes them comes as an event.
   */
  EAGER: { staleTime: 10_000, refetchInterval: 60_000 },
} as const;
