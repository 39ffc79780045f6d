import type * as i18n from "../src/i18n/i18n.ts";

/** Whether the texts that `withoutTexts` holds back can be loaded. */
export const texts = { reachable: false };

/** For `vi.mock` of i18n.ts: loading these texts fails until `texts.reachable` is set. */
export async function withoutTexts(
  namespace: Parameters<typeof i18n.loadTexts>[0],
  original: () => Promise<typeof i18n>,
): Promise<typeof i18n> {
  const module = await original();
  return {
    ...module,
    loadTexts: (...names) =>
      names[0] === namespace && !texts.reachable
        ? Promise.reject(new TypeError("Failed to fetch"))
        : module.loadTexts(...names),
  };
}
