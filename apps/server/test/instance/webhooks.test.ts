import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import type { List } from "@aqua/sdk/api/envelope";
import type { WebhookType } from "@aqua/sdk/api/rules";
import { type WebhookLine, webhookData } from "@aqua/sdk/api/webhooks";
import { nameHex } from "@aqua/sdk/proofs/reading";
import { eq } from "drizzle-orm";
import pino from "pino";
import { createPublicClient, type Hex, http } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roleKey } from "../../../../devnet/src/accounts.ts";
import { account } from "../../src/account/schema.ts";
import { createSender } from "../../src/chain/sender.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { connectDatabase, type Database } from "../../src/db/database.ts";
import { identityCase } from "../../src/identity/schema.ts";
import { type Instance, startInstance } from "../../src/instance.ts";
import { webhookCursor } from "../../src/webhooks/schema.ts";
import { openAccount, testSecret } from "../support/accounts.ts";
import { createServerDatabase } from "../support/databases.ts";
import { submissionForm } from "../support/identity.ts";
import { EXAMPLE_KEY, EXAMPLE_SECRET, isSignedBy, openReceiver, type Receiver } from "../webhooks/receiver.ts";
import { type LocalChain, openLocalChain } from "./local.ts";

const TOKEN = "operator-token-of-the-webhook-test-0123456789";
/** A webhook may need a turn of the audit or some polls of jobs. */
const patient = { timeout: 60_000, interval: 100 };

describe("the webhooks of a running instance", () => {
  let local: LocalChain;
  let instance: Instance;
  let receiver: Receiver;
  let db: Database;
  let config: Config;
  beforeAll(async () => {
    local = await openLocalChain();
    receiver = await openReceiver();
    const databaseUrl = await createServerDatabase();
    config = readConfig({
      ...local.environment,
      DATABASE_URL: databaseUrl,
      SECRET_KEY: Buffer.from(testSecret).toString("hex"),
      OPERATOR_TOKEN: TOKEN,
      WEBHOOK_URL: receiver.url,
      WEBHOOK_SECRET: EXAMPLE_SECRET,
      AUDIT_CORE_PERCENT: "100",
    });
    instance = await startInstance(config, pino({ level: "silent" }));
    db = await connectDatabase(databaseUrl);
  });
  afterAll(async () => {
    await instance?.stop();
    await db?.close();
    receiver?.close();
    await local?.remove();
  });

  const dataOf = (type: WebhookType) =>
    receiver.received.map(({ body }) => JSON.parse(body)).flatMap((event) => (event.type === type ? [event.data] : []));

  it("tell of an anchored batch, a decided identity and a finding of the audit, each once and signed", async () => {
    await expect.poll(() => db.orm.select().from(webhookCursor), patient).toHaveLength(1);
    const client = createPublicClient({ transport: http(local.chain.url), cacheTime: 0 });
    const sender = createSender(client, roleKey("anchorer"));
    const now = (await client.getBlock()).timestamp;
    const anchor = (number: bigint) =>
      sender.call({
        ...{ address: local.deployed.addresses.telemetryAnchor, abi: telemetryAnchorAbi, functionName: "anchor" },
        args: [
          nameHex("sahel-solar"),
          `0x${"ab".repeat(32)}` as Hex,
          now - 9n + number,
          now - 9n + number,
          1,
          `0x${"cd".repeat(32)}`,
        ],
      });
    // Each further batch is a block, and two blocks make the first one final.
    for (let number = 0n; number < 3n; number += 1n) await sender.included([await anchor(number)]);
    await expect.poll(() => dataOf("anchor").map(({ number }) => number), patient).toEqual([1]);

    const { id, authorization } = await openAccount(db);
    // The log does not state this row of another account. The audit compares all rows at a start.
    const { id: other } = await openAccount(db);
    await db.orm.update(account).set({ country: "DE" }).where(eq(account.id, other));
    await instance.stop();
    instance = await startInstance(config, pino({ level: "silent" }));
    const { payload, type } = await submissionForm();
    const post = (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
      fetch(`${instance.url}/api/v2/${path}`, { method: "POST", body, headers });
    await expect.poll(() => dataOf("finding").map(({ table }) => table), patient).toContain("account");
    await post("account/identity", new Uint8Array(payload), { authorization, "content-type": type });
    const [submitted] = await db.orm.select().from(identityCase).where(eq(identityCase.accountId, id));
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    const answer = await post(`operator/identity/${submitted?.id}/approve`, JSON.stringify({ valid_days: 9 }), headers);
    expect(answer.status).toBe(200);
    await expect
      .poll(() => dataOf("identity"), patient)
      .toMatchObject([{ case_id: submitted?.id, status: "verified" }]);

    for (const call of receiver.received) {
      const event = JSON.parse(call.body) as { type: WebhookType; data: object };
      expect([isSignedBy(EXAMPLE_KEY, call), webhookData[event.type].parse(event.data)]).toEqual([true, event.data]);
    }
    const ids = receiver.received.map(({ headers: sent }) => sent["webhook-id"]);
    expect(new Set(ids).size).toBe(ids.length);
    const answered = await fetch(`${instance.url}/api/v2/operator/webhooks?page_size=100`, { headers });
    const { data } = (await answered.json()) as { data: List<WebhookLine> };
    expect(data.items.map((event) => event.id).sort()).toEqual(expect.arrayContaining(ids.sort()));
  });
});
