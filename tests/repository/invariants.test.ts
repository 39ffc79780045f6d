import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const tests = join(import.meta.dirname, "../../contracts/test");
const document = readFileSync(join(tests, "../INVARIANTS.md"), "utf8");

/** Checks that a text names as `file` › `function`. */
function checksIn(text: string) {
  return [...text.matchAll(/`([^`]+\.sol)` › `(\w+)`/g)].map(([, file = "", name = ""]) => ({ file, name }));
}

/** Checks of a text whose file does not exist or does not define the function or modifier. */
function missingChecks(text: string): string[] {
  return checksIn(text)
    .filter(({ file, name }) => {
      const path = join(tests, file);
      return !existsSync(path) || !new RegExp(`\\b(function|modifier) ${name}\\(`).test(readFileSync(path, "utf8"));
    })
    .map(({ file, name }) => `${file} › ${name}`);
}

/** Functions that forge runs as invariants and that a text does not name. */
function unnamedInvariants(text: string): string[] {
  const named = checksIn(text).map(({ file, name }) => `${file} › ${name}`);
  const files = globSync("invariant/**/*.sol", { cwd: tests }).map((file) => file.replaceAll("\\", "/"));
  const all = files.flatMap((file) =>
    [...readFileSync(join(tests, file), "utf8").matchAll(/function (invariant_?\w+)\(/g)].map(
      ([, name]) => `${file} › ${name}`,
    ),
  );
  expect(all.length).toBeGreaterThan(3);
  return all.filter((invariant) => !named.includes(invariant));
}

it("every check that contracts/INVARIANTS.md names exists", () => {
  expect(missingChecks(document)).toEqual([]);
});

it("every invariant function is in contracts/INVARIANTS.md", () => {
  expect(unnamedInvariants(document)).toEqual([]);
});

it("every invariant has its own number and names a check", () => {
  const rows = document.split("\n").filter((line) => /^\| [A-Z]\d/.test(line));
  const numbers = rows.map((row) => row.split(" ")[1]);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(rows.filter((row) => checksIn(row).length === 0)).toEqual([]);
});

it("the check of invariants names a function that does not exist and an invariant left out", () => {
  expect(missingChecks("`invariant/Handler.sol` › `nothing`, `invariant/Nowhere.sol` › `deposit`")).toHaveLength(2);
  expect(unnamedInvariants("").length).toBeGreaterThan(3);
});
