export const files = import.meta.glob<Record<string, unknown[]>>("../zh-TW/*.json", { import: "default" });
