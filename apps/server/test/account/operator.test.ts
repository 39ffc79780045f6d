import type { SecurityEvent } from "@aqua/sdk/api/security";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { withDatabase } from "../support/databases.ts";
import { operatorToken } from "../support/identity.ts";
import { type AccountWorld, openAccounts, PASSWORD } from "./world.ts";

withDatabase("the operator's log-out", (open) => {
  let db: Database;
  let world: AccountWorld;
  beforeAll(async () => {
    db = await open();
    world = await openAccounts(db, { operatorToken });
  });
  afterAll(() => world.close());

  const logOut = (email: string, { app } = world, token = operatorToken) =>
    app.inject({
      method: "POST",
      url: "/api/v2/operator/account/logout",
      headers: { authorization: `Bearer ${token}` },
      payload: { email },
    });
  const logIn = async (email: string) =>
    (await world.post("login", { email, password: PASSWORD })).json().data.token as string;

  it("ends every session of the account and of no other, and the owner sees it after the next log-in", async () => {
    const first = await world.register("ada@aqua.example");
    const other = await world.register("bob@aqua.example");
    const second = await logIn("ada@aqua.example");
    expect((await logOut("ada@aqua.example")).json()).toEqual({ data: { email: "ada@aqua.example", ended: 2 } });
    for (const token of [first.token, second]) expect((await world.get("info", token)).statusCode).toBe(401);
    expect((await world.get("info", other.token)).statusCode).toBe(200);
    const again = await logIn("ada@aqua.example");
    const { items } = (await world.get("events", again)).json().data as { items: SecurityEvent[] };
    expect(items.map(({ kind }) => kind)).toContain("logged_out_by_operator");
    expect(items.find(({ kind }) => kind === "logged_out_by_operator")).toMatchObject({
      place: null,
      user_agent: null,
    });
  });

  it("reports if there is no session to end, or no such account", async () => {
    const { token } = await world.register("cy@aqua.example");
    await world.post("logout", {}, token);
    expect((await logOut("cy@aqua.example")).json().data.ended).toBe(0);
    const unknown = await logOut("nobody@aqua.example");
    expect(unknown.statusCode).toBe(404);
    expect(unknown.json()).toMatchObject({ error_code: "not_found", message: "No account has this e-mail" });
  });

  it("is available only to the operator, and does not exist without an operator token", async () => {
    const { token } = await world.register("eve@aqua.example");
    expect((await logOut("eve@aqua.example", world, token)).json().error_code).toBe("token_error");
    expect((await world.get("info", token)).statusCode).toBe(200);
    const without = await openAccounts(db);
    expect((await logOut("eve@aqua.example", without)).statusCode).toBe(404);
    await without.close();
  });
});
