import { join } from "node:path";
import { buildContracts, buildWeb } from "../devnet/src/build.ts";
import { linesTo } from "../devnet/src/progress.ts";
import { runCommand, stopSignal } from "../devnet/src/run.ts";
import { repositoryRoot } from "../devnet/src/settings.ts";
import { buildDistribution } from "./distribution.ts";

/**
 * `npm run build`: builds the contracts and the production web app when their sources changed, and makes `dist`, which
 * runs in production.
 */
await runCommand(async () => {
  const signal = stopSignal();
  const progress = linesTo((line) => console.log(line));
  await progress.step("contracts", () => buildContracts(signal));
  await progress.step("web app for production", () => buildWeb("production", signal));
  const folder = join(repositoryRoot, "dist");
  const { bytes, files } = await progress.step("server", () => buildDistribution(folder));
  console.log(`${folder} has ${(bytes / 1e6).toFixed(1)} MB in ${files} files; node dist/server.js starts it.`);
  return 0;
});
