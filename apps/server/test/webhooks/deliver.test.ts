import type pino from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import type { Database } from "../../src/db/database.ts";
import { createJobRunner, PermanentJobError, RetryAfter } from "../../src/jobs/runner.ts";
import { job } from "../../src/jobs/schema.ts";
import { createLog } from "../../src/log.ts";
import { signedHeaders } from "../../src/webhookPost.ts";
import { createDelivery, PAUSES_MS } from "../../src/webhooks/deliver.ts";
import { createEmit, DELIVERY_JOB } from "../../src/webhooks/emit.ts";
import { webhookEvent } from "../../src/webhooks/schema.ts";
import { openTestDatabase } from "../support/databases.ts";
import { EXAMPLE_KEY, EXAMPLE_SECRET, isSignedBy, openReceiver, type Receiver } from "./receiver.ts";

const FORMER_KEY = Buffer.alloc(32, 5);
const CLOCK = 1_800_000_000_000;
const decided = {
  type: "identity",
  time: CLOCK - 1_000,
  fact: "case-1",
  data: { case_id: "case-1", status: "verified", valid_until: CLOCK },
} as const;

describe("the signature of a webhook", () => {
  it("is that of the example in the specification", () => {
    const example = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330, body: '{"test": 2432232314}' };
    expect(signedHeaders(example, [EXAMPLE_KEY])).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });
});

describe("a webhook", () => {
  let db: Database;
  let receiver: Receiver;
  beforeAll(async () => {
    db = await openTestDatabase();
    receiver = await openReceiver();
  });
  beforeEach(async () => {
    await db.orm.delete(webhookEvent);
    await db.orm.delete(job);
    receiver.received.length = 0;
    receiver.answers.length = 0;
  });
  afterAll(async () => {
    receiver?.close();
    await db?.close();
  });

  const emit = createEmit(true, () => CLOCK);
  const stored = async () => (await db.orm.select().from(webhookEvent))[0];
  async function emitted(): Promise<{ event: string }> {
    await db.transaction((tx) => emit(tx, decided));
    return { event: (await stored())?.id ?? "" };
  }
  const context = (attempts = 1) => ({ id: 1, attempts, waitedMs: 0, signal: new AbortController().signal });
  const delivery = (more: Partial<Parameters<typeof createDelivery>[0]> = {}) =>
    createDelivery({ db, webhook: { url: receiver.url, keys: [EXAMPLE_KEY] }, now: () => CLOCK, ...more });

  it("is stored if and only if the transaction of its fact commits, once for each fact", async () => {
    const work = db.transaction(async (tx) => {
      await emit(tx, decided);
      throw new Error("no");
    });
    await expect(work).rejects.toThrow("no");
    expect([await stored(), await db.orm.select().from(job)]).toEqual([undefined, []]);
    for (let time = 0; time < 2; time += 1) await emitted();
    await db.transaction((tx) => createEmit(false)(tx, { ...decided, fact: "case-2" }));
    expect(await db.orm.select().from(webhookEvent)).toHaveLength(1);
    expect(await db.orm.select().from(job)).toMatchObject([{ kind: DELIVERY_JOB }]);
  });

  it("carries type, time and data, and the signature of each key", async () => {
    const payload = await emitted();
    await delivery({ webhook: { url: receiver.url, keys: [EXAMPLE_KEY, FORMER_KEY] } })(payload, context());
    const [call, ...more] = receiver.received;
    if (call === undefined) throw new Error("nothing was received");
    expect(more).toEqual([]);
    expect(call.headers["content-type"]).toBe("application/json");
    expect(call.headers["webhook-id"]).toMatch(/^evt_[0-9a-f]{32}$/);
    expect(call.headers["webhook-timestamp"]).toBe("1800000000");
    expect(JSON.parse(call.body)).toEqual({
      type: "identity",
      timestamp: "2027-01-15T07:59:59.000Z",
      data: { case_id: "case-1", status: "verified", valid_until: CLOCK },
    });
    expect([EXAMPLE_KEY, FORMER_KEY, Buffer.alloc(32)].map((key) => isSignedBy(key, call))).toEqual([
      true,
      true,
      false,
    ]);
    expect(isSignedBy(EXAMPLE_KEY, { ...call, body: `${call.body} ` })).toBe(false);
    expect(await stored()).toMatchObject({ state: "delivered", tries: 1, lastAnswer: "204", deliveredTime: CLOCK });
    await delivery()(payload, context());
    expect(receiver.received).toHaveLength(1);
  });

  it("is sent again with the same id and body after a 500 and after a timeout, and then delivered", async () => {
    const payload = await emitted();
    receiver.answers.push(500, () => {});
    const [first, second] = PAUSES_MS;
    const failed = await delivery()(payload, context()).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(RetryAfter);
    expect(Math.abs((failed as RetryAfter).pauseMs / first - 1)).toBeLessThanOrEqual(0.05);
    expect(await stored()).toMatchObject({ state: "waiting", tries: 1, lastTry: CLOCK, lastAnswer: "500" });
    const hung = await delivery({ answerMs: 30 })(payload, context(2)).catch((error: unknown) => error);
    expect(Math.abs((hung as RetryAfter).pauseMs / second - 1)).toBeLessThanOrEqual(0.05);
    expect(await stored()).toMatchObject({ state: "waiting", tries: 2, lastAnswer: "nothing within 0.03 s" });
    await delivery({ now: () => CLOCK + 300_000 })(payload, context(3));
    expect(await stored()).toMatchObject({ state: "delivered", tries: 3, deliveredTime: CLOCK + 300_000 });
    const sent = receiver.received.map(({ headers, body }) => [headers["webhook-id"], body]);
    expect(sent).toEqual([sent[0], sent[0], sent[0]]);
    expect(receiver.received.every((call) => isSignedBy(EXAMPLE_KEY, call))).toBe(true);
  });

  describe("that is answered with Retry-After", () => {
    /** The pause after such an answer to the given try, in milliseconds. */
    async function pauseAfter(status: number, header: string, attempts = 1): Promise<number> {
      const payload = await emitted();
      receiver.answers.push((response) => void response.writeHead(status, { "retry-after": header }).end());
      const failed = await delivery()(payload, context(attempts)).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(RetryAfter);
      return (failed as RetryAfter).pauseMs;
    }
    /** A pause is at most a tenth longer than what was asked for. */
    function expectPause(pause: number, asked: number) {
      expect(pause).toBeGreaterThanOrEqual(asked);
      expect(pause).toBeLessThanOrEqual(asked * 1.1);
    }

    it.each([429, 503])("waits as many seconds as a %i asks for", async (status) => {
      expectPause(await pauseAfter(status, "600"), 600_000);
    });

    it("waits until the date that a 503 asks for", async () => {
      expectPause(await pauseAfter(503, new Date(CLOCK + 3_600_000).toUTCString()), 3_600_000);
    });

    it("waits for a day at most", async () => {
      for (const header of ["86401", "9".repeat(400), "Fri, 31 Dec 9999 23:59:59 GMT"])
        expectPause(await pauseAfter(503, header), 86_400_000);
    });

    it.each([
      ["a shorter time", 429, "1"],
      ["no time", 503, "0"],
      ["a time in the past", 503, new Date(CLOCK - 1_000).toUTCString()],
      ["a negative number", 503, "-600"],
      ["a fraction", 503, "600.5"],
      ["another form of a date", 503, new Date(CLOCK + 3_600_000).toISOString()],
      ["a day that does not exist", 503, "Tue, 30 Feb 2027 10:00:00 GMT"],
      ["words", 429, "soon"],
      ["the words of an invalid date", 429, "Invalid Date"],
      ["another status", 500, "600"],
      ["a redirect", 301, "600"],
    ])("follows the schedule after %s", async (_what, status, header) => {
      const pause = await pauseAfter(status, header, 2);
      expect(Math.abs(pause / PAUSES_MS[1] - 1)).toBeLessThanOrEqual(0.05);
    });

    it("is given up after the last try all the same", async () => {
      const payload = await emitted();
      receiver.answers.push((response) => void response.writeHead(503, { "retry-after": "600" }).end());
      await expect(delivery()(payload, context(PAUSES_MS.length + 1))).rejects.toThrow(PermanentJobError);
    });
  });

  it("is given up after about three days", async () => {
    const payload = await emitted();
    receiver.answers.push(503, 410);
    await expect(delivery()(payload, context(PAUSES_MS.length))).rejects.toThrow(RetryAfter);
    await expect(delivery()(payload, context(PAUSES_MS.length + 1))).rejects.toThrow(PermanentJobError);
    expect(await stored()).toMatchObject({ state: "failed", tries: 2, lastAnswer: "410" });
    const hours = PAUSES_MS.reduce((sum, pause) => sum + pause, 0) / 3_600_000;
    expect(hours).toBeCloseTo(75.6, 1);
  });

  it("does not follow a redirect", async () => {
    const payload = await emitted();
    receiver.answers.push((response) => void response.writeHead(307, { location: "/elsewhere" }).end());
    await expect(delivery()(payload, context())).rejects.toThrow("answered 307");
    expect(receiver.received.map(({ path }) => path)).toEqual(["/hook"]);
  });

  it("is delivered although the answer never ends, which is not read", async () => {
    const payload = await emitted();
    const closed = new Promise<void>((resolve) => {
      receiver.answers.push((response) => {
        response.on("close", resolve);
        response.writeHead(200).write("x".repeat(1_000));
      });
    });
    await delivery()(payload, context());
    await closed;
    expect(await stored()).toMatchObject({ state: "delivered", lastAnswer: "200" });
  });

  it("that was stored before WEBHOOK_URL was taken away is given up", async () => {
    const payload = await emitted();
    await expect(delivery({ webhook: null })(payload, context())).rejects.toThrow("WEBHOOK_URL is not set any more");
    expect(await stored()).toMatchObject({ state: "failed", tries: 0 });
  });

  describe("that fails", () => {
    const stops: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const stop of stops.splice(0)) await stop();
    });

    it("is logged and stored without secret, body or address", async () => {
      const lines: string[] = [];
      const token = "0123456789-token-of-the-path";
      const url = `http://127.0.0.1:9/${token}`;
      const config = readConfig({ WEBHOOK_URL: url, WEBHOOK_SECRET: EXAMPLE_SECRET });
      const log = createLog(config, (line) => lines.push(line));
      await emitted();
      const handlers = { [DELIVERY_JOB]: createDelivery({ db, webhook: config.webhook }) };
      const runner = createJobRunner({ db, log: log as pino.Logger, handlers, settings: { pollMs: 20 } });
      stops.push(runner.stop);
      runner.start();
      await expect.poll(() => lines.length).toBe(1);
      await expect.poll(async () => (await db.orm.select().from(job))[0]?.lastError).toMatch(/nothing \(/);
      log.error({ err: new Error(`${url} ${EXAMPLE_SECRET}`) }, EXAMPLE_SECRET);
      const shown = JSON.stringify([lines, await db.orm.select().from(job), { ...(await stored()), body: "" }]);
      for (const secret of [token, EXAMPLE_SECRET.slice(6), "127.0.0.1:9", "case-1"]) {
        const isFirst = secret === "127.0.0.1:9";
        expect(isFirst ? lines[0] : shown).not.toContain(secret);
      }
      expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: 40, job: DELIVERY_JOB });
    });
  });
});
