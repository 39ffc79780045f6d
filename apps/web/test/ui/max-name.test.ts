import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const folder = join(import.meta.dirname, "../../src/i18n");
const languages = readdirSync(folder).filter((name) => /^[a-z]{2}-[A-Z]{2}$/.test(name));

describe.each(languages)("the Max buttons in %s", (language) => {
  const texts = JSON.parse(readFileSync(join(folder, language, "transact.json"), "utf8")) as Record<string, string>;

  // Voice control uses the text that is visible on the button (WCAG 2.5.3).
  it.each(["transact.deposit.max", "transact.withdraw.max"])(
    "start their accessible name with the visible text: %s",
    (key) => {
      expect(texts[key]?.startsWith(texts["transact.max"] ?? "?")).toBe(true);
    },
  );
});
