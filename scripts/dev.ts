import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { guardScript } from "../devnet/src/chain.ts";
import { portIsTaken } from "../devnet/src/processes.ts";
import { linesTo } from "../devnet/src/progress.ts";
import { aborted, runCommand, stopSignal } from "../devnet/src/run.ts";
import { readSettings, repositoryRoot, SettingsError } from "../devnet/src/settings.ts";
import { startWorld } from "../devnet/src/world.ts";

/**
 * `npm run dev`: runs the world of `npm start` with a server that restarts and a web app that reloads when files
 * change.
 */
await runCommand(async () => {
  const settings = readSettings(process.env);
  const signal = stopSignal();
  const webUrl = `http://localhost:${settings.webPort}`;
  if (await portIsTaken(settings.webPort))
    throw new SettingsError(`Port ${settings.webPort} is in use; set WEB_PORT to another one.`);
  const world = await startWorld({
    dataDir: settings.dataDir,
    chainPort: settings.chainPort,
    httpPort: settings.port,
    blockTime: settings.blockTime,
    mqttPort: settings.mqttPort,
    publicUrl: process.env.PUBLIC_URL ? settings.publicUrl : webUrl,
    databaseUrl: settings.databaseUrl,
    walletConnectProjectId: settings.walletConnectProjectId,
    development: true,
    progress: linesTo((line) => console.log(line)),
    signal,
  }).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (world === null) return 0;

  const web = join(repositoryRoot, "apps", "web");
  const vite = join(
    dirname(createRequire(import.meta.url).resolve("vite/package.json", { paths: [web] })),
    "bin",
    "vite.js",
  );
  const child = spawn(
    process.execPath,
    [guardScript, process.execPath, vite, "--mode", "development", "--clearScreen", "false"],
    {
      cwd: web,
      detached: true,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      env: { ...process.env, AQUA_API: `http://127.0.0.1:${settings.port}`, WEB_PORT: String(settings.webPort) },
    },
  );
  const ended = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code) => resolve(`The web development server stopped by itself with exit code ${code}.`));
  });
  console.log(`\n  Aqua for development: ${webUrl}\n`);
  if (world.demo !== null) console.log(`  Log in with ${world.demo.email} and the password ${world.demo.password}\n`);
  const death = await Promise.race([world.died, ended, aborted(signal).then(() => null)]);
  if (death !== null) console.error(`aqua: ${death}`);
  child.kill("SIGTERM");
  await world.stop();
  return death === null ? 0 : 1;
});
