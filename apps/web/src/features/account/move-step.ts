import type { Holding } from "@aqua/sdk/api/portfolio";
import type { ProductDetail } from "@aqua/sdk/api/product";
import type { MovePosition, Position } from "@aqua/sdk/chain/wallet-move";
import type { Wallet } from "../../wallet/store.ts";
import { isZero } from "../decimal.ts";
import type { StoredSwitch } from "../wallet-dialog/stored-switch.ts";

type Hex = `0x${string}`;

/**
 * The condition that the visitor must meet before the step. `other`: a different wallet than the required one is
 * connected.
 */
export type Need = "connect" | "other" | "network" | null;

/** The state of a switch from one wallet to another, and its next step. */
export type MoveStep =
  | { step: "reading" | "unreachable" | "unknown" | "wait" | "unverified" | "gone" | "done" }
  | { step: "frozen"; wallet: Hex }
  /** `expired` is the time at which the previous signature expired. */
  | { step: "sign"; need: Need; expired: number | null }
  | { step: "send"; need: Need; storedSwitch: StoredSwitch }
  /** The wallet has been replaced. Anyone may transfer its remaining holdings. */
  | { step: "bring"; need: Need; successor: Hex };

interface MoveCase {
  position: MovePosition | "error" | null;
  /** True if the account's identity check is valid. */
  verified: boolean;
  storedSwitch: StoredSwitch | null;
  wallet: Wallet;
  from: Hex;
  to: Hex;
  chainId: number;
  /** Unix milliseconds. */
  now: number;
}

export function moveStep({ position, verified, storedSwitch, wallet, from, to, chainId, now }: MoveCase): MoveStep {
  const need = (wanted: Hex | null, onChain: boolean): Need => {
    if (wallet.address === null) return "connect";
    if (wanted !== null && wallet.address.toLowerCase() !== wanted.toLowerCase()) return "other";
    return onChain && wallet.chainId !== chainId ? "network" : null;
  };
  if (position === null) return { step: "reading" };
  if (position === "error") return { step: "unreachable" };
  const { successor } = position;
  if (successor !== null)
    return position.left.length === 0 ? { step: "done" } : { step: "bring", need: need(null, true), successor };
  if (position.from === "none") return { step: "unknown" };
  if (position.from === "frozen") return { step: "frozen", wallet: from };
  if (position.to === "frozen") return { step: "frozen", wallet: to };
  if (position.to === "retired") return { step: "gone" };
  // Checked before asking for a signature, because the signature would expire while the visitor waits for the record.
  if (position.to !== "verified") return { step: verified ? "wait" : "unverified" };
  if (storedSwitch === null || storedSwitch.expires <= now)
    return { step: "sign", need: need(to, false), expired: storedSwitch?.expires ?? null };
  return { step: "send", need: need(from, true), storedSwitch };
}

/** The wallet's positions in the contracts of these products, derived from the server's list of its holdings. */
export function positionsOf(holdings: readonly Holding[], products: readonly ProductDetail[]): Position[] {
  return products.flatMap((product): Position[] => {
    const own = holdings.filter((holding) => holding.short_id === product.short_id);
    const of = { shortId: product.short_id, product: product.name };
    const contract = product.contract as Hex;
    const hasAny = (pick: (holding: Holding) => string | null) => own.some((holding) => !isZero(pick(holding) ?? "0"));
    if (product.type === "time_deposit") {
      const ids = own.flatMap(({ deposit_id }) => (deposit_id === null ? [] : [BigInt(deposit_id)]));
      return ids.length === 0 ? [] : [{ ...of, contract, what: "receipts", ids }];
    }
    const queue = product.vault.queue?.address as Hex | undefined;
    const waits = hasAny((holding) => holding.pending_shares) || hasAny((holding) => holding.claimable);
    return [
      ...(hasAny((holding) => holding.shares) ? [{ ...of, contract, what: "shares" } as const] : []),
      ...(queue !== undefined && waits ? [{ ...of, contract: queue, what: "places" } as const] : []),
    ];
  });
}
