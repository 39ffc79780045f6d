/** Income that streams into a vault: `streaming` joins `settled` linearly between `start` and `end`. */
export interface Stream {
  /** Assets that count in full, in smallest units. */
  settled: bigint;
  /** Reported gain that is being streamed in, in smallest units. */
  streaming: bigint;
  /** Unix seconds. */
  start: bigint;
  /** Unix seconds, ≥ start. */
  end: bigint;
}

/**
 * totalAssets of a vault at `at` (Unix seconds), exactly as the contract computes it: rounded down and clamped to the
 * stream.
 * @example totalAssetsAt({ settled: 1_000n, streaming: 100n, start: 0n, end: 10n }, 5n) // 1050n
 */
export function totalAssetsAt(stream: Stream, at: bigint): bigint {
  if (at >= stream.end) return stream.settled + stream.streaming;
  if (at <= stream.start) return stream.settled;
  return stream.settled + (stream.streaming * (at - stream.start)) / (stream.end - stream.start);
}
