import type { MessageKey } from "../../i18n/keys.ts";

/** What an address names the parts of the page by, in the order they stand in, and what each is called. */
export const sections = {
  reserves: "transparency.reserves",
  reports: "transparency.feeds",
  devices: "evidence.fleet",
  readings: "evidence.feeds",
  verify: "evidence.verify",
  roots: "evidence.anchors",
  refused: "evidence.refused",
  roles: "transparency.roles",
  contracts: "transparency.contracts",
  acts: "transparency.acts",
} as const satisfies Record<string, MessageKey>;

export type SectionName = keyof typeof sections;
export const sectionNames = Object.keys(sections) as SectionName[];
