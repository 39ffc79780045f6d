#!/usr/bin/env node
// The command `aqua` of an operator: runs the sources as they are.
import { register } from "tsx/esm/api";

register();
const { run } = await import("../src/run.ts");
const code = await run(process.argv.slice(2), {
  environment: process.env,
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
process.exit(code);
