import { defineConfig } from "vitest/config";
import { patient } from "../../scripts/vitest/limits.ts";

export default defineConfig({
  test: {
    ...patient,
    name: "deployment",
    include: ["*.test.ts"],
  },
});
