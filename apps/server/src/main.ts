import { misspeltSettings, readConfig } from "./config.ts";
import { StartRefused } from "./errors.ts";
import type { Instance } from "./instance.ts";
import { createLog } from "./log.ts";

/** Milliseconds after a stop was requested and SHUTDOWN_DELAY has passed at which the process ends in any case. */
const STOP_WITHIN_MS = 15_000;

/** An error that a person can fix is printed as one line without a stack. */
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
for (const { variable, setting } of misspeltSettings(process.env)) {
  log.warn({ variable, setting }, "this variable is no setting; it has almost the name of one");
}
let instance: Instance | null = null;
let stopping = false;

/** Stops the server. A second request has no effect, because a terminal and a supervisor both forward Ctrl-C. */
function stop(reason: string, exitCode: number): void {
  if (stopping) return;
  stopping = true;
  log.info({ reason }, "stopping");
  setTimeout(() => {
    log.error("stopping took too long");
    process.exit(1);
  }, config.shutdownDelayMs + STOP_WITHIN_MS).unref();
  // Before the start is complete nothing needs a graceful end. The database tolerates that.
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
// The supervisor that started this process with a channel has ended.
process.on("disconnect", () => stop("disconnect", 0));
// The supervisor may have exited before this listener was added.
if (process.send !== undefined && !process.connected) stop("disconnect", 0);
for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (error) => {
    log.fatal({ err: error }, event);
    stop(event, 1);
  });
}

try {
  // Loaded only now, so that an invalid setting is reported at once.
  const { startInstance } = await import("./instance.ts");
  instance = await startInstance(config, log);
  log.info({ url: instance.url, public_url: config.publicUrl }, "listening");
} catch (error) {
  if (!stopping) fail(error);
}
