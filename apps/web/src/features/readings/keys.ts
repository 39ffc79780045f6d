/** Query keys of devices and readings. Data under `anchored` changes with a new batch on chain. */
export const readingKeys = {
  all: ["readings"] as const,
  devices: (shortId: string) => ["readings", shortId, "devices"] as const,
  series: (shortId: string, ...parts: string[]) => ["readings", shortId, "series", ...parts] as const,
  anchored: (shortId: string, ...parts: string[]) => ["readings", shortId, "anchored", ...parts] as const,
};
