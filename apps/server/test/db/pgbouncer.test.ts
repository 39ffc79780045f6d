import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { connectDatabase } from "../../src/db/database.ts";
import { statement } from "../../src/db/statement.ts";
import { createServerDatabase } from "../support/databases.ts";
import { dataFolder } from "../support/dataFolder.ts";
import { launchServer } from "../support/process.ts";

const poolerUrl = inject("poolerUrl");

describe("PgBouncer in transaction mode", () => {
  let databaseUrl: string;
  beforeAll(async () => {
    const { pathname } = new URL(await createServerDatabase());
    databaseUrl = (poolerUrl ?? "").replace(/\/postgres$/, pathname);
  });

  it("carries a whole server that sends unnamed statements, migrations included", async () => {
    const environment = {
      NODE_ENV: "production",
      DATABASE_URL: databaseUrl,
      DATABASE_PREPARED_STATEMENTS: "0",
      SECRET_KEY: "ab".repeat(32),
      SMTP_URL: "smtp://127.0.0.1:25",
    };
    const servers = await Promise.all(
      [1, 2].map(async () => launchServer({ ...environment, DATA_DIR: await dataFolder() })),
    );
    for (const { url, said } of servers) {
      expect((await fetch(`${url}/ready`)).status).toBe(200);
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => fetch(`${url}/api/v2/product/list?cache=${Math.random()}`)),
      );
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
      expect(said()).not.toMatch(/"level":[56]0/);
    }
  });

  const numbered = statement<{ n: number }, { n: number }>("numbered", sql`select ${sql.placeholder("n")}::int as n`);
  const ask = async (preparedStatements: boolean) => {
    const db = await connectDatabase(databaseUrl, { preparedStatements });
    const answers = await Promise.allSettled(
      Array.from({ length: 60 }, (_, n) =>
        n % 2 ? numbered(db.orm, { n }) : db.transaction((tx) => numbered(tx, { n })),
      ),
    );
    await db.close();
    return answers.map((answer) => (answer.status === "fulfilled" ? answer.value[0]?.n : null));
  };

  it("answers each unnamed statement", async () => {
    expect(await ask(false)).toEqual(Array.from({ length: 60 }, (_, n) => n));
  });

  it("rejects named statements before version 1.21, for which DATABASE_PREPARED_STATEMENTS=0 is the remedy", async () => {
    expect(await ask(true)).toContain(null);
  });
});
