import { type Address, encodeFunctionData, erc20Abi, type Hex } from "viem";
import { demandVaultAbi } from "../abi/DemandVault.ts";
import { redemptionQueueAbi } from "../abi/RedemptionQueue.ts";
import { termDepositAbi } from "../abi/TermDeposit.ts";
import { ActionError, type Units } from "./errors.ts";
import type { ProductTerms } from "./product-terms.ts";

/** The instruction for a receipt's maturity, in the contract's numbering. */
export const rolls = { none: 0, principal: 1, all: 2 } as const;
export type RolloverChoice = keyof typeof rolls;

/**
 * An action of a wallet's owner on a product. Amounts in smallest units, times in Unix seconds. `expected` is the
 * preview's amount in the asset's units; it is only displayed, never sent.
 */
export type Order = { terms: ProductTerms; owner: Address } & (
  | { action: "deposit"; assets: bigint; minShares: bigint }
  /** Withdraws an amount and burns at most `maxShares`. */
  | { action: "withdraw"; assets: bigint; maxShares: bigint }
  /** Redeems shares for at least `minAssets`. */
  | { action: "redeem"; shares: bigint; minAssets: bigint; expected: bigint }
  /** Moves shares to the end of the queue. It cannot be undone. */
  | { action: "request"; shares: bigint; expected: bigint }
  /** Claims everything that the queue has processed for the owner. */
  | { action: "claim"; expected: bigint }
  | { action: "open"; termId: number; assets: bigint; latestMaturity: bigint }
  | { action: "close"; id: bigint; expected: bigint }
  /** Takes `principal` out of a receipt before its maturity, for at least `minOut`. */
  | { action: "exitEarly"; id: bigint; principal: bigint; minOut: bigint }
  | {
      action: "rollover";
      id: bigint;
      termId: number;
      minRate: bigint;
      roll: Exclude<RolloverChoice, "none">;
      expected: bigint;
    }
  | { action: "autoRoll"; id: bigint; termId: number; minRate: bigint; roll: RolloverChoice }
  /** Draws the receipt's share of a winding down. */
  | { action: "draw"; id: bigint; expected: bigint }
  /** Demands a payment that is due and for which there is not enough cash. */
  | { action: "demand"; id: bigint }
);
export type OrderOf<Action extends Order["action"]> = Extract<Order, { action: Action }>;

export interface Call {
  to: Address;
  data: Hex;
}

/** A permit in the form that the contracts accept. `deadline` in Unix seconds. */
export interface PermitSignature {
  deadline: bigint;
  v: number;
  r: Hex;
  s: Hex;
}

/** The units of raw amounts in the errors of this order. */
export function unitsOf({ terms, action }: Order): Units {
  return { assetDecimals: terms.assetDecimals, shareDecimals: terms.shareDecimals, inShares: action === "request" };
}

/**
 * The amount that the owner pays into the product's contract, which needs an allowance for it. 0n for all other orders.
 */
export function paidIn(order: Order): bigint {
  return order.action === "deposit" || order.action === "open" ? order.assets : 0n;
}

function queueOf(terms: ProductTerms): Address {
  if (terms.queue === null) throw new ActionError("noQueue");
  return terms.queue;
}

/** The call that executes `order`, with a permit if one was signed. */
export function callOf(order: Order, permit: PermitSignature | null = null): Call {
  const { terms, owner } = order;
  switch (order.action) {
    case "claim":
    case "request": {
      const abi = redemptionQueueAbi;
      const data =
        order.action === "claim"
          ? encodeFunctionData({ abi, functionName: "claim", args: [owner, owner] })
          : encodeFunctionData({ abi, functionName: "requestRedeem", args: [order.shares, owner, owner] });
      return { to: queueOf(terms), data };
    }
    case "deposit":
    case "withdraw":
    case "redeem":
      return { to: terms.contract, data: vaultCall(order, permit) };
    default:
      return { to: terms.contract, data: termCall(order, permit) };
  }
}

function vaultCall(order: OrderOf<"deposit" | "withdraw" | "redeem">, permit: PermitSignature | null): Hex {
  const { owner } = order;
  const abi = demandVaultAbi;
  switch (order.action) {
    case "deposit": {
      const { assets, minShares } = order;
      if (permit === null)
        return encodeFunctionData({ abi, functionName: "deposit", args: [assets, owner, minShares] });
      const { deadline, v, r, s } = permit;
      return encodeFunctionData({
        abi,
        functionName: "depositWithPermit",
        args: [assets, owner, minShares, deadline, v, r, s],
      });
    }
    case "withdraw":
      return encodeFunctionData({
        abi,
        functionName: "withdraw",
        args: [order.assets, owner, owner, order.maxShares],
      });
    case "redeem":
      return encodeFunctionData({ abi, functionName: "redeem", args: [order.shares, owner, owner, order.minAssets] });
  }
}

type TermOrder = OrderOf<"open" | "close" | "exitEarly" | "rollover" | "autoRoll" | "draw" | "demand">;

function termCall(order: TermOrder, permit: PermitSignature | null): Hex {
  const abi = termDepositAbi;
  switch (order.action) {
    case "open": {
      const at = [BigInt(order.termId), order.assets, order.latestMaturity] as const;
      if (permit === null) return encodeFunctionData({ abi, functionName: "open", args: at });
      const { deadline, v, r, s } = permit;
      return encodeFunctionData({ abi, functionName: "openWithPermit", args: [...at, deadline, v, r, s] });
    }
    case "close":
      return encodeFunctionData({ abi, functionName: "close", args: [order.id] });
    case "exitEarly":
      return encodeFunctionData({ abi, functionName: "exitEarly", args: [order.id, order.principal, order.minOut] });
    case "rollover":
    case "autoRoll": {
      const args = [order.id, BigInt(order.termId), order.minRate, BigInt(rolls[order.roll])] as const;
      return order.action === "rollover"
        ? encodeFunctionData({ abi, functionName: "rollover", args })
        : encodeFunctionData({ abi, functionName: "setAutoRoll", args });
    }
    case "draw":
      return encodeFunctionData({ abi, functionName: "claim", args: [order.id] });
    case "demand":
      return encodeFunctionData({ abi, functionName: "demand", args: [order.id] });
  }
}

/** The approval of `amount` for the order's contract: exactly the amount that the order pays in, or 0. */
export function approvalOf(order: Order, amount: bigint): Call {
  const { asset, contract } = order.terms;
  return {
    to: asset,
    data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [contract, amount] }),
  };
}
