import { connectDatabase } from "../../server/src/db/database.ts";
import { migrate } from "../../server/src/db/migrate.ts";
import { StartRefused } from "../../server/src/errors.ts";
import { CommandError } from "./api.ts";
import type { Terminal } from "./terminal.ts";

/** `aqua migrate`: brings the database of DATABASE_URL to this version, as the server does when it starts. */
export async function runMigrate(terminal: Terminal): Promise<void> {
  const url = databaseUrlOf(terminal.environment);
  try {
    const db = await connectDatabase(url);
    try {
      const applied = await migrate(db, {
        waiting: () => terminal.out("Another process migrates the database; waiting for its end.\n"),
      });
      terminal.out(applied === 0 ? "The database is of this version.\n" : `${applied} migrations were applied.\n`);
    } finally {
      await db.close();
    }
  } catch (error) {
    throw error instanceof StartRefused ? new CommandError(error.message) : error;
  }
}

/** @throws CommandError if DATABASE_URL is missing or no URL of PostgreSQL */
export function databaseUrlOf(environment: Terminal["environment"]): string {
  const url = environment.DATABASE_URL?.trim() ?? "";
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new CommandError("DATABASE_URL must be a URL that starts with postgresql://");
  }
  return url;
}
