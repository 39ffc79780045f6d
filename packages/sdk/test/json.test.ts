import fc from "fast-check";
import { expect, it } from "vitest";
import { JsonError, parseLocatedJson } from "../src/json.ts";

/** Line and message of the error for a text; null if it is valid. */
function refusal(text: string): [line: number, message: string] | null {
  try {
    parseLocatedJson(text);
    return null;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return [error.line, error.message];
  }
}

it("parseLocatedJson returns the line of each value, and for a missing value the line of its object", () => {
  const { lineOf, value } = parseLocatedJson('{\n "a": 1,\n "b": [\n  true,\n  { "c": null }\n ]\n}\n');
  expect(value).toEqual({ a: 1, b: [true, { c: null }] });
  const lines = [[], ["a"], ["b"], ["b", 0], ["b", 1], ["b", 1, "c"], ["b", 1, "d"], ["e"]].map(lineOf);
  expect(lines).toEqual([1, 2, 3, 4, 5, 5, 5, 1]);
});

it("parseLocatedJson names the line with the first syntax error", () => {
  expect(refusal('{\n "a": 1,\n}')).toEqual([3, "unexpected }"]);
  expect(refusal('{\n "a": 1\n "b": 2\n}')).toEqual([3, 'unexpected "b": 2']);
  expect(refusal("[1,\n2")).toEqual([2, "the file ends too early"]);
  expect(refusal('{\n "a": "one\n"}')).toEqual([2, 'unexpected "one']);
  expect(refusal("[]\n{}")).toEqual([2, "unexpected {}"]);
  expect(refusal("")).toEqual([1, "the file ends too early"]);
  expect(refusal("[".repeat(1_000))).toEqual([1, "too many levels"]);
});

it("parseLocatedJson accepts and rejects the same texts as JSON.parse", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), fc.integer({ min: 0, max: 4 }), (text, indent) => {
      const spaced = JSON.stringify(JSON.parse(text), null, indent);
      expect(parseLocatedJson(spaced).value).toEqual(JSON.parse(spaced));
    }),
  );
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.nat(), fc.string({ maxLength: 2 }), (text, where, put) => {
      const at = where % (text.length + 1);
      const changed = text.slice(0, at) + put + text.slice(at + 1);
      let valid = true;
      try {
        JSON.parse(changed);
      } catch {
        valid = false;
      }
      expect(refusal(changed) === null).toBe(valid);
    }),
    { numRuns: 1_000 },
  );
});
