import type { Range } from "@aqua/sdk/api/product";
import type { IncomeCheck, IncomeNext, IncomeSeries } from "@aqua/sdk/api/telemetry";
import type { LanguageCode } from "@aqua/sdk/languages";
import { gainBound } from "@aqua/sdk/maths/report";
import { formatUnits } from "@aqua/sdk/maths/units";
import { and, eq } from "drizzle-orm";
import type { Hex } from "viem";
import type { Database, Orm } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { FigureSource, OpenFindings } from "../../findings/open.ts";
import type { IndexedChain } from "../../indexer/stamp.ts";
import { type Product, poolAt } from "../../indexer/world.ts";
import { type Anchor, newestAnchor } from "../../product/anchors.ts";
import { type Documents, documentIn } from "../../product/documents.ts";
import { findCurrent } from "../../product/find.ts";
import { momentsOfRange } from "../../product/series.ts";
import { type CurrentProduct, vaultAt } from "../../product/store.ts";
import { type Enrolled, enrolledDevices, ofProduct } from "../read/deviceStore.ts";
import { device } from "../schema.ts";
import { countWindows, isDropped, keptSince, type RegisterCount, type Window } from "./count.ts";
import { headsBuiltHere } from "./heads.ts";
import { functionOf, type IncomeFunction, reasonOf, reportDevices, reportIncome, tellMetric } from "./metric.ts";
import { readingsAt } from "./registerStore.ts";
import { assetsBefore, creationOf, type WindowReport, windowOf, windowsOf } from "./reports.ts";

export interface IncomeService {
  /** Returns the evidence for the report of a transaction. Reasons are in this language, or in English. */
  check(shortId: string, hash: string, lang?: LanguageCode): Promise<IncomeCheck>;
  /** Returns the income that may be reported now. */
  next(shortId: string): Promise<IncomeNext>;
  series(shortId: string, query: { range: Range; lang?: LanguageCode | undefined }): Promise<IncomeSeries>;
}

/** Maximum number of reports in a series. The newest are returned. */
const MAX_REPORTS = 500;
/** A report is compared with the readings of the batch that it names. */
const INCOME_SOURCES: readonly FigureSource[] = ["accounts", "reports", "readings", "batches"];

export function createIncomeService(parts: {
  db: Database;
  chains: readonly IndexedChain[];
  documents: Documents;
  findings: OpenFindings;
}): IncomeService {
  const { db, documents, findings } = parts;
  const chains = parts.chains.filter((chain) => chain.deployment !== null);
  const snapshot = <T>(read: (tx: Orm) => Promise<T>) => db.transaction(read, "repeatable read");

  async function demandAll(product: string): Promise<void> {
    (await findings.read()).demand("The income of reports", INCOME_SOURCES, { product });
  }

  return {
    check: (shortId, hash, lang) =>
      snapshot(async (tx) => {
        const { current } = await findCurrent(tx, chains, shortId);
        await demandAll(shortId);
        const { product } = current;
        const found = await windowOf(tx, product, hash.toLowerCase() as Hex);
        if (!found) throw new ApiError("not_found", "There is no income report of this transaction");
        const { report, from, anchor } = found;
        const how = functionOf(documents, found.document, product);
        const [counted = []] = await countReports(tx, { product, how, reports: [found] });
        const assets = (await assetsBefore(tx, product, [report])).get(report.hash) ?? 0n;
        const { gain, figures } = reportIncome({ product, of: how, counted, assets });
        const units = (amount: bigint) => formatUnits(amount, product.assetDecimals);
        return {
          short_id: shortId,
          report: {
            time: report.time * 1_000,
            from: from * 1_000,
            to: report.asOf * 1_000,
            delta: units(report.delta),
            evidence_root: report.evidenceRoot,
            hash: report.hash,
            block: report.block,
          },
          metric: how && tellMetric(how),
          devices: reportDevices(counted),
          ...figures,
          assets: units(assets),
          other: gain === null ? null : units(report.delta - gain),
          other_reason: reasonOf(documentIn(documents.get(current.state.metadataHash), lang), {
            product,
            delta: report.delta,
            gain,
          }),
          anchor: anchor && tellAnchor(anchor),
          retained_since: keptSince(counted),
          verdict: verdictOf({ delta: report.delta, how, anchor, gain, counted }),
        };
      }),

    next: (shortId) =>
      snapshot(async (tx) => {
        const { current, asOf } = await findCurrent(tx, chains, shortId);
        await demandAll(shortId);
        if (!("vault" in current)) throw new ApiError("not_found", "Income is reported of demand deposits only");
        return nextOf(tx, {
          current,
          how: functionOf(documents, current.state.metadataHash, current.product),
          now: asOf.time / 1_000,
        });
      }),

    series: (shortId, { range, lang }) =>
      snapshot(async (tx) => {
        const { current, asOf } = await findCurrent(tx, chains, shortId);
        await demandAll(shortId);
        const { product } = current;
        const now = asOf.time / 1_000;
        const since = momentsOfRange(range, await creationOf(tx, product), now)[0] ?? 0;
        const shown = (await windowsOf(tx, product, { from: since, to: now })).slice(-MAX_REPORTS);
        const newest = shown.at(-1);
        const document = documentIn(documents.get(current.state.metadataHash), lang);
        const metric = functionOf(documents, newest?.document ?? null, product);
        const countOf = await countEach(tx, { product, documents, reports: shown });
        const assets = await assetsBefore(
          tx,
          product,
          shown.map(({ report }) => report),
        );
        return {
          short_id: shortId,
          metric: metric && tellMetric(metric),
          items: shown.map((one) => {
            const { report, from } = one;
            const { how, counted } = countOf(one);
            const { gain, figures } = reportIncome({
              product,
              of: how,
              counted,
              assets: assets.get(report.hash) ?? null,
            });
            return {
              from: from * 1_000,
              to: report.asOf * 1_000,
              ...figures,
              // The metric of the list has one unit, which does not apply to another register.
              counted: how?.register === metric?.register ? figures.counted : null,
              delta: formatUnits(report.delta, product.assetDecimals),
              other: gain === null ? null : formatUnits(report.delta - gain, product.assetDecimals),
              other_reason: reasonOf(document, { product, delta: report.delta, gain }),
              hash: report.hash,
            };
          }),
        };
      }),
  };
}

/**
 * Returns the counts of the registers for each of some reports. A report that names no batch of ours has no count.
 */
export async function countReports(
  tx: Orm,
  { product, how, reports }: { product: Product; how: IncomeFunction | null; reports: readonly WindowReport[] },
): Promise<RegisterCount[][]> {
  if (how === null) return reports.map(() => []);
  const windows = reports.map(({ report, from, anchor, anchorBefore }): Window | null =>
    anchor === null
      ? null
      : { from, to: report.asOf, batch: anchor.number, batchBefore: anchorBefore?.number ?? anchor.number },
  );
  const known = windows.filter((window) => window !== null);
  const counted = await countWindows(tx, { product, registers: await registersOf(tx, product, how), windows: known });
  return windows.map((window) => (window === null ? [] : (counted[known.indexOf(window)] ?? [])));
}

/**
 * Returns the counts of the registers for each report of a list, and the income function at the time of the report.
 */
export async function countEach(
  tx: Orm,
  { product, documents, reports }: { product: Product; documents: Documents; reports: readonly WindowReport[] },
): Promise<(report: WindowReport) => { how: IncomeFunction | null; counted: readonly RegisterCount[] }> {
  const counted = new Map<WindowReport, { how: IncomeFunction | null; counted: RegisterCount[] }>();
  for (const hash of new Set(reports.map(({ document }) => document))) {
    const how = functionOf(documents, hash, product);
    const some = reports.filter(({ document }) => document === hash);
    const counts = await countReports(tx, { product, how, reports: some });
    some.forEach((one, index) => void counted.set(one, { how, counted: counts[index] ?? [] }));
  }
  return (report) => counted.get(report) ?? { how: null, counted: [] };
}

async function nextOf(
  tx: Orm,
  { current, how, now }: { current: CurrentProduct; how: IncomeFunction | null; now: number },
): Promise<IncomeNext> {
  const { product, vault } = current;
  const from = vault.reportAsOf;
  const newest = await newestAnchor(tx, product);
  const isOurs = newest !== null && (await headsBuiltHere(tx, product, [newest.head])).size > 0;
  const anchor = isOurs ? newest : null;
  const registers = how === null ? [] : await registersOf(tx, product, how);
  const to = anchor === null ? null : await newestMoment(tx, { product, registers, anchor, now });
  const isLater = to !== null && to > from;
  let counted: RegisterCount[] = [];
  if (isLater && anchor !== null) {
    const span = { from: vault.reportTime ?? now, to: now };
    const before = (await windowsOf(tx, product, span)).at(-1)?.anchor ?? anchor;
    const window = { from, to, batch: anchor.number, batchBefore: before.number };
    counted = (await countWindows(tx, { product, registers, windows: [window] }))[0] ?? [];
  }
  const assets = isLater ? await assetsAt(tx, product, to) : null;
  const { gain, figures } = reportIncome({ product, of: how, counted, assets });
  const units = (amount: bigint) => formatUnits(amount, product.assetDecimals);
  const most = isLater ? gainBound(poolAt(vault, now).totalAssets, vault.maxRate, BigInt(to - from)) : null;
  return {
    short_id: product.shortId,
    from: from * 1_000,
    to: isLater ? to * 1_000 : null,
    metric: how && tellMetric(how),
    devices: reportDevices(counted),
    ...figures,
    assets: assets === null ? null : units(assets),
    most: most === null ? null : units(most),
    anchor: anchor && tellAnchor(anchor),
    verdict: gain === null ? unknownFor(how, anchor, counted) : "ready",
  };
}

/**
 * Returns the first full second at or after the newest reading of a register in batches up to an anchor, but not
 * later than `now`.
 */
async function newestMoment(
  tx: Orm,
  {
    product,
    registers,
    anchor: { number },
    now,
  }: { product: Product; registers: readonly Enrolled[]; anchor: Anchor; now: number },
): Promise<number | null> {
  const places = registers.map(({ id }) => ({ device: id, moment: now * 1_000, batch: number }));
  const times = (await readingsAt(tx, product, places)).flatMap((reading) => reading?.time ?? []);
  return times.length === 0 ? null : Math.min(now, Math.ceil(Math.max(...times) / 1_000));
}

async function registersOf(tx: Orm, product: Product, { register }: IncomeFunction): Promise<Enrolled[]> {
  const found = await enrolledDevices(tx, and(ofProduct(product), eq(device.metric, register)));
  return found.map((one) => one.device);
}

/** Returns the total assets at a moment, Unix seconds. Returns null before the vault's creation. */
async function assetsAt(tx: Orm, product: Product, moment: number): Promise<bigint | null> {
  const [state] = await vaultAt(tx, product, [moment]);
  return state ? poolAt(state.vault, moment).totalAssets : null;
}

function tellAnchor({ number, head, block, time }: Anchor): NonNullable<IncomeCheck["anchor"]> {
  return { number, head, block, time: time * 1_000 };
}

/** Returns the reason why the expected gain cannot be determined. */
function unknownFor(how: IncomeFunction | null, anchor: Anchor | null, counted: readonly RegisterCount[]) {
  if (how === null) return "no_metric";
  if (anchor === null) return "no_anchor";
  return isDropped(counted) ? "not_kept" : "no_readings";
}

function verdictOf({
  delta,
  how,
  anchor,
  gain,
  counted,
}: {
  delta: bigint;
  how: IncomeFunction | null;
  anchor: Anchor | null;
  gain: bigint | null;
  counted: readonly RegisterCount[];
}): IncomeCheck["verdict"] {
  if (delta < 0n) return "loss";
  if (gain === null) return unknownFor(how, anchor, counted);
  return delta === gain ? "equal" : delta > gain ? "more" : "less";
}
