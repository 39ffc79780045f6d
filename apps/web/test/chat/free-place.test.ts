import { expect, it } from "vitest";
import { liftOf } from "../../src/features/chat/free-place.ts";

const base = { top: 700, bottom: 744, left: 300, right: 344 };
const at = (top: number, height: number, left = 280) => ({ top, bottom: top + height, left, right: left + 60 });
const lift = (...obstacles: ReturnType<typeof at>[]) => liftOf({ base, obstacles, ceiling: 72 });

it("a button over nothing stays where it is, also beside a figure", () => {
  expect(lift()).toBe(0);
  expect(lift(at(710, 20, 100), at(400, 40))).toBe(0);
});

it("a button over a figure moves to the next gap that is high enough", () => {
  expect(lift(at(720, 20))).toBe(28);
  // Between these two are 40 px, too few.
  expect(lift(at(720, 20), at(640, 40))).toBe(108);
  expect(lift(at(720, 20), at(600, 40))).toBe(28);
});

it("a button without a gap below the header has no place", () => {
  expect(lift(...Array.from({ length: 20 }, (_, index) => at(index * 40, 20)))).toBeNull();
});
