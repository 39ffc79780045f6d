import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../server/src/db/database.ts";
import { type AccountWorld, openAccounts, PASSWORD } from "../../server/test/account/world.ts";
import { openTestDatabase } from "../../server/test/support/databases.ts";
import { operatorToken } from "../../server/test/support/identity.ts";
import { runAqua } from "./support/aqua.ts";

let db: Database;
let world: AccountWorld;
let url: string;
beforeAll(async () => {
  db = await openTestDatabase();
  world = await openAccounts(db, { operatorToken });
  url = await world.app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await world?.close();
  await db?.close();
});

const aqua = (...args: string[]) =>
  runAqua(["account", "logout", ...args], { AQUA_URL: url, OPERATOR_TOKEN: operatorToken });

it("aqua account logout ends the account's log-ins everywhere and reports on how many devices, also as JSON", async () => {
  const { email, token } = await world.register("ada@aqua.example");
  expect(await aqua(email)).toEqual({ code: 0, out: "ada@aqua.example is logged out on 1 device.\n", error: "" });
  expect((await world.get("info", token)).statusCode).toBe(401);
  expect((await aqua(email)).out).toBe("ada@aqua.example was not logged in on any device.\n");
  expect(JSON.parse((await aqua(email, "--json")).out)).toEqual({ email, ended: 0 });
});

it("aqua account accept lets the owner of an account with changed rows log in again", async () => {
  const { email } = await world.register("eve@aqua.example");
  const logIn = async () => (await world.post("login", { email, password: PASSWORD })).statusCode;
  await db.orm.execute(sql`update account set country = 'DE' where email = ${email}`);
  expect(await logIn()).toBe(409);
  const settings = { AQUA_URL: url, OPERATOR_TOKEN: operatorToken };
  expect(await runAqua(["account", "accept", email], settings)).toEqual({
    code: 0,
    out: "The public log states the rows of this account as they are.\neve@aqua.example is logged out on 1 device.\n",
    error: "",
  });
  expect(await logIn()).toBe(200);
});

it("aqua account logout names an e-mail that has no account", async () => {
  const { code, error } = await aqua("nobody@aqua.example");
  expect(code).toBe(1);
  expect(error).toBe("aqua: No account has this e-mail\n");
});
