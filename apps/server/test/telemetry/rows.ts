import type { ProductDocument } from "@aqua/sdk/api/document";
import type { ErrorBody } from "@aqua/sdk/api/envelope";
import { nameHex } from "@aqua/sdk/proofs/reading";
import type { Metric } from "@aqua/sdk/telemetry/metrics";
import type { ValidationIssue } from "@aqua/sdk/telemetry/quality";
import { sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Database } from "../../src/db/database.ts";
import { createOpenFindings } from "../../src/findings/open.ts";
import * as chain from "../../src/indexer/schema.ts";
import { productRoutes } from "../../src/product/routes.ts";
import { createProductService } from "../../src/product/service.ts";
import { incomeRoutes } from "../../src/telemetry/income/routes.ts";
import { createIncomeService } from "../../src/telemetry/income/service.ts";
import { createTraceReport } from "../../src/telemetry/income/trace.ts";
import { devicesSeenSince } from "../../src/telemetry/read/deviceStore.ts";
import { telemetryReadRoutes } from "../../src/telemetry/read/routes.ts";
import { createTelemetryReader } from "../../src/telemetry/read/service.ts";
import * as tables from "../../src/telemetry/schema.ts";
import { localDeployment, testApp } from "../support/app.ts";

/** Inserts rows of devices, readings and batches directly. */

export const CHAIN = 31337;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;
/** Unix milliseconds, half past an hour. */
export const NOW = Date.UTC(2026, 4, 20, 12, 30);
export const zeros = `0x${"0".repeat(64)}` as const;

export type Enrolled = typeof tables.device.$inferSelect;

export interface ReadingRow {
  seq: number;
  time: number;
  value: bigint;
  flaw?: ValidationIssue | null;
}

/** The HTTP server with the calls that read telemetry, at the time `NOW`. */
export async function openEndpoint(
  db: Database,
  documents: ReadonlyMap<Hex, ProductDocument> = new Map(),
  parts: Parameters<typeof testApp>[0] = {},
) {
  await db.orm.execute(sql`create table if not exists reading_of_tests partition of reading default`);
  const chains = [{ chainId: CHAIN, deployment: localDeployment, status: () => ({ state: "live" }) }];
  const findings = createOpenFindings(db, { maxAgeMs: 0 });
  const { app } = await testApp({
    ...parts,
    features: [
      productRoutes(
        createProductService({
          db,
          chains,
          documents,
          countDevices: devicesSeenSince,
          traceReport: createTraceReport(documents),
          findings,
        }),
      ),
      telemetryReadRoutes(createTelemetryReader({ db, chains, documents, findings, now: () => NOW })),
      incomeRoutes(createIncomeService({ db, chains, documents, findings })),
    ],
  });
  const inject = (path: string) => app.inject(`/api/v2/${path}`);
  return {
    inject,
    async get<Data>(path: string): Promise<Data> {
      const response = await inject(path);
      if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${response.body}`);
      return response.json<{ data: Data }>().data;
    },
    async refusal(path: string) {
      const response = await inject(path);
      return { ...response.json<ErrorBody>(), status: response.statusCode };
    },
    close: () => app.close(),
  };
}
export type Endpoint = Awaited<ReturnType<typeof openEndpoint>>;

const address = (number: number): Hex => `0x${number.toString(16).padStart(40, "0")}`;
const place = (block: number, logIndex = 0, time = Math.floor(NOW / 1_000)) => ({
  chainId: CHAIN,
  block,
  logIndex,
  time,
});

/** An indexed chain whose newest block is at `NOW`. */
export async function indexChain(db: Database, chainId = CHAIN): Promise<void> {
  await db.orm.insert(chain.chainCursor).values({
    chainId,
    productRegistry: address(1),
    block: 1_000_000,
    hash: zeros,
    time: Math.floor(NOW / 1_000),
    state: "live",
    epoch: 1,
  });
}

export type VaultRow = typeof chain.vaultState.$inferInsert;

/** A demand deposit, created at `created` (Unix seconds) and empty. */
export async function listProduct(
  db: Database,
  shortId: string,
  { number, created = 1_700_000_000, metadataHash = zeros }: { number: number; created?: number; metadataHash?: Hex },
): Promise<Hex> {
  const product = address(0xa000 + number);
  await db.orm.insert(chain.product).values({
    ...place(number, 0, created),
    address: product,
    shortId,
    productType: 0,
    asset: address(2),
    assetSymbol: "tUSD",
    assetDecimals: 6,
    shareName: "Share",
    shareSymbol: "aq",
    shareDecimals: 12,
  });
  await db.orm.insert(chain.productState).values({
    ...place(number, 1, created),
    product,
    status: 0,
    metadataHash,
  });
  await putVault(db, { product, block: number, logIndex: 2, time: created, reportAsOf: created });
  return product;
}

/** The state of a vault after an event. */
export async function putVault(
  db: Database,
  row: Pick<VaultRow, "product" | "block" | "logIndex" | "time" | "reportAsOf"> & Partial<VaultRow>,
): Promise<void> {
  await db.orm.insert(chain.vaultState).values({
    chainId: CHAIN,
    supply: 0n,
    settled: 0n,
    streaming: 0n,
    streamStart: row.time,
    streamEnd: row.time,
    cap: 10n ** 15n,
    minDeposit: 1n,
    pausedUntil: 0,
    vestingTime: 86_400,
    maxReportAge: 604_800,
    deposited: 0n,
    withdrawn: 0n,
    holders: 0,
    reportTime: null,
    ...row,
  });
}

export async function enrol(
  db: Database,
  name: string,
  metric: Metric,
  change: Partial<typeof tables.device.$inferInsert> = {},
): Promise<Enrolled> {
  const [row] = await db.orm
    .insert(tables.device)
    .values({
      name,
      chainId: CHAIN,
      shortId: "sahel-solar",
      metric,
      exponent: -2,
      place: "Well 4",
      latitude: 13.5,
      longitude: 2.1,
      model: "M-1",
      trust: "software_key",
      min: 0n,
      max: 100_000n,
      maxStep: null,
      interval: HOUR,
      secretHash: new Uint8Array(32),
      createTime: NOW,
      retiredTime: null,
      ...change,
    })
    .returning();
  if (!row) throw new Error("not enrolled");
  await db.orm.insert(tables.deviceHead).values({
    device: row.id,
    seq: 0,
    hash: new Uint8Array(32),
    time: 0,
    accepted: 0,
    repeats: 0,
    readings: 0,
  });
  return row;
}

/** A device's key on chain, valid from `validFrom` (Unix seconds) on. */
export async function assignKey(db: Database, name: string, block: number, validFrom = 1_600_000_000): Promise<void> {
  await db.orm.insert(chain.deviceKey).values({
    ...place(block),
    device: nameHex(name),
    what: "registered",
    kind: 1,
    x: zeros,
    y: zeros,
    validFrom,
  });
}

/** Inserts all readings of a device, with its buckets and its head. */
export async function record(db: Database, device: Enrolled, given: readonly ReadingRow[]): Promise<void> {
  const readings = given.map(({ flaw = null, ...reading }) => ({ ...reading, flaw }));
  const bytes = { hash: new Uint8Array(32).fill(1), signature: new Uint8Array(64) };
  const prev = (index: number) => new Uint8Array(32).fill(index === 0 ? 0 : 1);
  for (let first = 0; first < readings.length; first += 1_000) {
    const some = readings.slice(first, first + 1_000);
    await db.orm.insert(tables.reading).values(
      some.map((reading, index) => ({
        device: device.id,
        accepted: reading.time,
        prev: prev(first + index),
        ...bytes,
        ...reading,
      })),
    );
  }
  for (const span of [HOUR, DAY]) {
    const buckets = new Map<number, typeof readings>();
    for (const reading of readings) {
      const start = reading.time - (reading.time % span);
      buckets.set(start, [...(buckets.get(start) ?? []), reading]);
    }
    const rows = [...buckets].map(([start, all]) => {
      const good = all.filter(({ flaw }) => flaw === null);
      const values = good.map(({ value }) => value).toSorted((a, b) => (a < b ? -1 : 1));
      const flawed = (wanted: ValidationIssue) => all.filter(({ flaw }) => flaw === wanted).length;
      return {
        device: device.id,
        span,
        start,
        count: all.length,
        bounds: flawed("bounds"),
        jump: flawed("jump"),
        frozen: flawed("frozen"),
        backwards: flawed("backwards"),
        min: values[0] ?? null,
        max: values.at(-1) ?? null,
        sum: values.reduce((sum, value) => sum + value, 0n),
        firstTime: good[0]?.time ?? null,
        firstValue: good[0]?.value ?? null,
        lastTime: good.at(-1)?.time ?? null,
        lastValue: good.at(-1)?.value ?? null,
      };
    });
    for (let first = 0; first < rows.length; first += 1_000)
      await db.orm.insert(tables.readingBucket).values(rows.slice(first, first + 1_000));
  }
  const last = readings.at(-1);
  const good = readings.findLast(({ flaw }) => flaw === null);
  if (!last) return;
  await db.orm
    .update(tables.deviceHead)
    .set({
      seq: last.seq,
      time: last.time,
      accepted: last.time,
      readings: readings.length,
      goodSeq: good?.seq ?? null,
      goodTime: good?.time ?? null,
      goodValue: good?.value ?? null,
    })
    .where(sql`device = ${device.id}`);
}

/** A batch with the readings of these numbers of each device. It is anchored at `block`; null: not anchored. */
export async function batch(
  db: Database,
  shortId: string,
  number: number,
  parts: readonly [Enrolled, number, number][],
  block: number | null,
): Promise<Hex> {
  const stream = nameHex(shortId);
  const head = `0x${Buffer.from(`${shortId}:${number}`).toString("hex").padEnd(64, "0")}` as const;
  const count = parts.reduce((sum, [, first, last]) => sum + last - first + 1, 0);
  const to = Math.floor(NOW / 1_000) - 10_000 + number;
  const told = { stream, number, root: head, from: to, to, count, dataHash: head, head };
  await db.orm.insert(tables.telemetryBatch).values({
    ...told,
    chainId: CHAIN,
    shortId,
    previousHead: zeros,
    file: new Uint8Array(1),
    createTime: to * 1_000,
  });
  for (const [device, firstSeq, lastSeq] of parts)
    await db.orm
      .insert(tables.telemetryBatchPart)
      .values({ chainId: CHAIN, stream, number, device: device.id, firstSeq, lastSeq });
  if (block !== null) await db.orm.insert(chain.anchor).values({ ...place(block, 0, to), hash: head, ...told });
  return head;
}

/** An income report of a vault, and the vault right after it. `root`: the evidence that the report names. */
export async function report(
  db: Database,
  product: Hex,
  { block, time, asOf, delta, root = zeros }: { block: number; time: number; asOf: number; delta: bigint; root?: Hex },
  vault: Partial<VaultRow> = {},
): Promise<Hex> {
  const hash = `0x${block.toString(16).padStart(64, "0")}` as const;
  await putVault(db, { product, block, logIndex: 5, time, reportAsOf: asOf, reportTime: time, ...vault });
  await db.orm.insert(chain.report).values({
    ...place(block, 5, time),
    product,
    hash,
    delta,
    asOf,
    evidenceRoot: root,
  });
  return hash;
}
