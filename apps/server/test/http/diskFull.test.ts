import { sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { type Database, isDiskFull } from "../../src/db/database.ts";
import { testApp } from "../support/app.ts";
import { withDatabase } from "../support/databases.ts";

const MINUTE_MS = 60_000;

withDatabase("a full disk", (open) => {
  let db: Database;
  let app: FastifyInstance;
  let logged: string[];
  let now = Date.now();

  beforeAll(async () => {
    db = await open({ migrated: false });
    await db.orm.execute(sql`create table note (n int)`);
    // The same error with which PostgreSQL refuses a write when the disk is full.
    await db.orm.execute(sql`
      create function refuse() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file "base/5/16384": No space left on device' using errcode = '53100'; end
      $$`);
    const feature: FastifyPluginAsyncZod = async (scope) => {
      scope.post("/note", async () => ({
        data: (await db.transaction((tx) => tx.execute(sql`insert into note values (1)`))) && {},
      }));
      scope.post("/note/direct", async () => ({
        data: (await db.orm.execute(sql`insert into note values (1)`)) && {},
      }));
      scope.get("/note", async () => ({ data: (await db.orm.execute(sql`select n from note`)).rows }));
    };
    ({ app, logged } = await testApp({ db, features: [feature] }));
  });
  afterAll(() => app?.close());
  afterEach(async () => {
    vi.useRealTimers();
    await db.orm.execute(sql`drop trigger if exists full_disk on note`);
  });

  it.each(["note", "note/direct"])(
    "makes the server reject POST %s with an explanation and fail /ready, and the server recovers",
    async (path) => {
      // Moves the time past the events that the previous test recorded.
      now += 10 * MINUTE_MS;
      vi.useFakeTimers({ toFake: ["Date"], now });
      const post = () => app.inject({ method: "POST", url: `/api/v2/${path}` });
      expect([(await post()).statusCode, (await app.inject("/ready")).statusCode]).toEqual([200, 200]);
      await db.orm.execute(sql`create trigger full_disk before insert on note for each row execute function refuse()`);

      const refused = await post();
      expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([507, "60"]);
      expect(refused.json()).toMatchObject({
        error_code: "storage_full",
        message: expect.stringContaining("disk is full"),
      });
      expect(refused.body).not.toMatch(/base\/5|insert|extend/);
      expect(logged.some((line) => line.includes("could not extend file"))).toBe(true);
      expect((await app.inject("/api/v2/note")).statusCode).toBe(200);
      const ready = await app.inject("/ready");
      expect(ready.statusCode).toBe(503);
      expect(ready.json().reasons).toEqual([{ part: "database", reason: "disk_full" }]);

      await db.orm.execute(sql`drop trigger full_disk on note`);
      expect((await post()).statusCode).toBe(200);
      vi.advanceTimersByTime(MINUTE_MS);
      expect((await app.inject("/ready")).statusCode).toBe(200);
    },
  );
});

it("a full disk is also recognised by the operating system's error", () => {
  const noSpace = Object.assign(new Error("write failed"), { code: "ENOSPC" });
  expect(isDiskFull(new Error("Failed query: insert", { cause: noSpace }))).toBe(true);
  expect(isDiskFull(new Error("Failed query: insert", { cause: new Error("other") }))).toBe(false);
});
