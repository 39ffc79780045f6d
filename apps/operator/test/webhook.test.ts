import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../server/src/db/database.ts";
import { createKeys } from "../../server/src/keys.ts";
import { createLogWriter } from "../../server/src/publicLog/writer.ts";
import { createDelivery } from "../../server/src/webhooks/deliver.ts";
import { createEmit, DELIVERY_JOB } from "../../server/src/webhooks/emit.ts";
import { webhookRoutes } from "../../server/src/webhooks/routes.ts";
import { createWebhookService } from "../../server/src/webhooks/service.ts";
import { testApp } from "../../server/test/support/app.ts";
import { openTestDatabase } from "../../server/test/support/databases.ts";
import { operatorToken } from "../../server/test/support/identity.ts";
import { workOff } from "../../server/test/support/jobs.ts";
import { operatorAccess } from "../../server/test/support/publicLog.ts";
import { EXAMPLE_KEY, openReceiver, type Receiver } from "../../server/test/webhooks/receiver.ts";
import { runAqua } from "./support/aqua.ts";

const TIME = Date.UTC(2026, 2, 1, 8, 30);
let db: Database;
let receiver: Receiver;
let close: () => Promise<void>;
let url: string;

beforeAll(async () => {
  db = await openTestDatabase();
  receiver = await openReceiver();
  const keys = createKeys(new Uint8Array(32));
  const service = createWebhookService({ db, isOn: true, writer: createLogWriter(keys), notifyJobs() {} });
  const access = operatorAccess(db, keys, { token: operatorToken });
  const { app } = await testApp({ features: [webhookRoutes(service, access)] });
  close = () => app.close();
  url = await app.listen({ port: 0, host: "127.0.0.1" });
  for (const [minute, status] of (["verified", "rejected"] as const).entries()) {
    const time = TIME + minute * 60_000;
    const data = { case_id: `case-${minute}`, status, valid_until: null };
    await db.transaction((tx) => createEmit(true, () => time)(tx, { type: "identity", time, fact: status, data }));
  }
  receiver.answers.push(204, 500);
  await deliver();
});
afterAll(async () => {
  await close?.();
  receiver?.close();
  await db?.close();
});

async function deliver(): Promise<void> {
  const send = createDelivery({ db, webhook: { url: receiver.url, keys: [EXAMPLE_KEY] } });
  await workOff(db, {
    [DELIVERY_JOB]: (payload, context) => send(payload, { ...context, attempts: 10 }).catch(() => {}),
  });
}
const aqua = (...args: string[]) => runAqua(args, { AQUA_URL: url, OPERATOR_TOKEN: operatorToken });
const json = async (...args: string[]) => JSON.parse((await aqua("webhook", ...args, "--json")).out);

it("aqua webhook list prints events with their state, tries and last answer", async () => {
  const { code, out } = await aqua("webhook", "list");
  expect(code).toBe(0);
  const lines = out.split("\n").map((line) => line.replace(/ {2,}/g, "  "));
  expect(lines[0]).toBe("EVENT  TYPE  HAPPENED (UTC)  STATE  TRIES  LAST ANSWER");
  expect(lines[1]).toMatch(/^evt_[0-9a-f]{32} {2}identity {2}2026-03-01 08:31:00 {2}failed {2}1 {2}500$/);
  expect(lines[2]).toMatch(/^evt_[0-9a-f]{32} {2}identity {2}2026-03-01 08:30:00 {2}delivered {2}1 {2}204$/);
  expect(lines[3]).toBe("2 of 2");
  expect((await json("list", "--state", "failed")).items).toMatchObject([{ state: "failed", time: TIME + 60_000 }]);
  expect((await aqua("webhook", "list", "--type", "deposit")).out).toBe("No events.\n");
});

it("aqua webhook replay sends one event again, or those of a span of time", async () => {
  const [failed, delivered] = (await json("list")).items;
  expect((await aqua("webhook", "replay", delivered.id)).out).toBe("1 event is sent again now.\n");
  const span = ["--from", "2026-03-01", "--to", "2026-03-01T09:00Z"];
  expect(await json("replay", ...span, "--state", "failed")).toEqual({ replayed: 1 });
  await deliver();
  const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
  expect(ids.sort()).toEqual([failed.id, failed.id, delivered.id, delivered.id].sort());
  expect((await aqua("webhook", "replay", "--from", "2026-03-02")).out).toBe("There is no such event.\n");
});

it.each([
  [["replay"], "name the id of an event, or --from for those of a span of time"],
  [["replay", "evt_1", "--from", "2026-03-01"], "name an event, or a span of time by --from, not both"],
  [["replay", "evt_1"], "No event with this id is stored; events are stored for 30 days"],
  [
    ["replay", "--from", "yesterday"],
    "--from must be a day or a moment in UTC, such as 2026-03-01 or 2026-03-01T08:30Z",
  ],
  [["list", "--state", "lost"], /--state/],
])("aqua webhook %j is refused with what to do", async (args, words) => {
  const { code, out, error } = await aqua("webhook", ...args);
  expect([code === 0, out]).toEqual([false, ""]);
  expect(error).toMatch(words);
});
