import { DAY } from "@aqua/sdk/durations";
import { type Batch, instantLiquidity, paidTo, vaultBuffer } from "@aqua/sdk/maths/exit";
import { afterReportOf, payableUpTo, type QueuedRequest } from "@aqua/sdk/maths/queue";
import { type Accounting, afterLossTakenBack, afterReport, firstMark } from "@aqua/sdk/maths/report";
import { type Pool, previewDeposit, previewMint, previewRedeem, previewWithdraw } from "@aqua/sdk/maths/shares";
import { totalAssetsAt } from "@aqua/sdk/maths/stream";
import { performanceFee, vaultLimits } from "../products.ts";

/** Maximum number of open requests of a wallet in a queue. */
const MAX_REQUESTS = 16;
/** Losses less than 7 days apart are added up; above a 100th of the assets the last one is reviewed, once in 7 days. */
const REVIEWED_PART = 100n;
const REVIEW_COOLDOWN = 7 * DAY;

interface Place extends QueuedRequest {
  holder: number;
}

/**
 * A vault and its queue, computed like the contracts to the last unit, so that a year can be planned without the chain.
 * Amounts in smallest units, times in Unix seconds. Holders are depositors by their index.
 */
export class VaultModel {
  readonly shares = new Map<number, bigint>();
  lastAsOf: number;
  /** Deposits are closed before this time. */
  lossUntil = 0;
  /** A large loss is under review before this time: exits, processing and reports wait. */
  reviewUntil = 0;
  closed = false;
  /** Deposits are closed from this time on; 0: never. */
  evidenceUntil = 0;
  /** Fees held by the vault. */
  surplus = 0n;
  /** Shares requested from the queue over all time. */
  requested = 0n;
  #books: Accounting;
  #places: Place[] = [];
  #reviewed = { loss: 0n, fromStream: 0n, lossUntil: 0 };
  /** Losses that were not reviewed, together, and until when the next one counts with them. */
  #recent = { loss: 0n, until: 0 };
  readonly #batches: Batch[] = [];
  readonly #claimed = new Map<number, Batch>();

  constructor(
    createdAt: number,
    readonly buffer: bigint,
  ) {
    this.lastAsOf = createdAt;
    const start = BigInt(createdAt);
    this.#books = {
      stream: { settled: 0n, streaming: 0n, start, end: start + vaultLimits.vestingTime },
      supply: 0n,
      deployed: 0n,
      mark: firstMark,
      fee: performanceFee,
    };
  }

  get supply(): bigint {
    return this.#books.supply;
  }

  get deployed(): bigint {
    return this.#books.deployed;
  }

  get mark(): bigint {
    return this.#books.mark;
  }

  totalAssets(at: number): bigint {
    return totalAssetsAt(this.#books.stream, BigInt(at));
  }

  pool(at: number): Pool {
    return { totalAssets: this.totalAssets(at), supply: this.supply };
  }

  sharesOf(holder: number): bigint {
    return this.shares.get(holder) ?? 0n;
  }

  valueOf(holder: number, at: number): bigint {
    return previewRedeem(this.sharesOf(holder), this.pool(at));
  }

  /** All of the pool's money, including gains that are still streaming. */
  get held(): bigint {
    return this.#books.stream.settled + this.#books.stream.streaming;
  }

  get idle(): bigint {
    return this.held - this.deployed;
  }

  /** The part that is never deployed. */
  get kept(): bigint {
    return vaultBuffer(this.held, this.buffer);
  }

  get processed(): Batch {
    return sum(this.#batches);
  }

  get queued(): bigint {
    return this.requested - this.processed.shares;
  }

  /** Value of the queued shares once all income is streamed, rounded up. */
  get owed(): bigint {
    return previewMint(this.queued, { totalAssets: this.held, supply: this.supply });
  }

  /** Time of the first request that is not fully processed; null when nobody waits. */
  get waitingSince(): number | null {
    const { shares } = this.processed;
    const first = this.#places.find((place) => place.start + place.shares > shares);
    return first === undefined ? null : Number(first.requestedAt);
  }

  /** Returns the payable shares of the queue, counted from its beginning. */
  due(at: number): bigint {
    return payableUpTo(this.#places, BigInt(at), this.processed.shares);
  }

  /** Returns the amount that can be withdrawn at once; 0 while the last report is too old or a loss is under review. */
  instant(at: number): bigint {
    if (at < this.reviewUntil || at > this.lastAsOf + Number(vaultLimits.maxReportAge)) return 0n;
    return instantLiquidity(this.idle, this.queued, this.pool(at));
  }

  /** Whether deposits are open. */
  takesDeposits(at: number): boolean {
    const lapsed = this.evidenceUntil !== 0 && at >= this.evidenceUntil;
    return !this.closed && !lapsed && at >= this.lossUntil && at <= this.lastAsOf + Number(vaultLimits.maxReportAge);
  }

  deposit(holder: number, assets: bigint, at: number): void {
    const shares = previewDeposit(assets, this.pool(at));
    this.#count(assets, shares);
    this.#move(holder, shares);
  }

  withdraw(holder: number, assets: bigint, at: number): void {
    const shares = previewWithdraw(assets, this.pool(at));
    this.#count(-assets, -shares);
    this.#move(holder, -shares);
  }

  redeem(holder: number, shares: bigint, at: number): void {
    this.#count(-previewRedeem(shares, this.pool(at)), -shares);
    this.#move(holder, -shares);
  }

  transfer(from: number, to: number, shares: bigint): void {
    this.#move(from, -shares);
    this.#move(to, shares);
  }

  /** Adds a request at the end of the queue. Returns false when the wallet already has the maximum. */
  request(holder: number, shares: bigint, at: number): boolean {
    if (this.#places.filter((place) => place.holder === holder).length >= MAX_REQUESTS) return false;
    this.#move(holder, -shares);
    this.#places.push({ holder, start: this.requested, shares, requestedAt: BigInt(at), payableFrom: null });
    this.requested += shares;
    return true;
  }

  /**
   * Redeems from the head of the queue as far as the idle money allows. Returns the paid holders; none when there is
   * nothing to do.
   */
  process(at: number): number[] {
    const before = this.processed.shares;
    const waiting = this.due(at) - before;
    if (waiting === 0n || at < this.reviewUntil) return [];
    const pool = this.pool(at);
    const worth = previewRedeem(waiting, pool);
    const [shares, assets] = worth <= this.idle ? [waiting, worth] : [previewWithdraw(this.idle, pool), this.idle];
    if (shares === 0n) return [];
    this.#batches.push({ shares, assets });
    this.#count(-assets, -shares);
    const reached = (place: Place) => place.start + place.shares > before && place.start < before + shares;
    return [...new Set(this.#places.filter(reached).map(({ holder }) => holder))];
  }

  /** Processed and unclaimed amount of `holder`. */
  claimable(holder: number): Batch {
    const paid = sum(this.#places.filter((place) => place.holder === holder).map((one) => paidTo(one, this.#batches)));
    const claimed = this.#claimed.get(holder) ?? { shares: 0n, assets: 0n };
    return { shares: paid.shares - claimed.shares, assets: paid.assets - claimed.assets };
  }

  claim(holder: number): void {
    this.#claimed.set(holder, sum([this.#claimed.get(holder) ?? { shares: 0n, assets: 0n }, this.claimable(holder)]));
  }

  /** Shares of `holder` that wait in the queue. */
  pending(holder: number): bigint {
    const of = this.#places.filter((place) => place.holder === holder);
    return of.reduce((all, { shares }) => all + shares, 0n) - sum(of.map((one) => paidTo(one, this.#batches))).shares;
  }

  deploy(assets: bigint): void {
    this.#books = { ...this.#books, deployed: this.deployed + assets };
  }

  repay(assets: bigint): void {
    if (assets > this.deployed) throw new RangeError(`${assets} cannot be repaid of ${this.deployed} deployed.`);
    this.#books = { ...this.#books, deployed: this.deployed - assets };
  }

  /** Reports a gain or loss. Returns the holders paid from the queue before the report. */
  report(delta: bigint, asOf: number, at: number): number[] {
    if (at < this.reviewUntil) throw new RangeError("A loss is under review.");
    const paid = this.process(at);
    const total = this.totalAssets(at);
    const { held } = this;
    const { books, fee } = afterReport({
      books: this.#books,
      delta,
      at: BigInt(at),
      covered: BigInt(asOf - this.lastAsOf),
      vestingTime: vaultLimits.vestingTime,
    });
    const recent = (at < this.#recent.until ? this.#recent.loss : 0n) - (delta < 0n ? delta : 0n);
    const reviewed = delta < 0n && recent * REVIEWED_PART > held;
    if (delta < 0n) this.#recent = { loss: reviewed ? 0n : recent, until: at + REVIEW_COOLDOWN };
    if (reviewed) {
      if (at < this.reviewUntil + REVIEW_COOLDOWN) throw new RangeError("Another large loss needs the confirmer.");
      this.reviewUntil = at + DAY;
      this.#reviewed = {
        loss: -delta,
        fromStream: -delta < held - total ? -delta : held - total,
        lossUntil: this.lossUntil,
      };
    }
    if (at < this.reviewUntil || totalAssetsAt(books.stream, BigInt(at)) < total) this.lossUntil = at + DAY;
    this.#books = books;
    this.surplus += fee;
    this.lastAsOf = asOf;
    this.#places = afterReportOf(this.#places, { asOf: BigInt(asOf), at: BigInt(at), stream: books.stream });
    return paid;
  }

  /** Undoes the loss under review. */
  takeBackLoss(at: number): void {
    if (at >= this.reviewUntil) throw new RangeError("No loss is under review.");
    this.reviewUntil = at;
    const { loss, fromStream, lossUntil } = this.#reviewed;
    this.lossUntil = lossUntil;
    const { vestingTime } = vaultLimits;
    this.#books = afterLossTakenBack({ books: this.#books, loss, fromStream, at: BigInt(at), vestingTime });
  }

  skim(): bigint {
    const assets = this.surplus;
    this.surplus = 0n;
    return assets;
  }

  /** Counts money and shares that came in or, below 0, left. */
  #count(assets: bigint, shares: bigint): void {
    const { stream, supply } = this.#books;
    this.#books = {
      ...this.#books,
      stream: { ...stream, settled: stream.settled + assets },
      supply: supply + shares,
    };
  }

  #move(holder: number, shares: bigint): void {
    const left = this.sharesOf(holder) + shares;
    if (left < 0n) throw new RangeError(`Depositor ${holder} does not hold that many shares.`);
    this.shares.set(holder, left);
  }
}

function sum(batches: readonly Batch[]): Batch {
  return batches.reduce((all, one) => ({ shares: all.shares + one.shares, assets: all.assets + one.assets }), {
    shares: 0n,
    assets: 0n,
  });
}
