import { describe, expect, it } from "vitest";
import { languageOf } from "../../src/http/language.ts";

describe("the language of a page", () => {
  it.each([
    ["fr-CA,fr;q=0.8,en;q=0.5", "fr-FR"],
    ["de-DE,ko;q=0.4,en;q=0.9", "en-US"],
    ["zh-HK", "zh-TW"],
    ["zh-Hant", "zh-TW"],
    ["zh-SG", "zh-CN"],
    ["zh", "zh-CN"],
    ["en;q=0, ko", "ko-KR"],
    ["*", "en-US"],
    ["de, nonsense!!, ;q=1", "en-US"],
    ["fr;q=huge", "en-US"],
    ["", "en-US"],
  ] as const)("requested as %j is %s", (header, language) => {
    expect(languageOf({ "accept-language": header })).toBe(language);
  });

  it("is the visitor's choice if it is supported", () => {
    const ask = (cookie: string) => languageOf({ cookie, "accept-language": "fr" });
    expect(ask("a=b; app-language=ko-KR; c=d")).toBe("ko-KR");
    expect(ask("app-language=en-XA")).toBe("fr-FR");
    expect(ask("not-app-language=ko-KR")).toBe("fr-FR");
    expect(ask("app-language=<script>")).toBe("fr-FR");
  });

  it("is read only from the start of a header with thousands of languages", () => {
    expect(languageOf({ "accept-language": `${"xx,".repeat(5_000)}fr` })).toBe("en-US");
  });
});
