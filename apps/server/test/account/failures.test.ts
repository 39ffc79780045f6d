import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { createFailures, MANY_FAILURES } from "../../src/account/failures.ts";
import { accountEvent, accountTotp } from "../../src/account/schema.ts";
import { createSecurityService } from "../../src/account/security.ts";
import { findById } from "../../src/account/store.ts";
import type { Database } from "../../src/db/database.ts";
import { ApiError } from "../../src/errors.ts";
import { job } from "../../src/jobs/schema.ts";
import { lease } from "../../src/jobs/store.ts";
import { createKeys } from "../../src/keys.ts";
import { createLimits } from "../../src/limits/limits.ts";
import { openAccount } from "../support/accounts.ts";
import { withDatabase } from "../support/databases.ts";

withDatabase("failed log-ins", (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterEach(() => void vi.useRealTimers());
  const keys = createKeys(new Uint8Array(32));
  const origin = { ip: "192.0.2.1", userAgent: undefined };
  const notifyJobs = () => {};

  it("are mailed to the owner once, when the fifth within an hour is recorded", async () => {
    const mails: string[] = [];
    const mailer = { enqueue: async (_tx: unknown, { to }: { to: string }) => void mails.push(to) };
    const failures = createFailures({ db, keys, limits: createLimits(db, keys), mailer, notifyJobs });
    const kinds = Object.keys(failures.handlers);
    const { signal } = new AbortController();
    for (let turn = 0; turn < 5; turn += 1) {
      const { email } = await openAccount(db);
      for (let tries = 0; tries < MANY_FAILURES + 3; tries += 1) await failures.note(email, "log_in_failed", origin);
      const due = await lease(db.orm, { kinds, owner: "test", leaseMs: 60_000, most: 8 });
      expect(due).toHaveLength(MANY_FAILURES + 3);
      await Promise.all(due.map(({ kind, payload, ...job }) => failures.handlers[kind]?.(payload, { ...job, signal })));
      expect(mails.splice(0)).toEqual([email]);
    }
  });

  it("are mailed at once and then at growing intervals if they continue for a day", async () => {
    const minute = 60_000;
    await db.orm.delete(job);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const start = Date.now();
    const mails: number[] = [];
    const mailer = { enqueue: async () => void mails.push((Date.now() - start) / minute) };
    const failures = createFailures({ db, keys, limits: createLimits(db, keys), mailer, notifyJobs });
    const kinds = Object.keys(failures.handlers);
    const { email } = await openAccount(db);
    for (let at = 0; at < 24 * 60; at += 12) {
      vi.setSystemTime(start + at * minute);
      await failures.note(email, "log_in_failed", origin);
      const [due] = await lease(db.orm, {
        kinds,
        owner: "test",

        leaseMs: 30 * 24 * 60 * minute,
        most: 1,
      });
      if (due === undefined) throw new Error("nothing was taken on");
      await failures.handlers[due.kind]?.(due.payload, { ...due, signal: new AbortController().signal });
    }
    // The fifth try of an hour, then 2, 4 and 8 hours later.
    expect(mails).toEqual([48, 168, 408, 888]);
  });

  it("are one event and one mail if the password is right and a second factor is missing", async () => {
    const mails: string[] = [];
    const security = createSecurityService({
      db,
      factors: {
        prove: async () => {
          throw new ApiError("second_factor_required", "Enter a code");
        },
      },
      mailer: { enqueue: async (_tx: unknown, { to }: { to: string }) => void mails.push(to) },
      notifyJobs,
    } as never);
    const { id, email } = await openAccount(db);
    const row = { accountId: id, secret: new Uint8Array(), name: "", createTime: 1, activeTime: 1, lastPeriod: 0 };
    await db.orm.insert(accountTotp).values(row);
    const account = await findById(db.orm, id);
    if (account === null) throw new Error("no account");
    const attempt = () => security.proveSecond(account, undefined, { ...origin, device: null });
    const answers = await Promise.allSettled(Array.from({ length: 8 }, attempt));
    expect(answers.every(({ status }) => status === "rejected")).toBe(true);
    expect(mails).toEqual([email]);
    const events = (await db.orm.select().from(accountEvent)).filter(({ accountId }) => accountId === id);
    expect(events.map(({ kind }) => kind)).toEqual(["password_entered"]);
  });
});
