#!/usr/bin/env node
// Like solc.mjs, but answers a second time what it was asked before: forge asks the same with every run of tests that
// did not change, which takes longer than the tests. AQUA_SOLC_MEMO names the folder of the answers.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const args = process.argv.slice(2);
const folder = process.env.AQUA_SOLC_MEMO ?? "";
const input = args.includes("--standard-json") ? readFileSync(0) : Buffer.alloc(0);
const key = createHash("sha256").update(args.join("\0")).update(input).digest("hex");
const file = path.join(folder, key);
if (!existsSync(file)) {
  const solc = fileURLToPath(new URL("./solc.mjs", import.meta.url));
  const answer = execFileSync(process.execPath, [solc, ...args], { input, maxBuffer: 2 ** 30 });
  mkdirSync(folder, { recursive: true });
  // Whole or not at all, since several run at once.
  writeFileSync(`${file}.${process.pid}`, answer);
  renameSync(`${file}.${process.pid}`, file);
}
const answer = readFileSync(file);
for (let sent = 0; sent < answer.length; ) {
  try {
    sent += writeSync(1, answer, sent);
  } catch (error) {
    if (error.code !== "EAGAIN") throw error;
  }
}
