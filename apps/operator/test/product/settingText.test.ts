import { amountText, percentText } from "@aqua/contracts/deploy/settingText";
import { parseUnits } from "@aqua/sdk/maths/units";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { settingText } from "../../src/product/planText.ts";

const amount = fc.bigInt({ min: 0n, max: 2n ** 128n });

describe("A setting in words", () => {
  it("is exactly its amount, whatever the token's decimals are", () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 2, max: 36 }), (units, decimals) => {
        const text = amountText(units, { address: "0x", symbol: "USDC", decimals });
        expect(text).toMatch(/^\d{1,3}( \d{3})*(\.\d*[1-9])? USDC$/);
        expect(parseUnits(text.replace(" USDC", "").replaceAll(" ", ""), decimals)).toBe(units);
      }),
    );
  });

  it("is exactly its percentage", () => {
    fc.assert(
      fc.property(amount, (fraction) => {
        expect(parseUnits(percentText(fraction).replace("%", "").replaceAll(" ", ""), 16)).toBe(fraction);
      }),
    );
  });

  it("has its unit once, where both values have the same", () => {
    for (const [found, wanted, text] of [
      ["1 000 000 USDC", "2 000 000 USDC", "1 000 000 → 2 000 000 USDC"],
      ["10%", "12.5%", "10% → 12.5%"],
      ["none", "0xAb", "none → 0xAb"],
      ["1 USDC", "1 DAI", "1 USDC → 1 DAI"],
    ] as const)
      expect(settingText({ name: "cap", found, wanted })).toBe(`cap: ${text}`);
  });
});
