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
  return grossPrices([{ price, time: at }], fees)[0] as bigint;
}

/**
 * The same for each of several moments, in ascending order. A fee whose stream has ended is multiplied once for all later
 * moments.
 * @example grossPrices([{ price: 1_050_000n, time: 50n }, { price: 1_100_000n, time: 100n }], [{ fee: 10n, held: 1_000n, start: 0n, end: 100n }]) // [1055250n, 1111000n]
 */
export function grossPrices(points: readonly { price: bigint; time: bigint }[], fees: readonly FeeKept[]): bigint[] {
  const byStart = fees.filter(({ held }) => held > 0n).sort((a, b) => (a.start < b.start ? -1 : 1));
  let started = 0;
  let streaming: FeeKept[] = [];
  let ended: Ratio = [1n, 1n];
  return points.map(({ price, time }) => {
    for (let fee = byStart[started]; fee && fee.start < time; fee = byStart[started]) {
      streaming.push(fee);
      started += 1;
    }
    const isEnded = ({ end }: FeeKept) => time >= end;
    for (const { fee, held } of streaming.filter(isEnded)) ended = product(ended, [held + fee, held]);
    streaming = streaming.filter((fee) => !isEnded(fee));
    let all = ended;
    for (const { fee, held, start, end } of streaming) {
      const whole = held * (end - start);
      all = product(all, [whole + fee * (time - start), whole]);
    }
    return (price * all[0]) / all[1];
  });
}

type Ratio = readonly [top: bigint, bottom: bigint];

function product([top, bottom]: Ratio, [factor, by]: Ratio): Ratio {
  const [longTop, longBottom] = [top * factor, bottom * by];
  // 256 bits are far more than a price needs. Without this limit both numbers would grow with every fee.
  const spare = BigInt(Math.max(0, longBottom.toString(2).length - 256));
  return [longTop >> spare, longBottom >> spare];
}
