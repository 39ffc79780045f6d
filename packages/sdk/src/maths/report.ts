import { type Stream, totalAssetsAt } from "./stream.ts";
import { mulDivCeil, mulDivFloor } from "./units.ts";

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

/** The initial mark of a vault: the price of its first share. */
export const firstMark = markScale / virtualShares;

/**
 * The accounts after a report of `delta` at `at` (Unix seconds), and the fee, exactly as DemandVault computes them: a
 * gain less its fee is added to what is not yet streamed; a loss reduces that first and then the settled assets at
 * once; what remains is streamed over `vestingTime` seconds from `at`. RangeError when the loss exceeds what is
 * deployed. Does not check the upper bound of a gain.
 * @example afterReport({ books: { stream: { settled: 1_000n, streaming: 0n, start: 0n, end: 0n }, supply: 1_000_000_000n, deployed: 500n, mark: firstMark, fee: 100_000_000_000_000_000n }, delta: 100n, at: 10n, vestingTime: 86_400n }) // { books: { stream: { settled: 1000n, streaming: 90n, start: 10n, end: 86410n }, supply: 1000000000n, deployed: 500n, mark: 1089910089910089910090n, fee: 100000000000000000n }, fee: 10n }
 */
export function afterReport({
  books,
  delta,
  at,
  vestingTime,
}: {
  books: Accounting;
  delta: bigint;
  at: bigint;
  vestingTime: bigint;
}): { books: Accounting; fee: bigint } {
  const total = totalAssetsAt(books.stream, at);
  const unstreamed = books.stream.settled + books.stream.streaming - total;
  if (delta >= 0n) {
    const { fee, mark } = feeOn(books, total + unstreamed + delta, delta);
    const stream = restart({ settled: total, streaming: unstreamed + delta - fee, at, vestingTime });
    return { books: { ...books, stream, mark }, fee };
  }
  const loss = -delta;
  if (loss > books.deployed) throw new RangeError(`${loss} lost of ${books.deployed} deployed`);
  const atOnce = loss > unstreamed ? loss - unstreamed : 0n;
  const stream = restart({ settled: total - atOnce, streaming: unstreamed - (loss - atOnce), at, vestingTime });
  return { books: { ...books, stream, deployed: books.deployed - loss }, fee: 0n };
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
  const taken = mulDivFloor(above < gain ? above : gain, fee, wad);
  const reached = mulDivCeil(held + 1n - taken, markScale, shares);
  return { fee: taken, mark: reached > mark ? reached : mark };
}

function restart({
  settled,
  streaming,
  at,
  vestingTime,
}: {
  settled: bigint;
  streaming: bigint;
  at: bigint;
  vestingTime: bigint;
}): Stream {
  return { settled, streaming, start: at, end: at + vestingTime };
}
