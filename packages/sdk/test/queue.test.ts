import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterReportOf, payableUpTo, type QueuedRequest } from "../src/maths/queue.ts";

const DAY = 86_400n;
const MIDNIGHT = 100n * DAY;
const idle = { settled: 100n, streaming: 0n, start: 0n, end: 0n };

/** Requests of one share each at these times. */
const line = (...times: bigint[]): QueuedRequest[] =>
  times.map((requestedAt, index) => ({ start: BigInt(index), shares: 1n, requestedAt, payableFrom: null }));
const moments = (requests: readonly QueuedRequest[]) => requests.map(({ payableFrom }) => payableFrom);

describe("the requests a report covers", () => {
  it("are all there are when it counts to its own second", () => {
    const at = MIDNIGHT + 5n;
    const after = afterReportOf(line(MIDNIGHT, at), { asOf: at, at, stream: idle });
    expect(moments(after)).toEqual([at, at]);
  });

  it("are those of earlier days when it counts to an earlier time, whether more were made since or not", () => {
    const at = MIDNIGHT + 9n;
    const report = { asOf: MIDNIGHT + 5n, at, stream: idle };
    expect(moments(afterReportOf(line(MIDNIGHT - 1n, MIDNIGHT + 1n), report))).toEqual([at, null]);
    expect(moments(afterReportOf(line(MIDNIGHT - 1n, MIDNIGHT + 1n, MIDNIGHT + 7n), report))).toEqual([at, null, null]);
  });

  it("are payable when its stream ends, which no later report moves", () => {
    const stream = { settled: 90n, streaming: 10n, start: 200n * DAY, end: 201n * DAY };
    const covered = afterReportOf(line(MIDNIGHT), { asOf: 200n * DAY, at: 200n * DAY, stream });
    const later = { ...stream, end: 300n * DAY };
    const again = afterReportOf(covered, { asOf: 201n * DAY, at: 201n * DAY, stream: later });
    expect(moments(again)).toEqual([201n * DAY]);
  });

  it("are never payable before one ahead of them, and never by a report that counts to an earlier time", () => {
    const time = fc.bigInt(0n, 20n * DAY);
    fc.assert(
      fc.property(
        fc.array(time, { maxLength: 12 }),
        fc.array(fc.record({ asOf: time, delay: time, end: time }), { maxLength: 6 }),
        (times, reports) => {
          let requests = line(...times.sort((a, b) => (a < b ? -1 : 1)));
          for (const { asOf, delay, end } of reports.sort((a, b) => (a.asOf < b.asOf ? -1 : 1))) {
            const at = asOf + delay;
            const before = requests;
            const stream = { ...idle, streaming: 1n, end };
            requests = afterReportOf(requests, { asOf, at, stream });
            for (const [index, { requestedAt, payableFrom }] of requests.entries()) {
              if (before[index]?.payableFrom === null && payableFrom !== null)
                expect(requestedAt).toBeLessThanOrEqual(asOf);
              if (before[index]?.payableFrom !== null) expect(payableFrom).toBe(before[index]?.payableFrom);
            }
            const known = moments(requests).filter((moment) => moment !== null);
            expect(known).toEqual([...known].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
            expect(moments(requests).indexOf(null) === -1 || moments(requests).indexOf(null) === known.length).toBe(
              true,
            );
          }
        },
      ),
    );
  });
});

it("payableUpTo counts the payable part of a queue from its beginning", () => {
  const requests = line(1n, 2n, 3n).map((one, index) => ({
    ...one,
    payableFrom: index < 2 ? BigInt(10 + index) : null,
  }));
  expect(payableUpTo(requests, 9n, 0n)).toBe(0n);
  expect(payableUpTo(requests, 10n, 0n)).toBe(1n);
  expect(payableUpTo(requests, 50n, 0n)).toBe(2n);
  expect(payableUpTo(requests, 9n, 1n)).toBe(1n);
});
