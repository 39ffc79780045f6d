import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { activateLanguage, t } from "../../src/i18n/i18n.ts";

const kit = dirname(createRequire(import.meta.url).resolve("@rainbow-me/rainbowkit"));
const scripts = readdirSync(kit)
  .filter((name) => name.endsWith(".js"))
  .map((name) => readFileSync(join(kit, name), "utf8"));

/** One text of the kit's catalog, e.g. of `fr_FR`, from whichever file contains it. */
function kitText(locale: string, key: string): string | undefined {
  const source = scripts.find((script) => script.includes(`var ${locale}_default =`));
  const found = source && new RegExp(`"${key}": "((?:[^"\\\\]|\\\\.)*)"`).exec(source)?.[1];
  return found?.replace(/\\(?:x(..)|u(....))/g, (_, short, long) =>
    String.fromCharCode(Number.parseInt(short ?? long, 16)),
  );
}

describe("the kit's sign-in dialog", () => {
  it.each([
    ["preparing_error", "Error preparing message, please retry!"],
    ["signing_error", "Error signing message, please retry!"],
    ["verifying_error", "Error verifying signature, please retry!"],
    ["oops_error", "Oops, something went wrong!"],
  ])("has the specification's text for %s", (key, text) => {
    expect(kitText("en_US", key)).toBe(text);
  });

  it("has our own message for other failures, in every language", async () => {
    expect(t("dialog.oops")).toBe("Oops, something went wrong!");
    for (const language of ["zh-CN", "zh-TW", "ko-KR", "fr-FR"] as const) {
      await activateLanguage(language);
      expect(t("dialog.oops")).toBe(kitText(language.replace("-", "_"), "oops_error"));
    }
    await activateLanguage("en-US");
  });
});
