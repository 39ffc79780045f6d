import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { origin, worlds } from "./support/ports";

// Workers load this file again: the folder is chosen once and handed on by the environment. It goes with the run, which
// leaves when its worlds have ended; whoever chose another keeps it.
if (!process.env.AQUA_E2E_DATA) {
  const folder = mkdtempSync(join(tmpdir(), "aqua-e2e-"));
  // When the tests run as root, PostgreSQL runs as another user and must be able to enter.
  chmodSync(folder, 0o755);
  process.env.AQUA_E2E_DATA = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: process.env.AQUA_E2E_RESULTS ?? join(process.env.AQUA_E2E_DATA, "results"),
  // One browser a world: tests that stop a chain's blocks must not meet others.
  workers: worlds,
  forbidOnly: true,
  // scripts/reports.ts says how many may need it.
  retries: 1,
  // The longest test takes a minute on a quiet machine, the longest wait half of one.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  webServer: {
    command: "node --import tsx tests/e2e/worlds.ts",
    cwd: join(import.meta.dirname, "../.."),
    wait: { stdout: /All worlds are ready/ },
    timeout: 480_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 20_000 },
    stdout: "pipe",
  },
  use: {
    baseURL: origin,
    locale: "en-US",
    timezoneId: "UTC",
    // Endless animations take half of a browser's processor time. The spec files of whole journeys allow them.
    contextOptions: { reducedMotion: "reduce" },
    // A trace of every test, kept for those that fail, took a third of the time: `--trace on` makes one where it is wanted.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
