import type { MovePosition, Position } from "@aqua/sdk/chain/wallet-move";
import { describe, expect, it } from "vitest";
import { moveStep, positionsOf } from "../../src/features/account/move-step.ts";
import type { Wallet } from "../../src/wallet/store.ts";
import { holding } from "../transact/holding.ts";
import { aProduct, vault } from "../transact/product.ts";
import { aTimeProduct } from "../transact/time-product.ts";
import { connected as from, other as to } from "../wallet-dialog/account.ts";

const now = 1_800_000_000_000;
const storedSwitch = { from, to, message: "m", signature: "0x12", expires: now + 60_000 } as const;
const position: Position = { shortId: "solar", product: "Solar", contract: vault, what: "shares" };
const onChain = (parts: Partial<MovePosition> = {}): MovePosition => ({
  from: "exit_only",
  to: "verified",
  successor: null,
  left: [position],
  ...parts,
});
const wallet = (address: Wallet["address"], chainId: number | null = 31337): Wallet => ({
  status: address === null ? "disconnected" : "connected",
  address,
  chainId,
});
type Case = Parameters<typeof moveStep>[0];
const stepOf = (parts: Partial<Case> = {}) =>
  moveStep({
    position: onChain(),
    verified: true,
    storedSwitch: null,
    wallet: wallet(null),
    from,
    to,
    chainId: 31337,
    now,
    ...parts,
  });

describe("replacing one wallet by another", () => {
  it("starts with the new wallet's signature, which requires it to be connected", () => {
    expect(stepOf()).toEqual({ step: "sign", need: "connect", expired: null });
    expect(stepOf({ wallet: wallet(from) })).toEqual({ step: "sign", need: "other", expired: null });
    expect(stepOf({ wallet: wallet(to) })).toEqual({ step: "sign", need: null, expired: null });
  });

  it("continues with the old wallet, on the chain of its record", () => {
    expect(stepOf({ storedSwitch, wallet: wallet(to) })).toEqual({ step: "send", need: "other", storedSwitch });
    expect(stepOf({ storedSwitch, wallet: wallet(from, 1) })).toEqual({ step: "send", need: "network", storedSwitch });
    expect(stepOf({ storedSwitch, wallet: wallet(from) })).toEqual({ step: "send", need: null, storedSwitch });
    const capitals = `0x${from.slice(2).toUpperCase()}` as const;
    expect(stepOf({ storedSwitch, wallet: wallet(capitals) })).toEqual({ step: "send", need: null, storedSwitch });
  });

  it("returns to the signature once that has expired", () => {
    expect(stepOf({ storedSwitch, now: storedSwitch.expires - 1, wallet: wallet(from) }).step).toBe("send");
    expect(stepOf({ storedSwitch, now: storedSwitch.expires, wallet: wallet(from) })).toEqual({
      step: "sign",
      need: "other",
      expired: storedSwitch.expires,
    });
  });

  it("ends with transferring what is left, from any wallet", () => {
    const handedOn = onChain({ from: "retired", successor: to });
    const anyone = "0x4444444444444444444444444444444444444444";
    expect(stepOf({ position: handedOn, wallet: wallet(anyone) })).toEqual({
      step: "bring",
      need: null,
      successor: to,
    });
    expect(stepOf({ position: handedOn })).toMatchObject({ step: "bring", need: "connect" });
    expect(stepOf({ position: { ...handedOn, left: [] } })).toEqual({ step: "done" });
  });

  it("waits for the new wallet's record before it asks for a signature, which would expire meanwhile", () => {
    expect(stepOf({ position: onChain({ to: "none" }), wallet: wallet(to) })).toEqual({ step: "wait" });
    expect(stepOf({ position: onChain({ to: "exit_only" }), storedSwitch })).toEqual({ step: "wait" });
    expect(stepOf({ position: onChain({ to: "exit_only" }), verified: false })).toEqual({ step: "unverified" });
  });

  it("stops with a reason where the contract would revert", () => {
    expect(stepOf({ position: onChain({ from: "frozen" }) })).toEqual({ step: "frozen", wallet: from });
    expect(stepOf({ position: onChain({ to: "frozen" }) })).toEqual({ step: "frozen", wallet: to });
    expect(stepOf({ position: onChain({ to: "retired" }) })).toEqual({ step: "gone" });
    expect(stepOf({ position: onChain({ from: "none" }) })).toEqual({ step: "unknown" });
    expect(stepOf({ position: null })).toEqual({ step: "reading" });
    expect(stepOf({ position: "error" })).toEqual({ step: "unreachable" });
  });
});

describe("the holdings to transfer", () => {
  const queue = "0x6666666666666666666666666666666666666666";
  const demand = aProduct({ vault: { queue: { address: queue, shares: "0" } } });
  const time = aTimeProduct();

  it("are all shares, queue requests and receipts, each with its contract", () => {
    const held = [
      holding({ shares: "12.5", pending_shares: "0.000000000000", claimable: "0.000000" }),
      holding({ short_id: time.short_id, deposit_id: "7", claimable: null }),
      holding({ short_id: time.short_id, deposit_id: "9", claimable: null }),
    ];
    expect(positionsOf(held, [demand, time])).toEqual([
      { shortId: "solar", product: demand.name, contract: vault, what: "shares" },
      { shortId: time.short_id, product: time.name, contract: time.contract, what: "receipts", ids: [7n, 9n] },
    ]);
  });

  it("include the queue while shares wait there, and while money is set aside", () => {
    const placed = [{ shortId: "solar", product: demand.name, contract: queue, what: "places" }];
    expect(positionsOf([holding({ shares: "0", pending_shares: "3.5", claimable: "0" })], [demand])).toEqual(placed);
    expect(positionsOf([holding({ shares: "0", pending_shares: "0", claimable: "612.3" })], [demand])).toEqual(placed);
    expect(positionsOf([holding({ shares: "0", pending_shares: "0", claimable: "0" })], [demand])).toEqual([]);
  });
});
