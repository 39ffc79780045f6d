import { DAY, HOUR } from "../durations.ts";
import { type Stream, totalAssetsAt } from "./stream.ts";
import { larger, mulDivCeil, mulDivFloor } from "./units.ts";

/** The part of a vault's state that reports change and depend on. Amounts in smallest units. */
export interface Accounting {
  stream: Stream;
  /** Supply of shares, smallest units of the share. */
  supply: bigint;
  /** Assets with the custodian. */
  deployed: bigint;
  /** High-water mark: assets per share unit times 10^27, rounded up. */
  mark: bigint;
  /** Performance fee, 18 decimals. */
  fee: bigint;
}

const virtualShares = 1_000_000n;
const markScale = 10n ** 27n;
const wad = 10n ** 18n;
const hour = BigInt(HOUR);
/** The contract stores a stream's hours in 8 bits. */
const MOST_HOURS = 255n;
/** The maximum time by which the stream of a late report's gain exceeds the vesting time. */
const LONGEST_STRETCH = BigInt(7 * DAY);

/** The initial mark of a vault, which is the price of its first share. */
export const firstMark = markScale / virtualShares;

/**
 * The accounts after a report of `delta` at `at` (Unix seconds) that covers `covered` seconds, and the fee, exactly as
 * DemandVault computes them. A gain less its fee is added to the income that is not yet streamed. A loss, at most the
 * deployed amount, reduces that income first and then the settled assets at once. After a gain the stream runs over
 * `vestingTime` seconds or over the covered time, at most 7 days. It never ends before the last stream, and its length
 * is the vesting time or whole hours. A report of 0 leaves the stream unchanged. Does not check the upper bound of a
 * gain.
 * @example afterReport({ books: { stream: { settled: 1_000n, streaming: 0n, start: 0n, end: 0n }, supply: 1_000_000_000n, deployed: 500n, mark: firstMark, fee: 100_000_000_000_000_000n }, delta: 100n, at: 10n, covered: 10n, vestingTime: 86_400n }) // { books: { stream: { settled: 1000n, streaming: 90n, start: 10n, end: 86410n }, supply: 1000000000n, deployed: 500n, mark: 1089910089910089910090n, fee: 100000000000000000n }, fee: 10n }
 */
export function afterReport({
  books,
  delta,
  at,
  covered,
  vestingTime,
}: {
  books: Accounting;
  delta: bigint;
  at: bigint;
  covered: bigint;
  vestingTime: bigint;
}): { books: Accounting; fee: bigint } {
  const { stream } = books;
  const settled = totalAssetsAt(stream, at);
  const held = stream.settled + stream.streaming;
  if (delta >= 0n) {
    const { fee, mark } = feeOn(books, held + delta, delta);
    if (delta === 0n) return { books: { ...books, mark }, fee };
    const least = larger(vestingTime, covered < LONGEST_STRETCH ? covered : LONGEST_STRETCH);
    const last = { end: stream.end, vestingTime };
    return { books: { ...books, stream: restart({ held: held + delta - fee, settled, at, least, last }), mark }, fee };
  }
  const loss = -delta < books.deployed ? -delta : books.deployed;
  if (loss === 0n) return { books, fee: 0n };
  const left = held - loss;
  const next = restart({
    held: left,
    settled: settled < left ? settled : left,
    at,
    least: 1n,
    last: { end: stream.end, vestingTime },
  });
  return { books: { ...books, stream: next, deployed: books.deployed - loss }, fee: 0n };
}

/**
 * The accounts after a loss under review was taken back at `at` (Unix seconds), exactly as DemandVault computes them.
 * The loss counts as deployed again. The part of it that the stream bore is streamed again over `vestingTime` seconds,
 * not ending before the last stream. Amounts in smallest units.
 * @param fromStream income that was not yet streamed when the loss was reported, at most the loss
 * @example afterLossTakenBack({ books: { stream: { settled: 900n, streaming: 0n, start: 0n, end: 0n }, supply: 1_000_000_000n, deployed: 400n, mark: firstMark, fee: 0n }, loss: 100n, fromStream: 20n, at: 10n, vestingTime: 86_400n }).stream // { settled: 980n, streaming: 20n, start: 10n, end: 86410n }
 */
export function afterLossTakenBack({
  books,
  loss,
  fromStream,
  at,
  vestingTime,
}: {
  books: Accounting;
  loss: bigint;
  fromStream: bigint;
  at: bigint;
  vestingTime: bigint;
}): Accounting {
  const { stream } = books;
  const held = stream.settled + stream.streaming + loss;
  const settled = totalAssetsAt(stream, at) + loss - fromStream;
  const last = { end: stream.end, vestingTime };
  return {
    ...books,
    stream: restart({ held, settled, at, least: vestingTime, last }),
    deployed: books.deployed + loss,
  };
}

/**
 * Largest gain of a report: ⌊totalAssets · maxRate · seconds / 365 days⌋, `maxRate` with 18 decimals.
 * @example gainBound(1_000_000_000n, 200_000_000_000_000_000n, 86_400n) // 547945n
 */
export function gainBound(totalAssets: bigint, maxRate: bigint, seconds: bigint): bigint {
  return mulDivFloor(totalAssets, maxRate * seconds, 31_536_000n * wad);
}

/** The fee on a gain that is part of `held`, and the mark after it. */
function feeOn({ supply, mark, fee }: Accounting, held: bigint, gain: bigint): { fee: bigint; mark: bigint } {
  const shares = supply + virtualShares;
  const floor = mulDivCeil(mark, shares, markScale);
  const above = held + 1n > floor ? held + 1n - floor : 0n;
  const taken = mulDivFloor(above < gain ? above : gain, fee, wad);
  const reached = mulDivCeil(held + 1n - taken, markScale, shares);
  return { fee: taken, mark: reached > mark ? reached : mark };
}

/**
 * Starts a stream of everything in `held` beyond `settled`. It runs at least `least` seconds from `at` and does not end
 * before the last stream.
 */
function restart({
  held,
  settled,
  at,
  least,
  last: { end, vestingTime },
}: {
  held: bigint;
  settled: bigint;
  at: bigint;
  least: bigint;
  last: { end: bigint; vestingTime: bigint };
}): Stream {
  const time = larger(least, end - at);
  const hours = (time + hour - 1n) / hour;
  const length = time === vestingTime || hours > MOST_HOURS ? vestingTime : hours * hour;
  return { settled, streaming: held - settled, start: at, end: at + length };
}
