import { run } from "./run.ts";

const code = await run(process.argv.slice(2), {
  environment: process.env,
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
process.exit(code);
