import { join } from "node:path";

/**
 * How long unit tests wait, for every project of vitest. What is waited for comes at once on an idle machine; these
 * limits only end a test that hangs, so they are far above what a machine four times slower takes.
 */
export const limits = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
};

/** Options of a project of vitest that takes these limits. */
export const patient = { ...limits, setupFiles: [join(import.meta.dirname, "waitFor.ts")] };
