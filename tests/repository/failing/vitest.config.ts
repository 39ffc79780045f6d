import { defineConfig } from "vitest/config";

/** Files run by ../reports.test.ts. They must fail and are not tests of ours. */
export default defineConfig({ test: { include: ["*.failing.ts"] } });
