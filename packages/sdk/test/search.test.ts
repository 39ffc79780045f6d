import { expect, it } from "vitest";
import { isFound } from "../src/search.ts";

it("a search matches texts that contain all of its words, in any order, ignoring accents and case", () => {
  const texts = ["Dessalement égéen", null, "Amorgós"];
  expect(isFound("AMORGOS dessalement", texts)).toBe(true);
  expect(isFound("egeen", texts)).toBe(true);
  expect(isFound("amorgos solaire", texts)).toBe(false);
  expect(isFound("灌溉", ["萨赫勒太阳能灌溉"])).toBe(true);
  expect(isFound("수력", ["알프스 수력 발전"])).toBe(true);
});

it("a blank search matches everything", () => {
  expect(isFound("", [null])).toBe(true);
  expect(isFound("  ", ["x"])).toBe(true);
});
