import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Locale } from "../../src/i18n/languages.ts";

/** Each test starts like a visit: no language is active and no text is loaded. */
async function visit(stored: string | null) {
  vi.resetModules();
  localStorage.clear();
  if (stored !== null) localStorage.setItem("app-language", stored);
  document.documentElement.lang = "";
  return import("../../src/i18n/i18n.ts");
}

/** Runs `first` before every load of a language's texts, from the next visit on. */
function beforeTextsOf(language: Locale, first: () => Promise<void>) {
  vi.doMock("../../src/i18n/languages.ts", async (original) => {
    const real = await original<typeof import("../../src/i18n/languages.ts")>();
    const loadCatalog: typeof real.loadCatalog = async (locale, name) => {
      if (locale === language) await first();
      return real.loadCatalog(locale, name);
    };
    return { ...real, loadCatalog };
  });
}

/** Blocks a language's texts until `release`. */
function hold(language: Locale) {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  beforeTextsOf(language, () => held);
  return { release };
}

beforeEach(() => localStorage.clear());
afterEach(() => vi.doUnmock("../../src/i18n/languages.ts"));

describe("the language of a visit", () => {
  it("is the stored choice, in the page's lang attribute and formats too", async () => {
    const i18n = await visit("fr-FR");
    await i18n.restoreLanguage();
    expect(document.documentElement.lang).toBe("fr-FR");
    expect(i18n.t("shell.nav.products")).toBe("Produits");
    const { formatAmount } = await import("../../src/i18n/format.ts");
    expect(formatAmount("1234.5")).toBe("1\u00a0234,50");
  });

  it("can be any language of the menu", async () => {
    const wallets = {
      "en-US": "Wallet 0x1",
      "zh-CN": "钱包 0x1",
      "zh-TW": "錢包 0x1",
      "ko-KR": "지갑 0x1",
      "fr-FR": "Portefeuille 0x1",
    };
    for (const [language, text] of Object.entries(wallets)) {
      const i18n = await visit(language);
      await i18n.restoreLanguage();
      await i18n.loadTexts("menu");
      expect(i18n.t("menu.wallet", { address: "0x1" })).toBe(text);
    }
  });

  it("is English on the first visit and when the stored value is no language", async () => {
    for (const stored of [null, "tlh", "__proto__"]) {
      const i18n = await visit(stored);
      await i18n.restoreLanguage();
      expect(document.documentElement.lang).toBe("en-US");
    }
  });

  it("is English when the stored language's texts cannot be loaded", async () => {
    beforeTextsOf("ko-KR", () => Promise.reject(new TypeError("Failed to fetch")));
    const i18n = await visit("ko-KR");
    await i18n.restoreLanguage();
    expect(document.documentElement.lang).toBe("en-US");
    expect(i18n.t("ui.retry")).toBe("Retry");
  });
});

describe("a choice in the language menu", () => {
  it("is stored under app-language", async () => {
    const i18n = await visit(null);
    await i18n.restoreLanguage();
    await i18n.chooseLanguage("zh-TW");
    expect(localStorage.getItem("app-language")).toBe("zh-TW");
    expect(document.documentElement.lang).toBe("zh-TW");
  });

  it("applies when it was the later of two, whichever texts load first", async () => {
    const { release } = hold("ko-KR");
    const i18n = await visit(null);
    await i18n.restoreLanguage();
    const slow = i18n.chooseLanguage("ko-KR");
    await i18n.chooseLanguage("fr-FR");
    release();
    await slow;
    expect(i18n.language()).toBe("fr-FR");
    expect(localStorage.getItem("app-language")).toBe("fr-FR");
  });

  it("includes texts that a page requested while the language was loading", async () => {
    const { release } = hold("fr-FR");
    const i18n = await visit(null);
    await i18n.restoreLanguage();
    const choosing = i18n.chooseLanguage("fr-FR");
    await i18n.loadTexts("about");
    release();
    await choosing;
    expect(i18n.t("about.risks")).toBe("Ce qui peut mal tourner");
  });
});
