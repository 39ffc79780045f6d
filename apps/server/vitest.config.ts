import { defineConfig } from "vitest/config";
import { patient } from "../../scripts/vitest/limits.ts";

export default defineConfig({
  test: {
    ...patient,
    include: ["test/**/*.test.ts"],
    // `npm run test:long` runs it, through PgBouncer.
    exclude: [...patient.exclude, ...(process.env.PGBOUNCER === undefined ? ["test/db/pgbouncer.test.ts"] : [])],
    globalSetup: ["test/support/postgres.ts", "test/support/webFolder.ts"],
    environment: "node",
    // Importing the server anew for each file took a third of the time, and none of its modules keeps state.
    isolate: false,
  },
});
