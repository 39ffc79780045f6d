import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    environment: "node",
    // The seeded year is played once, on a real chain.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
