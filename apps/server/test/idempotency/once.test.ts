import { beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { createOnce, type Once } from "../../src/idempotency/once.ts";
import { idempotency } from "../../src/idempotency/schema.ts";
import { deleteExpiredAnswers } from "../../src/idempotency/store.ts";
import { withDatabase } from "../support/databases.ts";

withDatabase("an Idempotency-Key", (open) => {
  let db: Database;
  let once: Once;
  let time = 1_700_000_000_000;
  let keys = 0;
  let done = 0;
  beforeAll(async () => {
    db = await open();
    once = createOnce(db, { now: () => time });
  });
  const request = (change = {}) => {
    return { key: `key-${String(++keys).padStart(8, "0")}`, route: "POST thing", caller: "", body: "{}", ...change };
  };
  const work = async () => ({ made: ++done });
  const code = (error: { code: string }) => error.code;

  it("causes one effect and equal answers for 50 simultaneous and later calls", async () => {
    const asked = request();
    const before = done;
    const answers = await Promise.all(Array.from({ length: 50 }, () => once(asked, work)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(done).toBe(before + 1);
    expect(await createOnce(db, { now: () => time })(asked, work)).toEqual({ made: before + 1 });
    expect(done).toBe(before + 1);
  });

  it("is rejected with another body, also while the first call runs", async () => {
    const asked = request();
    let finish = () => {};
    const first = once(asked, () => new Promise<string>((resolve) => (finish = () => resolve("first"))));
    await expect
      .poll(async () => (await db.orm.select().from(idempotency)).some(({ status }) => status === null))
      .toBe(true);
    const other = { ...asked, body: '{"a":1}' };
    expect(await once(other, work).catch(code)).toBe("conflict");
    finish();
    expect(await first).toBe("first");
    expect(await once(other, work).catch(code)).toBe("conflict");
  });

  it("is separate for each caller and each route", async () => {
    const asked = request();
    const one = await once(asked, work);
    expect(await once({ ...asked, caller: "b" }, work)).not.toEqual(one);
    expect(await once({ ...asked, route: "POST other" }, work)).not.toEqual(one);
    expect(await once(asked, work)).toEqual(one);
  });

  it("lets waiting requests retry one after the other after a failure", async () => {
    const asked = request();
    let tries = 0;
    const flaky = async () => {
      tries += 1;
      if (tries < 3) throw Object.assign(new Error("no"), { code: "no" });
      return "made";
    };
    const answers = await Promise.all(Array.from({ length: 10 }, () => once(asked, flaky).catch(code)));
    expect(answers.filter((answer) => answer === "no")).toHaveLength(2);
    expect(answers.filter((answer) => answer === "made")).toHaveLength(8);
    expect(tries).toBe(3);
  });

  it("is taken over if the process that did the work died, but only with the same body", async () => {
    const asked = request();
    void once(asked, () => new Promise(() => {}));
    await expect
      .poll(async () => (await db.orm.select().from(idempotency)).some(({ status }) => status === null))
      .toBe(true);
    time += 30_000;
    expect(await once({ ...asked, body: "other" }, work).catch(code)).toBe("conflict");
    const before = done;
    expect(await once(asked, work)).toEqual({ made: before + 1 });
  });

  it("returns the result or the error of the work even if the database is lost right after", async () => {
    let lost = false;
    const orm = new Proxy(db.orm, {
      get(target, name) {
        if (lost) throw new Error("the connection is lost");
        return Reflect.get(target, name, target);
      },
    });
    const losing = (result: () => unknown) => async () => {
      lost = true;
      return result();
    };
    const refused = () => {
      throw Object.assign(new Error("no"), { code: "refused" });
    };
    expect(
      await createOnce({ orm }, { now: () => time })(
        request(),
        losing(() => "made"),
      ),
    ).toBe("made");
    lost = false;
    expect(await createOnce({ orm }, { now: () => time })(request(), losing(refused)).catch(code)).toBe("refused");
  });

  it("is forgotten after a day", async () => {
    const asked = request();
    const one = await once(asked, work);
    time += 24 * 60 * 60_000;
    expect(await once({ ...asked, body: "other" }, work)).not.toEqual(one);
    time += 24 * 60 * 60_000;
    await deleteExpiredAnswers(db.orm, time);
    expect(await db.orm.select().from(idempotency)).toEqual([]);
  });

  it("leaves neither the key, the request nor the answer in the table", async () => {
    const asked = request({ body: '{"password":"moon over the tide"}' });
    await once(asked, async () => ({ token: "a-secret-token" }));
    const rows = await db.orm.select().from(idempotency);
    const text = JSON.stringify(rows) + rows.map(({ answer }) => Buffer.from(answer ?? []).toString("latin1")).join();
    for (const secret of [asked.key, "moon over", "a-secret-token"]) expect(text).not.toContain(secret);
  });

  it("has 8 to 200 printable characters, and without one the work runs unprotected", async () => {
    for (const key of ["", "short", "x".repeat(201), "with space", "umlaut-ä-key", ["two-keys", "of-them-"]]) {
      expect(await once(request({ key }), work).catch(code)).toBe("validation_error");
    }
    const [one, two] = [await once(request({ key: undefined }), work), await once(request({ key: undefined }), work)];
    expect(one).not.toEqual(two);
  });
});
