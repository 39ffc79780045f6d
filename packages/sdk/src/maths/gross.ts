/** A report of which a fee was kept. Assets in smallest units, times in Unix seconds. */
export interface FeeKept {
  fee: bigint;
  /** All that the shares held right after it, what is not yet streamed included. */
  held: bigint;
  /** When the rest of the gain began and ends to stream in. */
  start: bigint;
  end: bigint;
}

/**
 * Share price as if no fee had been kept, in the scale of `price` and rounded down: each fee would have grown what the
 * shares held by fee / held, streamed in as the rest of its gain was, so that
 * gross(t) = price(t) · Π (1 + fee/held · w(t)), w(t) the part of the stream's time that has passed, 0 to 1.
 * What a fee would have earned since is in it, since the factors multiply the price.
 * @example grossPrice(1_050_000n, [{ fee: 10n, held: 1_000n, start: 0n, end: 100n }], 50n) // 1055250n
 */
export function grossPrice(price: bigint, fees: readonly FeeKept[], at: bigint): bigint {
  let [top, bottom] = [price, 1n];
  for (const { fee, held, start, end } of fees) {
    if (at <= start || held <= 0n) continue;
    const [passed, whole] = at >= end ? [1n, 1n] : [at - start, end - start];
    top *= held * whole + fee * passed;
    bottom *= held * whole;
    // Some 200 bits are far more than any price needs; without this the terms would grow with every fee.
    const spare = BigInt(Math.max(0, bottom.toString(2).length - 256));
    top >>= spare;
    bottom >>= spare;
  }
  return top / bottom;
}
