import type { SignedReading } from "@aqua/sdk/api/telemetry";
import { nameHex } from "@aqua/sdk/proofs/reading";
import type { SQL } from "drizzle-orm";
import { vi } from "vitest";
import type { Difference } from "../../src/audit/difference.ts";
import type { Slice } from "../../src/audit/slice.ts";
import { auditTelemetry } from "../../src/audit/telemetry.ts";
import type { Database, Orm } from "../../src/db/database.ts";
import { anchor, product } from "../../src/indexer/schema.ts";
import type { LogWriter } from "../../src/publicLog/writer.ts";
import { compose, fitting } from "../../src/telemetry/anchoring/build.ts";
import {
  insertBatch,
  lastOwn,
  ownBatches,
  readingsAfter,
  waitingReadings,
} from "../../src/telemetry/anchoring/store.ts";
import { retireDevice } from "../../src/telemetry/deviceStore.ts";
import { createDirectory } from "../../src/telemetry/directory.ts";
import { createImport } from "../../src/telemetry/import.ts";
import { createIngest } from "../../src/telemetry/ingest.ts";
import { createLosses } from "../../src/telemetry/losses.ts";
import { createPartitions } from "../../src/telemetry/partitions.ts";
import { addKey, anchorAll, buildBatch, CHAIN, enrol, newCoSigner, newDevice } from "../telemetry/devices.ts";

/** Writes no entries: a log that is opened later states the rows. */
const unstated = { row: async () => {} } as unknown as LogWriter;

export { CHAIN };
/** No whole second, as imported readings have. */
export const NOW = Date.UTC(2026, 4, 20, 12, 30, 0, 123);
const START = NOW - 7_200_123;
const SECOND = Math.floor(NOW / 1_000);
const MINUTE = 60_000;

export const addresses = { tide: `0x${"0".repeat(38)}a1`, sun: `0x${"0".repeat(38)}a2` } as const;

/** Runs the audit to its end. */
export async function collect(slices: AsyncGenerator<Slice>) {
  let compared = 0;
  const differences: Difference[] = [];
  for await (const slice of slices) {
    compared += slice.compared;
    differences.push(...slice.differences);
  }
  return { compared, differences };
}

/** Changes rows, audits them, and undoes the change. */
export async function tampered(
  db: Database,
  changes: readonly SQL[],
  audit: (db: Pick<Database, "orm" | "transaction">) => AsyncGenerator<Slice> = (one) =>
    auditTelemetry({ db: one, chainIds: [CHAIN] }),
): Promise<Difference[]> {
  let found: Difference[] = [];
  const undone = new Error("undone");
  await db.orm
    .transaction(async (tx: Orm) => {
      for (const change of changes) await tx.execute(change);
      const transaction = <T>(work: (inner: Orm) => Promise<T>) => work(tx);
      found = (await collect(audit({ orm: tx, transaction }))).differences;
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return found;
}

/** Sends readings to the server as devices do. */
export function opened(db: Database) {
  const parts = { db, directory: createDirectory(db.orm), partitions: createPartitions(db) };
  const ingest = createIngest(parts);
  return {
    importBatches: createImport(parts),
    async send(readings: readonly SignedReading[]) {
      const answer = await ingest.take(readings, { via: "http" });
      if (answer.accepted !== readings.length) throw new Error(JSON.stringify(answer));
    },
  };
}

/** Builds the next batch of a product as the anchoring job does. `to` in Unix seconds. */
export async function buildNext(
  db: Database,
  shortId: string,
  { to, anchored = true }: { to: number; anchored?: boolean },
) {
  const of = { chainId: CHAIN, shortId, stream: nameHex(shortId) };
  const [last = null] = await ownBatches(db.orm, of, await lastOwn(db.orm, of));
  const runs = [];
  for (const device of await waitingReadings(db.orm, of, 1_000)) {
    runs.push({
      device,
      readings: await readingsAfter(db.orm, { deviceId: device.id, after: device.after, most: 1_000 }),
    });
  }
  const next = fitting(last, runs, { blockTime: to, now: to * 1_000 });
  if (next === null) throw new Error("nothing to anchor");
  const contract = `0x${"c0".repeat(20)}` as const;
  const { batch, parts } = await compose({
    stream: of,
    contract,
    last,
    runs: next.runs,
    span: next.time,
    now: to * 1_000 + 7,
  });
  await insertBatch(db, batch, parts);
  if (!anchored) return;
  const { number, root, from, count, dataHash, head } = batch;
  const place = { chainId: CHAIN, block: 5_000 + number, logIndex: 0, time: to, hash: head };
  await db.orm.insert(anchor).values({ ...place, stream: of.stream, number, root, from, to, count, dataHash, head });
}

/** Simulates that the indexer read the listing of a demand deposit. */
async function listProduct(db: Database, shortId: string, address: `0x${string}`): Promise<void> {
  const place = { chainId: CHAIN, block: Number(address), logIndex: 0, time: 1 };
  const share = { shareName: "Share", shareSymbol: "aq", shareDecimals: 12 };
  const asset = { asset: address, assetSymbol: "tUSD", assetDecimals: 6 };
  await db.orm.insert(product).values({ ...place, ...share, ...asset, address, shortId, productType: 0 });
}

/**
 * Two products with honest data of every kind: flawed and frozen readings, a new key, a co-signer, lost readings, a lost
 * batch, an imported batch, a batch that is not on chain yet, a retired device, and one that never sent anything.
 * Devices by their ids: 1 meter, 2 gauge, 3 lossy, 4 retired, 5 silent, 6 panel, 7 fresh,
 * whose only reading is in no batch.
 */
export async function fill(db: Database): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  await listProduct(db, "tide", addresses.tide);
  await listProduct(db, "sun", addresses.sun);
  const { send, importBatches } = opened(db);
  const grid = newCoSigner("grid");
  await addKey(db, "grid", grid.key, 1);
  const common = { start: START, step: MINUTE };
  const [meter, changed] = [0, 1].map(() => newDevice({ name: "meter", metric: "energy", ...common }));
  const gauge = newDevice({ name: "gauge", kind: "secp256k1", coSigner: grid, ...common });
  const [lossy, retired] = ["lossy", "retired"].map((name) => newDevice({ name, ...common }));
  const [silent, panel, fresh] = ["silent", "panel", "fresh"].map((name) => newDevice({ name, ...common }));
  if (!meter || !changed || !lossy || !retired || !silent || !panel || !fresh) throw new Error("no devices");
  const limits = { max: 100_000n, maxStep: 100n, interval: MINUTE };
  await enrol(db, meter, { metric: "energy", ...limits });
  await enrol(db, gauge, { coSigner: "grid", ...limits });
  for (const one of [lossy, retired, silent]) await enrol(db, one, limits);
  await enrol(db, panel, { shortId: "sun", ...limits });
  await enrol(db, fresh, limits);

  const meters: SignedReading[] = [];
  const odd: Record<number, string> = { 4: "100001", 6: "5", 8: "9000" };
  const rotation = START + 10 * MINUTE;
  await addKey(db, "meter", changed.key, rotation / 1_000);
  for (let seq = 1; seq <= 20; seq += 1) {
    const { signature, ...reading } = await meter.next({ value: odd[seq] ?? `${1_000 + 10 * seq}` });
    meters.push(reading.time < rotation ? { ...reading, signature } : await changed.next(reading));
  }
  const gauges: SignedReading[] = [];
  for (let seq = 1; seq <= 16; seq += 1) gauges.push(await gauge.next({ value: seq === 15 ? "501" : "500" }));
  /** Sets the server's clock, to no whole second: those are the mark of imported readings. */
  const at = (second: number) => vi.setSystemTime(second * 1_000 + 123);
  at(SECOND - 3_100);
  await send([...meters.slice(0, 8), ...gauges.slice(0, 6), await lossy.next(), await lossy.next()]);
  await buildNext(db, "tide", { to: SECOND - 3_000 });
  at(SECOND - 2_100);
  await send([...meters.slice(8, 14), ...gauges.slice(6, 13), await retired.next(), await retired.next()]);
  await retireDevice(db.orm, "retired", NOW);
  await buildNext(db, "tide", { to: SECOND - 2_000 });
  const losses = createLosses({ db, chainIds: [CHAIN], writer: unstated });
  await losses.declareReadings("lossy", "Its storage was replaced");
  await lossy.next();
  at(SECOND - 1_100);
  await send([...meters.slice(14, 17), ...gauges.slice(13, 15), await lossy.next()]);
  await buildNext(db, "tide", { to: SECOND - 1_000, anchored: false });
  at(SECOND);
  await send([...meters.slice(17), ...gauges.slice(15), await lossy.next(), await fresh.next()]);

  const panels: SignedReading[] = [];
  for (let seq = 1; seq <= 8; seq += 1) panels.push(await panel.next());
  const first = buildBatch("sun", panels.slice(0, 4), null, SECOND - 6_000);
  const lost = buildBatch("sun", panels.slice(4, 6), first, SECOND - 5_000);
  await anchorAll(db, [first, lost]);
  await importBatches(first.file);
  await losses.declareBatch({ short_id: "sun", number: 2, reason: "Its archive burnt" });
  await send(panels.slice(6));
  vi.useRealTimers();
}
