import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../server/src/db/database.ts";
import { createKeys } from "../../server/src/keys.ts";
import { operatorRoutes } from "../../server/src/operators/routes.ts";
import { createLogWriter } from "../../server/src/publicLog/writer.ts";
import { createDevices } from "../../server/src/telemetry/devices.ts";
import { deviceOperatorRoutes } from "../../server/src/telemetry/operatorRoutes.ts";
import { testSecret } from "../../server/test/support/accounts.ts";
import { testApp } from "../../server/test/support/app.ts";
import { openTestDatabase } from "../../server/test/support/databases.ts";
import { operatorAccess, publicLogOf } from "../../server/test/support/publicLog.ts";
import { runAqua } from "./support/aqua.ts";

const ROOT = "t".repeat(40);
let db: Database;
let app: Awaited<ReturnType<typeof testApp>>["app"];
let url: string;
beforeAll(async () => {
  db = await openTestDatabase();
  const keys = createKeys(testSecret);
  await publicLogOf(db, keys);
  const access = operatorAccess(db, keys, { token: ROOT, fourEyes: ["devices"] });
  const devices = createDevices({ db, chainIds: [31337], writer: createLogWriter(keys) });
  const none = undefined as never;
  ({ app } = await testApp({
    features: [operatorRoutes(access), deviceOperatorRoutes({ devices, importBatches: none, losses: none, access })],
  }));
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await app?.close();
  await db?.close();
});

const aqua = (args: string[], token = ROOT) => runAqua(args, { AQUA_URL: url, OPERATOR_TOKEN: token });
const tokenIn = (out: string) => /^aqua_\S+$/m.exec(out)?.[0] ?? "";

it("aqua operator names operators, lists them and ends their tokens", async () => {
  expect((await aqua(["operator", "list"])).out).toBe("No named operators.\n");
  const added = await aqua(["operator", "add", "ada", "--scopes", "read, devices", "--days", "unlimited"]);
  expect(added.out).toMatch(
    /^Added ada: devices, read\nToken, shown only once; it does not expire:\naqua_[\w-]{43}\n$/,
  );
  expect((await aqua(["device", "list"], tokenIn(added.out))).code).toBe(0);
  const listed = JSON.parse((await aqua(["operator", "list", "--json"])).out);
  expect(listed).toMatchObject([{ name: "ada", scopes: ["devices", "read"], revoked_at: null, expires_at: null }]);
  expect((await aqua(["operator", "list"])).out).toMatch(/^ada +devices,read +valid$/m);
  expect((await aqua(["operator", "revoke", "ada"])).out).toContain("Revoked ada.");
  expect((await aqua(["operator", "list"])).out).toMatch(/^ada +devices,read +revoked \d{4}-\d\d-\d\d$/m);
  expect((await aqua(["device", "list"], tokenIn(added.out))).error).toContain("OPERATOR_TOKEN is neither");
});

it("aqua operator names what is wrong, and adds nothing", async () => {
  const add = (...args: string[]) => aqua(["operator", "add", ...args]);
  expect(await add("Eve", "--scopes", "read")).toMatchObject({
    code: 1,
    error: expect.stringContaining("small letters"),
  });
  expect(await add("eve", "--scopes", "all")).toMatchObject({ code: 1, error: expect.stringContaining("identity") });
  expect(await add("eve", "--scopes", "read", "--address", "0x12")).toMatchObject({ code: 1 });
  expect(await add("eve", "--scopes", "read", "--days", "0")).toMatchObject({ code: 1 });
  expect(await add("eve")).toMatchObject({ code: 2, error: expect.stringContaining("--scopes") });
  expect((await aqua(["operator", "revoke", "eve"])).error).toBe("aqua: No operator has this name\n");
  expect((await aqua(["operator", "list"])).out).not.toContain("eve");
});

it("aqua says with exit code 3 that another operator must make the same call", async () => {
  const [bob, cy] = [
    tokenIn((await aqua(["operator", "add", "bob", "--scopes", "devices"])).out),
    tokenIn((await aqua(["operator", "add", "cy", "--scopes", "devices"])).out),
  ];
  const retire = (token: string) => aqua(["device", "retire", "pump-9"], token);
  expect(await retire(bob)).toMatchObject({
    code: 3,
    out: expect.stringMatching(
      /^Recorded, and nothing is changed yet: bob was first\. Another operator must run .* UTC\.\n$/,
    ),
  });
  // The second call is carried out, which finds no such device.
  expect(await retire(cy)).toMatchObject({ code: 1 });
  expect((await retire(ROOT)).error).toContain("Two named operators");
});
