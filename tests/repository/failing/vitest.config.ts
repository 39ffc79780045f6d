import { defineConfig } from "vitest/config";

/** Files that ../reports.test.ts runs. They must fail, and they test nothing of ours. */
export default defineConfig({ test: { include: ["*.failing.ts"] } });
