#!/usr/bin/env node
// Speaks the part of the native compiler's command line that forge uses, over npm's solc (WebAssembly).
import { readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const args = process.argv.slice(2);

/** Writes everything, also into a pipe that takes only a part at a time. */
function print(text) {
  const bytes = Buffer.from(text);
  let sent = 0;
  while (sent < bytes.length) {
    try {
      sent += writeSync(1, bytes, sent);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

if (args.includes("--version")) {
  print(`solc, the solidity compiler commandline interface\nVersion: ${require("solc").version()}\n`);
} else if (args.includes("--standard-json")) {
  // forge puts every source into the input, so no import callback is needed.
  print(require("solc").compile(readFileSync(0, "utf8")));
} else {
  process.stderr.write(`solc.mjs: cannot do ${args.join(" ") || "nothing"}\n`);
  process.exit(1);
}
