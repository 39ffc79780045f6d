// Runs every contract test on the bytecode that ships and on the other pipeline's output, compares gas with the
// committed snapshot, and makes sure that a failing test is seen as one.
//
//   node contracts/scripts/test.mjs [--summary <file>] [--update-gas] [--long]
//
// A long run begins with the corpus of the long runs before it, in contracts/cache/corpus.
// --summary writes {"passed": n, "failed": n, "failures": [text]}; --update-gas accepts the measured gas and size
// figures; --long runs a million calls an invariant, ten thousand cases a fuzz test and the campaigns in full, on the
// bytecode that ships, and nothing else.
// Exits non-zero when anything failed.
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { build, syncCommitted } from "./build.mjs";
import { contractsRoot, runForge } from "./forge.mjs";
import { forgetHits, readHits } from "./hits.mjs";
import { checkSizes } from "./sizes.mjs";

const { values: options } = parseArgs({
  options: {
    summary: { type: "string" },
    "update-gas": { type: "boolean", default: false },
    long: { type: "boolean", default: false },
  },
});

const cache = path.join(contractsRoot, "cache");
const snapshotFile = path.join(contractsRoot, "snapshots", "gas.json");

const totals = { passed: 0, failed: 0, failures: [] };

function pass(line) {
  totals.passed += 1;
  if (line) console.log(`  ok      ${line}`);
}

function fail(line) {
  totals.failed += 1;
  totals.failures.push(line);
  console.log(`  FAILED  ${line}`);
}

/** All tests of a forge run as [name, { status, reason }]; null when it printed no result, as when nothing compiles. */
function testsOf(run) {
  const start = run.stdout.indexOf("{");
  if (start < 0) return null;
  try {
    return Object.entries(JSON.parse(run.stdout.slice(start))).flatMap(([suite, { test_results }]) =>
      Object.entries(test_results).map(([name, result]) => [`${suite.split(":").at(-1)} ${name}`, result]),
    );
  } catch {
    return null;
  }
}

/** Counts a run's tests, and the run itself when its exit code does not fit them. */
function count(title, run) {
  console.log(title);
  const tests = testsOf(run);
  if (tests === null || tests.length === 0) {
    fail(`no test ran:\n${run.stdout}${run.stderr}`);
    return;
  }
  const failures = tests.filter(([, { status }]) => status !== "Success");
  for (const [name, { status, reason }] of failures) fail(`${name}: ${reason ?? status}`);
  totals.passed += tests.length - failures.length;
  if (failures.length === 0 && run.code !== 0) fail(`forge left with code ${run.code}:\n${run.stderr}`);
  console.log(`  ${tests.length - failures.length} of ${tests.length} passed`);
}

/** Prints what the invariant runs really did; an action that was never reached is a failure. */
function countHits() {
  for (const { line, missed } of readHits()) {
    console.log(`  reached by ${line}`);
    if (missed.length > 0) fail(`the invariant run never reached: ${missed.join(", ")}`);
    else pass();
  }
}

/** A million calls an invariant; in runs no longer than the short ones, so that a failure stays readable. */
const LONG = {
  FOUNDRY_INVARIANT_RUNS: "5000",
  FOUNDRY_INVARIANT_DEPTH: "200",
  FOUNDRY_FUZZ_RUNS: "10000",
  FOUNDRY_INVARIANT_CORPUS_DIR: "contracts/cache/corpus",
  AQUA_LONG: "1",
};
/** Sequences of an invariant's corpus that a run replays first: a fiftieth of its own. */
const CORPUS_LIMIT = 100;

/**
 * Moves what the last run found to where the next one reads. forge 1.7.1 writes each sequence that reaches something new
 * to worker0/corpus, and reads only the folder of the invariant itself. Of each invariant the newest stay.
 */
function gatherCorpus() {
  const corpus = path.join(cache, "corpus");
  for (const file of globSync("*/*/worker*/corpus/*", { cwd: corpus })) {
    renameSync(path.join(corpus, file), path.join(corpus, file, "../../..", path.basename(file)));
  }
  for (const invariant of globSync("*/invariant*", { cwd: corpus })) {
    const files = globSync("*.json*", { cwd: path.join(corpus, invariant) }).map((name) =>
      path.join(corpus, invariant, name),
    );
    const byAge = files.toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
    for (const file of byAge.slice(CORPUS_LIMIT)) rmSync(file);
  }
}
/** The other pipeline runs every test, but searches no further than shows that it does the same: nobody deploys it. */
const BRIEF = { FOUNDRY_INVARIANT_RUNS: "3", FOUNDRY_FUZZ_RUNS: "24", AQUA_NO_HITS: "1" };

function everything(artefacts, settings = {}) {
  return runForge(["test", "--json", "--no-match-path", "contracts/test/{canary,gas}/*"], {
    profile: "legacy",
    env: { AQUA_ARTEFACTS: artefacts, ...settings },
  });
}

/**
 * Has forge write the figures and compares them here: it left 0 with other figures than the committed ones. It prints
 * them only for people, so the tests themselves are judged by its exit code.
 */
async function gas() {
  const committed = readFileSync(snapshotFile, "utf8");
  const run = await runForge(["test", "--isolate", "--match-path", "contracts/test/gas/*"], {
    profile: "legacy",
    env: { AQUA_ARTEFACTS: "contracts/out" },
  });
  console.log("gas of whole transactions against contracts/snapshots (--update-gas accepts new figures)");
  const ran = Number(/(\d+) tests passed, 0 failed/.exec(run.stdout)?.[1] ?? 0);
  const changed = changedFigures(JSON.parse(committed), JSON.parse(readFileSync(snapshotFile, "utf8")));
  // forge leaves the last newline out, which the formatter wants.
  if (options["update-gas"]) writeFileSync(snapshotFile, `${readFileSync(snapshotFile, "utf8").trimEnd()}\n`);
  else writeFileSync(snapshotFile, committed);
  if (run.code !== 0 || ran === 0) fail(`a gas test failed:\n${run.stdout}${run.stderr}`);
  else if (changed.length > 0 && !options["update-gas"]) fail(`gas: ${changed.join(", ")}`);
  else {
    totals.passed += ran;
    console.log(`  ${ran} of ${ran} passed`);
  }
}

function changedFigures(before, after) {
  return Object.keys({ ...before, ...after })
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name} ${before[name]} → ${after[name]}`);
}

/** The canary must fail, by forge's own word and by its exit code. */
async function canary() {
  const run = await runForge(["test", "--json"], { profile: "canary" });
  const tests = testsOf(run);
  console.log("canary: a test that must fail");
  if (tests?.length === 1 && tests[0][1].status === "Failure" && run.code !== 0) pass("it failed");
  else fail(`it did not fail as it must (code ${run.code}):\n${run.stdout}${run.stderr}`);
}

async function main() {
  mkdirSync(cache, { recursive: true });
  console.log("build");
  // Side by side: the compiler uses one core, and the two have nothing in common. What does not compile, the tests tell.
  await Promise.all([build(), runForge(["build", "--quiet"], { profile: "legacy" })]);
  const stale = syncCommitted({ write: false });
  if (stale.length > 0) fail(`files that are not those of the contracts, run the build: ${stale.join(", ")}`);
  else pass("the committed ABIs and bytecode are what the compiler makes of the contracts, byte by byte");
  const sizes = checkSizes({ update: options["update-gas"] });
  if (sizes.length > 0) fail(`contract sizes: ${sizes.join("; ")}`);
  else pass("the contracts have the sizes of contracts/snapshots");

  forgetHits();
  if (options.long) {
    gatherCorpus();
    count("a million calls an invariant, on the bytecode that ships", await everything("contracts/out", LONG));
    countHits();
    return;
  }
  // Side by side: the longest invariant keeps one core at work for as long as all the rest take.
  const [shipped, other] = await Promise.all([
    everything("contracts/out"),
    everything("contracts/cache/legacy/out", BRIEF),
    gas(),
    canary(),
  ]);
  count("via-IR pipeline, the bytecode that ships", shipped);
  countHits();
  count("legacy pipeline", other);
}

try {
  await main();
} catch (error) {
  fail(error.message);
}
console.log(`contracts: ${totals.passed} passed, ${totals.failed} failed`);
if (options.summary) writeFileSync(options.summary, `${JSON.stringify(totals)}\n`);
process.exitCode = totals.failed > 0 ? 1 : 0;
