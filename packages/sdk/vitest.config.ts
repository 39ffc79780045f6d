import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "sdk",
    include: ["test/**/*.test.ts"],
    // Hundreds of random histories and signatures take seconds on a busy machine.
    testTimeout: 60_000,
  },
});
