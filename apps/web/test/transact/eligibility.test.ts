import type { Position } from "@aqua/sdk/chain/vault-position";
import { expect, test } from "vitest";
import {
  claimObstacle,
  depositObstacle,
  withdrawalObstacle,
} from "../../src/features/transact/eligibility/eligibility.ts";
import type { Wallet } from "../../src/wallet/store.ts";
import { aProduct, blockTime, type ProductParts } from "./product.ts";

const connected: Wallet = {
  status: "connected",
  address: "0x4444444444444444444444444444444444444444",
  chainId: 31337,
};
const healthy: Position = {
  block: 100,
  time: blockTime,
  status: "verified",
  assetBalance: 1_000_000_000n,
  noGas: false,
  shares: 10n ** 12n,
  maxDeposit: 10n ** 12n,
  maxWithdraw: 1_000_000n,
  maxRedeem: 10n ** 12n,
  totalAssets: 1_050_000_000n,
  supply: 10n ** 15n,
  gasPrice: 1n,
  queue: null,
};

interface Parts {
  product?: ProductParts;
  wallet?: Partial<Wallet>;
  position?: Partial<Position> | "error" | null;
}

function circumstances({ product, wallet, position = {} }: Parts) {
  return {
    product: aProduct(product),
    wallet: { ...connected, ...wallet },
    position: position === null || position === "error" ? position : { ...healthy, ...position },
    visitor: null,
    now: blockTime + 1_000,
  };
}
const disconnected = { status: "disconnected", address: null, chainId: null } as const;

test("a verified wallet with money may deposit into an open product and withdraw", () => {
  expect(depositObstacle(circumstances({}))).toBeNull();
  expect(withdrawalObstacle(circumstances({}))).toBeNull();
});

test.each<[string, Parts, string]>([
  ["a closed product", { product: { status: "closed" } }, "closed"],
  ["a pause", { product: { paused_until: blockTime + 60_000 } }, "paused"],
  ["an old report", { product: { vault: { last_report: blockTime - 86_400_000 } } }, "reportOld"],
  ["lapsed evidence", { product: { vault: { evidence_until: blockTime } } }, "evidenceLapsed"],
  ["a loss under review", { product: { vault: { loss_reviewed_until: blockTime + 60_000 } } }, "lossReview"],
  ["a loss of the last day", { product: { vault: { deposits_closed_until: blockTime + 60_000 } } }, "afterLoss"],
  ["no report at all", { product: { vault: { last_report: null } } }, "reportOld"],
  ["a full cap", { product: { cap: "1050.000000" } }, "capReached"],
  ["a cap with less room than the smallest deposit", { product: { cap: "1055.000000" } }, "capReached"],
  ["no wallet", { wallet: disconnected, position: null }, "notConnected"],
  ["a wallet on its way", { wallet: { ...disconnected, status: "reconnecting" }, position: null }, "connecting"],
  [
    "a connection that was begun and left",
    { wallet: { ...disconnected, status: "connecting" }, position: null },
    "notConnected",
  ],
  ["another network", { wallet: { chainId: 1 } }, "wrongNetwork"],
  ["a balance that is not known yet", { position: null }, "loading"],
  ["a chain that does not answer", { position: "error" }, "chainUnavailable"],
  ["an unknown wallet", { position: { status: "none" } }, "account"],
  ["a wallet another took the place of", { position: { status: "retired" } }, "retired"],
  ["a lapsed record", { position: { status: "exit_only" } }, "exitOnly"],
  ["a frozen record", { position: { status: "frozen" } }, "frozen"],
  ["no gas", { position: { noGas: true } }, "noGas"],
  ["no dollars", { position: { assetBalance: 0n } }, "noAssets"],
  ["a contract that takes nothing", { position: { maxDeposit: 0n } }, "depositsClosed"],
])("%s prevents a deposit", (_, parts, code) => {
  expect(depositObstacle(circumstances(parts))?.code).toBe(code);
});

test.each<[string, Parts]>([
  ["closed", { product: { status: "closed" } }],
  ["paused", { product: { paused_until: blockTime + 60_000 } }],
  ["full", { product: { cap: "0.000000" } }],
  ["without a fresh report", { product: { vault: { last_report: null } } }],
])("a product that is %s still allows withdrawals", (_, parts) => {
  expect(withdrawalObstacle(circumstances(parts))).toBeNull();
});

test("a wallet with an expired record may withdraw, a frozen one has to wait", () => {
  expect(withdrawalObstacle(circumstances({ position: { status: "exit_only" } }))).toBeNull();
  expect(withdrawalObstacle(circumstances({ position: { status: "frozen" } }))?.code).toBe("frozen");
});

test("a wallet without shares has nothing to withdraw", () => {
  expect(withdrawalObstacle(circumstances({ position: { shares: 0n } }))?.code).toBe("nothingToWithdraw");
});

test("money set aside by a queue can be claimed by every wallet that may act", () => {
  const queue = { waiting: 0n, ahead: 0n, queued: 0n, claimable: 5n };
  const with_ = (parts: Partial<Position>) => claimObstacle(circumstances({ position: { queue, ...parts } }));
  expect(with_({})).toBeNull();
  expect(with_({ status: "exit_only", shares: 0n })).toBeNull();
  expect(claimObstacle(circumstances({ product: { status: "closed" }, position: { queue } }))).toBeNull();
  expect(with_({ status: "none" })).toEqual({ code: "frozen" });
  // The contract reports 0 claimable for a frozen wallet.
  expect(with_({ status: "frozen", queue: { ...queue, claimable: 0n } })).toEqual({ code: "frozen" });
  expect(with_({ queue: { ...queue, claimable: 0n } })).toEqual({ code: "nothingToClaim" });
  expect(with_({ noGas: true })).toEqual({ code: "noGas" });
});
