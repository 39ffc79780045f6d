import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";

interface Mutation {
  id: string;
  line: number;
  operator: string;
}
interface Run {
  outcomes: Map<string, string>;
  listed: { mutant: string; reason: string }[];
  complete: boolean;
}
interface Mutations {
  mutationsOf(source: { file: string; text: string; ast: unknown }): Mutation[];
  mutated(text: string, mutation: Mutation): string;
  outcomesOf(ids: string[], results: Map<string, { outcome: string; hash?: string }>): Map<string, string>;
  judge(run: Run): { counts: Record<string, number>; score: number; problems: string[] };
  sampleOf(items: number[], size: { count: number; seed: number }): number[];
}
interface Compile {
  syntaxTreesOf(names: string[], changed: Record<string, string>): Record<string, unknown>;
}

/** The contracts' scripts are plain JavaScript, without types. */
const load = (name: string) => import(pathToFileURL(join(import.meta.dirname, "../../contracts/scripts", name)).href);
const { mutationsOf, mutated, outcomesOf, judge, sampleOf }: Mutations = await load("mutations.mjs");
const { syntaxTreesOf }: Compile = await load("compile.mjs");

const file = "contracts/src/Example.sol";

/** Every mutation of a function's body, as the resulting lines. */
function linesOf(body: string, more = ""): string[] {
  const text = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;
/// @dev “a < b” in a comment is no code.
contract Example {
    uint256 private total;
    event Changed();
    error Refused(uint256 value);
    modifier guarded() { _; }
    ${more}
    function f(uint256 a, uint256 b) public guarded returns (uint256 c) {
        ${body}
    }
}
`;
  const ast = syntaxTreesOf([], { [file]: text })[file];
  const mutations = mutationsOf({ file, text, ast });
  const lines = text.split("\n");
  return mutations
    .map((mutation) => ({ mutation, result: mutated(text, mutation).split("\n") }))
    .filter(({ mutation }) => (lines[mutation.line - 1] ?? "").trim() === body)
    .map(({ mutation, result }) => (result[mutation.line - 1] ?? "").trim())
    .sort();
}

it("a mutation moves the boundary of a comparison, negates it, or fixes or drops the condition", () => {
  expect(linesOf("if (a < b) revert Refused(a);")).toEqual(
    [
      "if (a <= b) revert Refused(a);",
      "if (a >= b) revert Refused(a);",
      "if (true) revert Refused(a);",
      "if (false) revert Refused(a);",
      "if (a < b) {}",
    ].sort(),
  );
});

it("a mutation changes sums, constants and assignments, or deletes the statement", () => {
  expect(linesOf("total += a * 2;")).toEqual(
    [
      "total -= a * 2;",
      "total = a * 2;",
      "total += a / 2;",
      "total += a * (2 + 1);",
      "total += a * (2 - 1);",
      "{}",
    ].sort(),
  );
  expect(linesOf("total--;")).toEqual(["total++;", "{}"].sort());
  expect(linesOf("emit Changed();")).toEqual(["{}"]);
});

it("a mutation exchanges a logical operator, or leaves an operand out", () => {
  expect(linesOf("require(a != b && !(b == 0));")).toEqual(
    [
      "require(a != b || !(b == 0));",
      "require(a != b);",
      "require(!(b == 0));",
      "require(a == b && !(b == 0));",
      "require(a != b && (b == 0));",
      "require(a != b && !(b != 0));",
      "require(a != b && !(b == (0 + 1)));",
      "require(true);",
      "require(false);",
      "{}",
    ].sort(),
  );
});

it("a mutation swaps the branches of a choice, minimum and maximum, or the direction of rounding", () => {
  expect(linesOf("c = a > b ? a : b;")).toEqual(
    [
      "c = a >= b ? a : b;",
      "c = a <= b ? a : b;",
      "c = true ? a : b;",
      "c = false ? a : b;",
      "c = a > b ? b : a;",
      "{}",
    ].sort(),
  );
  const min = "function min(uint256 x, uint256 y) private pure returns (uint256) { return x < y ? x : y; }";
  const max = "function max(uint256 x, uint256) private pure returns (uint256) { return x; }";
  expect(linesOf("c = min(a, b);", `${min}\n    ${max}`)).toEqual(["c = max(a, b);", "{}"].sort());
  expect(linesOf("c = uint256(Way.Floor);", "enum Way { Floor, Ceil }")).toEqual(
    ["c = uint256(Way.Ceil);", "{}"].sort(),
  );
  expect(linesOf("c = type(uint256).max;")).toEqual(["{}"]);
});

it("a mutation drops a modifier, ignores the step of a loop, and changes assembly", () => {
  const head = "function f(uint256 a, uint256 b) public guarded returns (uint256 c) {";
  const text = `pragma solidity 0.8.37;\ncontract Example {\nmodifier guarded() { _; }\n${head}\nc = a + b; } }`;
  const ast = syntaxTreesOf([], { [file]: text })[file];
  const modifiers = mutationsOf({ file, text, ast }).filter(({ operator }) => operator === "modifier deleted");
  expect(modifiers.map((mutation) => mutated(text, mutation).split("\n")[3])).toEqual([head.replace("guarded ", " ")]);
  expect(linesOf("for (uint256 i = a; i < b; ++i) {}")).toEqual(
    [
      "for (uint256 i = a; i <= b; ++i) {}",
      "for (uint256 i = a; i >= b; ++i) {}",
      "for (uint256 i = a; false; ++i) {}",
    ].sort(),
  );
  expect(linesOf("assembly { c := add(a, 1) }")).toEqual(
    ["assembly { c := sub(a, 1) }", "assembly { c := add(a, 2) }", "assembly { c := add(a, 0) }"].sort(),
  );
});

it("a mutant is named by file, function and line, so that its name survives lines added above", () => {
  const named = (above: string) => {
    const text = `pragma solidity 0.8.37;\ncontract Example {\n${above}function f(uint256 a) public pure returns (bool) {\nreturn a > a; } }`;
    return mutationsOf({ file, text, ast: syntaxTreesOf([], { [file]: text })[file] });
  };
  expect(named("").map(({ id }) => id)).toContain(`${file} f: return a > a; } } → return a >= a; } }`);
  expect(named("// “One line more.”\n").map(({ id }) => id)).toEqual(named("").map(({ id }) => id));
  const twice = `pragma solidity 0.8.37;\ncontract Example { function f(uint256 a) public pure {\nrequire(a > 1);\nrequire(a > 1); } }`;
  const ids = mutationsOf({ file, text: twice, ast: syntaxTreesOf([], { [file]: twice })[file] }).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

const run = (of: Record<string, string>) => new Map(Object.entries(of));

it("the report fails for an unlisted survivor, a listed one that is killed, gone or without a reason, and a low score", () => {
  const outcomes = run({ a: "killed", b: "survived", c: "same bytecode", d: "does not compile", e: "duplicate" });
  const listed = [{ mutant: "b", reason: "It only costs gas." }];
  expect(judge({ outcomes, listed, complete: true })).toEqual({
    counts: { killed: 1, survived: 0, equivalent: 2, "does not compile": 1, duplicate: 1 },
    score: 1,
    problems: [],
  });
  expect(judge({ outcomes, listed: [], complete: true }).problems).toEqual([
    "survived: b",
    "50.0 % killed, fewer than 98 %",
  ]);
  const wrong = ["a", "z"].map((mutant) => ({ mutant, reason: mutant === "a" ? "It is not." : "" }));
  expect(judge({ outcomes: run({ a: "killed" }), listed: wrong, complete: true }).problems).toEqual([
    "listed as equivalent, but killed: a",
    "listed, but not there: z",
    "listed without a reason: z",
  ]);
  expect(
    judge({ outcomes: run({ a: "killed" }), listed: [{ mutant: "z", reason: "Gas." }], complete: false }).problems,
  ).toEqual([]);
});

it("mutants of the same bytecode share the outcome of the one that was tested", () => {
  const results = new Map([
    ["second", { outcome: "survived", hash: "1" }],
    ["first", { outcome: "duplicate", hash: "1" }],
    ["third", { outcome: "does not compile" }],
  ]);
  expect([...outcomesOf(["first", "second", "third"], results)]).toEqual([
    ["first", "survived"],
    ["second", "duplicate"],
    ["third", "does not compile"],
  ]);
});

it("sampling selects the same mutants for the same seed", () => {
  const items = Array.from({ length: 100 }, (_, index) => index);
  const sample = sampleOf(items, { count: 10, seed: 1 });
  expect(sample).toHaveLength(10);
  expect(sampleOf(items, { count: 10, seed: 1 })).toEqual(sample);
  expect(sampleOf(items, { count: 10, seed: 2 })).not.toEqual(sample);
});
