// Tries mutants one after the other, in a process and a copy of the sources of its own: compiles the mutated contract
// alone, puts its bytecode where the tests load it from, and runs them. The tests themselves are compiled once.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { artefactsOf, textOf } from "./compile.mjs";
import { contractsRoot, forgeBinary } from "./forge.mjs";
import { mutated } from "./mutations.mjs";

const root = path.join(contractsRoot, "..");
const memoSolc = fileURLToPath(new URL("./memoSolc.mjs", import.meta.url));

/** Few random cases: what only a long search finds is for `npm run test:long` on the contracts themselves. */
const FEW = { FOUNDRY_FUZZ_RUNS: "16", FOUNDRY_INVARIANT_RUNS: "4", FOUNDRY_INVARIANT_DEPTH: "60" };
/** A mutant that loops for ever runs out of gas, or of time. */
const GAS_LIMIT = "5000000000";
/** For a contract's own tests, which take seconds, and for all others. */
const TIME_LIMITS_MS = [90_000, 300_000];

const [memo = ""] = process.argv.slice(2);
const code = path.join(contractsRoot, "cache", "code");

/** The tests of `files` that fail, on the bytecode in `code`. */
async function fails(files, timeLimitMs) {
  if (files.length === 0) return false;
  // A case that failed by an earlier mutant is not tried first.
  for (const kept of ["fuzz", "invariant", "test-failures"]) {
    rmSync(path.join(contractsRoot, "cache", kept), { recursive: true, force: true });
  }
  const pattern = files.length === 1 ? files[0] : `{${files.join(",")}}`;
  const run = await forge(["test", "--fail-fast", "--match-path", pattern], timeLimitMs);
  if (run.late || run.output.includes("[FAIL")) return true;
  if (run.exit !== 0) throw new Error(`forge left with code ${run.exit}:\n${run.output}`);
  return false;
}

function forge(args, timeout = 0) {
  return new Promise((resolve, reject) => {
    const child = spawn(forgeBinary(), [...args, "--root", root, "--use", memoSolc, "--offline"], {
      cwd: root,
      timeout,
      killSignal: "SIGKILL",
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        ...FEW,
        AQUA_SOLC_MEMO: memo,
        AQUA_ARTEFACTS: path.relative(root, code),
        FOUNDRY_CONFIG: path.join(contractsRoot, "foundry.toml"),
        FOUNDRY_PROFILE: "legacy",
        FOUNDRY_GAS_LIMIT: GAS_LIMIT,
      },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("error", reject);
    child.on("close", (exit, signal) => resolve({ exit, output, late: signal === "SIGKILL" }));
  });
}

function store({ contract, abi, bytecode }) {
  const file = path.join(code, `${contract}.sol`, `${contract}.json`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ abi, bytecode }));
}

const hashOf = (artefacts) =>
  createHash("sha256")
    .update(artefacts.map(({ contract, bytecode }) => `${contract} ${bytecode.object}`).join("\n"))
    .digest("hex");

/** What the contracts of each source compile to as they are. */
const originals = new Map();

const acts = {
  /** Stores all contracts as they are, compiles the tests and runs them all: they must pass. */
  async prepare({ contracts, tests }) {
    for (const artefact of artefactsOf(contracts) ?? []) store(artefact);
    const build = await forge(["build", "--quiet"]);
    if (build.exit !== 0) throw new Error(`the tests do not compile:\n${build.output}`);
    if (await fails(tests, TIME_LIMITS_MS[1])) throw new Error("a test fails without any mutation");
    return {};
  },

  /** Compiles a mutant: what became of that, and a hash of the bytecode. */
  compile({ mutation, contracts }) {
    const { file } = mutation;
    const key = contracts.map(({ contract }) => contract).join();
    if (!originals.has(key)) originals.set(key, artefactsOf(contracts));
    const artefacts = artefactsOf(contracts, { [file]: mutated(textOf(file), mutation) });
    if (artefacts === null) return { outcome: "does not compile" };
    const hash = hashOf(artefacts);
    if (hash === hashOf(originals.get(key))) return { outcome: "same bytecode" };
    for (const artefact of artefacts) store(artefact);
    return { hash, key };
  },

  /** Runs the tests on the mutant that was compiled last, and takes its bytecode away. */
  async test({ key, groups }) {
    try {
      for (const [index, files] of groups.entries()) {
        if (await fails(files, TIME_LIMITS_MS[index])) return { outcome: "killed" };
      }
      return { outcome: "survived" };
    } finally {
      acts.restore({ key });
    }
  },

  restore({ key }) {
    for (const artefact of originals.get(key)) store(artefact);
    return {};
  },
};

process.on("message", async ({ act, ...input }) => {
  try {
    process.send({ answer: await acts[act](input) });
  } catch (error) {
    process.send({ error: error.stack });
  }
});
