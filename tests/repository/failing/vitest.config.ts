import { defineConfig } from "vitest/config";

/** What ../reports.test.ts runs: files that must fail, and are no tests of ours. */
export default defineConfig({ test: { include: ["*.failing.ts"] } });
