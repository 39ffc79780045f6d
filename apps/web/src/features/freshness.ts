/**
 * How long an answer counts as fresh. The nature of the figure decides, not the page. Live updates (live-updates.ts)
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
   * Figures for money decisions. Fresh for 10 seconds, then refetched when shown again, once for all parts of a page,
   * and every minute. Events report changes of these figures earlier.
   */
  EAGER: { staleTime: 10_000, refetchInterval: 60_000 },
} as const;
