import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvFile, csvFormatOf, csvLine } from "../src/csv.ts";

describe("a CSV file", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["+cmd", "'+cmd"],
    ["-2+3", "'-2+3"],
    ["@sum", "'@sum"],
    ["＝1+1", "'＝1+1"],
    ["＠sum", "'＠sum"],
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
        expect(/^[=+\-@\t\r\n＝＋－＠]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell)).toBe(false);
      }),
    );
  });

  it("has the separator and decimals of French spreadsheets for French, and commas for the other languages", () => {
    const rows = [["Hydro; Alps", "-12.50", 3, "0x1.5"]];
    expect(csvFile(["a", "b", "c", "d"], rows, csvFormatOf("fr-FR"))).toBe(
      '\ufeffa;b;c;d\r\n"Hydro; Alps";-12,50;3;0x1.5\r\n',
    );
    for (const language of ["en-US", "zh-CN", "zh-TW", "ko-KR", undefined] as const) {
      expect(csvFormatOf(language)).toEqual({ separator: ",", decimals: "." });
    }
  });

  it("starts with a byte order mark and the column names, and ends each line with CRLF", () => {
    expect(csvFile(["a", "b"], [[1, null]])).toBe("\ufeffa,b\r\n1,\r\n");
  });
});
