import { getAddress } from "viem";
import { DAY, YEAR } from "../durations.ts";
import type { Apy } from "../maths/apy.ts";
import { vaultBuffer } from "../maths/exit.ts";
import { grossPrices } from "../maths/gross.ts";
import { coverageOf } from "../maths/receipts.ts";
import { previewRedeem, sharePrice, sharePriceDecimals } from "../maths/shares.ts";
import { formatUnits, mulDivFloor, smaller } from "../maths/units.ts";
import { inflowWithin } from "../maths/wait.ts";
import {
  aheadFrom,
  apySince,
  capacityAt,
  exitCurve,
  feeKept,
  heldBy,
  idleIn,
  inceptionOf,
  pastDays,
  poolAt,
  pricesAt,
  ratio,
  ratioDecimals,
  reportsOf,
  typicalWait,
  utilisation,
  waitFor,
  waitInQueue,
  waitingIn,
  worstFall,
} from "./demandFigures.ts";
import { asOfOf, firstDepositOf, formatRatio, keptIn, meanRate, millis, unitsOf } from "./productFigures.ts";
import type { TermStateRow } from "./rows.ts";
import { chartMoments, flowMoments, leftOfWeek, WEEK, weekOf, weeksFrom } from "./series.ts";
import { accountsOf, heldOf, liveReceipts, liveWalk, withdrawable, worthOf } from "./termFigures.ts";
import { type DemandView, type ProductView, type TimeView, type View, versionAt } from "./view.ts";

/** What the API must answer about a product's past, its money and its queue. */

export function performanceFigures(view: View, of: ProductView) {
  const common = { short_id: of.product.shortId, type: of.type, as_of: asOfOf(view) };
  return { ...common, ...(of.type === "demand_deposit" ? demandPerformance(view, of) : timePerformance(view, of)) };
}

const WINDOWS = [7, 30, 90, 365];
const unknownApy: Apy = { value: null, annualised: false };

function demandPerformance({ time: now, anchors }: View, of: DemandView) {
  const { product, vault } = of;
  const { assets } = unitsOf(product);
  const price = (value: bigint) => formatUnits(value, sharePriceDecimals);
  const inception = inceptionOf(of);
  const windows = WINDOWS.map((days) => {
    const start = now - days * DAY;
    const known = inception !== null && start >= inception;
    return { window_days: days, ...(known ? apySince(of, start, now) : unknownApy) };
  });
  const all = { window_days: null, ...(inception === null ? unknownApy : apySince(of, inception, now)) };
  const moments = inception === null ? [] : chartMoments(inception, now);
  const reports = reportsOf(of);
  const fees = reports.filter(({ fee }) => fee > 0n).map(feeKept);
  const heads = new Map(anchors.filter(({ stream }) => isOf(stream, product.shortId)).map((one) => [one.head, one]));
  const shown = reports.filter(({ report }) => report.time >= (moments[0] ?? now));
  const points = pricesAt(of, moments);
  const gross = grossPrices(
    points.map((point) => ({ price: point.price, time: BigInt(point.time) })),
    fees,
  );
  return {
    share_price: price(sharePrice(poolAt(vault, now))),
    apy: [...windows, all],
    ...worstFall(of),
    series: points.map((point, index) => ({
      time: millis(point.time),
      tvl: assets(point.assets),
      share_price: price(point.price),
      gross_price: price(gross[index] ?? point.price),
      rate: null,
      coverage: null,
    })),
    reports: shown.reverse().map(({ report, fee, takenBackAt }) => {
      const anchor = heads.get(report.evidenceRoot);
      return {
        time: millis(report.time),
        block: report.block,
        hash: report.hash,
        delta: assets(report.delta),
        fee: assets(fee),
        taken_back: takenBackAt === null ? null : millis(takenBackAt),
        as_of_time: millis(report.asOf),
        evidence_root: report.evidenceRoot,
        anchored: anchor ? { number: anchor.number } : null,
      };
    }),
  };
}

/** Whether a stream of batches is that of a product: its short id, padded to 32 bytes. */
export function isOf(stream: string, shortId: string): boolean {
  return stream === streamOf(shortId);
}

export function streamOf(shortId: string): string {
  const bytes = [...new TextEncoder().encode(shortId)];
  return `0x${bytes
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .padEnd(64, "0")}`;
}

function timePerformance({ time: now }: View, of: TimeView) {
  const { assets } = unitsOf(of.product);
  const inception = firstDepositOf(of);
  const moments = inception === null ? [] : chartMoments(inception, now);
  const walk = liveWalk(of.receipts);
  return {
    share_price: null,
    apy: [],
    max_drawdown: null,
    max_drawdown_taken_back: null,
    series: moments.flatMap((time) => {
      const held = heldOf(
        of,
        walk((version) => version.time <= time),
      );
      const books = versionAt(of.states, time);
      if (books === undefined) return [];
      const coverage = coverageOf(accountsOf(books));
      return [
        {
          time: millis(time),
          tvl: assets(worthOf(held, books, time)),
          share_price: null,
          gross_price: null,
          rate: meanRate(held),
          coverage: coverage === null ? null : formatRatio(coverage),
        },
      ];
    }),
    reports: [],
  };
}

export function liquidityFigures(view: View, of: ProductView) {
  const common = { short_id: of.product.shortId, type: of.type, as_of: asOfOf(view) };
  return { ...common, ...(of.type === "demand_deposit" ? demandLiquidity(view, of) : timeLiquidity(view, of)) };
}

const SCENARIOS = [100n, 300n, 500n];
const DAYS_AHEAD = 26 * 7;

function demandLiquidity({ time: now }: View, of: DemandView) {
  const { product, vault } = of;
  const { assets } = unitsOf(product);
  const pool = poolAt(vault, now);
  const instant = capacityAt(vault, now);
  const past = pastDays(of, now);
  const estimate = { vault, past, now };
  return {
    winding_down: false,
    instant_capacity: assets(instant),
    idle: assets(idleIn(vault)),
    deployed: assets(vault.deployed),
    total_assets: assets(pool.totalAssets),
    unstreamed: assets(heldBy(vault) - pool.totalAssets),
    buffer: vault.custodian === null ? null : assets(vaultBuffer(heldBy(vault), vault.buffer)),
    utilisation: utilisation(vault.deployed, idleIn(vault)),
    queue: queueSummary(of, now),
    wait: typicalWait(of, now),
    track_record: vault.queue === null ? null : trackRecord(of, now),
    exit_curve: exitCurve(of, now),
    scenarios: SCENARIOS.map((part) => {
      const amount = mulDivFloor(pool.totalAssets, part, 1_000n);
      const atOnce = smaller(amount, instant);
      return {
        part: ratio(part, 1_000n),
        amount: assets(amount),
        instant: assets(atOnce),
        queued: assets(amount - atOnce),
        wait: waitFor(estimate, amount),
      };
    }),
    weeks: [],
    inflow_ahead: inflowWithin(aheadFrom(past), DAYS_AHEAD)
      .map(({ p50, p90 }, index) => ({ time: millis(now + (index + 1) * DAY), p50: assets(p50), p90: assets(p90) }))
      .filter((_, index) => (index + 1) % 7 === 0),
    history: demandHistory(of, now),
  };
}

function queueSummary(of: DemandView, now: number) {
  const { product, vault } = of;
  if (vault.queue === null) return null;
  const { assets, shares } = unitsOf(product);
  const waiting = waitingIn(of, now);
  const [oldest] = waiting;
  const ready = waiting.filter((one) => one.ready).reduce((sum, one) => sum + one.shares, 0n);
  return {
    requests: waiting.length,
    shares: shares(vault.queued),
    value: assets(previewRedeem(vault.queued, poolAt(vault, now))),
    ready_shares: shares(ready),
    oldest: oldest ? millis(oldest.request.requestedAt) : null,
    claimable: assets(vault.setAside - vault.claimed),
  };
}

const MAX_SCORED = 100;

/** The estimate that each of the newest requests was shown, compared with the time that it took. */
function trackRecord(of: DemandView, now: number) {
  const first = new Map(of.requests.toReversed().map((request) => [request.start, request]));
  const scoredRequests = [...first.values()].sort((a, b) => (a.start < b.start ? 1 : -1)).slice(0, MAX_SCORED);
  if (scoredRequests.length === 0) return null;
  const vaults = new Map(of.vaults.map((vault) => [`${vault.block}:${vault.logIndex}`, vault]));
  const days = pastDays(of, now);
  let [scored, withinP50, withinP90] = [0, 0, 0];
  for (const { start, shares, block, logIndex, time } of scoredRequests) {
    const vault = vaults.get(`${block}:${logIndex}`);
    if (vault === undefined) continue;
    const past = days.filter(({ end }) => end <= time);
    const ahead = start > vault.processed ? start - vault.processed : 0n;
    const wait = waitInQueue({ vault, past, now: time }, { shares, ahead, payableFrom: null, ready: false });
    if (wait === null) continue;
    const paid = of.batches.find(({ end }) => end >= start + shares);
    const took = millis((paid?.time ?? now) - time);
    if (!paid && took <= wait.p90) continue;
    scored += 1;
    if (paid && took <= wait.p50) withinP50 += 1;
    if (paid && took <= wait.p90) withinP90 += 1;
  }
  const part = (within: number) =>
    scored === 0 ? null : formatUnits(BigInt(Math.floor((within * 10 ** ratioDecimals) / scored)), ratioDecimals);
  return { scored, within_p50: part(withinP50), within_p90: part(withinP90) };
}

function demandHistory(of: DemandView, now: number) {
  const { assets } = unitsOf(of.product);
  const inception = inceptionOf(of);
  const points = (inception === null ? [] : flowMoments(inception, now)).flatMap((time) => {
    const vault = versionAt(of.vaults, time);
    return vault === undefined ? [] : [{ time, vault }];
  });
  return points.map(({ time, vault }, index) => {
    const before = points[index - 1]?.vault ?? { deposited: 0n, withdrawn: 0n };
    const pool = poolAt(vault, time);
    return {
      time: millis(time),
      idle: assets(idleIn(vault)),
      total_assets: assets(pool.totalAssets),
      deposits: assets(vault.deposited - before.deposited),
      withdrawals: assets(vault.withdrawn - before.withdrawn),
      queued: assets(previewRedeem(vault.queued, pool)),
    };
  });
}

function timeLiquidity({ time: now }: View, of: TimeView) {
  const { product, books, states } = of;
  const { assets } = unitsOf(product);
  const inception = firstDepositOf(of);
  const windingDown = books.claims > 0n;
  const points = (inception === null ? [] : flowMoments(inception, now)).flatMap((time) => {
    const then = versionAt(states, time);
    return then === undefined ? [] : [{ time, then }];
  });
  return {
    winding_down: windingDown,
    instant_capacity: assets(withdrawable(liveReceipts(of), of, now)),
    idle: assets(books.cash),
    deployed: assets(books.deployed),
    total_assets: assets(books.cash + books.deployed),
    unstreamed: assets(0n),
    buffer: assets(keptIn(of)),
    utilisation: utilisation(books.deployed, books.cash),
    queue: null,
    wait: null,
    track_record: null,
    exit_curve: [],
    scenarios: [],
    inflow_ahead: [],
    weeks: windingDown ? [] : weeksAhead(of, { inception, now }),
    history: points.map(({ time, then }, index) => {
      const before = points[index - 1]?.then ?? { deposited: 0n, paidOut: 0n };
      return {
        time: millis(time),
        idle: assets(then.cash),
        total_assets: assets(then.cash + then.deployed),
        deposits: assets(then.deposited - before.deposited),
        withdrawals: assets(then.paidOut - before.paidOut),
        queued: assets(0n),
      };
    }),
  };
}

/** The amounts that mature in each week, and the expected inflow. */
function weeksAhead(of: TimeView, { inception, now }: { inception: number | null; now: number }) {
  const { assets } = unitsOf(of.product);
  const due = new Map<number, bigint>();
  let last = now;
  for (const { figures } of liveReceipts(of)) {
    const time = Math.max(now, Number(figures.maturity));
    due.set(weekOf(time), (due.get(weekOf(time)) ?? 0n) + figures.principal + figures.interest);
    last = Math.max(last, Math.min(time, now + YEAR));
  }
  const inflow = inception === null ? null : usualInflow(of.states, inception, now);
  return weeksFrom(now, last).map((start) => ({
    start: millis(start),
    maturities: assets(due.get(start) ?? 0n),
    expected_inflow: inflow === null ? null : assets(leftOfWeek(inflow, start, now)),
  }));
}

const [PAST_WEEKS, MIN_PAST_WEEKS] = [12, 4];

/** The lower median of past full weeks' deposits and repayments. Null with fewer than four. */
function usualInflow(states: readonly TermStateRow[], inception: number, now: number): bigint | null {
  const end = weekOf(now);
  const start = Math.max(end - PAST_WEEKS * WEEK, weekOf(inception + WEEK - 1));
  if (end - start < MIN_PAST_WEEKS * WEEK) return null;
  const weeks: bigint[] = Array.from({ length: (end - start) / WEEK }, () => 0n);
  for (const [index, after] of states.entries()) {
    const before = states[index - 1];
    if (before === undefined || after.time < start || after.time >= end) continue;
    const week = (weekOf(after.time) - start) / WEEK;
    const back = before.deployed - after.deployed - (after.losses - before.losses);
    weeks[week] = (weeks[week] ?? 0n) + after.deposited - before.deposited + (back > 0n ? back : 0n);
  }
  const sorted = weeks.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted[(sorted.length - 1) >> 1] ?? null;
}

/** The requests in a product's queue, in its order. */
export function queueFigures(view: View, of: ProductView) {
  if (of.type === "time_deposit") return [];
  const { product, vault } = of;
  const now = view.time;
  const { assets, shares } = unitsOf(product);
  const pool = poolAt(vault, now);
  const worth = (units: bigint) => assets(previewRedeem(units, pool));
  return waitingIn(of, now).map((place) => ({
    position: place.position,
    wallet: getAddress(place.request.wallet),
    requested_at: millis(place.request.requestedAt),
    hash: place.request.hash,
    shares: shares(place.shares),
    value: worth(place.shares),
    ahead: worth(place.ahead),
    payable_from: place.payableFrom === null ? null : millis(place.payableFrom),
    ready: place.ready,
    wait: waitInQueue({ vault, past: pastDays(of, now), now }, place),
  }));
}

/** The reports of a demand deposit with the window that each covers, oldest first. The API lists the newest 500. */
export function incomeFigures(view: View, of: ProductView) {
  const reports = of.type === "demand_deposit" ? of.reports : [];
  const { assets } = unitsOf(of.product);
  const created = of.type === "demand_deposit" ? (of.vaults[0]?.reportAsOf ?? of.product.time) : 0;
  const items = reports.map(({ asOf, delta, hash, time }, index) => ({
    time,
    from: reports[index - 1]?.asOf ?? created,
    item: { to: millis(asOf), delta: assets(delta), hash },
  }));
  const since = chartMoments(items[0]?.from ?? 0, view.time)[0] ?? 0;
  return {
    short_id: of.product.shortId,
    items: items
      .filter(({ time }) => time >= since)
      .slice(-500)
      .map(({ from, item }) => ({ from: millis(from), ...item })),
  };
}
