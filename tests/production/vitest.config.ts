import { defineConfig } from "vitest/config";
import { patient } from "../../scripts/vitest/limits.ts";

export default defineConfig({
  test: {
    ...patient,
    name: "production",
    include: ["*.test.ts"],
    // Each test continues the day where the one before ended it.
    bail: 1,
  },
});
