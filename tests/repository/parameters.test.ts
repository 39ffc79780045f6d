import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const MAX = 3;

/** Signatures that a library sets: aedes calls this one. */
const given = ["apps/server/src/telemetry/mqtt/broker.ts: authenticate"];

/**
 * Names of the functions and methods that take more than three parameters. Arrows may have a fourth (the linter's limit):
 * local ones that make the rows of a table read best as the table does, and callbacks have the signature their caller gives.
 */
function longLists(path: string, source: string): string[] {
  const found: string[] = [];
  const check = (name: string, { params }: { params: readonly unknown[] }) => {
    if (params.length > MAX) found.push(name);
  };
  new Visitor({
    FunctionDeclaration: (node) => check(node.id?.name ?? "default", node),
    MethodDefinition: ({ key, value }) => check(source.slice(key.start, key.end), value),
    Property({ key, value, method }) {
      if (method && value.type === "FunctionExpression") check(source.slice(key.start, key.end), value);
    },
  }).visit(parseSync(path, source).program);
  return found;
}

it("no function or method takes more than three parameters: more are one named object", () => {
  const files = globSync("{apps,packages,devnet,contracts/deploy}/**/*.{ts,tsx}", {
    cwd: root,
    exclude: (path) => /(^|[\\/])(node_modules|dist|cache|out|test)$/.test(path),
  }).map((path) => path.replaceAll("\\", "/"));
  expect(files.length).toBeGreaterThan(700);
  const found = files.flatMap((path) =>
    longLists(path, readFileSync(join(root, path), "utf8")).map((name) => `${path}: ${name}`),
  );
  expect(found).toEqual(given);
});

it.each([
  "function four(a: 1, b: 2, c: 3, d: 4) {}",
  "class It { four(a: 1, b: 2, c: 3, d: 4) {} }",
  "class It { constructor(a: 1, b: 2, c: 3, private four: 4) {} }",
  "class It { #four(a: 1, b: 2, c: 3, d = 4) {} }",
  "const it = { async four(a: 1, b: 2, c: 3, d: 4) {} };",
])("the parameter check finds four parameters in: %s", (source) => {
  expect(longLists("a.ts", source)).toHaveLength(1);
  expect(longLists("a.ts", source.replace("a: 1, ", ""))).toEqual([]);
});
