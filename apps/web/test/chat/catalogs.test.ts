import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const folder = join(import.meta.dirname, "../../src/i18n");
const read = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(join(folder, language, "chat.json"), "utf8"));
const english = read("en-US");

describe.each(["zh-CN", "zh-TW", "ko-KR", "fr-FR"])("chat in %s", (language) => {
  const texts = read(language);

  it("has no text left in English", () => {
    const shared = ["chat.from", ...(language === "fr-FR" ? ["chat.log"] : [])];
    const same = Object.keys(english).filter((key) => texts[key] === english[key] && !shared.includes(key));
    expect(same).toEqual([]);
  });
});

it("chat has the prompts of the specification in English", () => {
  expect(english["chat.prompt.product"]).toBe("What is {product}");
  expect(english["chat.prompt.position"]).toBe("My Position");
  expect(english["chat.prompt.mint"]).toBe("Mint my {product} asset");
});
