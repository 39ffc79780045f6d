// Compiles contracts/src as it ships and writes the ABIs the rest of the system imports.
//
//   node contracts/scripts/build.mjs           compiles when a source changed, writes packages/sdk/src/abi/*.ts
//   node contracts/scripts/build.mjs --check   compiles, then fails if the committed ABIs are not what comes out
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { contractsRoot, runForge } from "./forge.mjs";

const require = createRequire(import.meta.url);
const out = path.join(contractsRoot, "out");
const stampFile = path.join(out, "sources.sha256");
const abiFolder = fileURLToPath(new URL("../../packages/sdk/src/abi/", import.meta.url));

/** The contracts whose ABI the server, the web app and third parties use. */
export const PUBLISHED = [
  "AccessManager",
  "DemandVault",
  "IdentityRegistry",
  "ProductRegistry",
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
  const run = await runForge(["build", "contracts/src", "--quiet"]);
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

/** Names of the ABI modules that differ from what is on disk; with `write` they are written. */
export function syncAbis({ write }) {
  mkdirSync(abiFolder, { recursive: true });
  const changed = [];
  for (const contract of PUBLISHED) {
    const file = path.join(abiFolder, `${contract}.ts`);
    const wanted = abiModule(contract);
    if (existsSync(file) && readFileSync(file, "utf8") === wanted) continue;
    changed.push(`packages/sdk/src/abi/${contract}.ts`);
    if (write) writeFileSync(file, wanted);
  }
  return changed;
}

async function main() {
  const check = process.argv.includes("--check");
  const started = Date.now();
  const compiled = await build();
  console.log(
    compiled ? `contracts compiled in ${((Date.now() - started) / 1000).toFixed(1)} s` : "contracts unchanged",
  );
  const changed = syncAbis({ write: !check });
  if (check && changed.length > 0) {
    console.error(`these ABIs are not those of the contracts, run the build: ${changed.join(", ")}`);
    process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
