import type { SignedReading, TelemetryAnswer } from "@aqua/sdk/api/telemetry";
import { toHex } from "@aqua/sdk/proofs/reading";
import { asc, eq, sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { createDirectory } from "../../src/telemetry/directory.ts";
import { createImport } from "../../src/telemetry/import.ts";
import { createIngest } from "../../src/telemetry/ingest.ts";
import { createPartitions } from "../../src/telemetry/partitions.ts";
import { device, reading, refusedReading } from "../../src/telemetry/schema.ts";
import { migrateTo, withDatabase } from "../support/databases.ts";
import {
  addKey,
  anchorAll,
  buildBatch,
  enrol,
  newCoSigner,
  newDevice,
  revokeKey,
  type TestCoSigner,
} from "./devices.ts";

const http = { via: "http" } as const;
const parts = (db: Database) => ({ db, directory: createDirectory(db.orm), partitions: createPartitions(db) });
const reasons = ({ rejected }: TelemetryAnswer) => rejected.map(({ reason }) => reason);
const words = ({ rejected }: TelemetryAnswer) => rejected.map(({ message }) => message);
const without = ({ co_signature: _, ...rest }: SignedReading) => rest;

/** Returns number and co-signature of a device's stored readings. */
async function stored(db: Database, name: string) {
  const rows = await db.orm
    .select({ seq: reading.seq, coSignature: reading.coSignature })
    .from(reading)
    .innerJoin(device, eq(device.id, reading.device))
    .where(eq(device.name, name))
    .orderBy(asc(reading.seq));
  return rows.map(({ seq, coSignature }) => [seq, coSignature && toHex(coSignature)]);
}

withDatabase("co-signed readings", (open) => {
  let db: Database;
  let grid: TestCoSigner;
  beforeAll(async () => {
    db = await open();
    grid = newCoSigner("grid");
    await addKey(db, "grid", grid.key, 1);
  });
  /** A device with this name, enrolled with the co-signer. */
  async function enrolled(name: string, coSigner = grid) {
    const one = newDevice({ name, coSigner });
    await enrol(db, one, { coSigner: coSigner.name });
    return one;
  }

  it("are stored with their co-signature, with either kind of key, and are duplicates if they are sent again", async () => {
    const lab = newCoSigner("lab", "secp256k1");
    await addKey(db, "lab", lab.key, 1);
    const ingest = createIngest(parts(db));
    for (const one of [await enrolled("with-grid"), await enrolled("with-lab", lab)]) {
      const sent = [await one.next(), await one.next()];
      expect(await ingest.take(sent, http)).toMatchObject({ accepted: 2, rejected: [] });
      expect(await ingest.take(sent, http)).toMatchObject({ accepted: 0, duplicates: 2, rejected: [] });
      expect(await stored(db, one.name)).toEqual(sent.map(({ seq, co_signature: co }) => [seq, co?.signature]));
    }
  });

  it("are rejected without the required co-signature, each with its own message, and stored separately", async () => {
    const one = await enrolled("hostile");
    const other = await enrolled("other");
    const ingest = createIngest(parts(db));
    const [first, foreign] = [await one.next(), await other.next()];
    await ingest.take([first, foreign], http);
    const next = await one.next({}, false);
    const co = (change: object) => ({ ...next, co_signature: { by: "grid", signature: next.signature, ...change } });
    const stranger = newCoSigner("stranger");
    await addKey(db, "stranger", stranger.key, 1);
    const byStranger = await newDevice({ name: "hostile", coSigner: stranger }).next();
    const sent = [
      without(next),
      co({}),
      co(first.co_signature ?? {}),
      co(foreign.co_signature ?? {}),
      co({ signature: `0x${"00".repeat(64)}` }),
      co({ signature: `0x${"11".repeat(65)}` }),
      co({ ...byStranger.co_signature }),
      co({ by: "hostile" }),
      // If both signatures are wrong, the reason is the device's own.
      { ...co({}), value: "1" },
      { ...next, co_signature: { signature: next.signature } },
    ];
    const answer = await ingest.take(sent, http);
    expect(reasons(answer)).toEqual([...Array(8).fill("co_signature"), "signature", "malformed"]);
    const wrong = "This is not the signature of grid's key at that time";
    expect(words(answer).slice(0, 8)).toEqual([
      "The signature of its co-signer, grid, is missing",
      ...Array(5).fill(wrong),
      ...Array(2).fill("The co-signer of this device is grid"),
    ]);
    expect(answer.rejected[0]?.head?.seq).toBe(1);
    // A known reading with another co-signature is rejected and changes nothing.
    expect(reasons(await ingest.take([{ ...first, co_signature: next.co_signature }], http))).toEqual(["co_signature"]);
    expect(await stored(db, "hostile")).toEqual([[1, first.co_signature?.signature]]);
    const kept = await db.orm.select().from(refusedReading).where(eq(refusedReading.device, "hostile"));
    expect(JSON.parse(kept[1]?.payload ?? "")).toEqual(co({}));
    expect(await ingest.take([next], http)).toMatchObject({ accepted: 1, rejected: [] });
  });

  it("are rejected from a device without a co-signer, because nobody would have checked the second signature", async () => {
    const one = newDevice({ name: "alone", coSigner: grid });
    await enrol(db, one);
    const ingest = createIngest(parts(db));
    const sent = await one.next();
    const answer = await ingest.take([sent], http);
    expect([reasons(answer), words(answer)]).toEqual([
      ["co_signature"],
      ["This device was enrolled without a co-signer"],
    ]);
    expect(await ingest.take([without(sent)], http)).toMatchObject({ accepted: 1 });
    expect(await stored(db, "alone")).toEqual([[1, null]]);
  });

  it("are accepted until the second in which the co-signer's key was revoked, and then with its next key", async () => {
    const utility = newCoSigner("utility");
    const one = newDevice({ name: "revoked", start: Date.now() - 600_000, step: 60_000, coSigner: utility });
    await enrol(db, one, { coSigner: "utility" });
    const ingest = createIngest(parts(db));
    const sent = [await one.next(), await one.next(), await one.next()];
    const none = await ingest.take(sent.slice(0, 1), http);
    expect(words(none)).toEqual(["The chain knows no key of utility for that time"]);
    // No restart is needed: the same ingest uses the keys that the indexer has read since.
    await addKey(db, "utility", utility.key, 1);
    expect(await ingest.take(sent.slice(0, 1), http)).toMatchObject({ accepted: 1 });
    const third = Math.floor((sent[2]?.time ?? 0) / 1_000);
    await revokeKey(db, "utility", third);
    const answer = await ingest.take(sent.slice(1), http);
    expect([answer.accepted, words(answer)]).toEqual([1, ["The chain knows no key of utility for that time"]]);
    const successor = newCoSigner("utility");
    await addKey(db, "utility", successor.key, third + 60);
    const last = await one.next({ prev: sent[2]?.prev ?? "" }, false);
    const encodedAs = newDevice({ name: "revoked", coSigner: successor });
    const co = (await encodedAs.next({ ...without(last) })).co_signature;
    expect(words(await ingest.take([last], http))).toEqual(["This is not the signature of utility's key at that time"]);
    expect(await ingest.take([{ ...last, ...(co && { co_signature: co }) }], http)).toMatchObject({ accepted: 1 });
  });

  it("are imported with their batch file, which is rejected if a co-signature is missing or another's", async () => {
    const START = Date.UTC(2026, 0, 5);
    const history = async (shortId: string, change: (one: SignedReading) => SignedReading) => {
      const one = newDevice({ name: `${shortId}-meter`, start: START, coSigner: grid });
      await enrol(db, one, { shortId, coSigner: "grid" });
      const sent = [await one.next(), await one.next()];
      const batch = buildBatch(shortId, sent.map(change), null, START / 1_000 + 60);
      await anchorAll(db, [batch]);
      return { sent, take: () => createImport(parts(db))(batch.file) };
    };
    const good = await history("whole", (one) => one);
    expect(await good.take()).toEqual({ imported: 1, known: 0, readings: 2 });
    expect(await stored(db, "whole-meter")).toEqual(good.sent.map((one) => [one.seq, one.co_signature?.signature]));
    const bare = await history("bare", without);
    await expect(bare.take()).rejects.toThrow(
      "reading 1 of bare-meter: The signature of its co-signer, grid, is missing",
    );
    const swapped = await history("swapped", (one) => ({
      ...one,
      co_signature: { by: "grid", signature: good.sent[0]?.co_signature?.signature ?? "" },
    }));
    await expect(swapped.take()).rejects.toThrow("This is not the signature of grid's key at that time");
    expect(await stored(db, "swapped-meter")).toEqual([]);
  });
});

withDatabase("a database from before co-signatures existed", (open) => {
  it("retains its devices and the readings of every month, none with a co-signature", async () => {
    const db = await open({ migrated: false });
    await migrateTo(db, 5);
    const times = [Date.UTC(2026, 0, 5), Date.UTC(2026, 2, 5)];
    await createPartitions(db).ensure(times);
    await db.orm.execute(sql`insert into device (name, chain_id, short_id, metric, exponent, place, latitude, longitude,
      model, trust, min, max, interval, secret_hash, create_time)
      values ('old', 1, 'tide', 'power', 0, 'Brest', 48.4, -4.5, 'T1', 'attested', 0, 9, 1000, '\\x00', 1)`);
    for (const [index, time] of times.entries()) {
      await db.orm.execute(sql`insert into reading (device, seq, time, accepted, value, prev, hash, signature)
        values (1, ${index + 1}, ${time}, ${time}, 5, '\\x00', '\\x01', '\\x02')`);
    }
    await migrate(db);
    const [row] = await db.orm.select().from(device);
    expect(row).toMatchObject({ name: "old", trust: "attested", coSigner: null });
    expect(await stored(db, "old")).toEqual([
      [1, null],
      [2, null],
    ]);
  });
});
