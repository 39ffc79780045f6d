import type { Move, MoveOrder, MovePosition } from "../chain/move.ts";
import type { Orders } from "../chain/perform.ts";
import type { Position } from "../chain/position.ts";
import type { ProductTerms } from "../chain/product-terms.ts";
import type { TermPosition } from "../chain/term-position.ts";
import type { Veto } from "../chain/veto.ts";
import type { ActionStage, Report } from "../lifecycle/stages.ts";
import { islandControls } from "./island.ts";

/**
 * Chain operations for features. Each loads the wallet code first, so a visitor without a wallet downloads none of it.
 */

export async function readPosition(terms: ProductTerms, account: `0x${string}`): Promise<Position> {
  return (await import("../chain/position.ts")).readPosition(terms, account);
}

export async function readTermPosition(
  terms: ProductTerms,
  account: `0x${string}`,
  wanted: { terms: readonly number[]; receipt: bigint | null },
): Promise<TermPosition> {
  return (await import("../chain/term-position.ts")).readTermPosition(terms, account, wanted);
}

export async function perform(orders: Orders, scope: string, report: Report): Promise<ActionStage> {
  return (await import("../chain/perform.ts")).perform(orders, scope, report);
}

export async function estimateGas(orders: Orders): Promise<bigint | null> {
  return (await import("../chain/perform.ts")).estimateGas(orders);
}

export async function readMove(move: Move): Promise<MovePosition> {
  return (await import("../chain/move.ts")).readMove(move);
}

/** The successor of `address` on a chain; null while it has none. */
export async function readSuccessor(
  chainId: number,
  registry: `0x${string}`,
  address: `0x${string}`,
): Promise<`0x${string}` | null> {
  return (await import("../chain/move.ts")).readSuccessor(chainId, registry, address);
}

export async function performMove(order: MoveOrder, scope: string, report: Report): Promise<ActionStage> {
  return (await import("../chain/move.ts")).performMove(order, scope, report);
}

export async function performVeto(veto: Veto, scope: string, report: Report): Promise<ActionStage> {
  return (await import("../chain/veto.ts")).performVeto(veto, scope, report);
}

/** Has the connected wallet sign a text. Throws the wallet's error, also for a rejection. */
export async function signText(account: `0x${string}`, message: string): Promise<`0x${string}`> {
  await islandControls();
  return (await import("../chain/sign-text.ts")).signText(account, message);
}

/** Has the wallet switch to `chainId`. Throws the wallet's error, also for a rejection. */
export async function switchChain(chainId: number): Promise<void> {
  await (await islandControls()).switchChain(chainId);
}

/** Waits until `hash` is in a block. Throws when it failed or after 300 s. */
export async function waitForSuccess(chainId: number, hash: `0x${string}`): Promise<void> {
  return (await import("../chain/receipt.ts")).waitForSuccess(chainId, hash);
}
