import { DAY } from "../durations.ts";
import { type Apy, apyBetween, maxDrawdown } from "../maths/apy.ts";
import { instantLiquidity } from "../maths/exit.ts";
import type { FeeKept } from "../maths/gross.ts";
import { type Pool, previewRedeem, sharePrice } from "../maths/shares.ts";
import { totalAssetsAt } from "../maths/stream.ts";
import { formatUnits, mulDivFloor, smaller } from "../maths/units.ts";
import { type Day, estimateWait, type Wait } from "../maths/wait.ts";
import type { ActRow, ReportRow, RequestRow, VaultStateRow } from "./rows.ts";
import { type DemandView, isAfter, versionAt } from "./view.ts";

/** The figures of a demand deposit in smallest units. Times are Unix seconds. */

export function poolAt(vault: VaultStateRow, time: number): Pool {
  const { settled, streaming, streamStart, streamEnd, supply } = vault;
  const stream = { settled, streaming, start: BigInt(streamStart), end: BigInt(streamEnd) };
  return { totalAssets: totalAssetsAt(stream, BigInt(time)), supply };
}

/** All assets of the shares, including income that is not in the price yet. */
export function heldBy({ settled, streaming }: VaultStateRow): bigint {
  return settled + streaming;
}

/** The part of them that the vault holds itself. */
export function idleIn(vault: VaultStateRow): bigint {
  return heldBy(vault) - vault.deployed;
}

/** The amount that can leave at once. Nothing can if the last report is too old or a loss is under review. */
export function capacityAt(vault: VaultStateRow, time: number): bigint {
  const { queue, reportAsOf, maxReportAge, reviewUntil, queued } = vault;
  if (queue !== null && (time > reportAsOf + maxReportAge || time < reviewUntil)) return 0n;
  const pool = poolAt(vault, time);
  return smaller(instantLiquidity(idleIn(vault), queued, pool), pool.totalAssets);
}

export const ratioDecimals = 6;

export function ratio(part: bigint, whole: bigint): string {
  return formatUnits(mulDivFloor(part, 10n ** BigInt(ratioDecimals), whole), ratioDecimals);
}

/** The part of all money that is deployed. Null if there is none. */
export function utilisation(deployed: bigint, idle: bigint): string | null {
  return deployed + idle === 0n ? null : ratio(deployed, deployed + idle);
}

/** The time of the first deposit. Null before it. */
export function inceptionOf({ vaults }: DemandView): number | null {
  return vaults.find(({ deposited }) => deposited > 0n)?.time ?? null;
}

/** Null if the vault did not exist at `start`. */
export function apySince({ vaults, vault }: DemandView, start: number, now: number): Apy {
  const then = versionAt(vaults, start);
  if (then === undefined) return { value: null, annualised: false };
  return apyBetween(
    { time: BigInt(start), price: sharePrice(poolAt(then, start)) },
    { time: BigInt(now), price: sharePrice(poolAt(vault, now)) },
  );
}

const HEADLINE_DAYS = 30;

/** The APY of the last 30 days, or since the first deposit of a younger product. */
export function headlineApy(view: DemandView, now: number): Apy & { window_days: number } {
  const inception = inceptionOf(view);
  if (inception === null) return { value: null, annualised: false, window_days: HEADLINE_DAYS };
  const start = now - HEADLINE_DAYS * DAY;
  if (start >= inception) return { ...apySince(view, start, now), window_days: HEADLINE_DAYS };
  return { ...apySince(view, inception, now), window_days: Math.floor((now - inception) / DAY) };
}

/** A report, the vault right after it, its fee, and when its loss was taken back. */
export interface FullReport {
  report: ReportRow;
  vault: VaultStateRow;
  fee: bigint;
  takenBackAt: number | null;
}

/** Every report, oldest first. A retraction is of the last report before it, because no other may follow until then. */
export function reportsOf({ reports, vaults, acts }: DemandView): FullReport[] {
  let feesBefore = 0n;
  const byPlace = new Map(vaults.map((vault) => [`${vault.block}:${vault.logIndex}`, vault]));
  const retractions = acts.filter(isRetraction);
  return reports.flatMap((report, index) => {
    const vault = byPlace.get(`${report.block}:${report.logIndex}`);
    if (vault === undefined) return [];
    const next = reports[index + 1];
    const retraction = retractions.find((act) => isAfter(act, report) && !(next && isAfter(act, next)));
    const fee = vault.feesTaken - feesBefore;
    feesBefore = vault.feesTaken;
    return [{ report, vault, fee, takenBackAt: retraction?.time ?? null }];
  });
}

const isRetraction = ({ name }: ActRow) => name === "LossTakenBack";

/** Gains less losses over all reports. A loss that was taken back counts as none. Null without a report. */
export function incomeOf({ reports, acts }: DemandView): bigint | null {
  if (reports.length === 0) return null;
  const back = acts.filter(isRetraction).reduce((sum, { args }) => sum + BigInt(args.assets ?? 0), 0n);
  return reports.reduce((sum, { delta }) => sum + delta, back);
}

/** The losses, and of those that were taken back the time of that. */
export function lossesOf({ reports, acts }: DemandView): { losses: ReportRow[]; takenBack: Map<ReportRow, number> } {
  const losses = reports.filter(({ delta }) => delta < 0n);
  const takenBack = new Map<ReportRow, number>();
  for (const act of acts.filter(isRetraction)) {
    const loss = losses.findLast((one) => isAfter(act, one));
    if (loss) takenBack.set(loss, act.time);
  }
  return { losses, takenBack };
}

/** Price and assets at each of `moments`. Moments before the vault's creation are left out. */
export function pricesAt(
  { vaults }: DemandView,
  moments: readonly number[],
): { time: number; price: bigint; assets: bigint }[] {
  return moments.flatMap((time) => {
    const vault = versionAt(vaults, time);
    if (vault === undefined) return [];
    const pool = poolAt(vault, time);
    return [{ time, price: sharePrice(pool), assets: pool.totalAssets }];
  });
}

/** The largest fall of the price since the first deposit, and when all of its losses had been taken back. */
export function worstFall(view: DemandView): {
  max_drawdown: string | null;
  max_drawdown_taken_back: number | null;
} {
  const inception = inceptionOf(view);
  if (inception === null) return { max_drawdown: null, max_drawdown_taken_back: null };
  const { losses, takenBack } = lossesOf(view);
  const times = losses.map(({ time }) => time).filter((time) => time > inception);
  // Only a loss lowers the price.
  const moments = [...new Set(times.flatMap((time) => [time - 1, time]))].sort((a, b) => a - b);
  const prices = pricesAt(view, moments);
  const { fall, peak, low } = maxDrawdown(prices.map(({ price }) => price));
  const [from, to] = [prices[peak]?.time ?? 0, prices[low]?.time ?? 0];
  const within = losses.filter(({ time }) => time > from && time <= to);
  const ends = within.flatMap((loss) => takenBack.get(loss) ?? []);
  const reversed = ends.length > 0 && ends.length === within.length;
  return { max_drawdown: fall, max_drawdown_taken_back: reversed ? Math.max(...ends) * 1_000 : null };
}

export function feeKept({ vault, fee }: FullReport): FeeKept {
  return { fee, held: heldBy(vault), start: BigInt(vault.streamStart), end: BigInt(vault.streamEnd) };
}

/** A day of the history. `open` says whether the product accepted deposits at its end. */
interface PastDay extends Day {
  end: number;
  deposited: bigint;
  open: boolean;
}

/** At most two years are looked back. Estimates use one. */
const MAX_DAYS = 730;
const MEASURED = 365;

const pasts = new WeakMap<DemandView, { now: number; days: PastDay[] }>();

/** The last full days up to `now`, oldest first. */
export function pastDays(view: DemandView, now: number): readonly PastDay[] {
  const known = pasts.get(view);
  if (known?.now === now) return known.days;
  const days = readPast(view, now);
  pasts.set(view, { now, days });
  return days;
}

function readPast(view: DemandView, now: number): PastDay[] {
  const inception = inceptionOf(view);
  const full = inception === null ? 0 : Math.min(MAX_DAYS, Math.floor((now - inception) / DAY));
  const deployments = view.acts.filter(({ name }) => name === "Deployed");
  return Array.from({ length: full }, (_, index) => now - (full - 1 - index) * DAY).flatMap((end) => {
    const begin = end - DAY;
    const [before, after] = [versionAt(view.vaults, begin), versionAt(view.vaults, end)];
    if (!before || !after) return [];
    const deployed = deployments
      .filter(({ time }) => time > begin && time <= end)
      .reduce((sum, { args }) => sum + BigInt(args.assets ?? 0), 0n);
    return [
      {
        end,
        inflow: idleIn(after) - idleIn(before) + after.setAside - before.setAside + deployed,
        deposited: after.deposited - before.deposited,
        reported: (after.reportTime ?? 0) > begin,
        open: versionAt(view.listings, end)?.status === 0,
      },
    ];
  });
}

/** The history as a basis of estimates: without past deposits if the product takes none any more. */
export function aheadFrom(past: readonly PastDay[]): readonly Day[] {
  const measured = past.slice(-MEASURED);
  if (past.at(-1)?.open !== false) return measured;
  return measured.map(({ inflow, deposited, reported }) => ({ inflow: inflow - deposited, reported }));
}

const daysIn = (seconds: number) => Math.max(0, Math.ceil(seconds / DAY));

interface Estimate {
  vault: VaultStateRow;
  past: readonly PastDay[];
  now: number;
}

/** The wait for a withdrawal of `amount`. */
export function waitFor({ vault, past, now }: Estimate, amount: bigint): Wait | null {
  return estimateWait(aheadFrom(past), {
    amount,
    instant: capacityAt(vault, now),
    payableIn: null,
    streamDays: daysIn(vault.vestingTime),
    ahead: previewRedeem(vault.queued, poolAt(vault, now)),
    idle: idleIn(vault),
  });
}

export interface QueuePlace {
  shares: bigint;
  ahead: bigint;
  payableFrom: number | null;
  ready: boolean;
}

/** The wait for shares in the queue. No amount leaves the queue at once, however small. */
export function waitInQueue({ vault, past, now }: Estimate, place: QueuePlace): Wait | null {
  const pool = poolAt(vault, now);
  const { shares, ahead, payableFrom, ready } = place;
  return estimateWait(aheadFrom(past), {
    amount: previewRedeem(shares, pool),
    ahead: previewRedeem(ahead, pool),
    payableIn: ready ? 0 : payableFrom === null ? null : daysIn(payableFrom - now),
    streamDays: daysIn(vault.vestingTime),
    instant: -1n,
    idle: idleIn(vault),
  });
}

/** The wait of a mean position. */
export function typicalWait(view: DemandView, now: number): Wait | null {
  const { vault } = view;
  const { totalAssets } = poolAt(vault, now);
  const amount = vault.holders === 0 ? 0n : totalAssets / BigInt(vault.holders);
  if (amount <= capacityAt(vault, now)) return { p50: 0, p90: 0 };
  return waitFor({ vault, past: pastDays(view, now), now }, amount);
}

const CURVE = [5n, 10n, 20n, 50n, 100n, 150n, 200n, 300n, 400n, 500n, 750n, 1_000n];

/** The wait by the amount of an exit. */
export function exitCurve(view: DemandView, now: number): { amount: string; wait: Wait | null }[] {
  const { vault, product } = view;
  const total = poolAt(vault, now).totalAssets;
  const estimate = { vault, past: pastDays(view, now), now };
  return CURVE.map((part) => {
    const amount = mulDivFloor(total, part, 1_000n);
    return { amount: formatUnits(amount, product.assetDecimals), wait: waitFor(estimate, amount) };
  });
}

/** A request that is not fully processed. */
export interface Waiting extends QueuePlace {
  request: RequestRow;
  /** Counted from the head of the queue; 1 is next. */
  position: number;
}

/** A report this overdue, counted from the time at which the last one became too old, is waited for no more. */
const ABANDONED_AFTER = 30 * DAY;

/** The requests in the queue that are not fully processed, in their order. */
export function waitingIn({ requests, vault }: DemandView, now: number): Waiting[] {
  const { processed, reviewUntil, reportAsOf, maxReportAge } = vault;
  const newest = new Map(requests.map((request) => [request.start, request]));
  const abandoned = now > reportAsOf + maxReportAge + ABANDONED_AFTER;
  return [...newest.values()]
    .filter(({ start, shares }) => start + shares > processed)
    .sort((a, b) => (a.start < b.start ? -1 : 1))
    .map((request, index) => {
      const { start, shares, payableFrom } = request;
      return {
        request,
        position: index + 1,
        shares: processed > start ? start + shares - processed : shares,
        ahead: start > processed ? start - processed : 0n,
        payableFrom,
        ready: now >= reviewUntil && (abandoned || (payableFrom !== null && payableFrom <= now)),
      };
    });
}
