/** What is kept of devices and readings in the cache. `anchored` is what a new batch on chain changes. */
export const readingKeys = {
  all: ["readings"] as const,
  devices: (shortId: string) => ["readings", shortId, "devices"] as const,
  series: (shortId: string, ...parts: string[]) => ["readings", shortId, "series", ...parts] as const,
  anchored: (shortId: string, ...parts: string[]) => ["readings", shortId, "anchored", ...parts] as const,
};
