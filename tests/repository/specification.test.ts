import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const document = readFileSync(join(root, "docs/specification.md"), "utf8");

/**
 * For each section: its number of sentences, and the first 16 digits of the SHA-256 of them, one a line. They change
 * only with the specification.
 */
const sections = {
  1: { sentences: 14, fingerprint: "beb262b6a4a89c2d" },
  2: { sentences: 52, fingerprint: "7d444cbd26bfc5f2" },
  3: { sentences: 16, fingerprint: "2ac2302958dc1bf4" },
  4: { sentences: 14, fingerprint: "77ddaa8ec901b777" },
  5: { sentences: 10, fingerprint: "d1ffbf4e7fbf916d" },
  6: { sentences: 5, fingerprint: "341a237e97803ef5" },
  7: { sentences: 27, fingerprint: "3a148867988d80dc" },
  8: { sentences: 12, fingerprint: "f2412f642ce298f8" },
  9: { sentences: 22, fingerprint: "c9863a53ae97662b" },
  A: { sentences: 9, fingerprint: "5293fe64e12e838b" },
};

interface Row {
  sentence: string;
  /** The named tests, or a remark. */
  coverage: string[];
}

/** The cells of all tables under a heading of the second level that begins so, row by row. */
function cellsUnder(heading: string): string[][] {
  const start = document.indexOf(`\n## ${heading}`);
  if (start === -1) return [];
  const end = document.indexOf("\n## ", start + 1);
  return document
    .slice(start, end === -1 ? undefined : end)
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (Sentence|What the specification says|---) \|/.test(line))
    .map((line) => line.slice(2, -2).split(/(?<!\\) \| /))
    .map((cells) => cells.map((cell) => cell.trim()));
}

/** The rows of the section with this number. */
function rowsOf(section: string): Row[] {
  return cellsUnder(`${section}. `).map(([sentence = "", coverage = ""]) => ({
    sentence,
    coverage: coverage.split("<br>").filter((part) => part !== ""),
  }));
}

const all = Object.keys(sections).flatMap(rowsOf);
const isTest = (part: string) => part.startsWith("`");

/** Returns why a test named as "file › title" does not exist; null when it exists. */
function problem(named: string): string | null {
  const [file, title, ...rest] = named.replaceAll("`", "").split(" › ");
  if (file === undefined || title === undefined || rest.length > 0) return `${named}: not "file › title"`;
  if (!/\.(test|spec)\.tsx?$|\.t\.sol$/.test(file) || !existsSync(join(root, file))) return `${named}: no such file`;
  const source = readFileSync(join(root, file), "utf8");
  if (file.endsWith(".sol")) return source.includes(`function ${title}(`) ? null : `${named}: no such test in the file`;
  const quoted = ['"', "'", "`"].map((quote) => `${quote}${title}${quote}`);
  const calls = [...source.matchAll(/\b(?:test|it)(?:\.each\((?:[^()]|\([^()]*\))*\))?\(\s*/g)];
  const found = calls.some(({ index, 0: call }) => quoted.some((text) => source.startsWith(text, index + call.length)));
  return found ? null : `${named}: no such test in the file`;
}

describe("docs/specification.md", () => {
  it.each(Object.entries(sections))("holds every sentence of section %s, unaltered", (section, expected) => {
    const sentences = rowsOf(section).map((row) => row.sentence);
    expect({
      sentences: sentences.length,
      fingerprint: createHash("sha256").update(sentences.join("\n")).digest("hex").slice(0, 16),
    }).toEqual(expected);
  });

  it("says of every sentence which test holds it or why none does", () => {
    const reasons = /(\*\*Not yet\*\*|Nothing to test|The kit's own|Deviation): ?|The kit's own behaviour/;
    const bare = all.filter(({ coverage }) => !coverage.some((part) => isTest(part) || reasons.test(part)));
    expect(bare.map((row) => row.sentence)).toEqual([]);
  });

  it("names only tests that exist", () => {
    const named = [...new Set(all.flatMap((row) => row.coverage.filter(isTest)))];
    expect(named.length).toBeGreaterThan(40);
    expect(named.map(problem).filter((each) => each !== null)).toEqual([]);
  });

  it("lists every deviation among what differs on purpose, each with what Aqua does and why", () => {
    const listed = cellsUnder("Differs on purpose");
    const quoted = listed.map(([sentence]) => sentence);
    const deviating = all.filter(({ coverage }) => coverage.some((part) => part.includes("Deviation")));
    expect(deviating.length).toBeGreaterThan(0);
    expect(deviating.filter(({ sentence }) => !quoted.includes(sentence))).toEqual([]);
    const sentences = new Set(all.map(({ sentence }) => sentence));
    expect(quoted.filter((sentence) => sentence === undefined || !sentences.has(sentence))).toEqual([]);
    expect(listed.filter((cells) => cells.length !== 3 || cells.includes(""))).toEqual([]);
  });

  it("is checked by something that notices a test that is gone", () => {
    expect(problem("`tests/repository/specification.test.ts › names only tests that exist`")).toBeNull();
    expect(problem("`tests/repository/specification.test.ts › names any test`")).toMatch(/no such test/);
    expect(problem("`tests/repository/gone.test.ts › names only tests that exist`")).toMatch(/no such file/);
  });
});

describe.each([
  ["docs/auditors/threats.md", 20],
  ["docs/developers/compatibility.md", 10],
])("%s", (document, least) => {
  const rows = readFileSync(join(root, document), "utf8")
    .split("\n")
    .filter((line, index, lines) => line.startsWith("| ") && !lines[index + 1]?.startsWith("|---"))
    .map((line) => line.slice(2, -2).split(" | "));

  it("says of every row by which test it is tried, or why by none", () => {
    expect(rows.length).toBeGreaterThan(least);
    const bare = rows.filter(
      (row) => row.length !== 3 || !/^(`[^`]+ › [^`]+`|Tests of `[^`]+`|Reason: )/.test(row[2] ?? ""),
    );
    expect(bare).toEqual([]);
  });

  it("names only tests and files that exist", () => {
    const named = rows.flatMap(([, , coverage = ""]) => coverage.match(/`[^`]+`/g) ?? []);
    const problems = named.map((one) => {
      if (one.includes(" › ")) return problem(one);
      return existsSync(join(root, one.replaceAll("`", ""))) ? null : `${one}: no such file`;
    });
    expect(problems.filter((each) => each !== null)).toEqual([]);
  });
});

describe("docs/auditors/asvs.md", () => {
  const rows = readFileSync(join(root, "docs/auditors/asvs.md"), "utf8")
    .split("\n")
    .filter((line) => /^\| \d/.test(line));

  it("gives a test that exists, or a reason, for each number", () => {
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter((row) => !/`[^`]+ › [^`]+`|Reason: /.test(row))).toEqual([]);
    const named = rows.flatMap((row) => row.match(/`[^`]+ › [^`]+`/g) ?? []);
    expect(named.map(problem).filter((each) => each !== null)).toEqual([]);
  });
});
