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
    // Each file runs in its own context within one process. That takes a third of the time that separate processes
    // take, most of it for jsdom.
    pool: "vmThreads",
    include: ["test/**/*.test.{ts,tsx}"],
    setupFiles: [...patient.setupFiles, "test/setup.ts"],
    restoreMocks: true,
  },
});
