import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { compiledCatalogs } from "./scripts/compiled-catalogs.ts";

export default defineConfig({
  plugins: [compiledCatalogs(), react()],
  define: { __DEMO__: "true" },
  test: {
    name: "web",
    environment: "jsdom",
    // A context of its own for each file in one process: a third of the time that processes take, most of it for jsdom.
    pool: "vmThreads",
    // Walks over whole pages take their time on a busy machine.
    testTimeout: 60_000,
    include: ["test/**/*.test.{ts,tsx}"],
    setupFiles: ["test/setup.ts"],
    restoreMocks: true,
  },
});
