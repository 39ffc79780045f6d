import { createClient } from "@aqua/sdk/api/client";
import { count } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { connectDatabase, type Database } from "../../src/db/database.ts";
import { chainCursor } from "../../src/indexer/schema.ts";
import { type Instance, startInstance } from "../../src/instance.ts";
import { job } from "../../src/jobs/schema.ts";
import { mailOutbox } from "../../src/mail/schema.ts";
import { createServerDatabase } from "../support/databases.ts";
import { type LocalChain, openLocalChain } from "./local.ts";

let local: LocalChain;
let db: Database;
const instances: Instance[] = [];
let start: (roles: string) => Promise<Instance>;

beforeAll(async () => {
  local = await openLocalChain();
  const DATABASE_URL = await createServerDatabase();
  start = async (ROLES) => {
    const settings = { ...local.environment, DATABASE_URL, SECRET_KEY: "5e".repeat(32), MQTT_PORT: "0", ROLES };
    const instance = await startInstance(readConfig(settings), pino({ level: "silent" }));
    instances.push(instance);
    return instance;
  };
  db = await connectDatabase(DATABASE_URL);
});
afterAll(async () => {
  for (const instance of instances) await instance.stop();
  await db?.close();
  await local?.remove();
});

it("two processes with different roles on one database do the work of one", async () => {
  const web = await start("web");
  const client = createClient({ baseUrl: `${web.url}/api/v2` });
  const asked = await fetch(`${web.url}/api/v2/account/send-verification-code`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "reader@aqua.example", purpose: "register", language: "en-US" }),
  });
  expect(asked.status).toBe(200);
  const [cursor] = await db.orm.select().from(chainCursor);
  expect(cursor).toMatchObject({ block: null, leaseOwner: null });
  expect(await db.orm.select({ mails: count() }).from(mailOutbox)).toEqual([{ mails: 0 }]);

  const worker = await start("indexer,jobs,mqtt");
  const head = async () => (await client.network()).chains[0]?.head?.block;
  await expect.poll(head, { timeout: 20_000 }).toBe(Number(await local.chain.rpc.call("eth_blockNumber")));
  await expect
    .poll(() => db.orm.select({ to: mailOutbox.recipient }).from(mailOutbox), { timeout: 20_000 })
    .toEqual([{ to: "reader@aqua.example" }]);
  expect((await db.orm.select({ kind: job.kind }).from(job)).map(({ kind }) => kind)).not.toContain("account.code");

  for (const path of ["/live", "/ready", "/metrics"]) expect((await fetch(`${worker.url}${path}`)).status).toBe(200);
  for (const path of ["/", "/api/v2/network", "/api/v2/openapi.json", "/rpc/31337", "/.well-known/security.txt"]) {
    const refused = await fetch(`${worker.url}${path}`);
    expect(refused.status).toBe(404);
    expect(await refused.json()).toMatchObject({
      error_code: "not_found",
      message: "This process serves neither web app nor API: its ROLES are indexer, jobs, mqtt",
    });
  }
});
