import { getAddress } from "viem";
import type { AsOf } from "../api/envelope.ts";
import type { Transaction, TransactionKind } from "../api/portfolio.ts";
import { secondsPerDay } from "../maths/apy.ts";
import { bufferOf, coverageOf, freeInterest, roomOf } from "../maths/receipts.ts";
import { sharePrice, sharePriceDecimals } from "../maths/shares.ts";
import { maturityOf, quotedApy, simpleInterest, timeUnits } from "../maths/term.ts";
import { formatUnits } from "../maths/units.ts";
import {
  capacityAt,
  exitCurve,
  headlineApy,
  idleIn,
  inceptionOf,
  lossesOf,
  poolAt,
  typicalWait,
  worstFall,
} from "./demandFigures.ts";
import type { MovementRow, ProductRow } from "./rows.ts";
import { monthStarts } from "./series.ts";
import { accountsOf, type Held, isHeld, liveReceipts, withdrawable, worthOf } from "./termFigures.ts";
import type { DemandView, ProductView, TimeView, View } from "./view.ts";

/** What the API must answer about products. Fields that do not follow from the chain are left out. */

const RATE_DECIMALS = 18;
export const formatRatio = (value: bigint) => formatUnits(value, RATE_DECIMALS);
export const millis = (seconds: number) => seconds * 1_000;
/** 0 stands for no time. */
export const millisOrNull = (seconds: number) => (seconds === 0 ? null : millis(seconds));

/** The functions that write amounts of a product's asset and of its shares. */
export function unitsOf({ assetDecimals, shareDecimals }: ProductRow) {
  return {
    assets: (units: bigint) => formatUnits(units, assetDecimals),
    shares: (units: bigint) => formatUnits(units, shareDecimals),
  };
}

export function asOfOf({ chainId, block, time }: View): Omit<AsOf, "stale"> {
  return { chain_id: chainId, block, time: millis(time) };
}

function frameOf(view: View, { product, state }: ProductView) {
  return {
    short_id: product.shortId,
    withheld: [],
    status: state.status === 0 ? "open" : "closed",
    chain_id: product.chainId,
    contract: getAddress(product.address),
    asset: { address: getAddress(product.asset), symbol: product.assetSymbol, decimals: product.assetDecimals },
    as_of: asOfOf(view),
  };
}

/** A row of the list of products. */
export function productFigures(view: View, of: ProductView) {
  return of.type === "demand_deposit" ? demandFigures(view, of) : timeFigures(view, of);
}
export type ProductFigures = ReturnType<typeof productFigures>;

function demandFigures(view: View, of: DemandView) {
  const { product, vault } = of;
  const now = view.time;
  const { assets, shares } = unitsOf(product);
  const pool = poolAt(vault, now);
  const { value, annualised, window_days } = headlineApy(of, now);
  return {
    ...frameOf(view, of),
    type: of.type,
    share: {
      address: getAddress(product.address),
      symbol: product.shareSymbol,
      decimals: product.shareDecimals,
      price: formatUnits(sharePrice(pool), sharePriceDecimals),
      supply: shares(vault.supply),
    },
    apy: { value, window_days, kind: "variable", annualised },
    term: null,
    tvl: assets(pool.totalAssets),
    cap: assets(vault.cap),
    cap_used: assets(pool.totalAssets),
    min_deposit: assets(vault.minDeposit),
    instant_capacity: assets(capacityAt(vault, now)),
    wait: typicalWait(of, now),
    conditions: {
      cash: assets(idleIn(vault)),
      deployed: assets(vault.deployed),
      performance_fee: formatRatio(vault.fee),
      vesting: millis(vault.vestingTime),
      early_withdrawal: null,
    },
    holders: vault.holders,
    proof_age: vault.reportTime === null ? null : millis(now - vault.reportTime),
    paused_until: millisOrNull(vault.pausedUntil),
    deposits_paused:
      now < Math.max(vault.pausedUntil, vault.lossUntil) ||
      now > vault.reportAsOf + vault.maxReportAge ||
      isLapsed(vault.evidenceUntil, now),
  };
}

/** Whether a product with devices has evidence whose time is over; both times in Unix seconds. */
const isLapsed = (until: number, now: number) => until !== 0 && until <= now;

/** A principal so large that rounding does not show in its rate. */
const SAMPLE = 10n ** 24n;

function offersOf({ product, books, terms }: TimeView, now: number) {
  const { assets } = unitsOf(product);
  const at = BigInt(now);
  const accounts = { ...accountsOf(books), cap: books.cap };
  return terms.map((term) => {
    const unit = timeUnits[term.unit] ?? "day";
    const maturity = maturityOf(at, { count: term.count, unit });
    const interest = simpleInterest(SAMPLE, term.rate, maturity - at);
    return {
      term_id: term.termId,
      value: term.count,
      unit,
      rate: formatRatio(term.rate),
      break_rate: formatRatio(term.breakRate),
      penalty: formatRatio(term.penalty),
      open: term.open,
      cap: assets(term.cap),
      room: assets(roomOf(term, accounts, maturity - at)),
      maturity: millis(Number(maturity)),
      apy: quotedApy({ principal: SAMPLE, interest, openedAt: at, maturity }),
    };
  });
}

function timeFigures(view: View, of: TimeView) {
  const { product, books } = of;
  const now = view.time;
  const { assets } = unitsOf(product);
  const receipts = liveReceipts(of);
  const open = books.claims > 0n ? [] : offersOf(of, now).filter((offer) => offer.open);
  open.sort((a, b) => a.maturity - b.maturity || a.term_id - b.term_id);
  const best = open.toSorted((a, b) => Number(b.apy ?? 0) - Number(a.apy ?? 0))[0] ?? null;
  const worst = <Key extends "break_rate" | "penalty">(key: Key, sign: 1 | -1) =>
    open.toSorted((a, b) => sign * (Number(a[key]) - Number(b[key])))[0]?.[key];
  return {
    ...frameOf(view, of),
    type: of.type,
    share: null,
    apy: {
      value: best?.apy ?? null,
      window_days: best === null ? 0 : Math.round((best.maturity / 1_000 - now) / Number(secondsPerDay)),
      kind: "fixed",
      annualised: true,
    },
    term: best && { value: best.value, unit: best.unit },
    open_terms: open.map(({ value, unit, rate, apy }) => ({ value, unit, rate, apy })),
    tvl: assets(worthOf(receipts, books, now)),
    cap: assets(books.cap),
    cap_used: assets(books.principal),
    min_deposit: assets(books.minDeposit),
    instant_capacity: assets(withdrawable(receipts, of, now)),
    wait: null,
    conditions: {
      cash: assets(books.cash),
      deployed: assets(books.deployed),
      performance_fee: null,
      vesting: null,
      early_withdrawal: open.length === 0 ? null : { rate: worst("break_rate", 1), penalty: worst("penalty", -1) },
    },
    holders: books.holders,
    proof_age: null,
    paused_until: millisOrNull(books.pausedUntil),
    deposits_paused: isHeld(of, now) || isLapsed(books.evidenceUntil, now),
  };
}

/** The page of a product. */
export function detailFigures(view: View, of: ProductView) {
  return { ...productFigures(view, of), ...pageFigures(view, of), ...ownPage(view, of) };
}

function pageFigures({ deployment }: View, of: ProductView) {
  const { product, state } = of;
  const { custodian } = of.type === "demand_deposit" ? of.vault : of.books;
  const contracts: [role: string, address: string | null | undefined][] = [
    ["product", product.address],
    ["asset", product.asset],
    ["queue", of.type === "demand_deposit" ? of.vault.queue : null],
    ["custodian", custodian],
    ["identity_registry", deployment.identity_registry],
    ["product_registry", deployment.product_registry],
    ["access_manager", deployment.access_manager],
    ["telemetry_anchor", deployment.telemetry_anchor],
  ];
  return { metadata_hash: state.metadataHash, contracts: contractsIn(contracts) };
}

function contractsIn(contracts: readonly [role: string, address: string | null | undefined][]) {
  return contracts.flatMap(([role, address]) => (address ? [{ role, address: getAddress(address) }] : []));
}

function ownPage(view: View, of: ProductView) {
  return of.type === "demand_deposit" ? demandPage(view, of) : timePage(view, of);
}

function demandPage({ time: now }: View, of: DemandView) {
  const { product, vault } = of;
  const { assets, shares } = unitsOf(product);
  const inception = inceptionOf(of) ?? product.time;
  const ahead = (until: number) => (until > now ? millis(until) : null);
  const { takenBack } = lossesOf(of);
  const reported = of.reports.filter((report) => !takenBack.has(report));
  return {
    vault: {
      settled: assets(vault.settled),
      streaming: assets(vault.streaming),
      stream_start: millis(vault.streamStart),
      stream_end: millis(vault.streamEnd),
      supply: shares(vault.supply),
      report_max_age: millis(vault.maxReportAge),
      last_report: millis(vault.reportAsOf),
      deposits_closed_until: ahead(vault.lossUntil),
      loss_reviewed_until: ahead(vault.reviewUntil),
      evidence_until: millisOrNull(vault.evidenceUntil),
      deployed: assets(vault.deployed),
      buffer: formatRatio(vault.buffer),
      fee: formatRatio(vault.fee),
      queue: vault.queue && { address: getAddress(vault.queue), shares: shares(vault.queued) },
    },
    inception: millis(inception),
    income_months: monthsOf(
      reported.map(({ time, delta }) => ({ time, units: delta })),
      { inception, now, assets },
    ),
    ...worstFall(of),
    exit_curve: exitCurve(of, now),
  };
}

/** The amounts of the last twelve months, from the month of `inception` on. */
function monthsOf(
  amounts: readonly { time: number; units: bigint }[],
  { inception, now, assets }: { inception: number; now: number; assets: (units: bigint) => string },
) {
  const starts = monthStarts(now);
  return starts.flatMap((start, index) => {
    const end = starts[index + 1] ?? Number.POSITIVE_INFINITY;
    if (end <= inception) return [];
    const within = amounts.filter(({ time }) => time >= start && time < end);
    return [{ start: millis(start), amount: assets(within.reduce((sum, { units }) => sum + units, 0n)) }];
  });
}

/** The time of a time deposit's first deposit. Null before it. */
export function firstDepositOf({ states }: TimeView): number | null {
  return states.find(({ deposited }) => deposited > 0n)?.time ?? null;
}

function timePage({ time: now }: View, of: TimeView) {
  const { product, books } = of;
  const { assets } = unitsOf(product);
  const accounts = accountsOf(books);
  const coverage = coverageOf(accounts);
  const inception = firstDepositOf(of) ?? product.time;
  // The first version of each receipt, because an early exit changes later ones.
  const opened = new Map(of.receipts.toReversed().map((receipt) => [receipt.receiptId, receipt]));
  const { cash, deployed, principal, liabilities, reserved, claims, received, losses, receipts } = books;
  return {
    evidence_until: millisOrNull(books.evidenceUntil),
    loss_reviewed_until: of.reviewed === null ? null : millis(of.reviewed.until),
    terms: offersOf(of, now),
    books: {
      cash: assets(cash),
      deployed: assets(deployed),
      principal: assets(principal),
      liabilities: assets(liabilities),
      reserved: assets(claims > 0n ? 0n : reserved),
      free_interest: assets(freeInterest(accounts)),
      coverage: coverage === null ? null : formatRatio(coverage),
      losses: assets(losses),
      winding_down: claims === 0n ? null : { claims: assets(claims), received: assets(received) },
      receipts,
    },
    inception: millis(inception),
    income_months: monthsOf(
      [...opened.values()].map(({ openedAt, interest }) => ({ time: openedAt, units: interest })),
      { inception, now, assets },
    ),
  };
}

/** The amount that stays in a time deposit by the operator's rule. */
export function keptIn(of: TimeView): bigint {
  return of.books.claims > 0n ? 0n : of.books.reserved + bufferOf(accountsOf(of.books));
}

/** The mean rate of receipts by their principal. Null without any. */
export function meanRate(held: readonly Held[]): string | null {
  let [principal, weighted] = [0n, 0n];
  for (const { figures } of held) {
    principal += figures.principal;
    weighted += figures.principal * figures.rate;
  }
  return principal === 0n ? null : formatRatio(weighted / principal);
}

export const descriptions: Record<TransactionKind, string> = {
  deposit: "Deposit into",
  withdraw: "Withdrawal from",
  transfer_in: "Received a stake in",
  transfer_out: "Sent a stake in",
  request: "Redemption asked for from",
  processed: "Redeemed by the queue of",
  claim: "Claim from",
  cancel: "Cancelled request in",
  mature: "Payment at maturity from",
  rollover: "Rollover in",
};

/** A movement in the form of the API. */
export function transactionFigures(movement: MovementRow, product: ProductRow): Transaction {
  const { assets, shares } = unitsOf(product);
  const { receiptId, price } = movement;
  return {
    hash: movement.hash,
    chain_id: movement.chainId,
    block: movement.block,
    log_index: movement.logIndex,
    time: millis(movement.time),
    address: getAddress(movement.wallet),
    kind: movement.kind,
    short_id: product.shortId,
    symbol: product.assetSymbol,
    amount: assets(movement.assets),
    shares: receiptId === null ? shares(movement.shares) : null,
    price: price === null ? null : formatUnits(price, sharePriceDecimals),
    fee: assets(movement.fee),
    deposit_id: receiptId === null ? null : String(receiptId),
    status: "confirmed",
    description: `${descriptions[movement.kind]} ${product.shareName}`,
  };
}

/** The movements of a product, newest first. A transfer is listed once, from its sender's side. */
export function productMovements({ movements }: ProductView): MovementRow[] {
  return movements
    .filter(({ kind }) => kind !== "transfer_in")
    .sort((a, b) => b.time - a.time || b.block - a.block || b.logIndex - a.logIndex || (a.wallet < b.wallet ? 1 : -1));
}
