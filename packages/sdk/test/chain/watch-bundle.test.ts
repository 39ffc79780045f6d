import { expect, test } from "vitest";
import type { ChainClient } from "../../src/chain/client.ts";
import { type BundleStatus, watchBundle } from "../../src/chain/transaction.ts";

const hash = `0x${"a".repeat(64)}` as const;
interface World {
  /** The wallet's answers in order, the last one repeatedly; an error is thrown. */
  answers: readonly (BundleStatus | Error)[];
  success?: boolean;
  /** Number of queries before our node has the block. */
  behind?: number;
}

function watch({ answers, success = true, behind = 0 }: World, stopped = () => false) {
  let asked = 0;
  let looked = 0;
  let time = 0;
  const status = async () => {
    const answer = answers[Math.min(asked++, answers.length - 1)];
    if (answer === undefined || answer instanceof Error) throw answer;
    return answer;
  };
  const pass = async (milliseconds: number) => {
    time += milliseconds;
  };
  const client = {
    pollingInterval: 1_000,
    getTransactionReceipt: async () => {
      if (looked++ < behind) throw Object.assign(new Error("none"), { name: "TransactionReceiptNotFoundError" });
      return { transactionHash: hash, status: success ? "success" : "reverted", blockNumber: 9n, logs: [] };
    },
    getTransaction: async () => Promise.reject(new Error("no such state")),
  } as unknown as ChainClient;
  const units = { assetDecimals: 6, shareDecimals: 12 };
  const clock = { now: () => time, nextBlock: pass, sleep: pass };
  return watchBundle(status, { client, address: hash, units, clock, stopped });
}

const pending: BundleStatus = { code: 100, hashes: [] };
const done: BundleStatus = { code: 200, hashes: [hash] };

test("a bundle is confirmed when the wallet reports it and our own node has the transaction", async () => {
  const outcome = await watch({ answers: [pending, pending, done], behind: 3 });
  expect(outcome).toMatchObject({ stage: "confirmed", hash, block: 9 });
});

test("a reverted transaction has failed even when the wallet reports success", async () => {
  expect(await watch({ answers: [done], success: false })).toMatchObject({ stage: "failed" });
});

test("a reverted bundle has failed, one that never reached the chain was not sent", async () => {
  const reverted = watch({ answers: [{ code: 500, hashes: [hash] }], success: false });
  expect(await reverted).toMatchObject({ stage: "failed" });
  expect(await watch({ answers: [{ code: 400, hashes: [] }] })).toMatchObject({
    stage: "failed",
    hash: null,
    reason: { code: "batchUnsent" },
  });
});

test("a partly executed bundle is reported as such, never as confirmed", async () => {
  expect(await watch({ answers: [{ code: 600, hashes: [hash] }] })).toMatchObject({
    stage: "failed",
    reason: { code: "batchPartly" },
  });
});

test("a wallet without support for bundles ends it, like an unknown bundle id", async () => {
  const unable = Object.assign(new Error("The method does not exist"), { code: -32601 });
  expect(await watch({ answers: [unable] })).toMatchObject({ stage: "failed", reason: { code: "batchUnknown" } });
});

test("a wallet that does not answer is queried again, an unknown bundle id ends it", async () => {
  const away = watch({ answers: [new Error("not connected"), new Error("not connected"), done] });
  expect(await away).toMatchObject({ stage: "confirmed" });
  const unknown = Object.assign(new Error("Unknown bundle id"), { code: 5730 });
  expect(await watch({ answers: [unknown] })).toMatchObject({ stage: "failed", reason: { code: "batchUnknown" } });
});

test("a stopped watch ends without an outcome", async () => {
  expect(await watch({ answers: [pending] }, () => true)).toBeNull();
});
