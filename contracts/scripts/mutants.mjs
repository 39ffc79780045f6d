// Changes the contracts in small ways, one at a time, and checks that a test fails by each: a mutant that survives is a
// test that is missing, or makes no difference, which contracts/test/mutants.json then says why.
//
//   node contracts/scripts/mutants.mjs [--contract <name>] [--match <text>] [--sample <count> [--seed <number>]]
//                                      [--resume] [--workers <count>] [--list] [--summary <file>]
//
// --match takes those whose printed name contains a text; --resume goes on from the results in contracts/cache/mutants of
// the same sources and tests; --list prints the mutants and runs nothing. Exits non-zero when a survivor is not listed or
// a listed one is killed.
import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { closureOf, importsOf, syntaxTreesOf, textOf } from "./compile.mjs";
import { contractsRoot } from "./forge.mjs";
import { judge, mutationsOf, outcomesOf, sampleOf } from "./mutations.mjs";

const { values: options } = parseArgs({
  options: {
    contract: { type: "string" },
    match: { type: "string", default: "" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    resume: { type: "boolean", default: false },
    workers: { type: "string", default: String(availableParallelism()) },
    list: { type: "boolean", default: false },
    summary: { type: "string" },
  },
});

const root = path.join(contractsRoot, "..");
const folder = path.join(contractsRoot, "cache", "mutants");
const resultsFile = path.join(folder, "results.json");
const listFile = path.join(contractsRoot, "test", "mutants.json");
const ACCESS_MANAGER = "@openzeppelin/contracts/access/manager/AccessManager.sol";

const filesOf = (pattern) =>
  globSync(pattern, { cwd: root })
    .map((file) => file.split(path.sep).join("/"))
    .sort();
const sources = filesOf("contracts/src/**/*.sol");
const tests = filesOf("contracts/test/{unit,fuzz,invariant}/*.t.sol");

/** Contracts that can be deployed, the mutants, and for each source which contracts and files depend on it. */
function readSources() {
  const all = [...sources, ACCESS_MANAGER];
  const trees = syntaxTreesOf(all);
  const sourceOf = new Map(Object.entries(trees).flatMap(([source, { nodes }]) => nodes.map(({ id }) => [id, source])));
  const deployed = all.flatMap((source) =>
    trees[source].nodes
      .filter(({ nodeType, contractKind, abstract }) => {
        return nodeType === "ContractDefinition" && contractKind === "contract" && !abstract;
      })
      .map(({ name, linearizedBaseContracts }) => ({
        source,
        contract: name,
        family: new Set(linearizedBaseContracts.map((id) => sourceOf.get(id))),
      })),
  );
  /** Whether any contract that imports a source can contain its code. */
  const isLibrary = (source) =>
    trees[source].nodes.some(
      ({ nodeType, contractKind }) => nodeType === "FunctionDefinition" || contractKind === "library",
    );
  /** Every contract whose bytecode depends on a source. */
  const dependentOn = (source) =>
    deployed
      .filter((one) => one.family.has(source) || (isLibrary(source) && closureOf(one.source).has(source)))
      .map(({ contract, source: file }) => ({ source: file, contract }));
  /** A source and those that make one contract with it. */
  const familyOf = (source) =>
    new Set([source, ...deployed.filter(({ family }) => family.has(source)).flatMap(({ family }) => [...family])]);
  const mutants = sources
    .filter((source) => !source.startsWith("contracts/src/local/"))
    .flatMap((source) => mutationsOf({ file: source, text: textOf(source), ast: trees[source] }))
    .map((mutation) => ({ ...mutation, id: mutation.id.replace("contracts/src/", "") }));
  const contracts = deployed.map(({ source, contract }) => ({ source, contract }));
  return { contracts, dependentOn, familyOf, mutants };
}

/** The tests a source can fail: first those that import a file of its family, without the long random runs. */
function testsOf(source, family) {
  const touching = tests.filter((test) => closureOf(test).has(source));
  const own = touching.filter(
    (test) => importsOf(test).some((file) => family.has(file)) && !test.includes("/invariant/"),
  );
  return [own, touching.filter((test) => !own.includes(test))];
}

/** Of everything a result depends on. */
function fingerprint() {
  const hash = createHash("sha256");
  for (const file of filesOf("contracts/{src,test,scripts}/**/*.{sol,mjs,csv}")) {
    hash.update(file).update(readFileSync(path.join(root, file)));
  }
  return hash.digest("hex");
}

/** A process that tries mutants, on a copy of the sources of its own; one request at a time. */
function startWorker(number) {
  const copy = path.join(folder, `worker-${number}`);
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(path.join(copy, "contracts", "cache"), { recursive: true });
  for (const part of ["src", "test", "scripts", "foundry.toml"]) {
    cpSync(path.join(contractsRoot, part), path.join(copy, "contracts", part), { recursive: true });
  }
  symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));
  const child = fork(path.join(copy, "contracts", "scripts", "mutantWorker.mjs"), [path.join(folder, "solc")]);
  const ask = (act, input = {}) =>
    new Promise((resolve, reject) => {
      const left = (code) => reject(new Error(`a worker left with code ${code}`));
      child.once("exit", left);
      child.once("message", ({ answer, error }) => {
        child.off("exit", left);
        if (error === undefined) resolve(answer);
        else reject(new Error(error));
      });
      child.send({ act, ...input });
    });
  return { ask, stop: () => child.disconnect() };
}

/** Adds the result of each mutant, `{ outcome, hash }`, by its id; those there already are not run again. */
async function runAll({ mutants, contracts, dependentOn, familyOf, results, save }) {
  const left = mutants.filter(({ id }) => !results.has(id));
  if (left.length === 0) return;
  const seen = new Set([...results.values()].map(({ hash }) => hash));
  let done = 0;
  const started = Date.now();
  const work = async (number) => {
    const worker = startWorker(number);
    try {
      await worker.ask("prepare", { contracts, tests: number === 0 ? tests : [] });
      for (let mutation = left.shift(); mutation !== undefined; mutation = left.shift()) {
        const result = await tryOne(worker, mutation);
        results.set(mutation.id, result);
        done += 1;
        if (result.outcome === "survived") console.log(`  survived  ${mutation.id}`);
        if (done % 25 === 0) {
          save();
          console.log(
            `  ${done} done, ${left.length} left, ${((Date.now() - started) / 1000 / done).toFixed(1)} s each`,
          );
        }
      }
    } catch (error) {
      // The other workers end after the mutant they are at.
      left.length = 0;
      throw error;
    } finally {
      worker.stop();
    }
  };
  const tryOne = async (worker, mutation) => {
    const compiled = await worker.ask("compile", { mutation, contracts: dependentOn(mutation.file) });
    if (compiled.outcome !== undefined) return compiled;
    const { hash, key } = compiled;
    if (seen.has(hash)) {
      await worker.ask("restore", { key });
      return { outcome: "duplicate", hash };
    }
    seen.add(hash);
    return { ...(await worker.ask("test", { key, groups: testsOf(mutation.file, familyOf(mutation.file)) })), hash };
  };
  await Promise.all(
    Array.from({ length: Math.min(left.length, Number(options.workers)) }, (_, number) => work(number)),
  );
  console.log(`${done} mutants in ${((Date.now() - started) / 1000).toFixed(0)} s`);
}

function readResults(hash) {
  if (!options.resume || !existsSync(resultsFile)) return new Map();
  const stored = JSON.parse(readFileSync(resultsFile, "utf8"));
  return stored.hash === hash ? new Map(Object.entries(stored.results)) : new Map();
}

async function main() {
  const { contracts, dependentOn, familyOf, mutants: all } = readSources();
  const ofContract = all.filter(
    ({ file, id }) =>
      (options.contract === undefined || path.basename(file, ".sol") === options.contract) &&
      id.includes(options.match),
  );
  if (ofContract.length === 0) throw new Error("no mutant of that contract and name in contracts/src");
  const mutants =
    options.sample === undefined
      ? ofContract
      : sampleOf(ofContract, { count: Number(options.sample), seed: Number(options.seed) });
  if (options.list) {
    for (const { id, line, operator } of mutants) console.log(`${line}  ${operator}  ${id}`);
    console.log(`${mutants.length} mutants`);
    return { passed: 0, failed: 0, failures: [] };
  }
  console.log(`${mutants.length} of ${all.length} mutants`);
  mkdirSync(folder, { recursive: true });
  const hash = fingerprint();
  const results = readResults(hash);
  const save = () => writeFileSync(resultsFile, JSON.stringify({ hash, results: Object.fromEntries(results) }));
  try {
    await runAll({ mutants, contracts, dependentOn, familyOf, results, save });
  } finally {
    save();
  }
  const outcomes = outcomesOf(
    mutants.map(({ id }) => id),
    results,
  );
  const listed = JSON.parse(readFileSync(listFile, "utf8"));
  const { counts, score, problems } = judge({ outcomes, listed, complete: mutants.length === all.length });
  console.log(
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(" · "),
  );
  console.log(`${(score * 100).toFixed(1)} % of those that are not equivalent are killed`);
  for (const problem of problems) console.log(problem);
  return { passed: counts.killed + counts.equivalent, failed: problems.length, failures: problems };
}

const totals = await main().catch((error) => {
  console.error(error.message);
  return { passed: 0, failed: 1, failures: [error.message] };
});
console.log(`mutants: ${totals.passed} passed, ${totals.failed} failed`);
if (options.summary) writeFileSync(options.summary, `${JSON.stringify(totals)}\n`);
process.exitCode = totals.failed > 0 ? 1 : 0;
