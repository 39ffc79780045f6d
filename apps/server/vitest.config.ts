import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/postgres.ts", "test/support/webFolder.ts"],
    environment: "node",
    // Importing the server anew for each file took a third of the time, and none of its modules keeps state.
    isolate: false,
    testTimeout: 60_000,
    // What is waited for comes at once on an idle machine; the usual second is too short on a busy one.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 60_000,
  },
});
