import fc from "fast-check";
import { expect, it } from "vitest";
import { elementsOf, isArray, membersOf, type Span, startOf } from "../../src/rpc/spans.ts";

const valueAt = (bytes: Buffer, { start, end }: Span) => JSON.parse(bytes.toString("utf8", start, end));
const long = fc.string({ unit: fc.constantFrom("\\", '"', "]", "}", "é", "a"), minLength: 100, maxLength: 400 });
const value = fc.oneof(fc.jsonValue(), long);
const space = fc.constantFrom("", " ", "\n\t ");

it("Spans find the members of an object and the elements of an array, as JSON.parse does", () => {
  const objects = fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), value, { noNullPrototype: true });
  fc.assert(
    fc.property(objects, fc.array(value), space, (object, array, around) => {
      const indent = around === "" ? 0 : 2;
      const text = Buffer.from(`${around}${JSON.stringify(object, null, indent)}${around}`);
      const members = [...membersOf(text, startOf(text))].map(([name, span]) => [name, valueAt(text, span)]);
      expect(Object.fromEntries(members)).toEqual(JSON.parse(text.toString()));
      const list = Buffer.from(`${around}${JSON.stringify(array, null, indent)}${around}`);
      expect(isArray(list, startOf(list))).toBe(true);
      expect(elementsOf(list, startOf(list)).map((span) => valueAt(list, span))).toEqual(JSON.parse(list.toString()));
    }),
  );
});

it("Spans end for a text that is cut off at any position", () => {
  const text = Buffer.from(JSON.stringify({ a: [1, { b: `${"\\".repeat(300)}"` }], c: "x".repeat(300), d: null }));
  for (let length = 0; length < text.length; length += 1) {
    expect(() => membersOf(text.subarray(0, length), 0)).toThrow(SyntaxError);
  }
});
