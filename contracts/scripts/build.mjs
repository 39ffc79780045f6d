// Compiles contracts/src as it ships and writes what the rest of the system takes from it: the ABIs in
// packages/sdk/src/abi and the bytecode in contracts/bytecode, both committed. Compiling takes half of a first start, so
// it is left out while the committed bytecode is that of the sources, by their hash; the tests compile and compare.
//
//   node contracts/scripts/build.mjs           compiles and writes both when a source changed since
//   node contracts/scripts/build.mjs --check   compiles, then fails if what is committed is not what comes out
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { contractsRoot, runForge } from "./forge.mjs";

const require = createRequire(import.meta.url);
const out = path.join(contractsRoot, "out");
const stampFile = path.join(out, "sources.sha256");
const bytecodeFolder = path.join(contractsRoot, "bytecode");
const bytecodeStamp = path.join(bytecodeFolder, "sources.sha256");
const abiFolder = fileURLToPath(new URL("../../packages/sdk/src/abi/", import.meta.url));

/** The contracts whose ABI the server, the web app and third parties use. */
export const PUBLISHED = [
  "AccessManager",
  "DemandVault",
  "IdentityRegistry",
  "ProductRegistry",
  "ReceiptRenderer",
  "RedemptionQueue",
  "TelemetryAnchor",
  "TermDeposit",
  "TestDollar",
];

/** Where the compiler leaves what it made of a contract. */
export const artefactFile = (contract) => path.join(out, `${contract}.sol`, `${contract}.json`);

/** Hash of everything the artefacts depend on: sources, settings, compiler, libraries. */
function sourcesHash() {
  const hash = createHash("sha256");
  const add = (name, content) => hash.update(`${name}\0${content.length}\0`).update(content);
  const sources = readdirSync(path.join(contractsRoot, "src"), { recursive: true })
    .filter((file) => file.endsWith(".sol"))
    .map((file) => file.split(path.sep).join("/"))
    .sort();
  for (const file of sources) add(file, readFileSync(path.join(contractsRoot, "src", file)));
  for (const file of ["foundry.toml", "scripts/build.mjs", "scripts/forge.mjs", "scripts/solc.mjs"]) {
    add(file, readFileSync(path.join(contractsRoot, file)));
  }
  for (const name of ["solc", "@openzeppelin/contracts"])
    add(name, Buffer.from(require(`${name}/package.json`).version));
  return hash.digest("hex");
}

/** True when the artefacts in contracts/out come from the sources as they are now. */
export function isBuilt() {
  return (
    existsSync(stampFile) &&
    readFileSync(stampFile, "utf8") === sourcesHash() &&
    PUBLISHED.every((contract) => existsSync(artefactFile(contract)))
  );
}

/** Compiles when needed; resolves to whether it did. Throws the compiler's own words when it fails. */
export async function build() {
  if (isBuilt()) return false;
  const hash = sourcesHash();
  // All in one compilation: the optimizer's choices hang on the files it is given, and the committed bytecode must not.
  const run = await runForge(["build", "contracts/src", "--force", "--quiet"]);
  if (run.code !== 0) throw new Error(`the contracts do not compile:\n${run.stdout}${run.stderr}`);
  writeFileSync(stampFile, hash);
  return true;
}

function abiModule(contract) {
  const { abi } = JSON.parse(readFileSync(artefactFile(contract), "utf8"));
  const name = `${contract[0].toLowerCase()}${contract.slice(1)}Abi`;
  const entries = abi.map((entry) => `  ${JSON.stringify(withoutInternalTypes(entry))},`).join("\n");
  return `// Generated from contracts/ by contracts/scripts/build.mjs. Do not edit.\nexport const ${name} = [\n${entries}\n] as const;\n`;
}

/** Internal types name Solidity's own enums and structs, which no caller needs. */
function withoutInternalTypes(value) {
  if (Array.isArray(value)) return value.map(withoutInternalTypes);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([key]) => key !== "internalType");
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutInternalTypes(inner)]));
}

/** What a deployment puts on chain and later compares the chain with. */
function bytecodeOf(contract) {
  const { bytecode, deployedBytecode } = JSON.parse(readFileSync(artefactFile(contract), "utf8"));
  const code = {
    creationCode: bytecode.object,
    // With zeros where the immutables go.
    runtimeCode: deployedBytecode.object,
    // Byte offsets of each immutable's 32 bytes. The compiler numbers them through all files it was given; only the order
    // of the numbers says something of the contract.
    immutables: Object.entries(deployedBytecode.immutableReferences ?? {})
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([, places]) => places.map(({ start }) => start).sort((a, b) => a - b)),
  };
  return `${JSON.stringify(code, null, 2)}\n`;
}

/** Names of the committed ABIs and bytecode that are not what the compiler left in contracts/out; `write` writes them. */
export function syncCommitted({ write }) {
  const wanted = [
    ...PUBLISHED.map((contract) => [path.join(abiFolder, `${contract}.ts`), abiModule(contract)]),
    ...PUBLISHED.map((contract) => [path.join(bytecodeFolder, `${contract}.json`), bytecodeOf(contract)]),
    [bytecodeStamp, `${sourcesHash()}\n`],
  ];
  const changed = wanted.filter(([file, content]) => !existsSync(file) || readFileSync(file, "utf8") !== content);
  if (write) {
    for (const [file, content] of changed) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
  }
  return changed.map(([file]) => path.relative(path.dirname(contractsRoot), file).split(path.sep).join("/"));
}

/** True when the committed bytecode comes from the sources as they are now, so that there is nothing to compile. */
function isShipped() {
  return existsSync(bytecodeStamp) && readFileSync(bytecodeStamp, "utf8").trim() === sourcesHash();
}

async function main() {
  const check = process.argv.includes("--check");
  if (!check && isShipped()) {
    console.log("contracts unchanged");
    return;
  }
  const started = Date.now();
  if (!isBuilt()) console.log("compiling the contracts, which takes a few minutes …");
  const compiled = await build();
  console.log(
    compiled ? `contracts compiled in ${((Date.now() - started) / 1000).toFixed(1)} s` : "contracts unchanged",
  );
  const changed = syncCommitted({ write: !check });
  if (check && changed.length > 0) {
    console.error(`these files are not those of the contracts, run the build: ${changed.join(", ")}`);
    process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
