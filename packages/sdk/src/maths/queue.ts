import { secondsPerDay } from "./apy.ts";
import type { Stream } from "./stream.ts";

/** A request in the line of a redemption queue. Shares in smallest units, times in Unix seconds. */
export interface QueuedRequest {
  /** Shares handed in before it. */
  start: bigint;
  shares: bigint;
  requestedAt: bigint;
  /** From when on it is payable; null while no report covers it. */
  payableFrom: bigint | null;
}

/**
 * The requests of a line after a report as of `asOf` at `at`, in their order, exactly as RedemptionQueue keeps them: what
 * is covered is payable from the end of the stream after the report, and never before what is ahead of it. A report covers
 * the requests of earlier days (UTC) than that of `asOf`, and all there are when `asOf` is its own second.
 * @example afterReportOf([{ start: 0n, shares: 5n, requestedAt: 10n, payableFrom: null }], { asOf: 30n, at: 30n, stream: { settled: 9n, streaming: 1n, start: 30n, end: 86_430n } }) // [{ start: 0n, shares: 5n, requestedAt: 10n, payableFrom: 86430n }]
 */
export function afterReportOf<Request extends QueuedRequest>(
  requests: readonly Request[],
  report: { asOf: bigint; at: bigint; stream: Stream },
): Request[] {
  const { asOf, at, stream } = report;
  let from = stream.streaming > 0n && stream.end > at ? stream.end : at;
  const isCovered = ({ requestedAt }: Request) =>
    requestedAt <= asOf && (asOf === at || requestedAt / secondsPerDay < asOf / secondsPerDay);
  return requests.map((request) => {
    if (request.payableFrom !== null) {
      if (request.payableFrom > from) from = request.payableFrom;
      return request;
    }
    return isCovered(request) ? { ...request, payableFrom: from } : request;
  });
}

/**
 * How much of the line is payable at `at`, counted from its beginning and not less than `processed`.
 * @example payableUpTo([{ start: 0n, shares: 5n, requestedAt: 10n, payableFrom: 30n }], 40n, 0n) // 5n
 */
export function payableUpTo(requests: readonly QueuedRequest[], at: bigint, processed: bigint): bigint {
  const last = requests.findLast(({ payableFrom }) => payableFrom !== null && payableFrom <= at);
  const end = last === undefined ? 0n : last.start + last.shares;
  return end > processed ? end : processed;
}
