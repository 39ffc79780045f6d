import { defineConfig } from "vitest/config";
import { patient } from "../../scripts/vitest/limits.ts";

const HOUR_MS = 3_600_000;

export default defineConfig({
  test: {
    ...patient,
    name: "upgrade",
    include: ["*.test.ts"],
    // A release is installed, builds its contracts and web app, and plays a year first.
    testTimeout: HOUR_MS,
    hookTimeout: HOUR_MS,
  },
});
