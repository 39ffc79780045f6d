export const files = import.meta.glob<Record<string, unknown[]>>("../ko-KR/*.json", { import: "default" });
