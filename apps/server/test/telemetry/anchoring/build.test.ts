import { noReading } from "@aqua/sdk/proofs/reading";
import fc from "fast-check";
import type { Hex } from "viem";
import { describe, expect, it } from "vitest";
import { allot, fitting } from "../../../src/telemetry/anchoring/build.ts";
import { type OwnBatch, standingOf } from "../../../src/telemetry/anchoring/standing.ts";

describe("allot", () => {
  const counts = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 12 });
  it("fills a batch as far as there are readings, and gives no device more than it has", () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 500 }), (have, most) => {
        const shares = allot(have, most);
        const sum = (list: number[]) => list.reduce((a, b) => a + b, 0);
        expect(sum(shares)).toBe(Math.min(most, sum(have)));
        shares.forEach((share, index) => {
          expect(share).toBeLessThanOrEqual(have[index] as number);
        });
      }),
    );
  });

  it("leaves readings of a device over only if no other device got more than one reading more", () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 500 }), (have, most) => {
        const shares = allot(have, most);
        const cut = shares.filter((share, index) => share < (have[index] as number));
        for (const share of cut) expect(Math.max(...shares)).toBeLessThanOrEqual(share + 1);
      }),
    );
  });
});

describe("the time of a batch", () => {
  const run = (...times: number[]) => ({
    device: { id: 1, name: "a", metric: "energy", exponent: 0, coSigner: null },
    readings: times.map((time, index) => ({
      seq: index + 1,
      time,
      value: 1n,
      prev: new Uint8Array(32),
      hash: new Uint8Array(32),
      signature: new Uint8Array(64),
      coSignature: null,
    })),
  });

  type Args = Parameters<typeof fitting>;
  const timeOf = (last: Args[0], runs: Args[1], blockTime: number, now: number) =>
    fitting(last, runs, { blockTime, now })?.time ?? null;

  it("continues where the last one ended, up to the newest block", () => {
    expect(timeOf({ to: 1_000 }, [run(1_900_000)], 2_000, 3_000_000)).toEqual({ from: 1_001, to: 2_000 });
  });
  it("is never in the future of either clock", () => {
    expect(timeOf({ to: 1_000 }, [run(1)], 5_000, 3_000_999)).toEqual({ from: 1_001, to: 3_000 });
    expect(timeOf({ to: 1_000 }, [run(1)], 2_000, 3_000_999)).toEqual({ from: 1_001, to: 2_000 });
  });
  it("begins at the earliest reading for the first batch", () => {
    expect(timeOf(null, [run(1_500_999, 1_600_000), run(1_200_500)], 2_000, 3_000_000)).toEqual({
      from: 1_200,
      to: 2_000,
    });
    expect(timeOf(null, [run(10)], 2_000, 3_000_000)).toEqual({ from: 1, to: 2_000 });
    // A device's clock may be ahead of the chain's.
    expect(timeOf(null, [run(2_060_000)], 2_000, 3_000_000)).toEqual({ from: 2_000, to: 2_000 });
  });
  it("is missing while the chain has no block after the last batch", () => {
    expect(timeOf({ to: 2_000 }, [run(1)], 2_000, 3_000_000)).toBeNull();
  });
  it("excludes readings measured after its end, except within the allowed lead of a clock", () => {
    const last = 2_120_999;
    const fit = fitting({ to: 1_000 }, [run(1_000_000, last, last + 1), run(last + 1)], {
      blockTime: 2_000,
      now: 9_000_000,
    });
    expect(fit?.runs.map(({ readings }) => readings.map(({ time }) => time))).toEqual([[1_000_000, last]]);
    expect(fitting({ to: 1_000 }, [run(last + 1)], { blockTime: 2_000, now: 9_000_000 })).toBeNull();
  });
});

describe("the next step for a stream", () => {
  const head = (number: number, branch = "a"): Hex => `0x${branch}${String(number).padStart(63, "0")}`;
  const own = (number: number, branch = "a"): OwnBatch => ({
    number,
    previousHead: number === 1 ? noReading : head(number - 1, branch),
    head: head(number, branch),
    root: head(0),
    from: number,
    to: number,
    count: 1,
    dataHash: head(0),
    createTime: 0,
    hash: null,
  });
  const at = (number: number, branch = "a") => ({ number, head: head(number, branch) });

  it("is to rest if the chain contains our last batch, or before the first one", () => {
    expect(standingOf(null, [])).toEqual({ kind: "rest", last: null });
    expect(standingOf(at(3), [own(3)])).toEqual({ kind: "rest", last: own(3) });
  });
  it("is to send the first of any number of batches that the chain does not contain", () => {
    expect(standingOf(null, [own(1), own(2)])).toEqual({ kind: "send", batch: own(1) });
    expect(standingOf(at(3), [own(3), own(4)])).toEqual({ kind: "send", batch: own(4) });
  });
  it("is to stop if the chain contains a batch that was not built here", () => {
    expect(standingOf(at(3), [])).toMatchObject({ kind: "stopped", why: "unknown", number: 3 });
    expect(standingOf(at(3, "b"), [own(3)])).toMatchObject({ kind: "stopped", why: "foreign", number: 3 });
    expect(standingOf(at(3), [own(3), own(4, "b")])).toMatchObject({ kind: "stopped", why: "foreign" });
    expect(standingOf(null, [own(2)])).toEqual({ kind: "rest", last: null });
  });
});
