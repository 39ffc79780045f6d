import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { openAccounts, PASSWORD } from "../account/world.ts";
import { withDatabase } from "../support/databases.ts";

withDatabase("an account whose rows somebody changed", (open) => {
  it("cannot be logged in to, until they are those of the log again", async () => {
    const db = await open();
    const world = await openAccounts(db);
    const email = "ada@aqua.example";
    await world.register(email);
    const logIn = () => world.post("login", { email, password: PASSWORD });
    expect((await logIn()).statusCode).toBe(200);
    await db.orm.execute(sql`update account set country = 'DE'`);
    const refused = await logIn();
    expect(refused.statusCode).toBe(409);
    expect(refused.json().message).toContain("differs from its record in the public log");
    await db.orm.execute(sql`update account set country = 'FR'`);
    expect((await logIn()).statusCode).toBe(200);
    await world.close();
  });

  it("can be logged in to once the operator has stated its rows as they are", async () => {
    const db = await open();
    const operatorToken = "t".repeat(40);
    const world = await openAccounts(db, { operatorToken });
    const email = "ada@aqua.example";
    await world.register(email);
    await db.orm.execute(sql`update account set country = 'DE'`);
    expect((await world.post("login", { email, password: PASSWORD })).statusCode).toBe(409);
    const stated = await world.app.inject({
      method: "POST",
      url: "/api/v2/operator/account/logout",
      headers: { authorization: `Bearer ${operatorToken}` },
      payload: { email },
    });
    expect(stated.statusCode).toBe(200);
    expect((await world.post("login", { email, password: PASSWORD })).statusCode).toBe(200);
    await world.close();
  });
});
