import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { chainPort, httpPort, origin } from "./support/ports";

// Workers load this file again: the folder is chosen once and handed on by the environment.
process.env.AQUA_E2E_DATA ??= mkdtempSync(join(tmpdir(), "aqua-e2e-"));

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: join(process.env.AQUA_E2E_DATA, "results"),
  globalTeardown: "./support/teardown.ts",
  // One chain serves all: tests that stop its blocks must not meet others.
  workers: 1,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  webServer: {
    command: "node --import tsx scripts/start.ts",
    cwd: join(import.meta.dirname, "../.."),
    // Said when the demo account is there too, a little after the server is ready.
    wait: { stdout: /Aqua is ready/ },
    timeout: 240_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
    env: {
      ...(process.env as Record<string, string>),
      PORT: String(httpPort),
      CHAIN_PORT: String(chainPort),
      // All tests are one address.
      RATE_LIMIT_ACCOUNT: "5000",
      DATA_DIR: join(process.env.AQUA_E2E_DATA, "world"),
    },
    stdout: "pipe",
  },
  use: {
    baseURL: origin,
    locale: "en-US",
    timezoneId: "UTC",
    trace: "retain-on-failure",
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
