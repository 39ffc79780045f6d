import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { TrackedTransaction } from "../../src/wallet/transactions.ts";

const address = "0x4444444444444444444444444444444444444444";
const hashOf = (index: number) => `0x${index.toString(16).padStart(64, "0")}` as const;

function tracked(index: number, parts: Partial<TrackedTransaction> = {}): TrackedTransaction {
  return {
    id: hashOf(index),
    hash: hashOf(index),
    scope: "solar",
    chainId: 31337,
    address,
    nonce: index,
    kind: "deposit",
    shortId: "solar",
    amount: "1.000000",
    symbol: "tUSD",
    assetDecimals: 6,
    shareDecimals: 12,
    shares: null,
    description: "Deposit",
    stage: "pending",
    sentAt: index,
    block: null,
    reason: null,
    replacedBy: null,
    facts: {},
    ...parts,
  };
}

/** A page that has just been loaded: without module state, with storage. */
async function freshPage() {
  vi.resetModules();
  return import("../../src/wallet/transactions.ts");
}

beforeEach(() => localStorage.clear());
afterEach(() => localStorage.clear());

test("a pending transaction is still listed after a reload", async () => {
  (await freshPage()).storeTransaction(tracked(1));
  expect((await freshPage()).getTransactions(address)).toEqual([tracked(1)]);
});

test("transactions of every chain are listed newest first, and addresses ignore letter case", async () => {
  const page = await freshPage();
  page.storeTransaction(tracked(1));
  page.storeTransaction(tracked(2, { chainId: 1 }));
  expect(page.getTransactions(address.toUpperCase().replace("0X", "0x")).map((item) => item.hash)).toEqual([
    hashOf(2),
    hashOf(1),
  ]);
});

test("a new stage replaces the old one and notifies", async () => {
  const page = await freshPage();
  const listener = vi.fn();
  page.subscribeTransactions(listener);
  page.storeTransaction(tracked(1));
  page.storeTransaction(tracked(1, { stage: "confirmed", block: 5 }));
  expect(page.getTransactions(address)).toEqual([tracked(1, { stage: "confirmed", block: 5 })]);
  expect(listener).toHaveBeenCalledTimes(2);
});

test("ten settled transactions are stored, and every pending one", async () => {
  const page = await freshPage();
  page.storeTransaction(tracked(0));
  for (let index = 1; index <= 12; index++) page.storeTransaction(tracked(index, { stage: "confirmed" }));
  const hashes = page.getTransactions(address).map((item) => item.hash);
  expect(hashes).toHaveLength(11);
  expect(hashes).toContain(hashOf(0));
  expect(hashes).not.toContain(hashOf(1));
});

test("invalid entries in the storage are ignored", async () => {
  localStorage.setItem(`aqua.transactions.31337.${address}`, JSON.stringify([{ hash: "0x1" }, null, tracked(1)]));
  localStorage.setItem(`aqua.transactions.1.${address}`, "not json");
  expect((await freshPage()).getTransactions(address)).toEqual([tracked(1)]);
});

test("the transaction is stored in memory if the storage is full", async () => {
  const page = await freshPage();
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  page.storeTransaction(tracked(1));
  expect(page.getTransactions(address)).toEqual([tracked(1)]);
});

test("the list is the same object until something changes", async () => {
  const page = await freshPage();
  page.storeTransaction(tracked(1));
  expect(page.getTransactions(address)).toBe(page.getTransactions(address));
  expect(page.getTransactions(null)).toBe(page.getTransactions(null));
});

test("entries of an earlier version are still read, and a bundle without a hash is stored", async () => {
  const { id: _, scope: __, facts: ___, ...old } = tracked(1);
  localStorage.setItem(`aqua.transactions.31337.${address}`, JSON.stringify([old, { ...old, hash: "not one" }]));
  const page = await freshPage();
  expect(page.getTransactions(address)).toEqual([tracked(1)]);
  page.storeTransaction(tracked(2, { id: "bundle", hash: null, nonce: null }));
  expect((await freshPage()).getTransactions(address).map((item) => item.id)).toEqual(["bundle", hashOf(1)]);
});
