import { expect, it } from "vitest";
import { partText } from "../../src/features/products/part-text.ts";

it("a part of a whole is truncated, never rounded up, and unknown of nothing", () => {
  expect(partText("99.999999", "100.000000")).toBe("99.9%");
  expect(partText("100.000000", "100.000000")).toBe("100.0%");
  expect(partText("60.000000", "101.500000")).toBe("59.1%");
  expect(partText("1.000000", "0.000000")).toBe("—");
});
