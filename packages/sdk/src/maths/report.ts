import { DAY } from "../durations.ts";
import { type Stream, totalAssetsAt } from "./stream.ts";
import { larger, mulDivCeil, mulDivFloor } from "./units.ts";

/** The state that a vault's reports change and depend on. Amounts in smallest units. */
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
/** The longest time that a late report's gain is streamed over beyond the vesting time. */
const LONGEST_STRETCH = BigInt(7 * DAY);

/** The initial mark of a vault: the price of its first share. */
export const firstMark = markScale / virtualShares;

/**
 * The accounts after a report of `delta` at `at` over `covered` (Unix seconds, seconds), and the fee, exactly as
 * DemandVault computes them: a gain less its fee is added to what is not yet streamed; a loss, at most what is deployed,
 * reduces that first and then the settled assets at once. After a gain the stream runs over `vestingTime` seconds or
 * over the time covered, 7 days at most; it never ends before the last one. A report of nothing leaves it as it is. Does not check the upper bound of a gain.
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
    const next = restart({ held: held + delta - fee, settled, at, end: larger(at + least, stream.end) });
    return { books: { ...books, stream: next, mark }, fee };
  }
  const loss = -delta < books.deployed ? -delta : books.deployed;
  if (loss === 0n) return { books, fee: 0n };
  const left = held - loss;
  const next = restart({
    held: left,
    settled: settled < left ? settled : left,
    at,
    end: larger(at + 1n, stream.end),
  });
  return { books: { ...books, stream: next, deployed: books.deployed - loss }, fee: 0n };
}

/**
 * The accounts after a loss under review was taken back at `at` (Unix seconds), exactly as DemandVault computes them: it
 * counts as deployed again, and what the stream bore of it is streamed anew over `vestingTime` seconds, not ending before
 * the last stream. Amounts in smallest units.
 * @param fromStream what was not yet streamed when the loss was reported, at most the loss
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
  return {
    ...books,
    stream: restart({ held, settled, at, end: larger(at + vestingTime, stream.end) }),
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

/** Fee on a gain that is part of `held`, and the mark after it. */
function feeOn({ supply, mark, fee }: Accounting, held: bigint, gain: bigint): { fee: bigint; mark: bigint } {
  const shares = supply + virtualShares;
  const floor = mulDivCeil(mark, shares, markScale);
  const above = held + 1n > floor ? held + 1n - floor : 0n;
  const feeAssets = mulDivFloor(above < gain ? above : gain, fee, wad);
  const newMark = mulDivCeil(held + 1n - feeAssets, markScale, shares);
  return { fee: feeAssets, mark: newMark > mark ? newMark : mark };
}

/** Streams what is held beyond `settled` from `at` to `end`. */
function restart({ held, settled, at, end }: { held: bigint; settled: bigint; at: bigint; end: bigint }): Stream {
  return { settled, streaming: held - settled, start: at, end };
}
