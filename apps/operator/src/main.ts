import { withSecretFiles } from "../../server/src/secretFiles.ts";
import { run } from "./run.ts";

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
});
process.exit(code);
