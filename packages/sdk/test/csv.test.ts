import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvFile, csvLine } from "../src/csv.ts";

describe("a CSV file", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["+cmd", "'+cmd"],
    ["-2+3", "'-2+3"],
    ["@sum", "'@sum"],
    ["\tx", "'\tx"],
    ["\nx", '"\'\nx"'],
    ['a "b", c', '"a ""b"", c"'],
    ["=a,b", '"\'=a,b"'],
    ["-12.50", "-12.50"],
    [null, ""],
    [undefined, ""],
    [0, "0"],
  ])("writes %j so that no spreadsheet runs it as a formula: %j", (value, cell) => {
    expect(csvLine([value])).toBe(`${cell}\r\n`);
  });

  it("never starts a text cell with a character that a spreadsheet runs", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const cell = csvLine([text]).slice(0, -2).replace(/^"/, "");
        expect(/^[=+\-@\t\r\n]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell)).toBe(false);
      }),
    );
  });

  it("starts with a byte order mark and the column names, and ends each line with CRLF", () => {
    expect(csvFile(["a", "b"], [[1, null]])).toBe("\ufeffa,b\r\n1,\r\n");
  });
});
