/**
 * `npm test`: runs everything, in the order in which a mistake is cheapest to find. Names after `--` choose steps: `npm
 * test -- types unit`. `npm run test:long` is the steps `long`, `proofs`, `coverage`, `mutants`, `soak`, `million`,
 * `postgres15`, `pgbouncer`, `bucket`, `faults`, `folders`, `attacks`, `alerts`, `matrix`, `proxies`, `production`,
 * `upgrade` and `node24`, which take hours and run only when named. `npm run test:image` is the steps `build` and
 * `image`. `npm test -- lint types changed` is for work in progress. The last line is always `N passed, N failed`;
 * `test-results` holds the failures.
 */
import { execFileSync, spawn } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { findProgram } from "../apps/server/test/support/debianPrograms.ts";
import { findChromium } from "./chromium.ts";
import { findPgBouncer, findPostgres15 } from "./postgres.ts";
import { typeScriptProjects } from "./projects.ts";
import { type Count, fromReport, ofBrowserTests } from "./reports.ts";
import { useTemporaryFolder } from "./temporary.ts";

interface Step {
  name: string;
  /** Runs only when it is named. */
  onlyNamed?: true;
  run: (report: string) => Promise<Count>;
}

const root = join(import.meta.dirname, "..");
const scratch = useTemporaryFolder();
/** Output of the last run's failures: texts, and pages and screenshots of browser tests. */
const kept = join(root, "test-results");

/** Runs a command with our output. Returns whether it exits with 0. */
function succeeds(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, ...env },
    });
    child.on("error", (error) => {
      console.error(error.message);
      resolve(false);
    });
    child.on("exit", (code) => resolve(code === 0));
  });
}

const node = (args: string[], env?: NodeJS.ProcessEnv) => succeeds(process.execPath, args, env);
const tool = (path: string, args: string[], env?: NodeJS.ProcessEnv) =>
  node([join("node_modules", path), ...args], env);
const asCount = (ok: boolean): Count => (ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

const summary = (count: Count): Count => count;

async function unitTests(report: string, files: string[] = [], env?: NodeJS.ProcessEnv): Promise<Count> {
  const reporters = ["--reporter=default", `--reporter=${join(root, "scripts/unit-reporter.ts")}`];
  // One more than cores, because many of the server's tests mostly wait. Projects of vitest accept this setting only
  // here.
  const workers = `--maxWorkers=${availableParallelism() + 1}`;
  const ok = await tool("vitest/vitest.mjs", ["run", ...files, workers, ...reporters], {
    ...env,
    AQUA_UNIT_REPORT: report,
  });
  return fromReport(ok, report, summary);
}

async function browserTests(report: string, more: string[] = [], env?: NodeJS.ProcessEnv): Promise<Count> {
  const ok = await tool("@playwright/test/cli.js", ["test", "-c", "tests/e2e", "--reporter=list,json", ...more], {
    ...env,
    CHROMIUM_PATH: await findChromium(),
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    AQUA_E2E_RESULTS: join(kept, "browser"),
  });
  return fromReport(ok, report, ofBrowserTests);
}

/** Values of Grafana's variables. */
const variables = { $__rate_interval: "5m", $job: "aqua" };

/** The expressions of a Grafana dashboard as a rule file, because `promtool` checks expressions only there. */
function rulesOf(dashboard: string): string {
  const exprs = [...readFileSync(dashboard, "utf8").matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) =>
    Object.entries(variables).reduce((expr: string, [name, value]) => expr.replaceAll(name, value), JSON.parse(text)),
  );
  const rules = exprs.map((expr, index) => ({ record: `panel:${index}`, expr }));
  // JSON is YAML.
  return JSON.stringify({ groups: [{ name: "dashboard", rules }] });
}

/** Runs all default steps again, on the Node that scripts/node24 pins. */
async function onNode24(report: string): Promise<Count> {
  const folder = join(root, "scripts/node24");
  execFileSync("npm", ["ci", "--ignore-scripts"], { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  const [node24] = globSync("node_modules/*/bin/node{,.exe}", { cwd: folder });
  if (node24 === undefined) throw new Error(`npm has no Node 24 for ${process.platform} ${process.arch}.`);
  const bin = join(folder, dirname(node24));
  const ok = await succeeds(join(folder, node24), ["--import", "tsx", "scripts/test.ts"], {
    PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`,
    AQUA_TEST_SUMMARY: report,
  });
  return fromReport(ok, report, summary);
}

/** Runs the tests of the archive of batch files with the S3-compatible server that scripts/s3 pins. */
function bucketTests(report: string): Promise<Count> {
  const folder = join(root, "scripts/s3");
  execFileSync("npm", ["ci", "--ignore-scripts"], { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  const environment = { S3RVER: join(folder, "node_modules/s3rver") };
  return unitTests(report, ["apps/server/test/telemetry/anchoring/archive.test.ts"], environment);
}

/**
 * Returns the commit at which this work began: where it branched from the main branch of the remote, or the last
 * commit.
 */
function changedSince(): string {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    return git("merge-base", "HEAD", "origin/main");
  } catch {
    return git("rev-parse", "HEAD");
  }
}

const steps: Step[] = [
  {
    name: "lint",
    run: async () => asCount(await tool("@biomejs/biome/bin/biome", ["ci", "--error-on-warnings", "."])),
  },
  {
    name: "types",
    run: async () => {
      const count: Count = { passed: 0, failed: 0 };
      const waiting = [...typeScriptProjects];
      const checkNext = async () => {
        for (let project = waiting.shift(); project !== undefined; project = waiting.shift()) {
          // Several threads of one compiler would each check the files they share.
          const ok = await tool("typescript/bin/tsc", ["--noEmit", "--checkers", "1", "-p", project]);
          count[ok ? "passed" : "failed"]++;
        }
      };
      await Promise.all(Array.from({ length: availableParallelism() }, checkNext));
      return count;
    },
  },
  { name: "unused", run: async () => asCount(await tool("knip/bin/knip.js", [])) },
  {
    name: "contracts",
    run: async (report) => fromReport(await node(["contracts/scripts/test.mjs", "--summary", report]), report, summary),
  },
  {
    name: "long",
    onlyNamed: true,
    run: async (report) =>
      fromReport(await node(["contracts/scripts/test.mjs", "--long", "--summary", report]), report, summary),
  },
  {
    name: "proofs",
    onlyNamed: true,
    run: async (report) =>
      fromReport(await node(["contracts/scripts/prove.mjs", "--summary", report]), report, summary),
  },
  {
    name: "coverage",
    onlyNamed: true,
    run: async (report) =>
      fromReport(await node(["contracts/scripts/coverage.mjs", "--summary", report]), report, summary),
  },
  {
    name: "mutants",
    onlyNamed: true,
    // Continues from where a run of the same sources and tests was stopped.
    run: async (report) =>
      fromReport(await node(["contracts/scripts/mutants.mjs", "--resume", "--summary", report]), report, summary),
  },
  { name: "unit", run: (report) => unitTests(report) },
  {
    name: "soak",
    onlyNamed: true,
    run: (report) =>
      unitTests(
        report,
        [
          ".long.test.ts",
          "apps/server/test/portfolio/seeded.test.ts",
          "apps/server/test/audit/rows.test.ts",
          "apps/server/test/audit/seededChanges.test.ts",
          "apps/server/test/audit/day.test.ts",
          "apps/operator/test/audit/audit.test.ts",
          "devnet/test/chain.test.ts",
        ],
        { AQUA_SOAK: "1" },
      ),
  },
  {
    name: "million",
    onlyNamed: true,
    // Fails if the indexer fills other tables a second time, or needs more than 250 MiB over idle.
    run: async () => asCount(await node(["--import", "tsx", "scripts/bench.ts", "indexer", "1000000", "2"])),
  },
  {
    name: "postgres15",
    onlyNamed: true,
    // The operator's tests of backups need its pg_dump.
    run: (report) =>
      unitTests(report, ["--project", "@aqua/server", "--project", "@aqua/operator"], {
        POSTGRES_BIN: findPostgres15(),
      }),
  },
  {
    name: "pgbouncer",
    onlyNamed: true,
    // In transaction mode and without prepared statements, which Debian's version does not know.
    run: (report) =>
      unitTests(
        report,
        [
          "db/pgbouncer",
          "db/database",
          "identity",
          "indexer",
          "jobs",
          "notices",
          "portfolio",
          "product",
          "records",
        ].map((name) => `apps/server/test/${name}`),
        { PGBOUNCER: findPgBouncer() },
      ),
  },
  { name: "bucket", onlyNamed: true, run: bucketTests },
  {
    name: "faults",
    onlyNamed: true,
    run: (report) => unitTests(report, ["apps/server/test/db"], { AQUA_SOAK: "1" }),
  },
  {
    name: "folders",
    onlyNamed: true,
    run: (report) => unitTests(report, ["tests/repository/folders.test.ts"], { AQUA_SOAK: "1" }),
  },
  {
    name: "attacks",
    onlyNamed: true,
    run: (report) =>
      unitTests(
        report,
        ["instance/fuzz", "rpc/node", "telemetry/mqtt/broker"].map((name) => `apps/server/test/${name}.test.ts`),
        { AQUA_SOAK: "1" },
      ),
  },
  {
    name: "alerts",
    onlyNamed: true,
    async run() {
      const { path, env } = findProgram("promtool", "prometheus");
      const folder = join(root, "deploy/observability");
      const panels = join(scratch, "panels.json");
      writeFileSync(panels, rulesOf(join(folder, "dashboard.json")));
      const checked = await succeeds(path, ["check", "rules", join(folder, "alerts.yml"), panels], env);
      const tested = await succeeds(path, ["test", "rules", join(folder, "alerts.test.yml")], env);
      return asCount(checked && tested);
    },
  },
  { name: "node24", onlyNamed: true, run: onNode24 },
  { name: "build", run: async () => asCount(await node(["--import", "tsx", "scripts/build.ts"])) },
  // Needs the build, so it is no project of the unit tests.
  { name: "dist", run: (report) => unitTests(report, ["--root", "tests/distribution"]) },
  {
    name: "size",
    run: async (report) =>
      fromReport(await node(["apps/web/scripts/check-size.mjs", "--summary", report]), report, summary),
  },
  { name: "browser", run: (report) => browserTests(report) },
  // All browser tests, also those that repeat another one at one more size, device, theme or language.
  { name: "matrix", onlyNamed: true, run: (report) => browserTests(report, [], { AQUA_SOAK: "1" }) },
  {
    name: "proxies",
    onlyNamed: true,
    run: (report) => unitTests(report, ["--root", "tests/deployment", "proxies"]),
  },
  {
    name: "production",
    onlyNamed: true,
    async run(report) {
      if (!(await node(["--import", "tsx", "scripts/build.ts"]))) return asCount(false);
      return unitTests(report, ["--root", "tests/production"]);
    },
  },
  // Needs the commits of the releases, so a whole clone, and fetches their packages.
  { name: "upgrade", onlyNamed: true, run: (report) => unitTests(report, ["--root", "tests/upgrade"]) },
  // Needs root, Debian's packages buildah, mmdebstrap and systemd-container, and the build.
  {
    name: "image",
    onlyNamed: true,
    run: (report) => unitTests(report, ["--root", "tests/deployment", "image", "host"]),
  },
  {
    name: "changed",
    onlyNamed: true,
    // Both follow the imports from changed files to the tests that they may break. Solidity has no such graph.
    async run(report) {
      const since = changedSince();
      const units = await unitTests(report, ["--changed", since, "--passWithNoTests"]);
      const pages = await browserTests(`${report}.browser`, [`--only-changed=${since}`, "--pass-with-no-tests"]);
      return {
        passed: units.passed + pages.passed,
        failed: units.failed + pages.failed,
        failures: [...(units.failures ?? []), ...(pages.failures ?? [])],
      };
    },
  },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(`No such step: ${unknown.join(", ")}. Steps: ${steps.map((step) => step.name).join(", ")}`);
  process.exit(2);
}

console.log(`Node ${process.version}, ${availableParallelism()} cores`);
rmSync(kept, { recursive: true, force: true });
const total: Count = { passed: 0, failed: 0 };
const table: string[] = [];
const failures: string[] = [];
for (const step of steps) {
  if (wanted.length > 0 ? !wanted.includes(step.name) : step.onlyNamed) continue;
  console.log(`\n── ${step.name} ──`);
  const started = performance.now();
  const count = await step.run(join(scratch, `${step.name}.json`)).catch((error: unknown) => {
    console.error(error);
    return { passed: 0, failed: 1, failures: [String(error)] };
  });
  failures.push(...(count.failures ?? []).map((failure) => `✗ ${step.name}: ${failure}`));
  total.passed += count.passed;
  total.failed += count.failed;
  const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(7);
  const line = `${step.name.padEnd(10)} ${String(count.passed).padStart(5)} passed ${String(count.failed).padStart(4)} failed ${seconds} s`;
  console.log(`\n${line}`);
  table.push(line);
}
// Repeated at the end, for readers of a long run's last lines.
for (const failure of failures) console.log(`\n${failure}`);
if (failures.length > 0) {
  mkdirSync(kept, { recursive: true });
  writeFileSync(join(kept, "failures.txt"), `${failures.join("\n\n")}\n`);
  console.log(`\nKept in ${kept}: failures.txt, and what browser tests saw last.`);
}
if (process.env.AQUA_TEST_SUMMARY) writeFileSync(process.env.AQUA_TEST_SUMMARY, JSON.stringify({ ...total, failures }));
console.log(`\n${table.join("\n")}\n`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
