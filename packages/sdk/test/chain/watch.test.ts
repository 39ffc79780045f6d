import { expect, test } from "vitest";
import type { ChainClient } from "../../src/chain/client.ts";
import { receiptWait, watchTransaction } from "../../src/chain/transaction.ts";

/** The nonce while no node has the transaction. */
const nonceUnknown = Number.MAX_SAFE_INTEGER;
type Hash = `0x${string}`;
const hash = `0x${"a".repeat(64)}` as Hash;
const other = `0x${"b".repeat(64)}` as Hash;
const self = `0x${"5".repeat(40)}` as const;
const call = { hash, nonce: 7, from: self, to: "0xAbc", input: "0x01", value: 0n };

/** A chain whose answers depend on its clock. `at` maps a time in milliseconds to what happens then. */
function chain(options: {
  minedAt?: number;
  success?: boolean;
  minedHash?: Hash;
  replacement?: typeof call;
  downUntil?: number;
  /** The node does not have the transaction between these two times. */
  forgotten?: readonly [number, number];
}) {
  const { minedAt = 0, success = true, minedHash = hash, replacement, downUntil = 0, forgotten = [0, 0] } = options;
  let time = 0;
  const waits: number[] = [];
  const blocks: number[] = [];
  const dropped: boolean[] = [];
  const nonces: number[] = [];
  const missing = (name: string) => Promise.reject(Object.assign(new Error("none"), { name }));
  const client = {
    pollingInterval: 1_000,
    getTransactionReceipt: async ({ hash: asked }: { hash: Hash }) => {
      if (time < downUntil) throw new Error("no answer");
      if (time < minedAt || asked !== minedHash) return missing("TransactionReceiptNotFoundError");
      return { transactionHash: asked, status: success ? "success" : "reverted", blockNumber: 9n, logs: [] };
    },
    getTransaction: async () =>
      time >= forgotten[0] && time < forgotten[1] ? missing("TransactionNotFoundError") : call,
    getTransactionCount: async (): Promise<number> => (time >= minedAt ? 8 : 7),
    getBlockNumber: async () => 1n,
    getBlock: async () => ({ transactions: replacement === undefined ? [] : [replacement] }),
    call: async () => ({}),
  };
  const clock = {
    now: () => time,
    nextBlock: async (milliseconds: number) => {
      blocks.push(milliseconds);
      time += milliseconds;
    },
    sleep: async (milliseconds: number) => {
      waits.push(milliseconds);
      time += milliseconds;
    },
  };
  const keep = (found: { nonce: number } | { stage: "pending" | "dropped" }) => {
    if ("nonce" in found) nonces.push(found.nonce);
    else dropped.push(found.stage === "dropped");
  };
  const follow = (sent: Partial<Parameters<typeof watchTransaction>[0]> = {}, stopped = () => false) => {
    const units = { assetDecimals: 6, shareDecimals: 12 };
    const watch = { client: client as unknown as ChainClient, address: self, units, clock, stopped };
    return watchTransaction({ hash, nonce: 7, effect: null, ...sent }, watch, keep);
  };
  return { client, blocks, waits, dropped, nonces, follow };
}

test("a transaction in a block with success is confirmed", async () => {
  const { follow } = chain({ minedAt: 3_000 });
  expect(await follow()).toMatchObject({
    stage: "confirmed",
    block: 9,
  });
});

test("a reverted receipt is failed", async () => {
  const { follow } = chain({ success: false });
  expect(await follow()).toMatchObject({ stage: "failed" });
});

test("another transaction with the same nonce replaces it", async () => {
  const { follow } = chain({ minedHash: other, replacement: { ...call, hash: other, to: "0xdef" } });
  expect(await follow()).toEqual({
    stage: "replaced",
    by: other,
    cancelled: false,
  });
});

test("a guessed nonce is replaced by the node's", async () => {
  // Sent while another transaction was pending that our node did not have. The nonce was guessed as 6 and is 7.
  const { follow, nonces } = chain({ minedAt: 5_000 });
  expect(await follow({ nonce: 6 })).toMatchObject({ stage: "confirmed" });
  expect(nonces).toEqual([7]);
});

test("a nonce used by a transaction that is not found is replaced by an unknown one", async () => {
  const { follow } = chain({ minedHash: other });
  expect(await follow()).toEqual({
    stage: "replaced",
    by: null,
    cancelled: false,
  });
});

test("a resubmission of the same call with a higher fee counts as the same transaction", async () => {
  const { follow } = chain({ minedHash: other, replacement: { ...call, hash: other, to: "0xABC" } });
  expect(await follow()).toMatchObject({
    stage: "confirmed",
    hash: other,
  });
});

test("a node that does not answer is queried again until it does", async () => {
  const { follow } = chain({ downUntil: 20_000 });
  expect(await follow()).toMatchObject({ stage: "confirmed" });
});

test("the chain is polled at a slower interval after 300 seconds", async () => {
  const { follow, blocks, waits } = chain({ minedAt: receiptWait + 65_000 });
  expect(await follow()).toMatchObject({ stage: "confirmed" });
  expect(blocks).toEqual(Array.from({ length: receiptWait / 1_000 }, () => 1_000));
  expect(waits).toEqual([30_000, 30_000, 30_000]);
});

test("a stopped watch ends without an outcome", async () => {
  const { follow } = chain({ minedAt: 10_000 });
  let asked = 0;
  expect(await follow({}, () => ++asked > 3)).toBeNull();
});

test("an empty transaction to oneself with the same nonce is a cancellation", async () => {
  const { follow } = chain({ minedHash: other, replacement: { ...call, hash: other, to: self, input: "0x" } });
  expect(await follow()).toEqual({
    stage: "replaced",
    by: other,
    cancelled: true,
  });
});

test("a transaction missing at the node for 300 seconds is dropped, and still found when it returns", async () => {
  const { follow, dropped } = chain({ minedAt: 500_000, forgotten: [10_000, 400_000] });
  expect(await follow()).toMatchObject({ stage: "confirmed" });
  expect(dropped).toEqual([true, false]);
});

test("a transaction missing at the node for a moment is not dropped", async () => {
  const { follow, dropped } = chain({ minedAt: 500_000, forgotten: [10_000, 309_000] });
  await follow();
  expect(dropped).toEqual([]);
});

const effect = { to: call.to, input: call.input, value: call.value };
/** Nodes drop replaced transactions, so after a reload only the stored data is available. */
const forgetful = (options: Parameters<typeof chain>[0]) => chain({ ...options, forgotten: [0, Number.MAX_VALUE] });

test("a resubmission with a higher fee is recognised by the stored call, even after a reload", async () => {
  const { follow } = forgetful({ minedHash: other, replacement: { ...call, hash: other } });
  expect(await follow({ effect })).toMatchObject({
    stage: "confirmed",
    hash: other,
  });
});

test("a transaction that cannot be compared is not named as the replacement", async () => {
  const { follow } = forgetful({ minedHash: other, replacement: { ...call, hash: other } });
  expect(await follow()).toMatchObject({ by: null });
  const another = forgetful({ minedHash: other, replacement: { ...call, hash: other, input: "0x02" } });
  expect(await another.follow({ effect })).toMatchObject({ by: other });
});

test("no transaction replaces itself where a node has the block before its receipt", async () => {
  const { follow, client } = forgetful({ minedAt: 5_000, replacement: call });
  client.getTransactionCount = async () => 8;
  expect(await follow({ effect })).toMatchObject({ stage: "confirmed" });
});

test("a transaction that no node has ever had is not replaced by another one of the wallet", async () => {
  const { follow, client } = forgetful({ minedAt: 400_000 });
  client.getTransactionCount = async () => 9;
  client.getBlock = async () => ({ transactions: [{ ...call, hash: other, nonce: 8 }] });
  expect(await follow({ nonce: nonceUnknown, effect })).toMatchObject({
    stage: "confirmed",
  });
});
