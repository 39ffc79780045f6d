import { AlreadyRunning } from "./lock.ts";
import { SettingsError } from "./settings.ts";

/**
 * Returns a signal that fires when a stop is requested: by Ctrl-C, by the system, by closing the terminal, or by the end
 * of the process that started this one with a channel.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => controller.abort());
  process.on("disconnect", () => controller.abort());
  // It may have ended before this listener was added.
  if (process.send !== undefined && !process.connected) controller.abort();
  return controller.signal;
}

/** Resolves when `signal` fires. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/**
 * Runs a command and exits with its code. Prints an error's message; adds the stack only for a fault of this program,
 * not of a setting or the environment.
 */
export async function runCommand(command: () => Promise<number>): Promise<never> {
  try {
    process.exit(await command());
  } catch (error) {
    const told = error instanceof SettingsError || error instanceof AlreadyRunning || !(error instanceof TypeError);
    const text = error instanceof Error ? (told ? error.message : error.stack) : String(error);
    process.stderr.write(`aqua: ${text}\n`);
    process.exit(1);
  }
}
