import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Many of the server's tests wait more than they work.
    maxWorkers: availableParallelism() + 1,
    projects: ["packages/sdk", "apps/operator", "apps/server", "apps/web", "devnet", "tests/repository"],
  },
});
