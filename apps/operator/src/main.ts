import { withSecretFiles } from "../../server/src/secretFiles.ts";
import { run } from "./run.ts";
import { askHidden } from "./terminal.ts";

const environment = (() => {
  try {
    return withSecretFiles(process.env);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
})();
const code = await run(process.argv.slice(2), {
  environment,
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  ...(process.stdin.isTTY && {
    askHidden: (question: string) => askHidden(question, { input: process.stdin, output: process.stderr }),
  }),
});
process.exit(code);
