import { defineConfig } from "vitest/config";
import { patient } from "../../scripts/vitest/limits.ts";

export default defineConfig({
  test: {
    ...patient,
    include: ["test/**/*.test.ts"],
    globalSetup: [
      "test/support/contracts.ts",
      "../server/test/support/postgres.ts",
      "../server/test/support/webFolder.ts",
    ],
    environment: "node",
  },
});
