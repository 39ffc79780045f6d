// Checks the proofs in contracts/proofs, and that the model they are about does what the contracts do.
//
//   node contracts/scripts/prove.mjs [--summary <file>] [--update] [--quick]
//
// Coq checks every theorem and that none rests on an axiom; cvc5 proves the arithmetic again; the extracted model makes
// the traces of contracts/test/vectors anew, which must come out as they are stored; then a million calls of the model are
// repeated on the contracts. Each check is also run on something wrong, which it must notice. --update stores the traces
// anew; --quick leaves the million calls out. Exits non-zero when anything failed.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { contractsRoot, runForge } from "./forge.mjs";

const { values: options } = parseArgs({
  options: {
    summary: { type: "string" },
    update: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
  },
});

/** In the order in which they import each other. */
const THEORIES = ["Rounding", "DemandVault", "RedemptionQueue", "TermDeposit"];
const QUESTIONS = ["rounding", "vault", "queue", "term"];
/** A model's name, how many calls its stored trace has, and how many each of `TRACES` others has. */
const MODELS = [
  { name: "vault", stored: 6000, each: 21_000 },
  { name: "term", stored: 4000, each: 6000 },
];
const TRACES = 50;
/** A question that takes longer is not answered. */
const MOST_MILLISECONDS = 30_000;

const proofs = path.join(contractsRoot, "proofs");
const vectors = path.join(contractsRoot, "test", "vectors");
const work = path.join(contractsRoot, "cache", "proofs");
const traces = path.join(work, "traces");
const totals = { passed: 0, failed: 0, failures: [] };

function check(ok, line, why = "") {
  totals[ok ? "passed" : "failed"] += 1;
  if (!ok) totals.failures.push(`${line}\n${why}`);
  console.log(`  ${ok ? "ok     " : "FAILED "} ${line}${ok || !why ? "" : `\n${why}`}`);
  return ok;
}

function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: work,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  return { ok: status === 0, stdout: stdout ?? "", text: `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}` };
}

/** Whether all programs are there; one line says what to install where one is not. */
function hasPrograms() {
  const missing = [
    ["coqc", ["--version"]],
    ["ocamlfind", ["ocamlopt", "-version"]],
    ["ocamlfind", ["query", "zarith"]],
    ["cvc5", ["--version"]],
  ].filter(([command, args]) => !run(command, args).ok);
  return check(
    missing.length === 0,
    "Coq, OCaml with zarith and cvc5 are installed",
    `missing: ${missing.map((words) => words.flat().join(" ")).join(", ")}; on Debian: apt-get install coq ocaml-nox ocaml-findlib libzarith-ocaml-dev cvc5`,
  );
}

const coq = (file) => run("coqc", ["-q", "-Q", ".", "Aqua", file]);
const sourceOf = (theory) => readFileSync(path.join(proofs, `${theory}.v`), "utf8");
const write = (file, text) => writeFileSync(path.join(work, file), text);

/** Which theorems of these theories rest on an axiom, by Coq's own word. */
function axiomsOf(theories) {
  const names = theories.flatMap((theory) =>
    [...readFileSync(path.join(work, `${theory}.v`), "utf8").matchAll(/^(?:Theorem|Corollary|Lemma) (\w+)/gm)].map(
      ([, name]) => `${theory}.${name}`,
    ),
  );
  write(
    "Assumptions.v",
    `From Aqua Require ${theories.join(" ")}.\n${names.map((name) => `Print Assumptions ${name}.\n`).join("")}`,
  );
  const { stdout, text } = run("coqc", ["-q", "-Q", ".", "Aqua", "Assumptions.v"]);
  const closed = stdout.split("Closed under the global context").length - 1;
  return { all: names.length, resting: names.length - closed, text };
}

function checkTheorems() {
  console.log("theorems");
  const proven = THEORIES.every((theory) => {
    const { ok, text } = coq(`${theory}.v`);
    return check(ok, `${theory}.v is proven`, text);
  });
  if (!proven) return false;
  const { all, resting, text } = axiomsOf(THEORIES);
  check(all > 0 && resting === 0, `none of ${all} theorems and lemmas rests on an axiom`, text);

  // Shares rounded up at a deposit: the price would fall.
  const wrong = sourceOf("DemandVault").replace(
    "let shares := sharesDown v assets in",
    "let shares := sharesUp v assets in",
  );
  write("Wrong.v", wrong);
  const refused = wrong !== sourceOf("DemandVault") && !coq("Wrong.v").ok;
  check(refused, "a model that rounds a deposit's shares up is refused");
  write("Assumed.v", "Axiom anything : False.\nLemma everything : 1 = 2.\nProof. destruct anything. Qed.\n");
  run("coqc", ["-q", "-Q", ".", "Aqua", "Assumed.v"]);
  check(axiomsOf(["Assumed"]).resting === 1, "a lemma that rests on an axiom is noticed");
  return true;
}

/** The solver's answers to the questions of a text. */
function answersTo(text) {
  write("question.smt2", text);
  const { text: answers } = run("cvc5", ["--incremental", `--tlimit-per=${MOST_MILLISECONDS}`, "question.smt2"]);
  return answers.trim().split("\n");
}

function checkArithmetic() {
  console.log("arithmetic, by cvc5");
  for (const name of QUESTIONS) {
    const text = readFileSync(path.join(proofs, `${name}.smt2`), "utf8");
    const asked = text.split("(check-sat)").length - 1;
    const answers = answersTo(text);
    const ok = answers.length === asked && answers.every((answer) => answer === "unsat");
    check(ok, `${name}.smt2: no counterexample to ${asked} lemmas`, answers.join(" "));
  }
  const wrong =
    "(declare-const a Int)(declare-const c Int)(assert (> c 0))(assert (> (* (+ (div a c) 1) c) a))(check-sat)";
  check(answersTo(`(set-logic QF_NIA)${wrong}`)[0] === "sat", "a counterexample to a wrong lemma is found");
}

/** Makes the program `trace` from the proven model. */
function extract() {
  console.log("model");
  const extracted = coq("Extraction.v");
  if (!check(extracted.ok, "the models are extracted", extracted.text)) return false;
  const files = ["vault_model.mli", "vault_model.ml", "term_model.mli", "term_model.ml", "trace.ml"];
  const compiled = run("ocamlfind", ["ocamlopt", "-package", "zarith", "-linkpkg", ...files, "-o", "trace"]);
  return check(compiled.ok, "the extracted models compile", compiled.text);
}

const traceOf = (name, calls, seed) => run(path.join(work, "trace"), [name, String(calls), String(seed)]);

function checkStored() {
  for (const { name, stored } of MODELS) {
    const file = path.join(vectors, `${name}-model.csv`);
    const { ok, stdout, text } = traceOf(name, stored, 1);
    if (options.update && ok) writeFileSync(file, stdout);
    const same = ok && stdout === readFileSync(file, "utf8");
    check(same, `the stored trace of the ${name} is the model's`, ok ? "other calls; --update stores them" : text);
  }
}

/** Runs the replay of the traces in `folder`. */
async function replay(folder, count) {
  const env = { AQUA_ARTEFACTS: "contracts/out", AQUA_TRACES: folder, AQUA_TRACE_COUNT: String(count) };
  const { code, stdout, stderr } = await runForge(["test", "--match-path", "contracts/test/campaign/*Replay.t.sol"], {
    profile: "legacy",
    env,
  });
  const passed = Number(/(\d+) tests? passed, 0 failed/.exec(stdout)?.[1] ?? 0);
  return { ok: code === 0 && passed === MODELS.length, text: stdout + stderr };
}

async function checkContracts() {
  console.log("contracts");
  await build();
  mkdirSync(traces, { recursive: true });
  let calls = 0;
  for (const { name, each } of MODELS) {
    for (let i = 0; i < TRACES; ++i) {
      const { ok, stdout, text } = traceOf(name, each, i + 2);
      if (!ok) return check(false, `trace ${i} of the ${name}`, text);
      calls += stdout.split("\n").length - 1;
      writeFileSync(path.join(traces, `${name}-model-${i}.csv`), stdout);
    }
  }
  const { ok, text } = await replay("contracts/cache/proofs/traces", TRACES);
  check(ok, `${calls} calls of the model have the same effect on the contracts`, text);

  // One digit of the last row that is not refused is another one; what is refused has four cells at most.
  for (const { name } of MODELS) {
    const file = path.join(traces, `${name}-model-0.csv`);
    const rows = readFileSync(file, "utf8").split("\n");
    const at = rows.findLastIndex((row) => row.split(",").length > 4);
    rows[at] = rows[at].replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
    writeFileSync(file, rows.join("\n"));
    const changed = await replay("contracts/cache/proofs/traces", 1);
    check(!changed.ok && changed.text.includes(`row ${at + 1}`), `a wrong digit in a trace of the ${name} is noticed`);
    cpSync(path.join(traces, `${name}-model-1.csv`), file);
  }
}

async function main() {
  rmSync(work, { recursive: true, force: true });
  cpSync(proofs, work, { recursive: true });
  if (!hasPrograms() || !checkTheorems()) return;
  checkArithmetic();
  if (!extract()) return;
  checkStored();
  if (!options.quick) await checkContracts();
}

try {
  await main();
} catch (error) {
  check(false, "the check of the proofs ended early", error.stack);
}
console.log(`proofs: ${totals.passed} passed, ${totals.failed} failed`);
if (options.summary) writeFileSync(options.summary, `${JSON.stringify(totals)}\n`);
process.exitCode = totals.failed > 0 ? 1 : 0;
