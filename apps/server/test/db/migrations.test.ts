import { fileURLToPath } from "node:url";
import { bindingReasons } from "@aqua/sdk/api/auth";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { expect, it } from "vitest";
import { withDatabase } from "../support/databases.ts";

const files = readMigrationFiles({ migrationsFolder: fileURLToPath(new URL("../../migrations", import.meta.url)) });

withDatabase("migrations", (open) => {
  it("turn the sentences about wallets' records into codes (0008)", async () => {
    const { orm } = await open();
    const sentences = [
      "On this chain the wallet stands for another identity. Link another wallet.",
      "On this chain the wallet was replaced by another for good. Link another wallet.",
      "It gave its place to another wallet for good.",
      "The chain does not accept the wallet's signature. Link the wallet again.",
      "A contract wallet's signature counts only on the chain it was given on. Link the wallet on this chain.",
      "The contract of this wallet is not on this chain yet. It is verified here once it is.",
    ];
    for (const [index, reason] of [...sentences, null].entries()) {
      const address = `0x${String(index).padStart(40, "0")}`;
      await orm.execute(sql`insert into wallet_binding (chain_id, address, state, reason, update_time)
        values (1, ${address}, 'failed', ${reason}, 0)`);
    }
    for (const statement of files[8]?.sql ?? []) await orm.execute(sql.raw(statement));
    const { rows } = await orm.execute<{ reason: string | null }>(
      sql`select reason from wallet_binding order by address`,
    );
    expect(rows.map(({ reason }) => reason)).toEqual([...bindingReasons.slice(0, sentences.length), null]);
  });
});
