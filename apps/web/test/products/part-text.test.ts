import { expect, it } from "vitest";
import { lossText } from "../../src/features/loss-text.ts";
import { partText } from "../../src/features/part-text.ts";
import { capFill } from "../../src/features/products/product-labels.ts";
import { makeProduct } from "../products.ts";

it("a part of a whole is truncated, never rounded up, and unknown if the whole is 0", () => {
  expect(partText("99.999999", "100.000000")).toBe("99.9%");
  expect(partText("100.000000", "100.000000")).toBe("100.0%");
  expect(partText("60.000000", "101.500000")).toBe("59.1%");
  expect(partText("1.000000", "0.000000")).toBe("—");
});

it("a cap with room is never full", () => {
  expect(capFill(makeProduct({ cap_used: "999999.000000", cap: "1000000.000000" })).fill).toBe("99.9%");
  expect(capFill(makeProduct({ cap_used: "1000000.000000", cap: "1000000.000000" })).fill).toBe("100.0%");
});

it("a small loss has more digits than no loss", () => {
  expect(lossText("0.031200")).toBe("3.12%");
  expect(lossText("-0.000041")).toBe("−0.0041%");
  expect(lossText("-0.000000")).toBe("0.00%");
});
