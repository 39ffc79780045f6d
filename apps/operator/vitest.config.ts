import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: [
      "test/support/contracts.ts",
      "../server/test/support/postgres.ts",
      "../server/test/support/webFolder.ts",
    ],
    environment: "node",
    testTimeout: 60_000,
    // What is waited for comes at once on an idle machine; the usual second is too short on a busy one.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 120_000,
  },
});
