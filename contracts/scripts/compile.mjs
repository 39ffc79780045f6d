// Compiles single contracts by npm's solc in this process, with the settings of the legacy pipeline: what takes forge
// seconds takes one for a contract whose neighbours are known.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { contractsRoot } from "./forge.mjs";

const require = createRequire(import.meta.url);
const root = path.join(contractsRoot, "..");
const texts = new Map();

/** The text of a source by the name by which others import it: from the repository's root, or of a package. */
export function textOf(name) {
  if (!texts.has(name)) {
    const folder = name.startsWith("@") ? path.join(root, "node_modules") : root;
    texts.set(name, readFileSync(path.join(folder, name), "utf8"));
  }
  return texts.get(name);
}

/** What a source imports directly. */
export function importsOf(name) {
  return [...textOf(name).matchAll(/^import\s[^"]*"([^"]+)";/gm)].map(([, target]) =>
    target.startsWith(".") ? path.posix.join(path.posix.dirname(name), target) : target,
  );
}

/** A source and all it imports, however far. */
export function closureOf(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const target of importsOf(name)) closureOf(target, found);
  return found;
}

/** @param {{ names: Iterable<string>, changed?: Record<string, string>, wanted: object }} input `wanted`: outputSelection */
function compile({ names, changed = {}, wanted }) {
  const sources = Object.fromEntries([...names].map((name) => [name, { content: changed[name] ?? textOf(name) }]));
  const settings = {
    evmVersion: "cancun",
    optimizer: { enabled: true, runs: 200 },
    metadata: { bytecodeHash: "none", appendCBOR: false },
    outputSelection: wanted,
  };
  return JSON.parse(require("solc").compile(JSON.stringify({ language: "Solidity", sources, settings })));
}

const failures = ({ errors = [] }) => errors.filter(({ severity }) => severity === "error");

/** The syntax trees of sources and of all they import, by name. */
export function syntaxTreesOf(names, changed = {}) {
  const all = new Set(Object.keys(changed));
  for (const name of names) closureOf(name, all);
  const output = compile({ names: all, changed, wanted: { "*": { "": ["ast"] } } });
  if (failures(output).length > 0) throw new Error(failures(output)[0].formattedMessage);
  return Object.fromEntries(Object.entries(output.sources).map(([name, { ast }]) => [name, ast]));
}

/**
 * The artefacts of contracts, `{ source, contract }`, in the form the tests load, with some sources changed; null where
 * that does not compile.
 */
export function artefactsOf(contracts, changed = {}) {
  const names = new Set();
  for (const { source } of contracts) closureOf(source, names);
  const wanted = {};
  for (const { source, contract } of contracts) {
    wanted[source] = { ...wanted[source], [contract]: ["abi", "evm.bytecode.object"] };
  }
  const output = compile({ names, changed, wanted });
  if (failures(output).length > 0) return null;
  return contracts.map(({ source, contract }) => {
    const { abi, evm } = output.contracts[source][contract];
    return { contract, abi, bytecode: { object: `0x${evm.bytecode.object}` } };
  });
}
