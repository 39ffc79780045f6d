import { linesTo } from "./progress.ts";
import { aborted, stopSignal } from "./run.ts";
import { readSettings } from "./settings.ts";
import { startWorld, type World } from "./world.ts";

/** `npm start`: runs all of Aqua on this machine until a signal. Returns the exit code. */
export async function start(environment: NodeJS.ProcessEnv): Promise<number> {
  const settings = readSettings(environment);
  const signal = stopSignal();
  const say = (line: string) => process.stdout.write(`${line}\n`);
  say("Aqua is starting.");
  let world: World;
  try {
    world = await startWorld({
      dataDir: settings.dataDir,
      chainPort: settings.chainPort,
      httpPort: settings.port,
      mqttPort: settings.mqttPort,
      blockTime: settings.blockTime,
      publicUrl: settings.publicUrl,
      databaseUrl: settings.databaseUrl,
      walletConnectProjectId: settings.walletConnectProjectId,
      progress: linesTo(say),
      signal,
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    say("Stopped before it was ready.");
    return 0;
  }
  say(`\n  Aqua is ready: ${world.url}\n`);
  if (world.demo !== null) say(`  Log in with ${world.demo.email} and the password ${world.demo.password}\n`);
  const death = await Promise.race([world.died, aborted(signal).then(() => null)]);
  if (death !== null) process.stderr.write(`aqua: ${death}\n`);
  else say("\nStopping …");
  await world.stop();
  if (death === null) say("Stopped. Chain and data remain; `npm run reset` removes them.");
  return death === null ? 0 : 1;
}
