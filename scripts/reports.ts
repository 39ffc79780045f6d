import { existsSync, readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

/** Result of a step's runner. `failures` lists every failed attempt with its reason, for the end of the output. */
export interface Count {
  passed: number;
  failed: number;
  failures?: string[];
}

/** Lines of a message that suffice to know the cause. The full message is in the test's own output. */
const LINES = 12;
/** Lines of a page that suffice for most pages, since dialogs are at the end. */
const PAGE_LINES = 400;

export const failure = (name: string, messages: readonly string[]): string =>
  [name, ...messages.map((message) => stripVTControlCharacters(message).split("\n").slice(0, LINES).join("\n"))].join(
    "\n",
  );

/** The fields of Playwright's JSON report that are read here. */
export interface BrowserReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: BrowserSuite[];
}

interface BrowserResult {
  errors?: { message?: string }[];
  attachments?: { name: string; path?: string }[];
}

interface BrowserSuite {
  suites?: BrowserSuite[];
  specs: {
    title: string;
    file: string;
    tests: { status: string; results: BrowserResult[] }[];
  }[];
}

/**
 * Number of tests that may pass only at their second attempt, out of hundreds in real browsers on a busy machine. Each
 * of them is named at the end of the run. More of them count as failed.
 */
const SECOND_TRIES = 2;

/** A skipped test does not count as passed. */
export function ofBrowserTests({ stats, suites }: BrowserReport): Count {
  const forgiven = stats.flaky <= SECOND_TRIES ? stats.flaky : 0;
  return {
    passed: stats.expected + forgiven,
    failed: stats.unexpected + stats.flaky - forgiven + stats.skipped,
    failures: suites.flatMap(failedSpecs),
  };
}

function failedSpecs({ specs, suites = [] }: BrowserSuite): string[] {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status !== "expected")
      .map(({ status, results }) => {
        const errors = results.flatMap((result) => result.errors ?? []);
        const named = failure(
          `${file} › ${title} (${status})`,
          errors.map(({ message = "" }) => message),
        );
        return [named, ...results.flatMap(pagesOf)].join("\n");
      }),
  );
  return [...own, ...suites.flatMap(failedSpecs)];
}

/**
 * Returns the page's content at the failure, as assistive technology reads it. Its picture is deleted with the run's
 * folder.
 */
function pagesOf({ attachments = [] }: BrowserResult): string[] {
  return attachments.flatMap(({ name, path }) => {
    if (name !== "error-context" || !path || !existsSync(path)) return [];
    const page = /```yaml\n([\s\S]*?)```/.exec(readFileSync(path, "utf8"))?.[1];
    return page ? [page.split("\n").slice(0, PAGE_LINES).join("\n")] : [];
  });
}

/**
 * Reads a runner's report of its results. A runner that failed without a failing test in its report (a crash, a hook),
 * wrote no report, or ran nothing counts as a failure.
 */
export function fromReport<Report>(ok: boolean, file: string, read: (report: Report) => Count): Count {
  let count: Count;
  try {
    count = read(JSON.parse(readFileSync(file, "utf8")) as Report);
  } catch (error) {
    return { passed: 0, failed: 1, failures: [`its report cannot be read: ${(error as Error).message}`] };
  }
  const { passed, failed, failures = [] } = count;
  if (failed > 0) return count;
  if (passed === 0) return { passed, failed: 1, failures: [...failures, "nothing ran"] };
  return ok ? count : { passed, failed: 1, failures: [...failures, "no test failed, but its runner did"] };
}
