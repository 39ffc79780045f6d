import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { type Count, fromReport, ofBrowserTests } from "../../scripts/reports.ts";

const root = join(import.meta.dirname, "../..");

function reportFile() {
  const folder = mkdtempSync(join(tmpdir(), "aqua-report-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "report.json");
}

it("every way in which unit tests can fail is counted and named", async () => {
  const AQUA_UNIT_REPORT = reportFile();
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--root", "tests/repository/failing"];
  const reporter = `--reporter=${join(root, "scripts/unit-reporter.ts")}`;
  const env = { ...process.env, AQUA_UNIT_REPORT };
  await expect(promisify(execFile)(process.execPath, [...vitest, reporter], { cwd: root, env })).rejects.toThrow();
  const { passed, failed, failures = [] } = JSON.parse(readFileSync(AQUA_UNIT_REPORT, "utf8")) as Count;
  expect({ passed, failed }).toEqual({ passed: 1, failed: 5 });
  const said = failures.join("\n");
  for (const part of [
    "ways.failing.ts › is wrong (failed)",
    "expected 1 to be 2",
    "a hook that throws > never runs (skipped)",
    "thrown in a hook",
    "is left out (skipped)",
    "thrown outside every test",
    "thrown elsewhere",
  ]) {
    expect(said).toContain(part);
  }
});

const spec = (status: string, message?: string) => ({
  title: `is ${status}`,
  file: "a.spec.ts",
  tests: [{ status, results: [{ errors: message ? [{ message }] : [] }] }],
});

it("a browser test that failed or was left out is counted and named, one that passed at its second try is named", () => {
  const count = ofBrowserTests({
    stats: { expected: 1, unexpected: 1, flaky: 1, skipped: 1 },
    suites: [
      { specs: [spec("expected"), spec("unexpected", "no such button")], suites: [{ specs: [spec("flaky")] }] },
      { specs: [spec("skipped")] },
    ],
  });
  expect(count).toEqual({
    passed: 2,
    failed: 2,
    failures: [
      "a.spec.ts › is unexpected (unexpected)\nno such button",
      "a.spec.ts › is flaky (flaky)",
      "a.spec.ts › is skipped (skipped)",
    ],
  });
});

it("the page's content when a browser test failed is reported with it", () => {
  const path = reportFile();
  writeFileSync(path, '# Error details\n\n```yaml\n- banner:\n  - button "Connect"\n```\n\n# Test source\n');
  const attachments = [
    { name: "screenshot", path: "gone.png" },
    { name: "error-context", path },
  ];
  const { failures } = ofBrowserTests({
    stats: { expected: 0, unexpected: 1, flaky: 0, skipped: 0 },
    suites: [{ specs: [{ ...spec("unexpected"), tests: [{ status: "unexpected", results: [{ attachments }] }] }] }],
  });
  expect(failures).toEqual(['a.spec.ts › is unexpected (unexpected)\n- banner:\n  - button "Connect"\n']);
});

it("second tries are no habit: more than two count as failures", () => {
  const count = ofBrowserTests({
    stats: { expected: 1, unexpected: 0, flaky: 3, skipped: 0 },
    suites: [{ specs: [spec("expected"), spec("flaky"), spec("flaky"), spec("flaky")] }],
  });
  expect(count).toMatchObject({ passed: 1, failed: 3 });
  expect(count.failures).toHaveLength(3);
});

it("a runner that wrote nothing is a failure", () => {
  expect(fromReport(true, reportFile(), (count: Count) => count)).toMatchObject({ passed: 0, failed: 1 });
});
