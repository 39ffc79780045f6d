export const files = import.meta.glob<Record<string, unknown[]>>("../fr-FR/*.json", { import: "default" });
