import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { createKeys } from "../../src/keys.ts";
import { runningInstances } from "../../src/operations/heartbeat.ts";
import { instance } from "../../src/operations/schema.ts";
import { waitForFormerServers } from "../../src/publicLog/open.ts";
import { openAccounts, PASSWORD } from "../account/world.ts";
import { withDatabase } from "../support/databases.ts";
import { publicLogOf } from "../support/publicLog.ts";

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

  it("can be logged in to once the operator has accepted its rows, and not by a log-out", async () => {
    const db = await open();
    const operatorToken = "t".repeat(40);
    const world = await openAccounts(db, { operatorToken });
    const email = "ada@aqua.example";
    await world.register(email);
    await db.orm.execute(sql`update account set country = 'DE'`);
    expect((await world.post("login", { email, password: PASSWORD })).statusCode).toBe(409);
    const call = (path: string) =>
      world.app.inject({
        method: "POST",
        url: `/api/v2/operator/account/${path}`,
        headers: { authorization: `Bearer ${operatorToken}` },
        payload: { email },
      });
    expect((await call("logout")).json()).toMatchObject({ data: { ended: 1 } });
    expect((await world.post("login", { email, password: PASSWORD })).statusCode).toBe(409);
    expect((await call("accept")).json()).toMatchObject({ data: { ended: 0 } });
    expect((await world.post("login", { email, password: PASSWORD })).statusCode).toBe(200);
    await world.close();
  });
});

withDatabase("the start of a server with a public log", (open) => {
  it("waits until the servers that know no log have ended", async () => {
    const db = await open();
    await db.orm.insert(instance).values({ id: randomUUID(), version: "0", host: "former", roles: ["http"] });
    const warned: object[] = [];
    let hasStarted = false;
    const started = waitForFormerServers(db, {
      servers: async () => (await runningInstances(db.orm)).length,
      log: { warn: (fields: object) => void warned.push(fields) },
      everyMs: 1,
    }).then(() => {
      hasStarted = true;
    });
    await expect.poll(() => warned).toEqual([{ servers: 1 }]);
    expect(hasStarted).toBe(false);
    await db.orm.delete(instance);
    await started;
    // Later no server needs to be stopped.
    await publicLogOf(db, createKeys(new Uint8Array(32).fill(7)));
    await waitForFormerServers(db, { servers: async () => 1, log: { warn: () => {} } });
  });
});
