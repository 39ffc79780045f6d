import { AlreadyRunning } from "./lock.ts";
import { SettingsError } from "./settings.ts";

/** A stop that was asked for: by Ctrl-C, by the system, by the terminal closing. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => controller.abort());
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
 * Runs a command to its end and exits with its code. An error is printed by its message; with the stack only where it
 * is no setting or environment but a fault of ours.
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
