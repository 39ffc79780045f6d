import { join } from "node:path";
import { configDefaults } from "vitest/config";

/**
 * Timeouts of unit tests, for every project of vitest. On an idle machine the awaited events come at once. These limits
 * only end a test that hangs, so they far exceed the time that a machine four times slower needs.
 */
export const limits = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
};

/** Files that take half a minute or more, run by `npm run test:long`. */
const LONG_FILES = "**/*.long.test.ts";

/** Options of a vitest project that uses these limits. */
export const patient = {
  ...limits,
  setupFiles: [join(import.meta.dirname, "waitFor.ts")],
  exclude: [...configDefaults.exclude, ...(process.env.AQUA_SOAK === "1" ? [] : [LONG_FILES])],
};
