import type { IncomeProof } from "@aqua/sdk/api/incomeProof";
import { batchDigest } from "@aqua/sdk/proofs/batch";
import { nameHex, noReading } from "@aqua/sdk/proofs/reading";
import { incomeOf } from "@aqua/sdk/telemetry/income";
import type { Hex } from "viem";
import type { Orm } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { type Priced, type Product, poolAt } from "../../indexer/world.ts";
import { documentBytes } from "../../product/documentStore.ts";
import type { Documents } from "../../product/documents.ts";
import { anchoredFile, laterAnchors } from "../../telemetry/anchoring/read.ts";
import type { Trees } from "../../telemetry/anchoring/trees.ts";
import { type RegisterCount, totalOf } from "../../telemetry/income/count.ts";
import type { IncomeFunction } from "../../telemetry/income/metric.ts";
import { accountsBefore, type WindowReport, windowsOf } from "../../telemetry/income/reports.ts";
import { countEach } from "../../telemetry/income/service.ts";
import { keyAt, readKeys } from "../../telemetry/keys.ts";
import { tellAccounts } from "./accounts.ts";

type ProductProof = IncomeProof["products"][number];
type ReportStep = Extract<ProductProof["steps"][number], { kind: "report" }>;
type Evidence = NonNullable<ReportStep["evidence"]>;

/** Maximum number of readings in a file. Each has a path through its batch's tree. */
const MAX_READINGS = 5_000;

export interface Evidences extends Pick<ProductProof, "documents" | "batches" | "readings"> {
  /** What the report of a transaction covers, and what its registers counted. Null if the report is not known. */
  of(hash: Hex): { from: number; evidence: Evidence | null } | null;
}

/** Proves what the registers counted for the reports of a product between two moments, Unix seconds. */
export async function evidencesOf(
  tx: Orm,
  {
    product,
    documents,
    trees,
    span,
  }: { product: Product; documents: Documents; trees: Trees; span: { from: number; to: number } },
): Promise<Evidences> {
  const windows = await windowsOf(tx, product, span);
  const countOf = await countEach(tx, { product, documents, reports: windows });
  const accounts = await accountsBefore(
    tx,
    product,
    windows.map(({ report }) => report),
  );
  const texts = await textsOf(tx, windows);
  const found = new Map<Hex, { from: number; evidence: Evidence | null }>();
  for (const window of windows) {
    const atEnd = accounts.get(window.report.hash);
    const isKnown = atEnd !== undefined && texts.some(({ hash }) => hash === window.document);
    const evidence = isKnown ? evidenceOf(window, { ...countOf(window), atEnd }) : null;
    found.set(window.report.hash, { from: window.from, evidence });
  }
  const proved = windows.filter(({ report }) => found.get(report.hash)?.evidence);
  const readings = placesOf(proved.flatMap((window) => countOf(window).counted));
  if (readings.length > MAX_READINGS)
    throw new ApiError("payload_too_large", `More than ${MAX_READINGS} readings; ask for one product`);
  const named = proved.flatMap(({ anchor }) => anchor?.number ?? []);
  const told = await proofsOf(tx, { product, trees, readings, named });
  // Without one of its batches a report cannot be proved.
  const lacks = (evidence: Evidence) =>
    !told.batches.some(({ number }) => number === evidence.batch) ||
    evidence.devices.some(({ device, first, last }) =>
      [first, last].some(
        (seq) => !told.readings.some((one) => one.reading.device === device && one.reading.seq === seq),
      ),
    );
  for (const one of found.values()) if (one.evidence && lacks(one.evidence)) one.evidence = null;
  return {
    ...told,
    documents: texts.filter(({ hash }) => [...found.values()].some(({ evidence }) => evidence?.document === hash)),
    of: (hash) => found.get(hash) ?? null,
  };
}

/** Returns null if what the registers counted is not known in full. */
function evidenceOf(
  { anchor, document, report }: WindowReport,
  { how, counted, atEnd }: { how: IncomeFunction | null; counted: readonly RegisterCount[]; atEnd: Priced },
): Evidence | null {
  const total = totalOf(counted);
  if (how === null || anchor === null || document === null || total === null) return null;
  const devices = counted.flatMap(({ device, first, last, counted: steps }) =>
    first === null || last === null || first.batch === null || steps === null
      ? []
      : [{ device: device.name, first: first.seq, last: last.seq, counted: String(steps) }],
  );
  if (devices.length !== counted.length) return null;
  const { proceeds, gain } = incomeOf(how.terms, total, poolAt(atEnd, report.asOf).totalAssets);
  return {
    document,
    metric: how.metric,
    batch: anchor.number,
    at_end: tellAccounts(atEnd),
    devices,
    counted: String(total),
    proceeds: String(proceeds),
    gain: String(gain),
  };
}

interface ReadingPlace {
  device: RegisterCount["device"];
  seq: number;
  batch: number;
}

/** Each reading once: the last one of a report is the first one of the next. */
function placesOf(counted: readonly RegisterCount[]): ReadingPlace[] {
  const places = new Map<string, ReadingPlace>();
  for (const { device, first, last } of counted)
    for (const reading of [first, last])
      if (reading && reading.batch !== null)
        places.set(`${device.name} ${reading.seq}`, { device, seq: reading.seq, batch: reading.batch });
  return [...places.values()];
}

/** Returns the batches and the readings of those whose file is here and that are on the chain. */
async function proofsOf(
  tx: Orm,
  {
    product: { chainId, shortId },
    trees,
    readings,
    named,
  }: { product: Product; trees: Trees; readings: readonly ReadingPlace[]; named: readonly number[] },
): Promise<Pick<ProductProof, "batches" | "readings">> {
  const stream = nameHex(shortId);
  const devices = [...new Set(readings.map(({ device }) => device))];
  const keys = await readKeys(tx, devices);
  const told: Pick<ProductProof, "batches" | "readings"> = { batches: [], readings: [] };
  const numbers = [...new Set([...readings.map(({ batch }) => batch), ...named])].sort((a, b) => a - b);
  for (const number of numbers) {
    const row = await anchoredFile(tx, { chainId, stream, number });
    if (!row) continue;
    const { root, from, to, count, dataHash, head } = row.anchor;
    const later = (await laterAnchors(tx, row.anchor)).map(batchDigest);
    const previous_head = row.previousHead ?? noReading;
    told.batches.push({ number, previous_head, root, from, to, count, data_hash: dataHash, head, later });
    for (const { device, seq } of readings.filter((one) => one.batch === number)) {
      const path = await trees.proofOf({ head, file: row.bytes }, device.name, seq);
      const history = keys.get(device.name);
      const key = path && history ? keyAt(history, Math.floor(path.reading.time / 1_000)) : null;
      if (!path || !key) continue;
      const { valid_until: _, ...known } = key;
      told.readings.push({ reading: path.reading, key: known, batch: number, proof: path.proof });
    }
  }
  return told;
}

/** Returns the texts of the documents that the registry named at the time of these reports. */
async function textsOf(tx: Orm, windows: readonly WindowReport[]): Promise<ProductProof["documents"]> {
  const texts: ProductProof["documents"] = [];
  for (const hash of new Set(windows.flatMap(({ document }) => document ?? []))) {
    const bytes = await documentBytes(tx, hash);
    if (bytes) texts.push({ hash, text: Buffer.from(bytes).toString("utf8") });
  }
  return texts;
}
