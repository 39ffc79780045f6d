import fc from "fast-check";
import { expect, it } from "vitest";
import { shownText, withoutReordering } from "../src/api/text.ts";

it("withoutReordering removes control characters and marks that reorder, and leaves every other text as it is", () => {
  expect(withoutReordering("US\u001b[2J\u009b\u0000D\u202eC\u2066")).toBe("US[2JDC");
  expect(withoutReordering("ل.ل\u200f é 🌊")).toBe("ل.ل\u200f é 🌊");
});

it("shownText accepts every text that withoutReordering returns", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(shownText.safeParse(withoutReordering(text)).success).toBe(true);
    }),
  );
});
