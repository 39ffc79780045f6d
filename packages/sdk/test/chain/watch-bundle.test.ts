import { expect, test } from "vitest";
import { type BundleStatus, type BundleSteps, watchBundle } from "../../src/wallet/lifecycle/watch-bundle.ts";

const hash = `0x${"a".repeat(64)}` as const;
const go = () => false;

interface World {
  /** The wallet's answers in order, the last one repeatedly; an error is thrown. */
  answers: readonly (BundleStatus | Error)[];
  success?: boolean;
  /** How many queries our node takes until it has the block. */
  behind?: number;
}

function world({ answers, success = true, behind = 0 }: World) {
  let asked = 0;
  let looked = 0;
  let time = 0;
  const steps: BundleSteps<never> = {
    interval: 1_000,
    now: () => time,
    nextBlock: async (milliseconds) => {
      time += milliseconds;
    },
    sleep: async (milliseconds) => {
      time += milliseconds;
    },
    status: async () => {
      const answer = answers[Math.min(asked++, answers.length - 1)];
      if (answer === undefined || answer instanceof Error) throw answer;
      return answer;
    },
    receipt: async () => (looked++ < behind ? null : { hash, success, block: 9, logs: [] }),
  };
  return steps;
}

const pending: BundleStatus = { code: 100, hashes: [] };
const done: BundleStatus = { code: 200, hashes: [hash] };

test("a bundle is confirmed when the wallet reports it and our own node has the transaction", async () => {
  const outcome = await watchBundle(world({ answers: [pending, pending, done], behind: 3 }), go);
  expect(outcome).toMatchObject({ stage: "confirmed", receipt: { hash, block: 9 } });
});

test("a reverted transaction has failed even when the wallet reports success", async () => {
  expect(await watchBundle(world({ answers: [done], success: false }), go)).toMatchObject({ stage: "failed" });
});

test("a reverted bundle has failed, one that never reached the chain was not sent", async () => {
  const reverted = world({ answers: [{ code: 500, hashes: [hash] }], success: false });
  expect(await watchBundle(reverted, go)).toMatchObject({ stage: "failed" });
  expect(await watchBundle(world({ answers: [{ code: 400, hashes: [] }] }), go)).toEqual({ stage: "unsent" });
});

test("a partly executed bundle is reported as such, never as confirmed", async () => {
  expect(await watchBundle(world({ answers: [{ code: 600, hashes: [hash] }] }), go)).toMatchObject({ stage: "partly" });
});

test("a wallet without support for bundles ends it, like an unknown bundle id", async () => {
  const unable = Object.assign(new Error("The method does not exist"), { code: -32601 });
  expect(await watchBundle(world({ answers: [unable] }), go)).toEqual({ stage: "unknown" });
});

test("a wallet that does not answer is queried again, an unknown bundle id ends it", async () => {
  const away = world({ answers: [new Error("not connected"), new Error("not connected"), done] });
  expect(await watchBundle(away, go)).toMatchObject({ stage: "confirmed" });
  const unknown = Object.assign(new Error("Unknown bundle id"), { code: 5730 });
  expect(await watchBundle(world({ answers: [unknown] }), go)).toEqual({ stage: "unknown" });
});

test("a stopped watch ends without an outcome", async () => {
  expect(await watchBundle(world({ answers: [pending] }), () => true)).toBeNull();
});
