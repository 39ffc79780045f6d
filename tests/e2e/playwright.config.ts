import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { origin, worlds } from "./support/ports";

// Workers load this file again, so the folder is chosen once and passed on in the environment. The run removes it when
// its worlds have ended, unless the environment chose it.
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
  // One browser per world, because some tests stop a chain's blocks.
  workers: worlds,
  forbidOnly: true,
  ...(process.env.AQUA_SOAK !== "1" && { grepInvert: /@repeated/ }),
  // scripts/reports.ts limits the number of retried tests.
  retries: 1,
  // On an idle machine, the longest test takes a minute and the longest wait half a minute.
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
    // A trace of every test took a third of the time. `--trace on` records one when it is needed.
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
