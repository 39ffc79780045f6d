import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: ["packages/sdk", "apps/operator", "apps/server", "apps/web", "devnet", "tests/repository"],
  },
});
