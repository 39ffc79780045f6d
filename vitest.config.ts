import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Of itself vitest leaves a core free, for an editor; many of the server's tests wait more than they work.
    maxWorkers: "100%",
    projects: ["packages/sdk", "apps/operator", "apps/server", "apps/web", "devnet", "tests/repository"],
  },
});
