import { eq, sql } from "drizzle-orm";
import pino from "pino";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { createCleanup } from "../../src/jobs/cleanup.ts";
import {
  createJobRunner,
  createJobRunners,
  type JobHandler,
  type JobRunner,
  PermanentJobError,
  RetryAfter,
  RetryLater,
} from "../../src/jobs/runner.ts";
import { job } from "../../src/jobs/schema.ts";
import { deleteAbandoned, enqueue, lease, type NewJob } from "../../src/jobs/store.ts";
import { currentRequestId, withRequestId } from "../../src/requestId.ts";
import { withDatabase } from "../support/databases.ts";

withDatabase("jobs", (open) => {
  let db: Database;
  let logged: string[];
  const runners: JobRunner[] = [];
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    await db.orm.delete(job);
    logged = [];
  });
  afterEach(async () => {
    vi.useRealTimers();
    await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  });

  const fast = { pollMs: 20, firstPauseMs: 10, longestPauseMs: 40 };
  function run(handlers: Record<string, JobHandler>, settings: object = {}, of = db): JobRunner {
    const log = pino({ level: "info" }, { write: (line: string) => logged.push(line) });
    const runner = createJobRunner({ db: of, log, handlers, settings: { ...fast, ...settings } });
    runners.push(runner);
    runner.start();
    return runner;
  }
  const take = (one: Partial<NewJob> = {}) => enqueue(db.orm, { kind: "a", payload: {}, ...one });
  const rows = () => db.orm.select().from(job);
  const soon = { interval: 10 };

  it("are done once each by many workers, and then deleted", async () => {
    const done: unknown[] = [];
    for (let n = 0; n < 40; n += 1) await take({ payload: n });
    const handlers = { a: async (payload: unknown) => void done.push(payload) };
    for (let worker = 0; worker < 4; worker += 1) run(handlers);
    await expect.poll(rows, soon).toEqual([]);
    expect(done.sort((x, y) => Number(x) - Number(y))).toEqual(Array.from({ length: 40 }, (_, n) => n));
  });

  it("know the request that created them, and pass it on to the jobs that they create", async () => {
    const seen: [string, string | undefined][] = [];
    const runner = run({
      async a() {
        seen.push(["a", currentRequestId()]);
        await take({ kind: "b" });
      },
      async b() {
        seen.push(["b", currentRequestId()]);
        throw new PermanentJobError("never");
      },
    });
    await withRequestId("r-1", async () => {
      await take();
      runner.wake();
    });
    await expect.poll(rows, soon).toMatchObject([{ kind: "b", requestId: "r-1", lastError: "never" }]);
    // The runner was woken within the request, and does not take the next job for the request's.
    await take({ kind: "b" });
    await expect
      .poll(() => seen, soon)
      .toEqual([
        ["a", "r-1"],
        ["b", "r-1"],
        ["b", undefined],
      ]);
  });

  it("are enqueued if and only if the caller's transaction commits", async () => {
    const work = db.transaction(async (tx) => {
      await enqueue(tx, { kind: "a", payload: {} });
      throw new Error("no");
    });
    await expect(work).rejects.toThrow("no");
    expect(await rows()).toEqual([]);
  });

  it("are one job for one key while it is not done", async () => {
    await Promise.all(Array.from({ length: 20 }, () => take({ dedupeKey: "one" })));
    await take({ dedupeKey: "two" });
    expect(await rows()).toHaveLength(2);
    const done = vi.fn(async () => {});
    run({ a: done });
    await expect.poll(rows, soon).toEqual([]);
    await take({ dedupeKey: "one" });
    await expect.poll(() => done.mock.calls.length, soon).toBe(3);
  });

  it("are run only by a worker that knows their kind, and only when they are due", async () => {
    await take({ kind: "unknown" });
    await take({ runAt: Date.now() + 60 * 60_000, payload: "later" });
    await take({ payload: "now" });
    const done: unknown[] = [];
    run({ a: async (payload) => void done.push(payload) });
    await expect.poll(async () => (await rows()).length, soon).toBe(2);
    expect(done).toEqual(["now"]);
  });

  it("are retried after growing pauses until they succeed, and the last error is stored", async () => {
    await take();
    const tries: number[] = [];
    run({
      async a(_payload, { attempts }) {
        tries.push(attempts);
        if (attempts < 5) throw new Error(`try ${attempts}`);
      },
    });
    await expect.poll(rows, soon).toEqual([]);
    expect(tries).toEqual([1, 2, 3, 4, 5]);
    const pauses = logged.map((line) => JSON.parse(line)).map(({ again_in_ms }) => again_in_ms);
    expect(pauses).toEqual([10, 20, 40, 40]);
  });

  it("are retried after exactly the pause that a failed try names", async () => {
    await take();
    const runner = run({
      async a() {
        throw new RetryAfter("closed until noon", 60_000);
      },
    });
    await expect.poll(rows, soon).toMatchObject([{ attempts: 1, lastError: "closed until noon", leaseOwner: null }]);
    await runner.stop();
    const [{ runAt, createTime } = { runAt: 0, createTime: 0 }] = await rows();
    expect(runAt - createTime).toBeGreaterThanOrEqual(60_000);
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ again_in_ms: 60_000 }]);
  });

  it("are returned without a log line if they are not due yet", async () => {
    await take();
    let looks = 0;
    run({
      async a() {
        looks += 1;
        if (looks < 3) throw new RetryLater(10);
      },
    });
    await expect.poll(rows, soon).toEqual([]);
    expect(logged).toEqual([]);
  });

  it("JobRunner does not change a job's schedule if its handler asks to retry later", async () => {
    await take();
    let looks = 0;
    let failed = false;
    run(
      {
        async a() {
          looks += 1;
          if (looks <= 12) throw new RetryLater(1);
          if (failed) return;
          failed = true;
          throw new Error("a hiccup");
        },
      },
      { longestPauseMs: 60_000 },
    );
    await expect.poll(rows, soon).toEqual([]);
    expect(logged.map((line) => JSON.parse(line).again_in_ms)).toEqual([fast.firstPauseMs]);
  });

  it("JobRunner reports how long a job has waited, including retries that its handler asked for", async () => {
    await take();
    await db.orm.update(job).set({ createTime: Date.now() - 3_600_000 });
    const waited: number[] = [];
    run({
      async a(_payload, { waitedMs }) {
        waited.push(waitedMs);
        if (waited.length < 3) throw new RetryLater(1);
      },
    });
    await expect.poll(rows, soon).toEqual([]);
    for (const ms of waited) expect(ms).toBeGreaterThanOrEqual(3_600_000);
  });

  it("JobRunner runs a due job and no leased one even if the clock of its process is wrong", async () => {
    await take({ payload: "held" });
    const held = vi.fn(() => new Promise<void>(() => {}));
    run({ a: held }, { stopMs: 20, concurrency: 1 });
    await expect.poll(() => held.mock.calls.length, soon).toBe(1);
    const [before] = await rows();
    for (const skew of [-3_600_000, 3_600_000]) {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + skew });
      await take({ payload: "due" });
      const seen: unknown[] = [];
      const runner = run({ a: async (payload) => void seen.push(payload) });
      await expect.poll(async () => (await rows()).length, soon).toBe(1);
      expect(seen).toEqual(["due"]);
      vi.useRealTimers();
      // Otherwise this runner would compete with the next one for the next job.
      await runner.stop();
    }
    expect((await rows())[0]?.leaseOwner).toBe(before?.leaseOwner);
  });

  it("are abandoned if they cannot succeed, stay stored for a while, and release their key", async () => {
    await take({ dedupeKey: "one" });
    let tries = 0;
    run({
      async a() {
        tries += 1;
        throw new PermanentJobError("no such mailbox");
      },
    });
    await expect.poll(async () => (await rows())[0]?.failedTime, soon).toEqual(expect.any(Number));
    expect(await rows()).toMatchObject([{ lastError: "no such mailbox", dedupeKey: null, leaseUntil: null }]);
    expect(tries).toBe(1);
    await deleteAbandoned(db.orm, Date.now() - 60_000);
    expect(await rows()).toHaveLength(1);
    await deleteAbandoned(db.orm, Date.now());
    expect(await rows()).toEqual([]);
  });

  it("are taken over when the lease of a worker that died runs out", async () => {
    await take({ payload: "orphan" });
    await take({ payload: "held" });
    const dead = { leaseOwner: "gone", attempts: 1 };
    await db.orm
      .update(job)
      .set({ ...dead, leaseUntil: Date.now() + 50 })
      .where(eq(job.payload, "orphan"));
    await db.orm
      .update(job)
      .set({ ...dead, leaseUntil: Date.now() + 60 * 60_000 })
      .where(eq(job.payload, "held"));
    const done: [unknown, number][] = [];
    run({ a: async (payload, { attempts }) => void done.push([payload, attempts]) });
    await expect.poll(rows, soon).toMatchObject([{ payload: "held", leaseOwner: "gone" }]);
    expect(done).toEqual([["orphan", 2]]);
  });

  it("renew their lease while they run, so that no other worker takes them", async () => {
    await take();
    let finish = () => {};
    run({ a: () => new Promise<void>((resolve) => (finish = resolve)) }, { leaseMs: 600 });
    await expect.poll(async () => (await rows())[0]?.leaseUntil, soon).toEqual(expect.any(Number));
    const first = (await rows())[0]?.leaseUntil ?? 0;
    await expect.poll(async () => (await rows())[0]?.leaseUntil, soon).toBeGreaterThan(first);
    finish();
    await expect.poll(rows, soon).toEqual([]);
  });

  it("that run at a stop are signalled, awaited and released at once", async () => {
    await take();
    let stopped = false;
    const runner = run({
      a: (_payload, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            stopped = true;
            reject(new Error("aborted"));
          });
        }),
    });
    await expect.poll(async () => (await rows())[0]?.attempts, soon).toBe(1);
    await runner.stop();
    expect(stopped).toBe(true);
    const [left] = await rows();
    expect(left).toMatchObject({ leaseUntil: null, failedTime: null });
    expect(left?.runAt).toBeLessThanOrEqual(Date.now());
    const done = vi.fn(async () => {});
    run({ a: done });
    await expect.poll(() => done.mock.calls.length, soon).toBe(1);
  });

  it("do not delay a stop if they hang, and another worker takes them when their lease expires", async () => {
    await take();
    const runner = run({ a: () => new Promise(() => {}) }, { leaseMs: 2_000, stopMs: 20 });
    await expect.poll(async () => (await rows())[0]?.attempts, soon).toBe(1);
    await runner.stop();
    expect(await rows()).toMatchObject([{ leaseUntil: expect.any(Number), failedTime: null }]);
    const done = vi.fn(async () => {});
    run({ a: done });
    await expect.poll(() => done.mock.calls.length, soon).toBe(1);
    await expect.poll(rows, soon).toEqual([]);
  });

  it("are not run again if only the deletion of a finished job failed", async () => {
    await take();
    let lost = 3;
    const failing = new Proxy(db.orm, {
      get(orm, name) {
        if (name === "delete" && lost > 0) {
          lost -= 1;
          throw new Error("the connection is lost");
        }
        return Reflect.get(orm, name, orm);
      },
    });
    const done = vi.fn(async () => {});
    run({ a: done }, {}, { ...db, orm: failing });
    await expect.poll(rows, soon).toEqual([]);
    expect(lost).toBe(0);
    expect(done).toHaveBeenCalledTimes(1);
    expect(logged.map((line) => JSON.parse(line).msg)).toEqual([
      "a finished job could not be deleted; deleting it is retried",
    ]);
  });

  it("never exceed the limit of concurrent jobs", async () => {
    for (let n = 0; n < 20; n += 1) await take();
    let [now, most] = [0, 0];
    run(
      {
        async a() {
          now += 1;
          most = Math.max(most, now);
          await new Promise((resolve) => setTimeout(resolve, 5));
          now -= 1;
        },
      },
      { concurrency: 3 },
    );
    await expect.poll(rows, soon).toEqual([]);
    expect(most).toBe(3);
  });

  describe("of kinds with their own slots", () => {
    let release = () => {};
    /** Number of running jobs by kind, and the highest number of each. */
    let now: Record<string, number>;
    let most: Record<string, number>;
    let hangs: string[];
    beforeEach(() => {
      [now, most, hangs] = [{}, {}, []];
    });
    afterEach(() => release());

    function runDivided(groups = [["mail", "code"]]): JobRunner {
      const released = new Promise<void>((resolve) => (release = resolve));
      const handler =
        (kind: string): JobHandler =>
        async () => {
          now[kind] = (now[kind] ?? 0) + 1;
          most[kind] = Math.max(most[kind] ?? 0, now[kind]);
          if (hangs.includes(kind)) await released;
          now[kind] -= 1;
        };
      const handlers = { mail: handler("mail"), code: handler("code"), record: handler("record") };
      const log = pino({ level: "info" }, { write: (line: string) => logged.push(line) });
      const apart = groups.map((kinds) => ({ kinds, concurrency: 2 }));
      const runner = createJobRunners({ db, log, handlers, apart, settings: { ...fast, concurrency: 3 } });
      runners.push(runner);
      runner.start();
      return runner;
    }
    const left = async () => (await rows()).map(({ kind }) => kind).sort();

    it("do not block other kinds while they hang, and use only their own slots", async () => {
      hangs = ["mail", "code"];
      for (const kind of ["mail", "code", "mail", "code"]) await take({ kind, runAt: 1 });
      const runner = runDivided();
      await expect.poll(() => (now.mail ?? 0) + (now.code ?? 0), soon).toBe(2);
      for (let n = 0; n < 5; n += 1) await take({ kind: "record" });
      runner.wake();
      await expect.poll(left, soon).toEqual(["code", "code", "mail", "mail"]);
      expect((now.mail ?? 0) + (now.code ?? 0)).toBe(2);
      release();
      await expect.poll(left, soon).toEqual([]);
    });

    it("run while other kinds hang", async () => {
      hangs = ["record"];
      for (let n = 0; n < 5; n += 1) await take({ kind: "record", runAt: 1 });
      const runner = runDivided();
      await expect.poll(() => now.record, soon).toBe(3);
      for (const kind of ["mail", "code"]) await take({ kind });
      runner.wake();
      await expect.poll(left, soon).toEqual(Array(5).fill("record"));
      release();
      await expect.poll(left, soon).toEqual([]);
      expect(most.record).toBe(3);
    });

    it("run while kinds of another group hang", async () => {
      hangs = ["mail"];
      for (let n = 0; n < 3; n += 1) await take({ kind: "mail", runAt: 1 });
      const runner = runDivided([["mail"], ["code"]]);
      await expect.poll(() => now.mail, soon).toBe(2);
      await take({ kind: "code" });
      runner.wake();
      await expect.poll(left, soon).toEqual(["mail", "mail", "mail"]);
    });

    it("are awaited with the others at a stop, and none starts after it", async () => {
      hangs = ["mail", "record"];
      for (const kind of ["mail", "record"]) await take({ kind });
      const runner = runDivided();
      await expect.poll(() => [now.mail, now.record], soon).toEqual([1, 1]);
      let ended = false;
      const stopping = runner.stop().then(() => {
        ended = true;
      });
      await take({ kind: "mail" });
      runner.wake();
      expect(ended).toBe(false);
      release();
      await stopping;
      expect(await left()).toEqual(["mail"]);
    });

    it("must be existing kinds", () => {
      expect(() => runDivided([["mail", "letter"]])).toThrow("no handler for jobs of the kind letter");
    });
  });

  it("are leased in the requested number with any plan of the database", async () => {
    for (let n = 0; n < 5; n += 1) await take({ payload: n });
    const taken = await db.transaction(async (tx) => {
      for (const plan of ["hashjoin", "mergejoin", "hashagg", "sort", "material"])
        await tx.execute(sql.raw(`set local enable_${plan} = off`));
      return lease(tx, { kinds: ["a"], owner: "one", leaseMs: 60_000, most: 2 });
    });
    expect(taken.map(({ payload }) => payload).sort()).toEqual([0, 1]);
  });

  it("Cleanup runs every deletion even if the first one fails, and reports the failed ones", async () => {
    let deleted = 0;
    const cleanup = createCleanup(db, [
      async () => {
        throw new Error("the disk is full");
      },
      async () => {
        deleted += 1;
      },
    ]);
    await cleanup.start();
    run(cleanup.jobs);
    await expect.poll(() => deleted, soon).toBeGreaterThan(0);
    await expect.poll(() => logged.join(), soon).toContain("the disk is full");
    await expect.poll(async () => (await rows())[0]?.lastError, soon).toContain("the disk is full");
  });

  it("delete expired data repeatedly with one job, which calls every deletion and is scheduled again", async () => {
    const deleted: string[] = [];
    const cleanup = createCleanup(db, [async () => void deleted.push("one"), async () => void deleted.push("two")]);
    await cleanup.start();
    await cleanup.start();
    const before = Date.now();
    run(cleanup.jobs);
    await expect.poll(async () => (await rows())[0]?.lastError, soon).toBe("not yet");
    expect(deleted).toEqual(["one", "two"]);
    const left = await rows();
    expect(left).toHaveLength(1);
    expect(left[0]?.runAt).toBeGreaterThanOrEqual(before + 10 * 60_000);
  });
});
