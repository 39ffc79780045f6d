import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { removeEmbedded } from "../apps/server/src/db/embedded/embedded.ts";
import { removeOutside } from "../apps/server/src/db/embedded/home.ts";
import { AlreadyRunning, FOLDER_MARK, runningOn } from "../devnet/src/lock.ts";
import { runCommand } from "../devnet/src/run.ts";
import { readSettings, SettingsError } from "../devnet/src/settings.ts";

/** `npm run reset`: removes the data folder, so that the next start creates a new world. */
await runCommand(async () => {
  const { dataDir, databaseUrl } = readSettings(process.env);
  if (!existsSync(dataDir)) {
    console.log(`There is nothing to remove at ${dataDir}.`);
    return 0;
  }
  const running = runningOn(dataDir);
  if (running !== null) throw new AlreadyRunning(running, dataDir);
  const entries = await readdir(dataDir);
  if (entries.length > 0 && !existsSync(join(dataDir, FOLDER_MARK))) {
    throw new SettingsError(`${dataDir} was not made by Aqua; it is left as it is.`);
  }
  await removeEmbedded(dataDir);
  await removeOutside();
  await rm(dataDir, { recursive: true });
  console.log(`Removed ${dataDir}.`);
  if (databaseUrl !== null)
    console.log("The database of DATABASE_URL was not touched; empty it yourself before the next start.");
  return 0;
});
