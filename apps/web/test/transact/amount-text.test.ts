import { formatUnits } from "@aqua/sdk/maths/units";
import fc from "fast-check";
import { expect, test } from "vitest";
import { presentText, readAmount, typed } from "../../src/features/transact/form/amount-text.ts";
import { activateLanguage } from "../../src/i18n/i18n.ts";

const english = { decimals: 6, symbol: "tUSD", language: "en-US" };
const french = { ...english, language: "fr-FR" };
const amount = (value: bigint) => ({ kind: "amount", value });
const error = (code: string) => ({ kind: "error", code });

test.each([
  ["1000", 1_000_000_000n],
  ["1,000.5", 1_000_500_000n],
  ["1 000,5", 1_000_500_000n],
  ["1\u202f000,50", 1_000_500_000n],
  ["1'000.50", 1_000_500_000n],
  ["1.234.567,89", 1_234_567_890_000n],
  ["1,234,567.89", 1_234_567_890_000n],
  ["1,234,567", 1_234_567_000_000n],
  ["0.000001", 1n],
  [".5", 500_000n],
  ["5.", 5_000_000n],
  ["1.500000000", 1_500_000n],
  [" 1000 tUSD ", 1_000_000_000n],
  ["1000tusd", 1_000_000_000n],
])("%j is read without loss", (text, value) => {
  expect(readAmount(text, english)).toEqual(amount(value));
});

test("a comma before three digits is a group separator in English and a decimal separator in French", () => {
  expect(readAmount("1,000", english)).toEqual(amount(1_000_000_000n));
  expect(readAmount("1,000", french)).toEqual(amount(1_000_000n));
});

test("a comma that cannot group is a decimal separator in every language", () => {
  expect(readAmount("1,5", english)).toEqual(amount(1_500_000n));
});

test.each(["abc", "-5", "1e6", "1..5", "1,00,000", "10,00.5", "1.5.5", "0x10", "1,5,5", "."])(
  "%j is refused as an invalid number",
  (text) => {
    expect(readAmount(text, english)).toEqual(error("notANumber"));
  },
);

test("more digits than the asset has are an error and never truncated", () => {
  expect(readAmount("1.0000001", english)).toEqual(error("tooManyDecimals"));
});

test("zero, an empty text and more than 128 bits are distinguished", () => {
  expect(readAmount("0.00", english)).toEqual(error("zero"));
  expect(readAmount("  ", english)).toEqual({ kind: "empty" });
  expect(readAmount("tUSD", english)).toEqual({ kind: "empty" });
  expect(readAmount("9".repeat(60), english)).toEqual(error("tooLarge"));
});

test("the output of Intl in a language is read back to the last unit", () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 24n),
      fc.constantFrom("en-US", "fr-FR", "zh-CN", "zh-TW", "ko-KR"),
      (value, language) => {
        const text = new Intl.NumberFormat(language, { maximumFractionDigits: 6 }).format(
          formatUnits(value, 6) as Intl.StringNumericLiteral,
        );
        expect(readAmount(text, { ...english, language })).toEqual(amount(value));
      },
    ),
  );
});

test("digits and signs of full width are read too", () => {
  expect(readAmount("１，０００．５", english)).toEqual(amount(1_000_500_000n));
  expect(readAmount("1。5", english)).toEqual(amount(1_500_000n));
});

test("a typed amount is the same after a change of language, and back", async () => {
  const options = { decimals: 6, symbol: "tUSD" };
  const thousand = typed("1,000");
  await activateLanguage("fr-FR");
  const inFrench = presentText(thousand, options);
  expect(readAmount(inFrench, french)).toEqual(amount(1_000_000_000n));
  const small = typed("1,234");
  expect(presentText(typed("zwei"), options)).toBe("zwei");
  await activateLanguage("en-US");
  expect(presentText(small, options)).toBe("1.234");
  expect(presentText(thousand, options)).toBe("1,000");
});
