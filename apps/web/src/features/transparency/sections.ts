import type { MessageKey } from "../../i18n/keys.ts";

export const tabNames = ["products", "devices", "anchors", "verify", "admin"] as const;
export type TabName = (typeof tabNames)[number];

/** The anchors of the page's parts with their titles and their tabs. */
export const sections = {
  reserves: { tab: "products", title: "transparency.reserves" },
  audit: { tab: "products", title: "transparency.audit" },
  devices: { tab: "devices", title: "evidence.fleet" },
  reports: { tab: "devices", title: "transparency.feeds" },
  readings: { tab: "devices", title: "evidence.feeds" },
  refused: { tab: "devices", title: "evidence.refused" },
  roots: { tab: "anchors", title: "evidence.anchors" },
  verify: { tab: "verify", title: "evidence.verify" },
  roles: { tab: "admin", title: "transparency.roles" },
  contracts: { tab: "admin", title: "transparency.contracts" },
  acts: { tab: "admin", title: "transparency.acts" },
} as const satisfies Record<string, { tab: TabName; title: MessageKey }>;

export type SectionName = keyof typeof sections;
export const sectionNames = Object.keys(sections) as SectionName[];

/** The tab that an address names: by the tab's own name, by a part of the page, or by a requested check. */
export function tabOf({ search, hash }: { search: string; hash: string }): TabName {
  const part = sectionNames.find((name) => hash === `#${name}`);
  if (part) return sections[part].tab;
  const query = new URLSearchParams(search);
  const named = tabNames.find((tab) => tab === query.get("tab"));
  return named ?? (query.has("verify") ? "verify" : "products");
}
