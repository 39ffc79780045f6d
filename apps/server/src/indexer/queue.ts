import { paidTo } from "@aqua/sdk/maths/exit";
import { carriedCost, release } from "@aqua/sdk/maths/position";
import { previewRedeem, sharePrice } from "@aqua/sdk/maths/shares";
import type { Hex } from "viem";
import type { ChainEvent } from "./decode.ts";
import { addMovement, changePosition, changeVault, type Fold, positionOf, vaultOf } from "./ledger.ts";
import { placeOf, poolAt, type WithdrawalRequest } from "./world.ts";

/**
 * Applies events of a queue. Queued shares continue to earn for the wallet, so a request only moves shares.
 * Processing sells them, and the claim pays the money.
 */
export function replayQueue(fold: Fold, event: ChainEvent) {
  const product = fold.world.queues.get(event.address);
  if (!product) throw new RangeError(`${event.name} in block ${event.block} of a queue that no vault has named`);
  switch (event.name) {
    case "RedeemRequest":
      return request(fold, event, product);
    case "Processed":
      return processed(fold, event, product);
    case "PayableFrom":
      return payable(fold, event, product);
    case "QueueClaim":
      return claim(fold, event, product);
    case "PlacesRecovered":
      return recover(fold, event, product);
  }
}

type Event<Name extends ChainEvent["name"]> = Extract<ChainEvent, { name: Name }>;

function request(fold: Fold, event: Event<"RedeemRequest">, product: Hex): void {
  const vault = vaultOf(fold, event, product);
  const { owner: wallet, shares, hash } = event;
  const request = { ...placeOf(fold.chainId, event), product, wallet, start: vault.requested, shares, hash };
  const queued = { ...request, requestedAt: event.time, payableFrom: null };
  fold.rows.withdrawalRequest.push(queued);
  requestsOf(fold, product).push(queued);
  const pool = poolAt(vault, event.time);
  const assets = previewRedeem(shares, pool);
  addMovement(fold, event, { product, wallet, kind: "request", assets, shares, price: sharePrice(pool) });
  changePosition({
    fold,
    event,
    product,
    wallet,
    change: { pending: positionOf(fold, product, wallet).pending + shares },
  });
  changeVault(fold, { event, product }, { requested: vault.requested + shares });
}

function processed(fold: Fold, event: Event<"Processed">, product: Hex): void {
  const vault = vaultOf(fold, event, product);
  const { shares, assets, batch: number, hash } = event;
  const end = vault.processed + shares;
  fold.rows.queueBatch.push({ ...placeOf(fold.chainId, event), product, hash, number, shares, assets, end });
  // The vault's own event came before this one, possibly with a report in between. The price comes from the accounts
  // at that event.
  const pool = fold.world.served.get(product);
  if (pool === undefined) throw new RangeError(`No vault redeemed the batch in block ${event.block}`);
  let { holders } = vault;
  for (const [wallet, paid] of paidByWallet(requestsOf(fold, product), vault.processed, event)) {
    const before = positionOf(fold, product, wallet);
    const { totalOut: _, ...after } = release(before, paid.shares, paid.assets);
    holders += changePosition({
      fold,
      event,
      product,
      wallet,
      change: {
        ...after,
        pending: before.pending - paid.shares,
        claimable: before.claimable + paid.assets,
        claimableShares: before.claimableShares + paid.shares,
      },
    });
    addMovement(fold, event, { product, wallet, kind: "processed", ...paid, price: sharePrice(pool) });
  }
  const requests = requestsOf(fold, product);
  const firstWaiting = requests.findIndex((request) => request.start + request.shares > end);
  requests.splice(0, firstWaiting < 0 ? requests.length : firstWaiting);
  changeVault(
    fold,
    { event, product },
    {
      processed: end,
      setAside: vault.setAside + assets,
      holders,
    },
  );
}

/** Requests that a report covers are payable from a known moment on. */
function payable(fold: Fold, event: Event<"PayableFrom">, product: Hex): void {
  const requests = requestsOf(fold, product);
  for (const [index, request] of requests.entries()) {
    if (request.payableFrom !== null || request.start + request.shares > event.shares) continue;
    const covered = { ...request, ...placeOf(fold.chainId, event), payableFrom: event.since };
    requests[index] = covered;
    fold.rows.withdrawalRequest.push(covered);
  }
  changeVault(fold, { event, product }, { eligible: event.shares });
}

/**
 * Returns the amount that a batch redeemed for each of its wallets, in queue order. The batch begins where `from`
 * shares are processed.
 */
function paidByWallet(requests: readonly WithdrawalRequest[], from: bigint, batch: { shares: bigint; assets: bigint }) {
  const paid = new Map<Hex, { shares: bigint; assets: bigint }>();
  const to = from + batch.shares;
  for (const request of requests) {
    if (request.start >= to) break;
    const start = request.start > from ? request.start : from;
    const end = request.start + request.shares < to ? request.start + request.shares : to;
    const part = paidTo({ start: start - from, shares: end - start }, [batch]);
    const sum = paid.get(request.wallet) ?? { shares: 0n, assets: 0n };
    paid.set(request.wallet, { shares: sum.shares + part.shares, assets: sum.assets + part.assets });
  }
  return paid;
}

function claim(fold: Fold, event: Event<"QueueClaim">, product: Hex): void {
  const { owner: wallet, shares, assets } = event;
  const before = positionOf(fold, product, wallet);
  if (assets > before.claimable || shares > before.claimableShares) {
    throw new RangeError(`${wallet} claims ${assets} of ${before.claimable} that are set aside for it`);
  }
  changePosition({
    fold,
    event,
    product,
    wallet,
    change: {
      claimable: before.claimable - assets,
      claimableShares: before.claimableShares - shares,
      totalOut: before.totalOut + assets,
    },
  });
  addMovement(fold, event, { product, wallet, kind: "claim", assets, shares, price: null });
  changeVault(fold, { event, product }, { claimed: vaultOf(fold, event, product).claimed + assets });
}

/** Moves everything that a retired wallet has in the queue to its successor, including its cost. */
function recover(fold: Fold, event: Event<"PlacesRecovered">, product: Hex): void {
  const { from, to } = event;
  const requests = requestsOf(fold, product);
  for (const [index, request] of requests.entries()) {
    if (request.wallet !== from) continue;
    const moved = { ...request, ...placeOf(fold.chainId, event), wallet: to };
    requests[index] = moved;
    fold.rows.withdrawalRequest.push(moved);
  }
  const giver = positionOf(fold, product, from);
  const taker = positionOf(fold, product, to);
  const { pending, claimable, claimableShares } = giver;
  const cost = carriedCost(giver, pending);
  const assets = cost + claimable;
  const vault = vaultOf(fold, event, product);
  const price = sharePrice(poolAt(vault, event.time));
  const senderHolders = changePosition({
    fold,
    event,
    product,
    wallet: from,
    change: {
      pending: 0n,
      claimable: 0n,
      claimableShares: 0n,
      shares: giver.shares - pending,
      cost: giver.cost - cost,
      totalOut: giver.totalOut + assets,
      costEstimated: giver.costEstimated && giver.shares > pending,
    },
  });
  const receiverHolders = changePosition({
    fold,
    event,
    product,
    wallet: to,
    change: {
      pending: taker.pending + pending,
      claimable: taker.claimable + claimable,
      claimableShares: taker.claimableShares + claimableShares,
      shares: taker.shares + pending,
      cost: taker.cost + cost,
      totalIn: taker.totalIn + assets,
      costEstimated: taker.costEstimated || (giver.costEstimated && pending > 0n),
    },
  });
  addMovement(fold, event, { product, wallet: from, kind: "transfer_out", assets, shares: pending, price });
  addMovement(fold, event, { product, wallet: to, kind: "transfer_in", assets, shares: pending, price });
  changeVault(fold, { event, product }, { holders: vault.holders + senderHolders + receiverHolders });
}

/** Returns the waiting requests in queue order. */
function requestsOf({ world }: Fold, product: Hex): WithdrawalRequest[] {
  const requests = world.requests.get(product) ?? [];
  world.requests.set(product, requests);
  return requests;
}
