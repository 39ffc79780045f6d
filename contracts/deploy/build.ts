import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DeployError } from "./steps.ts";

/** Set by the bundler of `npm run build`, which compiled them. */
declare const __BUNDLED__: true | undefined;

const script = fileURLToPath(new URL("../scripts/build.mjs", import.meta.url));

/**
 * Compiles the contracts where their sources changed, so that what is deployed is what the sources say.
 * @param progress called with a line when it begins to compile
 */
export async function buildContracts(progress: (line: string) => void = () => {}): Promise<void> {
  if (typeof __BUNDLED__ !== "undefined") return;
  const compiling = promisify(execFile)(process.execPath, [script, "--check"]);
  compiling.child.stdout?.on("data", (text: string) => {
    if (text.startsWith("compiling")) progress(text);
  });
  await compiling.catch((error: { stderr?: string }) => {
    throw new DeployError(error.stderr?.trim() || "the contracts do not compile");
  });
}
