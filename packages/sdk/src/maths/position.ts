import { mulDivFloor } from "./units.ts";

/**
 * One wallet's position in one demand product, by the average-cost method (product-model, "A wallet"). All amounts in
 * smallest units. Invariant: cost = totalIn − Σ cost released, hence realised + (value − cost) = value + totalOut −
 * totalIn, exactly.
 * @example const position = { shares: 10n, cost: 100n, realised: 0n, totalIn: 100n, totalOut: 0n, costEstimated: false }
 */
export interface Position {
  shares: bigint;
  /** Cost of the shares that are still held. */
  cost: bigint;
  realised: bigint;
  totalIn: bigint;
  totalOut: bigint;
  /** True if part of the cost is an estimate, namely the value of shares at the time they were transferred in. */
  costEstimated: boolean;
}

export const emptyPosition: Position = {
  shares: 0n,
  cost: 0n,
  realised: 0n,
  totalIn: 0n,
  totalOut: 0n,
  costEstimated: false,
};

/**
 * Adds `shares` for `assets`: a deposit, or a transfer in at its value (then `estimated`).
 * @example acquire({ position: emptyPosition, shares: 10n, assets: 100n }) // position
 */
export function acquire({
  position,
  shares,
  assets,
  estimated = false,
}: {
  position: Position;
  shares: bigint;
  assets: bigint;
  estimated?: boolean;
}): Position {
  return {
    ...position,
    shares: position.shares + shares,
    cost: position.cost + assets,
    totalIn: position.totalIn + assets,
    costEstimated: position.costEstimated || estimated,
  };
}

/**
 * The cost of `part` of the shares: ⌊C·s/Q⌋, or all of C with the last share.
 * @example carriedCost({ shares: 10n, cost: 100n }, 5n) // 50n
 */
export function carriedCost({ cost, shares }: { cost: bigint; shares: bigint }, part: bigint): bigint {
  return part === shares ? cost : mulDivFloor(cost, part, shares);
}

/**
 * Removes `shares` for `assets`: c = ⌊C·s/Q⌋ (all of C with the last share), realised += out − c. RangeError if s > Q.
 * @example release(position, 5n, 80n) // { shares: 5n, cost: 50n, realised: 30n, totalIn: 100n, totalOut: 80n, costEstimated: false }
 */
export function release(position: Position, shares: bigint, assets: bigint): Position {
  if (shares > position.shares) throw new RangeError(`Cannot release ${shares} of ${position.shares} shares`);
  const rest = position.shares - shares;
  const cost = carriedCost(position, shares);
  return {
    shares: rest,
    cost: position.cost - cost,
    realised: position.realised + assets - cost,
    totalIn: position.totalIn,
    totalOut: position.totalOut + assets,
    costEstimated: rest > 0n && position.costEstimated,
  };
}

export interface Profit {
  realised: bigint;
  unrealised: bigint;
  /** realised + unrealised = value + totalOut − totalIn. */
  total: bigint;
}

/**
 * Profit of a position whose shares are now worth `value`.
 * @example profitOf(position, 130n) // { realised: 0n, unrealised: 30n, total: 30n }
 */
export function profitOf(position: Position, value: bigint): Profit {
  const unrealised = value - position.cost;
  return { realised: position.realised, unrealised, total: position.realised + unrealised };
}
