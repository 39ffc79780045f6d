import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { patient } from "../../scripts/vitest/limits.ts";
import { compiledCatalogs } from "./scripts/compiled-catalogs.ts";

export default defineConfig({
  plugins: [compiledCatalogs(), react()],
  define: { __DEMO__: "true" },
  test: {
    ...patient,
    name: "web",
    environment: "jsdom",
    // A context of its own for each file in one process: a third of the time that processes take, most of it for jsdom.
    pool: "vmThreads",
    include: ["test/**/*.test.{ts,tsx}"],
    setupFiles: [...patient.setupFiles, "test/setup.ts"],
    restoreMocks: true,
  },
});
