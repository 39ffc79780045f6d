import { expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { createLeadership, type Leadership } from "../../src/leadership/leadership.ts";
import { withDatabase } from "../support/databases.ts";

const LEASE_MS = 600;

withDatabase("leadership", (open) => {
  /** A server that logs what it does. Its database can be taken away and returned. */
  function follow(db: Database, events: string[], name: string) {
    let isAway = false;
    const orm = new Proxy(db.orm, {
      get(target, key, receiver) {
        if (isAway && key === "insert") throw new Error("the database is away");
        return Reflect.get(target, key, receiver);
      },
    });
    const log = {
      info() {},
      warn: (fields: object) => void ("reason" in fields && events.push(`${name}: ${fields.reason}`)),
    };
    const leadership: Leadership = createLeadership({
      db: { orm },
      log,
      work: "test",
      begin: () => void events.push(`${name} begins`),
      end: async () => void events.push(`${name} ends`),
      leaseMs: LEASE_MS,
    });
    leadership.start();
    return {
      leadership,
      /** While the database is away, the lease is not renewed. */
      setAway: (away: boolean) => {
        isAway = away;
      },
    };
  }

  it("belongs to one server, and passes to the other at once when that one stops", async () => {
    const db = await open();
    const events: string[] = [];
    const first = follow(db, events, "first");
    await expect.poll(() => events).toEqual(["first begins"]);
    const second = follow(db, events, "second");
    await first.leadership.stop();
    await expect.poll(() => events).toEqual(["first begins", "first ends", "second begins"]);
    await second.leadership.stop();
    expect(events.at(-1)).toBe("second ends");
  });

  it("passes on when a lease that its server cannot renew expires, and that server ends its work earlier by its own clock", async () => {
    const db = await open();
    const events: string[] = [];
    const first = follow(db, events, "first");
    await expect.poll(() => events).toEqual(["first begins"]);
    const second = follow(db, events, "second");
    first.setAway(true);
    await expect.poll(() => events).toContain("second begins");
    expect(events).toEqual([
      "first begins",
      "first: the lease could not be renewed in time",
      "first ends",
      "second begins",
    ]);
    await Promise.all([first.leadership.stop(), second.leadership.stop()]);
  });

  it("starts again on a server that lost and regained it", async () => {
    const events: string[] = [];
    const { leadership, setAway } = follow(await open(), events, "only");
    await expect.poll(() => events).toEqual(["only begins"]);
    setAway(true);
    await expect.poll(() => events).toContain("only ends");
    setAway(false);
    await expect.poll(() => events.filter((event) => event === "only begins")).toHaveLength(2);
    await leadership.stop();
  });
});
