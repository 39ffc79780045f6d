import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";
import { type Count, failure } from "./reports.ts";

interface Problem {
  message: string;
  stack?: string;
}

/** Adds the stack's lines that belong to our code. */
const text = ({ message, stack = "" }: Problem) =>
  [message, ...stack.split("\n").filter((line) => /^\s+at /.test(line) && !line.includes("node_modules"))].join("\n");
const texts = (problems: readonly Problem[] = []) => problems.map(text);

/**
 * Writes the result of the unit tests as a `Count` to the file that AQUA_UNIT_REPORT names. vitest's own JSON omits
 * errors thrown outside every test, which fail the run without a name. A skipped test does not count as passed.
 */
export default class UnitReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Problem[]): void {
    const ofModule = (module: TestModule) => {
      const file = relative(process.cwd(), module.moduleId);
      const ofGroup = (group: TestModule | TestSuite) =>
        group.errors().length > 0 ? [failure(file, texts(group.errors()))] : [];
      const ofTest = (test: TestCase) => {
        const { state, errors } = test.result();
        return state === "passed" ? [] : [failure(`${file} › ${test.fullName} (${state})`, texts(errors))];
      };
      const { children } = module;
      return [module, ...children.allSuites()].flatMap(ofGroup).concat([...children.allTests()].flatMap(ofTest));
    };
    const outside = unhandled.map((problem) => failure("thrown outside every test", texts([problem])));
    const failures = [...modules.flatMap(ofModule), ...outside];
    const passed = modules.flatMap(({ children }) => [...children.allTests("passed")]).length;
    const count: Count = { passed, failed: failures.length, failures };
    const file = process.env.AQUA_UNIT_REPORT;
    if (file) writeFileSync(file, JSON.stringify(count));
  }
}
