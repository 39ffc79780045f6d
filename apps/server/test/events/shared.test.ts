import type { Transaction } from "@aqua/sdk/api/portfolio";
import { sql } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { createEventHub, type EventHub, type PublishedEvent } from "../../src/events/hub.ts";
import { sharedEvent } from "../../src/events/schema.ts";
import { createSharedEvents, type SharedEventParts, type SharedEvents } from "../../src/events/shared.ts";
import { withDatabase } from "../support/databases.ts";

const wallet = "0xAbCdEf0000000000000000000000000000000001";
const transaction = { address: wallet, short_id: "river", status: "failed" } as Transaction;

withDatabase("events of accounts and wallets", (open) => {
  let db: Database;
  const running: SharedEvents[] = [];
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(() => db.orm.delete(sharedEvent));
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop();
  });

  /** One of several processes, with a subscribed page of the account and its wallet. */
  function process(settings: Partial<SharedEventParts> = {}): SharedEvents & { got: PublishedEvent[]; hub: EventHub } {
    const hub = createEventHub();
    const got: PublishedEvent[] = [];
    hub.subscribe({ address: wallet, accountId: "own" }, (event) => got.push(event));
    const shared = createSharedEvents({ db, hub, log: { warn() {} }, pollMs: 10, ...settings });
    running.push(shared);
    shared.start();
    return { ...shared, got, hub };
  }
  const namesOf = ({ got }: { got: PublishedEvent[] }) => got.map(({ name }) => name);
  /** Waits until all events published before have arrived. */
  async function settled(...processes: ReturnType<typeof process>[]): Promise<void> {
    const last = process();
    last.publish("transaction", { ...transaction, hash: "last" });
    for (const { got } of processes) {
      const isLast = ({ name, data }: PublishedEvent) => name === "transaction" && data.hash === "last";
      await expect.poll(() => got.some(isLast)).toBe(true);
      got.splice(got.findIndex(isLast), 1);
    }
  }

  it("reach each page of their account once on every process, and no page of another account", async () => {
    const [one, other] = [process(), process()];
    one.publishIdentity("own");
    one.publishIdentity("other");
    one.publish("transaction", transaction);
    expect(namesOf(one)).toEqual(["identity", "transaction"]);
    // An event of another process may be stored before these two.
    await expect.poll(() => namesOf(other)).toHaveLength(2);
    await settled(one, other);
    for (const of of [one, other]) expect(namesOf(of).sort()).toEqual(["identity", "transaction"]);
    expect(other.got.find(({ name }) => name === "transaction")?.data).toEqual(transaction);
  });

  it("are found even if a later event was stored first", async () => {
    const other = process();
    const late = { process: crypto.randomUUID(), name: "identity", data: {}, accountId: "own" };
    await db.transaction(async (tx) => {
      await tx.insert(sharedEvent).values(late);
      await settled(other);
      expect(namesOf(other)).toEqual([]);
    });
    await expect.poll(() => namesOf(other)).toEqual(["identity"]);
  });

  it("are all read again by a process that could not poll for too long, so that none is lost unnoticed", async () => {
    const other = process({ pollMs: 50, windowMs: 20 });
    await expect.poll(() => namesOf(other)).toContain("reset");
  });

  it("cause one log line if they cannot be read, until they can be read again", async () => {
    const logged: string[] = [];
    let failures = 3;
    const failing = new Proxy(db.orm, {
      get(orm, name) {
        if (failures > 0) {
          failures -= 1;
          throw new Error("the connection is lost");
        }
        return Reflect.get(orm, name, orm);
      },
    });
    const other = process({ db: { ...db, orm: failing }, log: { warn: (_, message) => void logged.push(message) } });
    await settled(other);
    expect(failures).toBe(0);
    expect(logged).toEqual(["the events of the other processes cannot be read"]);
  });

  it("are not shared if the database belongs to one process", async () => {
    const alone = process({ db: { ...db, kind: "embedded" } });
    alone.publishIdentity("own");
    expect(namesOf(alone)).toEqual(["identity"]);
    await alone.stop();
    expect(await db.orm.select().from(sharedEvent)).toEqual([]);
  });

  it("are deleted once every process has read them", async () => {
    const one = process();
    one.publishIdentity("own");
    await one.stop();
    await one.deleteExpired();
    expect(await db.orm.select().from(sharedEvent)).toHaveLength(1);
    await db.orm.execute(sql`update shared_event set create_time = now() - interval '1 minute'`);
    await one.deleteExpired();
    expect(await db.orm.select().from(sharedEvent)).toEqual([]);
  });
});
