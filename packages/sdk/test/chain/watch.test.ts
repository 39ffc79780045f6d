import { expect, test } from "vitest";
import {
  type ChainTransaction,
  receiptWait,
  type WatchSteps,
  watchTransaction,
} from "../../src/wallet/lifecycle/watch.ts";
import { nonceUnknown } from "../../src/wallet/transactions.ts";

type Hash = `0x${string}`;
const hash = `0x${"a".repeat(64)}` as Hash;
const other = `0x${"b".repeat(64)}` as Hash;
const call: ChainTransaction = { hash, nonce: 7, from: "0xSelf", to: "0xAbc", input: "0x01", value: 0n };

/** A chain whose answers depend on its clock. `at` maps a time in milliseconds to what happens then. */
function chain(options: {
  minedAt?: number;
  success?: boolean;
  minedHash?: Hash;
  replacement?: ChainTransaction;
  downUntil?: number;
  /** The node does not have the transaction between these two times. */
  forgotten?: readonly [number, number];
}) {
  const { minedAt = 0, success = true, minedHash = hash, replacement, downUntil = 0, forgotten = [0, 0] } = options;
  let time = 0;
  const waits: number[] = [];
  const blocks: number[] = [];
  const lost: boolean[] = [];
  const up = () => {
    if (time < downUntil) throw new Error("no answer");
  };
  const steps: WatchSteps<never> = {
    interval: 1_000,
    now: () => time,
    nextBlock: async (milliseconds) => {
      blocks.push(milliseconds);
      time += milliseconds;
    },
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
      time += milliseconds;
    },
    receipt: async (asked) => {
      up();
      return time >= minedAt && asked === minedHash ? { hash: asked, success, block: 9, logs: [] } : null;
    },
    lost: (is) => lost.push(is),
    transaction: async () => (time >= forgotten[0] && time < forgotten[1] ? null : call),
    minedNonce: async () => (time >= minedAt ? 8 : 7),
    minedWithNonce: async () => replacement ?? null,
  };
  return { steps, blocks, waits, lost };
}
const go = () => false;

test("a transaction in a block with success is confirmed", async () => {
  const { steps } = chain({ minedAt: 3_000 });
  expect(await watchTransaction({ hash, nonce: 7, effect: null }, steps, go)).toMatchObject({
    stage: "confirmed",
    receipt: { block: 9 },
  });
});

test("a reverted receipt is failed", async () => {
  const { steps } = chain({ success: false });
  expect(await watchTransaction({ hash, nonce: 7, effect: null }, steps, go)).toMatchObject({ stage: "failed" });
});

test("another transaction with the same nonce replaces it", async () => {
  const { steps } = chain({ minedHash: other, replacement: { ...call, hash: other, to: "0xdef" } });
  expect(await watchTransaction({ hash, nonce: 7, effect: null }, steps, go)).toEqual({
    stage: "replaced",
    by: other,
    cancelled: false,
  });
});

test("a guessed nonce is replaced by the node's", async () => {
  // Sent while another one was pending and before our node had it: the nonce was guessed as 6 and is 7.
  const { steps } = chain({ minedAt: 5_000 });
  const outcome = await watchTransaction({ hash, nonce: 6, effect: null }, steps, go);
  expect(outcome).toMatchObject({ stage: "confirmed" });
});

test("a nonce used by a transaction that is not found is replaced by an unknown one", async () => {
  const { steps } = chain({ minedHash: other });
  expect(await watchTransaction({ hash, nonce: 7, effect: null }, steps, go)).toEqual({
    stage: "replaced",
    by: null,
    cancelled: false,
  });
});

test("a resubmission of the same call with a higher fee counts as the same transaction", async () => {
  const { steps } = chain({ minedHash: other, replacement: { ...call, hash: other, to: "0xABC" } });
  expect(await watchTransaction({ hash, nonce: 7, effect: null }, steps, go)).toMatchObject({
    stage: "confirmed",
    receipt: { hash: other },
  });
});

test("a node that does not answer is queried again until it does", async () => {
  const { steps } = chain({ downUntil: 20_000 });
  expect(await watchTransaction({ hash, nonce: 7, effect: null }, steps, go)).toMatchObject({ stage: "confirmed" });
});

test("after 300 seconds the chain is polled at a slower interval", async () => {
  const { steps, blocks, waits } = chain({ minedAt: receiptWait + 65_000 });
  expect(await watchTransaction({ hash, nonce: 7, effect: null }, steps, go)).toMatchObject({ stage: "confirmed" });
  expect(blocks).toEqual(Array.from({ length: receiptWait / 1_000 }, () => 1_000));
  expect(waits).toEqual([30_000, 30_000, 30_000]);
});

test("a stopped watch ends without an outcome", async () => {
  const { steps } = chain({ minedAt: 10_000 });
  let asked = 0;
  expect(await watchTransaction({ hash, nonce: 7, effect: null }, steps, () => ++asked > 3)).toBeNull();
});

test("an empty transaction to oneself with the same nonce is a cancellation", async () => {
  const { steps } = chain({ minedHash: other, replacement: { ...call, hash: other, to: "0xself", input: "0x" } });
  expect(await watchTransaction({ hash, nonce: 7, effect: null }, steps, go)).toEqual({
    stage: "replaced",
    by: other,
    cancelled: true,
  });
});

test("a transaction missing at the node for 300 seconds is dropped, and still found when it returns", async () => {
  const { steps, lost } = chain({ minedAt: 500_000, forgotten: [10_000, 400_000] });
  expect(await watchTransaction({ hash, nonce: 7, effect: null }, steps, go)).toMatchObject({ stage: "confirmed" });
  expect(lost).toEqual([true, false]);
});

test("a transaction missing at the node for a moment is not dropped", async () => {
  const { steps, lost } = chain({ minedAt: 500_000, forgotten: [10_000, 309_000] });
  await watchTransaction({ hash, nonce: 7, effect: null }, steps, go);
  expect(lost).toEqual([]);
});

const effect = { to: call.to, input: call.input, value: call.value };
/** Nodes forget what was replaced, so after a reload only what was stored of it is known. */
const forgetful = (options: Parameters<typeof chain>[0]) => chain({ ...options, forgotten: [0, Number.MAX_VALUE] });

test("a resubmission with a higher fee is known by what was stored of the call, after a reload too", async () => {
  const { steps } = forgetful({ minedHash: other, replacement: { ...call, hash: other } });
  expect(await watchTransaction({ hash, nonce: 7, effect }, steps, go)).toMatchObject({
    stage: "confirmed",
    receipt: { hash: other },
  });
});

test("nothing is said to replace a transaction that cannot be compared with it", async () => {
  const { steps } = forgetful({ minedHash: other, replacement: { ...call, hash: other } });
  expect(await watchTransaction({ hash, nonce: 7, effect: null }, steps, go)).toMatchObject({ by: null });
  const another = forgetful({ minedHash: other, replacement: { ...call, hash: other, input: "0x02" } });
  expect(await watchTransaction({ hash, nonce: 7, effect }, another.steps, go)).toMatchObject({ by: other });
});

test("no transaction replaces itself where a node has the block before its receipt", async () => {
  const { steps } = forgetful({ minedAt: 5_000, replacement: call });
  const late = { ...steps, minedNonce: async () => 8 };
  expect(await watchTransaction({ hash, nonce: 7, effect }, late, go)).toMatchObject({ stage: "confirmed" });
});

test("a transaction that no node has ever had is not replaced by another one of the wallet", async () => {
  const { steps } = forgetful({ minedAt: 400_000 });
  const later = {
    ...steps,
    minedNonce: async () => 9,
    minedWithNonce: async () => ({ ...call, hash: other, nonce: 8 }),
  };
  expect(await watchTransaction({ hash, nonce: nonceUnknown, effect }, later, go)).toMatchObject({
    stage: "confirmed",
  });
});
