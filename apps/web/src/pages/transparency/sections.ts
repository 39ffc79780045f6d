import type { MessageKey } from "../../i18n/keys.ts";

/** Anchors of the page's parts, in order, with their titles. */
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
