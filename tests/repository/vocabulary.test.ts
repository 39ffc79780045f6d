import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const vocabulary = readFileSync(join(root, "docs/developers/vocabulary.md"), "utf8");
const former = [...vocabulary.matchAll(/^\| (\w+) \| \w[^|]* \| [^|]*\|$/gm)].map(([, name = ""]) => name).slice(1);
/** Where a former name must still stand: the setting that refuses it, and this file's own neighbours. */
const allowed = /^apps\/server\/(src|test)\/config(\.test)?\.ts$/;

/** Former names in a source, comments included. */
function formerIn(source: string): string[] {
  return source.match(new RegExp(`\\b(${former.join("|")})\\b`, "g")) ?? [];
}

it("no source uses a name that the vocabulary calls former", () => {
  expect(former.length).toBeGreaterThan(50);
  const files = globSync("{apps,packages,devnet,scripts,bench,tests,contracts/deploy}/**/*.{ts,tsx,mjs}", {
    cwd: root,
    exclude: (path) => /(^|[\\/])(node_modules|dist|cache|out)$/.test(path),
  }).map((path) => path.replaceAll("\\", "/"));
  expect(files.length).toBeGreaterThan(900);
  const found = files
    .filter((path) => !allowed.test(path))
    .flatMap((path) => formerIn(readFileSync(join(root, path), "utf8")).map((name) => `${path}: ${name}`));
  expect(found).toEqual([]);
});

it("finds a former name wherever it is", () => {
  const [one = ""] = former;
  expect(formerIn(`const ${one} = 1; // ${one} of another\nconst not${one}Either = 2;`)).toEqual([one, one]);
});

it("no file has a name that says nothing of its subject", () => {
  const vague = /(^|[\\/])(terms|([\w-]+-)?words|mine|best|state|line|utils|helpers|misc|common)\.tsx?$/;
  const files = globSync("{apps,packages,devnet,scripts,bench,tests,contracts/deploy}/**/*.{ts,tsx}", {
    cwd: root,
    exclude: (path) => /(^|[\\/])(node_modules|dist|cache|out)$/.test(path),
  });
  expect(files.length).toBeGreaterThan(900);
  expect(["a/terms.ts", "a/demo-words.tsx", "a/product-terms.ts"].map((path) => vague.test(path))).toEqual([
    true,
    true,
    false,
  ]);
  expect(files.filter((path) => vague.test(path))).toEqual([]);
});

/** Verbs and metaphors of ours that hide what happens: report, publish, receive, is, endpoint say it. */
const riddles = /\b(told|tells?|heard|hears?|stood|doors?|desks?|story|lest|whence)\b/gi;
/** "On a desk", as against on a phone, is what screens are called here. */
const plain = /\bon a desk\b|\bof a desk\b/gi;

/** Our own words in the comments and in the titles of the tests of a source. */
function riddlesIn(path: string, source: string): string[] {
  const { comments, program } = parseSync(path, source);
  const texts = comments.map(({ value }) => value);
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (!/^(it|test|describe)\b/.test(source.slice(callee.start, callee.end)) || title === undefined) return;
      if (title.type === "Literal" || title.type === "TemplateLiteral")
        texts.push(source.slice(title.start, title.end));
    },
  }).visit(program);
  return texts.flatMap((text) => text.replace(plain, "").match(riddles) ?? []);
}

// It parses every file, which takes its time beside other work.
it("comments and titles of tests use the field's verbs", () => {
  const files = globSync("{apps,packages,devnet,scripts,bench,tests,contracts/deploy}/**/*.{ts,tsx,mjs}", {
    cwd: root,
    exclude: (path) => /(^|[\\/])(node_modules|dist|cache|out)$/.test(path),
  }).map((path) => path.replaceAll("\\", "/"));
  const found = files
    .filter((path) => path !== "tests/repository/vocabulary.test.ts")
    .flatMap((path) => riddlesIn(path, readFileSync(join(root, path), "utf8")).map((word) => `${path}: ${word}`));
  expect(found).toEqual([]);
  expect(riddlesIn("a.ts", '// Told once.\nit("is heard at the door", () => {}); const told = "told";')).toEqual([
    "Told",
    "heard",
    "door",
  ]);
});
