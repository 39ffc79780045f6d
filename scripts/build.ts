import { buildContracts, buildWeb, webFolder } from "../devnet/src/build.ts";
import { linesTo } from "../devnet/src/progress.ts";
import { runCommand, stopSignal } from "../devnet/src/run.ts";

/** `npm run build`: builds the contracts and the production web app when their sources changed. */
await runCommand(async () => {
  const signal = stopSignal();
  const progress = linesTo((line) => console.log(line));
  await progress.step("contracts", () => buildContracts(signal));
  await progress.step("web app for production", () => buildWeb("production", signal));
  console.log(`The web app is in ${webFolder("production")}.`);
  return 0;
});
