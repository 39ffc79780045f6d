import { secondsPerDay } from "./apy.ts";
import type { Stream } from "./stream.ts";

/** A request in the line of a redemption queue. Shares in smallest units, times in Unix seconds. */
export interface QueuedRequest {
  /** Number of shares requested before this request. */
  start: bigint;
  shares: bigint;
  requestedAt: bigint;
  /** The time from which it is payable. Null if no report covers it. */
  payableFrom: bigint | null;
}

/**
 * The requests of a queue after a report as of `asOf` at `at`, in order, exactly as RedemptionQueue stores them. A
 * covered request is payable from the end of the stream after the report, and never before a request ahead of it. A
 * request is covered if it was certainly made by `asOf`: nothing was requested after `asOf`; or the request was made on
 * an earlier UTC day; or it was made before the last report, which was itself made by `asOf`.
 * @example afterReportOf([{ start: 0n, shares: 5n, requestedAt: 10n, payableFrom: null }], { asOf: 20n, at: 30n, stream: { settled: 9n, streaming: 1n, start: 30n, end: 86_430n }, last: { at: 0n, requests: 0 } }) // [{ start: 0n, shares: 5n, requestedAt: 10n, payableFrom: 86430n }]
 */
export function afterReportOf<Request extends QueuedRequest>(
  requests: readonly Request[],
  report: { asOf: bigint; at: bigint; stream: Stream; last: { at: bigint; requests: number } },
): Request[] {
  const { asOf, at, stream, last } = report;
  let from = stream.streaming > 0n && stream.end > at ? stream.end : at;
  const later = (requests.at(-1)?.requestedAt ?? 0n) > asOf;
  const isCovered = ({ requestedAt }: Request, index: number) =>
    requestedAt <= asOf &&
    (!later || requestedAt / secondsPerDay < asOf / secondsPerDay || (index < last.requests && last.at <= asOf));
  return requests.map((request, index) => {
    if (request.payableFrom !== null) {
      if (request.payableFrom > from) from = request.payableFrom;
      return request;
    }
    return isCovered(request, index) ? { ...request, payableFrom: from } : request;
  });
}

/**
 * The part of the queue that is payable at `at`, counted from its beginning and not less than `processed`.
 * @example payableUpTo([{ start: 0n, shares: 5n, requestedAt: 10n, payableFrom: 30n }], 40n, 0n) // 5n
 */
export function payableUpTo(requests: readonly QueuedRequest[], at: bigint, processed: bigint): bigint {
  const last = requests.findLast(({ payableFrom }) => payableFrom !== null && payableFrom <= at);
  const end = last === undefined ? 0n : last.start + last.shares;
  return end > processed ? end : processed;
}
