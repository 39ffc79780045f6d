// Measures how much of contracts/src the tests reach, and fails below 100 % of lines or 98 % of branches.
//
//   node contracts/scripts/coverage.mjs [--summary <file>]
//
// forge's coverage loses what the compiler dissolves: a call it inlines, an assignment, a line of assembly count as
// missed though they run. So what forge reports as missed is probed: a copy of the sources gets a probe at each such
// place, which reverts when it is set off, and the tests run once for each. A probe no test notices is missed indeed.
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { contractsRoot, runForge } from "./forge.mjs";

const { values: options } = parseArgs({ options: { summary: { type: "string" } } });

const LEAST_LINES = 1;
const LEAST_BRANCHES = 0.98;
/** Probe `number` is set off by code at this address plus `number`. */
const FIRST_PROBE = 0xc0ffee0000;
const cache = path.join(contractsRoot, "cache");
const lcovFile = path.join(cache, "lcov.info");
const copy = path.join(cache, "probes");
const settings = { profile: "legacy", env: { AQUA_ARTEFACTS: "" } };
const without = ["canary", "campaign", "gas", "invariant"].map((folder) => `contracts/test/${folder}/*`);
/** Compiling those takes minutes too. */
const skipped = without.flatMap((files) => ["--skip", files]);
/** Code that counts what runs needs more gas than the bounds of loops allow. */
const tests = ["--no-match-path", `{${[...without, "contracts/test/unit/LoopBounds.t.sol"].join()}}`];

/** What lcov says of each file of contracts/src: how many lines and branches, and which were missed. */
function readLcov(text) {
  const files = [];
  for (const record of text.split("end_of_record")) {
    const file = /^SF:(.*)$/m.exec(record)?.[1];
    if (!file?.startsWith("contracts/src/")) continue;
    const lines = [...record.matchAll(/^DA:(\d+),(\d+)/gm)].map(([, line, hits]) => ({ line: +line, hits: +hits }));
    const branches = [...record.matchAll(/^BRDA:(\d+),\d+,(\d+),(\d+|-)/gm)].map(([, line, branch, hits]) => ({
      line: +line,
      branch: +branch,
      hits: hits === "-" ? 0 : +hits,
    }));
    files.push({ file, lines, branches });
  }
  return files;
}

/** The row with another condition of its `if`. */
function withCondition(row, change) {
  const start = row.indexOf("if (") + "if (".length;
  let end = start;
  for (let open = 1; open > 0 && end < row.length; end++) open += { "(": 1, ")": -1 }[row[end]] ?? 0;
  const condition = row.slice(start, end - 1);
  return row.slice(0, start) + change(condition) + row.slice(end - 1);
}

/** The row of the assembly block that a row is in. -1 outside assembly. */
function assemblyAround(rows, at) {
  let open = 0;
  for (let row = at - 1; row >= 0; row--) {
    open += rows[row].split("{").length - rows[row].split("}").length;
    if (open <= 0) continue;
    if (/\bassembly\b.*\{$/.test(rows[row])) return row;
    open = 0;
  }
  return -1;
}

/** The source text with probe `number` at a missed place. */
function withProbe(text, { line, branch }, number) {
  const rows = text.split("\n");
  const at = line - 1;
  const assembly = assemblyAround(rows, at);
  if (branch === undefined) {
    // Assembly cannot call a function of Solidity, so the probe goes before the block.
    const before = assembly >= 0 ? assembly : at;
    rows[before] = rows[before].replace(/\S/, (first) => `probe(${number}); ${first}`);
  } else if (assembly >= 0) {
    // The branch is left out instead of reverting, because what assembly does in a branch is mostly to revert.
    const isSetOff = `extcodesize(0x${(FIRST_PROBE + number).toString(16)})`;
    const probed = branch === 0 ? `if and(iszero(iszero($1)), iszero(${isSetOff})) {` : `if or($1, ${isSetOff}) {`;
    rows[at] = rows[at].replace(/if (\S.*?) \{/, probed);
  } else {
    rows[at] = withCondition(rows[at], (condition) =>
      branch === 0 ? `(${condition}) && !probe(${number})` : `${condition} || probe(${number})`,
    );
  }
  return rows.join("\n");
}

/** Copies the sources and tests, with a probe at every missed place. */
function plantProbes(missed) {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(path.join(copy, "contracts", "cache"), { recursive: true });
  for (const part of ["src", "test", "scripts", "foundry.toml"]) {
    cpSync(path.join(contractsRoot, part), path.join(copy, "contracts", part), { recursive: true });
  }
  symlinkSync(path.join(contractsRoot, "..", "node_modules"), path.join(copy, "node_modules"));
  const probe = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface ProbeVm {
    function envOr(string calldata name, uint256 otherwise) external view returns (uint256);
    function etch(address target, bytes calldata code) external;
}

function probeAt(uint256 number) pure returns (address) {
    return address(uint160(${FIRST_PROBE} + number));
}

function readProbe(uint256 number) view returns (bool) {
    if (probeAt(number).code.length != 0) revert();
    return false;
}

// Pure functions are probed too, which the compiler would refuse to let read.
function probe(uint256 number) pure returns (bool) {
    function(uint256) view returns (bool) reading = readProbe;
    function(uint256) pure returns (bool) pretended;
    assembly {
        pretended := reading
    }
    return pretended(number);
}
`;
  writeFileSync(path.join(copy, "contracts/src/Probe.sol"), probe);

  for (const [number, place] of missed.entries()) {
    const file = path.join(copy, place.file);
    const text = readFileSync(file, "utf8");
    const probed = withProbe(text, place, number + 1);
    if (probed === text) throw new Error(`no probe fits into ${place.file}:${place.line}`);
    writeFileSync(file, probed);
  }
  const head = /^pragma solidity .*$/m;
  for (const file of new Set(missed.map((place) => place.file))) {
    const text = readFileSync(path.join(copy, file), "utf8");
    writeFileSync(
      path.join(copy, file),
      text.replace(head, (line) => `${line} import {probe} from "contracts/src/Probe.sol";`),
    );
  }
  const base = path.join(copy, "contracts/test/support/Test.sol");
  const text = readFileSync(base, "utf8");
  const opening = "abstract contract Test {";
  if (!text.includes(opening)) throw new Error("the base of the tests has another name");
  const setOff = `constructor() {
        uint256 number = ProbeVm(address(vm)).envOr("AQUA_PROBE", uint256(0));
        if (number != 0) ProbeVm(address(vm)).etch(probeAt(number), hex"00");
    }`;
  writeFileSync(
    base,
    text
      .replace(head, (line) => `${line} import {ProbeVm, probeAt} from "contracts/src/Probe.sol";`)
      .replace(opening, `${opening}\n    ${setOff}`),
  );
}

/** Runs tests on the copy, by its own script, with probe `number` set off; 0 sets off none. */
async function runTests(number, which) {
  const script = await import(pathToFileURL(path.join(copy, "contracts/scripts/forge.mjs")).href);
  const env = { ...settings.env, AQUA_PROBE: String(number) };
  return script.runForge(["test", "--fail-fast", ...which], { ...settings, env });
}

/** Whether a test fails with the probe of a place set off: one of the contract's own, which come first, or any other. */
async function isReached({ file }, number) {
  const own = `contracts/test/unit/${path.basename(file, ".sol")}*.t.sol`;
  for (const which of [["--match-path", own], tests]) {
    const run = await runTests(number, which);
    if (run.stdout.includes("[FAIL")) return true;
    // A library has no tests of its own; anything else that goes wrong must not pass for a failing test.
    const none = /no tests (found|to run|match)/i.test(run.stdout + run.stderr);
    if (run.code !== 0 && !none) throw new Error(`forge left with code ${run.code}:\n${run.stdout}${run.stderr}`);
  }
  return false;
}

async function main() {
  mkdirSync(cache, { recursive: true });
  const args = ["coverage", "--ir-minimum", "--report", "lcov", "--report-file", lcovFile, ...tests, ...skipped];
  const run = await runForge(args, settings);
  if (run.code !== 0) throw new Error(`a test failed under coverage:\n${run.stdout}${run.stderr}`);
  const files = readLcov(readFileSync(lcovFile, "utf8"));
  if (files.length === 0) throw new Error("forge reported nothing of contracts/src");

  const missed = files.flatMap(({ file, lines, branches }) =>
    [...lines, ...branches].filter(({ hits }) => hits === 0).map((place) => ({ ...place, file })),
  );
  if (missed.length > 0) {
    console.log(`forge reports ${missed.length} places as missed; a probe for each`);
    plantProbes(missed);
    const control = await runTests(0, tests);
    if (control.code !== 0) throw new Error(`the probed copy fails by itself:\n${control.stdout}${control.stderr}`);
    for (const [index, place] of missed.entries()) {
      place.reached = await isReached(place, index + 1);
      const what = place.branch === undefined ? "" : ` branch ${place.branch}`;
      console.log(`  ${place.reached ? "reached" : "MISSED "}  ${place.file}:${place.line}${what}`);
    }
  }
  const totals = { passed: 0, failed: 0 };
  for (const { file, lines, branches } of files) {
    const share = (all, own) => {
      const left = missed.filter((place) => place.file === file && !place.reached && own(place)).length;
      return { left, all: all.length, part: all.length === 0 ? 1 : 1 - left / all.length };
    };
    const line = share(lines, ({ branch }) => branch === undefined);
    const branch = share(branches, ({ branch: number }) => number !== undefined);
    const good = line.part >= LEAST_LINES && branch.part >= LEAST_BRANCHES;
    totals[good ? "passed" : "failed"] += 1;
    const figures = [line, branch].map(({ left, all, part }) => `${(part * 100).toFixed(1)} % (${all - left}/${all})`);
    console.log(`${good ? "ok    " : "FAILED"}  ${file}  lines ${figures[0]}  branches ${figures[1]}`);
  }
  return totals;
}

const totals = await main().catch((error) => {
  console.error(error.message);
  return { passed: 0, failed: 1 };
});
console.log(`coverage: ${totals.passed} passed, ${totals.failed} failed`);
if (options.summary) writeFileSync(options.summary, `${JSON.stringify(totals)}\n`);
process.exitCode = totals.failed > 0 ? 1 : 0;
