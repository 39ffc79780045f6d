import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

/** The last commit before this rule. */
const baseline = "d77e573";
const types = "build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test";
const subject = new RegExp(`^(${types})(\\([a-z0-9-]+\\))?!?: [^A-Z\\s].*[^.]$`);
const LONGEST = 72;

const problems = (subjects: readonly string[]) =>
  subjects.filter((text) => text.length > LONGEST || !(subject.test(text) || text.startsWith("Merge ")));

/** Null if there is no history, as in an archive, or in a clone without the baseline. */
function newSubjects(): string[] | null {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: join(import.meta.dirname, "../.."), encoding: "utf8", stdio: "pipe" });
  try {
    return git("log", "--format=%s", `${baseline}..HEAD`).split("\n").filter(Boolean);
  } catch {
    return null;
  }
}
const subjects = newSubjects();

it.skipIf(subjects === null)("the subjects of new commits are conventional and at most 72 characters long", () => {
  expect(problems(subjects ?? [])).toEqual([]);
});

it("the commit rules reject a subject that is too long, without a type, capitalised or ended by a full stop", () => {
  const right = [
    "fix(indexer): renew the lease inside a commit",
    "docs: say what a relay is for",
    "feat(sdk)!: rename a call",
  ];
  const wrong = [
    `fix: ${"x".repeat(68)}`,
    "Renew the lease",
    "fix: Renew the lease",
    "fix: renew the lease.",
    "fix renew it",
  ];
  expect(problems([...right, ...wrong])).toEqual(wrong);
});
