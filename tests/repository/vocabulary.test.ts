import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
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

it("finds a former name wherever a word stands", () => {
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
