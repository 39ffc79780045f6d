import { readConfig } from "./config.ts";
import { StartRefused } from "./errors.ts";
import type { Instance } from "./instance.ts";
import { createLog } from "./log.ts";

/** Nothing may hold up the end of the process longer than this after it was asked to stop. */
const STOP_WITHIN_MS = 15_000;

/** What a person can put right gets one line, without a stack. */
function fail(error: unknown): never {
  const known = error instanceof StartRefused;
  process.stderr.write(
    `aqua: ${known ? error.message : error instanceof Error ? (error.stack ?? error.message) : error}\n`,
  );
  process.exit(1);
}

const config = (() => {
  try {
    return readConfig(process.env);
  } catch (error) {
    return fail(error);
  }
})();
const log = createLog(config);
let instance: Instance | null = null;
let stopping = false;

/** Asked to stop again while stopping changes nothing: a terminal and a supervisor both pass Ctrl-C on. */
function stop(reason: string, exitCode: number): void {
  if (stopping) return;
  stopping = true;
  log.info({ reason }, "stopping");
  setTimeout(() => {
    log.error("stopping took too long");
    process.exit(1);
  }, STOP_WITHIN_MS).unref();
  // Before everything is up there is nothing to end gracefully; the database is safe against that.
  Promise.resolve(instance?.stop()).then(
    () => {
      log.info("stopped");
      process.exit(exitCode);
    },
    (error: unknown) => {
      log.error({ err: error }, "stopping failed");
      process.exit(1);
    },
  );
}

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stop(signal, 0));
// The supervisor that started us with a channel is gone.
process.on("disconnect", () => stop("disconnect", 0));
// It may have exited before anyone listened.
if (process.send !== undefined && !process.connected) stop("disconnect", 0);
for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (error) => {
    log.fatal({ err: error }, event);
    stop(event, 1);
  });
}

try {
  // Loaded only now, so that a wrong setting is answered at once.
  const { startInstance } = await import("./instance.ts");
  instance = await startInstance(config, log);
  log.info({ url: instance.url, public_url: config.publicUrl }, "listening");
} catch (error) {
  if (!stopping) fail(error);
}
