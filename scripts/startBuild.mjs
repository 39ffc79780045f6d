// Starts a program of the folder that `npm run build` makes: `dist/server.js` and `dist/aqua.js` are copies of this
// file. It must run on every Node a machine may have, because it refuses the old ones.
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

const program = fileURLToPath(import.meta.url);
const folder = dirname(program);

/** Reads through one small buffer, because a process keeps the memory of large ones. */
const buffer = Buffer.alloc(65_536);

/** Returns the hash of a file's bytes, or null when it cannot be read. */
function hashOf(file) {
  let opened;
  try {
    opened = openSync(join(folder, file));
    const hash = createHash("sha256");
    for (let read = -1; read !== 0; ) {
      read = readSync(opened, buffer);
      hash.update(buffer.subarray(0, read));
    }
    return hash.digest("hex");
  } catch {
    return null;
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

/** Returns why this build cannot run here, or null. */
function fault() {
  let manifest;
  try {
    manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  } catch {
    return `there is no complete build in ${folder}: its manifest.json is missing or damaged`;
  }
  const { version, node, system, files } = manifest;
  const here = `${process.platform} ${process.arch}`;
  const [major, minor] = node.match(/\d+/g).map(Number);
  const [ourMajor, ourMinor] = process.versions.node.split(".").map(Number);
  if (ourMajor < major || (ourMajor === major && ourMinor < minor)) {
    return `this build needs Node ${major}.${minor} or newer, and this is ${process.versions.node}`;
  }
  if (system !== here) return `this build is for ${system}, and this is ${here}`;
  for (const [file, hash] of Object.entries(files)) {
    const found = hashOf(file);
    if (found === null) return `the build of Aqua ${version} in ${folder} is incomplete: ${file} cannot be read`;
    if (found !== hash) return `${join(folder, file)} is not of this build of Aqua ${version}`;
  }
  return null;
}

const why = fault();
if (why === null) {
  // What loads here is used as long as the process runs. V8 would take it for much garbage and triple its memory for new
  // objects, which it hardly returns.
  setFlagsFromString("--semi-space-growth-factor=1");
  await import(`./lib/${basename(program)}`);
  setFlagsFromString("--semi-space-growth-factor=2");
  // By default V8 lets the heap grow to several times what is in use before it collects all of it. The share of the
  // processor time that this costs is in docs/benchmarks.md, under "Memory".
  setFlagsFromString("--heap-growing-percent=30");
} else {
  process.stderr.write(`aqua: ${why}; make it with \`npm run build\` and copy all of dist\n`);
  process.exitCode = 1;
}
