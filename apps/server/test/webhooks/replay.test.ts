import type { WebhookLine } from "@aqua/sdk/api/webhooks";
import { sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { job } from "../../src/jobs/schema.ts";
import { createKeys } from "../../src/keys.ts";
import { publicLogEntry } from "../../src/publicLog/schema.ts";
import { createLogWriter } from "../../src/publicLog/writer.ts";
import { createDelivery } from "../../src/webhooks/deliver.ts";
import { createEmit, DELIVERY_JOB } from "../../src/webhooks/emit.ts";
import { webhookRoutes } from "../../src/webhooks/routes.ts";
import { webhookEvent } from "../../src/webhooks/schema.ts";
import { createWebhookService, deleteOldEvents } from "../../src/webhooks/service.ts";
import { testApp } from "../support/app.ts";
import { openTestDatabase } from "../support/databases.ts";
import { workOff } from "../support/jobs.ts";
import { operatorAccess } from "../support/publicLog.ts";
import { EXAMPLE_KEY, openReceiver, type Receiver } from "./receiver.ts";

const token = "operator-token-of-the-tests-0123456789";
const TIME = 1_800_000_000_000;

describe("webhooks that an operator sends again", () => {
  let db: Database;
  let receiver: Receiver;
  let app: FastifyInstance;
  const keys = createKeys(new Uint8Array(32).fill(7));
  const writer = createLogWriter(keys);
  beforeAll(async () => {
    db = await openTestDatabase();
    receiver = await openReceiver();
  });
  beforeEach(async () => {
    app = await serve(true);
  });
  afterEach(async () => {
    await app.close();
    for (const table of [webhookEvent, job, publicLogEntry]) await db.orm.delete(table);
    receiver.received.length = 0;
    receiver.answers.length = 0;
  });
  afterAll(async () => {
    receiver?.close();
    await db?.close();
  });

  async function serve(isOn: boolean): Promise<FastifyInstance> {
    const service = createWebhookService({ db, isOn, writer, notifyJobs() {} });
    return (await testApp({ features: [webhookRoutes(service, operatorAccess(db, keys, { token }))] })).app;
  }
  async function call(path: string, body?: object) {
    const headers = { authorization: `Bearer ${token}` };
    const request = { url: `/api/v2/operator/webhooks${path}`, headers };
    const answer = await app.inject(body === undefined ? request : { ...request, method: "POST", payload: body });
    return answer.json();
  }
  const items = async (query = ""): Promise<WebhookLine[]> => (await call(query)).data.items;
  /** Stores events at these moments after TIME, in milliseconds. */
  async function emitted(...moments: number[]): Promise<void> {
    for (const moment of moments) {
      const data = { case_id: `case-${moment}`, status: "verified", valid_until: null } as const;
      const event = { type: "identity", time: TIME + moment, fact: String(moment), data } as const;
      await db.transaction((tx) => createEmit(true, () => TIME + moment)(tx, event));
    }
  }
  /** Delivers what is due. A failing try is the last one if `isLast`. */
  async function deliver(isLast = false): Promise<void> {
    const deliverOne = createDelivery({ db, webhook: { url: receiver.url, keys: [EXAMPLE_KEY] }, now: () => TIME });
    const attempts = isLast ? 10 : 1;
    await workOff(db, {
      [DELIVERY_JOB]: (payload, context) => deliverOne(payload, { ...context, attempts }).catch(() => {}),
    });
  }

  it("are listed with their state, the newest first", async () => {
    await emitted(1, 2, 3);
    receiver.answers.push(204, 500, () => {});
    receiver.answers[2] = 502;
    await deliver(true);
    const [third, second, first] = await items();
    expect(first).toEqual({
      ...{
        id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
        type: "identity",
        time: TIME + 1,
        state: "delivered",
        tries: 1,
      },
      ...{ last_try: { time: TIME, answer: "204" }, delivered_at: TIME },
    });
    expect(second).toMatchObject({ time: TIME + 2, state: "failed", last_try: { answer: "500" }, delivered_at: null });
    expect(third).toMatchObject({ time: TIME + 3, state: "failed", last_try: { answer: "502" } });
    expect((await items("?state=failed&page_size=1&page=2")).map(({ id }) => id)).toEqual([second?.id]);
    expect(await items("?type=deposit")).toEqual([]);
    expect((await call("?state=lost")).error_code).toBe("validation_error");
  });

  it("have the id and the body of the first delivery", async () => {
    await emitted(1, 2);
    await deliver();
    const [, first] = await items();
    expect(await call("/replay", { id: first?.id })).toEqual({ data: { replayed: 1 } });
    expect((await items())[1]).toMatchObject({ id: first?.id, state: "waiting", tries: 1 });
    await deliver();
    const sent = receiver.received.map(({ headers, body }) => [headers["webhook-id"], body]);
    expect(sent).toHaveLength(3);
    expect(sent.filter(([id]) => id === first?.id)).toEqual([sent[2], sent[2]]);
    expect((await items())[1]).toMatchObject({ state: "delivered", tries: 2 });
  });

  it("are those of a span of time, or those of it that failed", async () => {
    await emitted(1, 2, 3, 4);
    receiver.answers.push(500);
    await deliver(true);
    receiver.received.length = 0;
    expect(await call("/replay", { from: TIME, to: TIME + 3, state: "failed" })).toEqual({ data: { replayed: 1 } });
    await deliver();
    expect(receiver.received.map(({ body }) => JSON.parse(body).data.case_id)).toEqual(["case-1"]);
    expect(await call("/replay", { from: TIME + 2, to: TIME + 3 })).toEqual({ data: { replayed: 2 } });
    expect(await call("/replay", { from: TIME + 3 })).toEqual({ data: { replayed: 2 } });
    await deliver();
    expect(
      receiver.received
        .slice(1)
        .map(({ body }) => JSON.parse(body).data.case_id)
        .sort(),
    ).toEqual(["case-2", "case-3", "case-4"]);
    expect(await call("/replay", { from: TIME + 5 })).toEqual({ data: { replayed: 0 } });
  });

  it("replace the job that waits for its next try, and leave one that runs alone", async () => {
    await emitted(1, 2);
    await db.orm.update(job).set({ runAt: TIME * 2, attempts: 5 });
    await db.orm.execute(
      sql`update job set lease_until = 9999999999999 where payload->>'event' = (select id from webhook_event where time = ${TIME + 2})`,
    );
    await call("/replay", { from: TIME });
    const jobs = await db.orm.select().from(job).orderBy(job.id);
    expect(jobs.map(({ attempts, leaseUntil }) => [attempts, leaseUntil !== null])).toEqual([
      [5, true],
      [0, false],
    ]);
  });

  it("are recorded as an act in the public log", async () => {
    await emitted(1);
    await call("/replay", { from: TIME });
    expect(await db.orm.select().from(publicLogEntry)).toMatchObject([
      { kind: "act", subject: "POST operator/webhooks/replay" },
    ]);
  });

  it("must exist, and the site must send webhooks", async () => {
    expect(await call("/replay", { id: "evt_none" })).toMatchObject({ error_code: "not_found" });
    expect(await call("/replay", {})).toMatchObject({ error_code: "validation_error" });
    expect(await call("/replay", { id: "evt_none", from: 1 })).toMatchObject({ error_code: "validation_error" });
    await app.close();
    app = await serve(false);
    await emitted(1);
    expect(await call("/replay", { from: TIME })).toMatchObject({
      error_code: "conflict",
      message: "This site sends no webhooks: WEBHOOK_URL is not set",
    });
    expect(await db.orm.select().from(publicLogEntry)).toEqual([]);
  });

  it("are deleted after their time", async () => {
    await emitted(1, 2);
    await deleteOldEvents(db, TIME + 2);
    expect((await items()).map(({ time }) => time)).toEqual([TIME + 2]);
    await deliver();
    expect(receiver.received).toHaveLength(1);
  });
});
