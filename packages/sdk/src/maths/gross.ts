/** A report on which a fee was charged. Assets in smallest units, times in Unix seconds. */
export interface FeeKept {
  fee: bigint;
  /** All assets of the shares right after the report, including income that is not yet streamed. */
  held: bigint;
  /** Start and end of the streaming of the remaining gain. */
  start: bigint;
  end: bigint;
}

/**
 * The share price as it would be without fees, in the scale of `price` and rounded down. Each fee would have increased
 * the shares' assets by fee / held, streamed like the rest of its gain: gross(t) = price(t) · Π (1 + fee/held · w(t)),
 * where w(t) is the elapsed fraction of the stream, 0 to 1. The factors multiply the price, so they include what a fee
 * would have earned since.
 * @example grossPrice(1_050_000n, [{ fee: 10n, held: 1_000n, start: 0n, end: 100n }], 50n) // 1055250n
 */
export function grossPrice(price: bigint, fees: readonly FeeKept[], at: bigint): bigint {
  let [top, bottom] = [price, 1n];
  for (const { fee, held, start, end } of fees) {
    if (at <= start || held <= 0n) continue;
    const [elapsed, duration] = at >= end ? [1n, 1n] : [at - start, end - start];
    top *= held * duration + fee * elapsed;
    bottom *= held * duration;
    // 256 bits are far more than a price needs. Without this limit both numbers would grow with every fee.
    const spare = BigInt(Math.max(0, bottom.toString(2).length - 256));
    top >>= spare;
    bottom >>= spare;
  }
  return top / bottom;
}
