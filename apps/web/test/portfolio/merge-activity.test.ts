import type { Transaction } from "@aqua/sdk/api/portfolio";
import { describe, expect, it } from "vitest";
import { mergeActivity } from "../../src/features/portfolio/merge-activity.ts";
import type { TrackedTransaction } from "../../src/wallet/transactions.ts";

const wallet = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const hashOf = (letter: string) => `0x${letter.repeat(64)}` as const;

function tracked(letter: string, parts: Partial<TrackedTransaction> = {}): TrackedTransaction {
  return {
    id: hashOf(letter),
    hash: hashOf(letter),
    chainId: 31337,
    address: wallet,
    nonce: 1,
    scope: "solar",
    kind: "deposit",
    shortId: "solar",
    amount: "10",
    symbol: "tUSD",
    assetDecimals: 6,
    shareDecimals: 12,
    shares: null,
    description: "Deposit",
    stage: "pending",
    sentAt: 5,
    block: null,
    reason: null,
    replacedBy: null,
    facts: {},
    ...parts,
  };
}

function told(letter: string, parts: Partial<Transaction> = {}): Transaction {
  return {
    hash: hashOf(letter),
    chain_id: 31337,
    block: null,
    log_index: null,
    time: 4,
    address: wallet,
    kind: "deposit",
    short_id: "solar",
    symbol: "tUSD",
    amount: "10",
    shares: null,
    price: null,
    fee: null,
    deposit_id: null,
    status: "pending",
    description: "Deposit",
    ...parts,
  };
}

const all = { pending: [], tracked: [], listed: [], kind: null, shortId: null };
const shown = (parts: Partial<Parameters<typeof mergeActivity>[0]>) =>
  mergeActivity({ ...all, ...parts }).map(({ hash, status }) => `${hash[2]} ${status}`);

describe("the transactions beside those in blocks", () => {
  it("are those of browser and server, each hash once, with the browser's state", () => {
    expect(shown({ pending: [told("a"), told("b")], tracked: [tracked("a", { stage: "failed" })] })).toEqual([
      "a failed",
      "b pending",
    ]);
  });

  it("exclude everything the chain has confirmed, whatever the browser's state", () => {
    const confirmed = told("a", { status: "confirmed", block: 3, log_index: 0 });
    for (const stage of ["pending", "failed"] as const)
      expect(shown({ tracked: [tracked("a", { stage })], pending: [told("a")], listed: [confirmed] })).toEqual([]);
  });

  it("have the browser's state where the list has the same one as pending or failed", () => {
    expect(shown({ tracked: [tracked("a")], listed: [told("a", { status: "failed" })] })).toEqual(["a pending"]);
  });
});
