import { mulDivFloor } from "./units.ts";

/** A wallet's position in a demand product after one event, at `block` and `logIndex`. */
export interface PositionVersion {
  wallet: string;
  block: number;
  logIndex: number;
  shares: bigint;
  cost: bigint;
  realised: bigint;
  costEstimated: boolean;
}

export interface CarriedCost {
  shares: bigint;
  cost: bigint;
  realised: bigint;
  costEstimated: boolean;
}

const nothing: CarriedCost = { shares: 0n, cost: 0n, realised: 0n, costEstimated: false };

/**
 * The positions of several wallets of one person in one product. A transfer between them carries its cost along and
 * realises nothing. `versions` are those of all these wallets, in chain order. Σ (realised − cost), and therefore their
 * profit, is the same as without carrying.
 * @example carriedCosts([{ wallet: "0xa", block: 1, logIndex: 0, shares: 10n, cost: 100n, realised: 0n, costEstimated: false }]).get("0xa") // { shares: 10n, cost: 100n, realised: 0n, costEstimated: false }
 */
export function carriedCosts(versions: readonly PositionVersion[]): Map<string, CarriedCost> {
  const plain = new Map<string, CarriedCost>();
  const carried = new Map<string, CarriedCost>();
  for (let i = 0; i < versions.length; ) {
    const first = versions[i] as PositionVersion;
    const event = [];
    for (; versions[i]?.block === first.block && versions[i]?.logIndex === first.logIndex; i += 1)
      event.push(versions[i] as PositionVersion);
    const changes = event.map((after) => ({ after, before: plain.get(after.wallet) ?? nothing }));
    for (const { after } of changes) plain.set(after.wallet, after);
    const sent = changes.find(({ after, before }) => after.shares < before.shares);
    const got = changes.find(({ after, before }) => after.shares > before.shares);
    if (sent && got) {
      carry({
        positions: carried,
        from: sent.after.wallet,
        to: got.after.wallet,
        shares: sent.before.shares - sent.after.shares,
      });
      continue;
    }
    for (const { after, before } of changes)
      carried.set(after.wallet, changed(carried.get(after.wallet), before, after));
  }
  return carried;
}

function carry({
  positions,
  from,
  to,
  shares,
}: {
  positions: Map<string, CarriedCost>;
  from: string;
  to: string;
  shares: bigint;
}): void {
  const sender = positions.get(from) ?? nothing;
  const receiver = positions.get(to) ?? nothing;
  const cost = released(sender, shares);
  const rest = sender.shares - shares;
  positions.set(from, {
    shares: rest,
    cost: sender.cost - cost,
    realised: sender.realised,
    costEstimated: rest > 0n && sender.costEstimated,
  });
  positions.set(to, {
    shares: receiver.shares + shares,
    cost: receiver.cost + cost,
    realised: receiver.realised,
    costEstimated: receiver.costEstimated || sender.costEstimated,
  });
}

/** Applies the change from `before` to `after` to another cost. */
function changed(position: CarriedCost | undefined, before: CarriedCost, after: CarriedCost): CarriedCost {
  const known = position ?? nothing;
  if (after.shares >= before.shares) {
    return {
      shares: after.shares,
      cost: known.cost + after.cost - before.cost,
      realised: known.realised + after.realised - before.realised,
      costEstimated: known.costEstimated || (after.costEstimated && !before.costEstimated),
    };
  }
  // The proceeds of the removed shares: their cost and the profit realised beyond it.
  const fetched = after.realised - before.realised + before.cost - after.cost;
  const cost = released(known, before.shares - after.shares);
  return {
    shares: after.shares,
    cost: known.cost - cost,
    realised: known.realised + fetched - cost,
    costEstimated: after.shares > 0n && known.costEstimated,
  };
}

function released(position: CarriedCost, shares: bigint): bigint {
  return shares === position.shares ? position.cost : mulDivFloor(position.cost, shares, position.shares);
}
