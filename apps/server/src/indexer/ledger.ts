import type { Hex } from "viem";
import type { ChainEvent } from "./decode.ts";
import {
  emptyQueueFigures,
  type Movement,
  type NewRows,
  type PositionState,
  placeOf,
  positionKey,
  type VaultState,
  type World,
} from "./world.ts";

/** A fold of events. It mutates `world` and appends every new version to `rows`. */
export interface Fold {
  chainId: number;
  world: World;
  rows: NewRows;
}

/** Throws RangeError if the creation of the product was not seen. */
export function vaultOf({ world }: Fold, event: ChainEvent, product: Hex): VaultState {
  const vault = world.vaults.get(product);
  if (!vault) throw new RangeError(`${event.name} in block ${event.block} of a vault whose creation was not seen`);
  return vault;
}

export function changeVault(
  fold: Fold,
  { event, product }: { event: ChainEvent; product: Hex },
  change: Partial<VaultState>,
): void {
  const next = { ...vaultOf(fold, event, product), ...change, ...placeOf(fold.chainId, event) };
  fold.world.vaults.set(product, next);
  fold.rows.vaultState.push(next);
}

const nothing = {
  ...emptyQueueFigures,
  shares: 0n,
  cost: 0n,
  realised: 0n,
  totalIn: 0n,
  totalOut: 0n,
  costEstimated: false,
  since: null,
};

/** Returns the position of a wallet in a product. All fields are zero before its first event. */
export function positionOf(
  fold: Fold,
  product: Hex,
  wallet: Hex,
): Omit<PositionState, "chainId" | "block" | "logIndex" | "time"> {
  return fold.world.positions.get(positionKey(product, wallet)) ?? { ...nothing, wallet, product };
}

/** Returns the change in the number of holders. */
export function changePosition({
  fold,
  event,
  product,
  wallet,
  change,
}: {
  fold: Fold;
  event: ChainEvent;
  product: Hex;
  wallet: Hex;
  change: Partial<PositionState>;
}): number {
  const before = positionOf(fold, product, wallet);
  const after = { ...before, ...change, ...placeOf(fold.chainId, event) };
  after.since = after.shares === 0n ? null : (before.since ?? event.time);
  fold.world.positions.set(positionKey(product, wallet), after);
  fold.rows.position.push(after);
  return (after.shares > 0n ? 1 : 0) - (before.shares > 0n ? 1 : 0);
}

export function addMovement(
  fold: Fold,
  event: ChainEvent,
  movement: Pick<Movement, "product" | "wallet" | "kind" | "assets" | "shares" | "price">,
): void {
  const none = { receiptId: null, newReceiptId: null, fee: 0n };
  fold.rows.movement.push({ ...placeOf(fold.chainId, event), ...movement, hash: event.hash, ...none });
}
