import { DAY } from "@aqua/sdk/durations";
import { acquire, carriedCost, release } from "@aqua/sdk/maths/position";
import { type Pool, previewRedeem, sharePrice } from "@aqua/sdk/maths/shares";
import { type Hex, zeroAddress } from "viem";
import type { ChainEvent } from "./decode.ts";
import { addMovement, changePosition, changeVault, type Fold, positionOf, vaultOf } from "./ledger.ts";
import { areOneAccounts, type Movement, placeOf, poolAt } from "./world.ts";

/** Seconds for which the contract closes deposits after a loss that lowered the price. */
const LOSS_PAUSE = DAY;

/** The next event of a contract in the transaction of the current event. */
type Next = (address: Hex) => ChainEvent | undefined;

/** Applies events of a vault. */
export function replayVault(fold: Fold, event: ChainEvent, next: Next) {
  const { world, rows, chainId } = fold;
  const product = event.address;
  const vault = () => vaultOf(fold, event, product);
  const change = (to: Parameters<typeof changeVault>[2]) => changeVault(fold, { event, product }, to);
  switch (event.name) {
    case "VaultCreated": {
      const { vestingTime, maxRate, maxReportAge, asOf } = event;
      world.vaults.set(product, {
        ...placeOf(chainId, event),
        product,
        supply: 0n,
        settled: 0n,
        streaming: 0n,
        streamStart: asOf,
        streamEnd: asOf + vestingTime,
        deployed: 0n,
        queue: null,
        queued: 0n,
        requested: 0n,
        eligible: 0n,
        processed: 0n,
        setAside: 0n,
        claimed: 0n,
        custodian: null,
        buffer: 0n,
        fee: 0n,
        feesTaken: 0n,
        maxRate,
        cap: 0n,
        minDeposit: 0n,
        pausedUntil: 0,
        lossUntil: 0,
        reviewUntil: 0,
        evidenceUntil: 0,
        vestingTime,
        maxReportAge,
        reportAsOf: asOf,
        reportTime: null,
        deposited: 0n,
        withdrawn: 0n,
        holders: 0,
      });
      return change({});
    }
    case "Transfer":
      return transfer(fold, event, next);
    case "Deposit": {
      const { supply, settled, deposited, holders } = vault();
      const { shares, assets } = event;
      const grown = move({
        fold,
        event,
        wallet: event.owner,
        kind: "deposit",
        shares,
        assets,
        pool: poolAt(vault(), event.time),
      });
      return change({
        supply: supply + shares,
        settled: settled + assets,
        deposited: deposited + assets,
        holders: holders + grown,
      });
    }
    case "Withdraw": {
      const { supply, settled, withdrawn, holders, queue, queued } = vault();
      const { owner, shares, assets } = event;
      const pool = poolAt(vault(), event.time);
      if (owner === queue) world.served.set(product, pool);
      const grown = move({ fold, event, wallet: owner, kind: "withdraw", shares, assets, pool });
      return change({
        supply: supply - shares,
        settled: settled - assets,
        withdrawn: withdrawn + assets,
        holders: holders + grown,
        queued: queued - (owner === queue ? shares : 0n),
      });
    }
    case "Reported": {
      const { delta, asOf, evidenceRoot, settled, streaming, start, end, hash } = event;
      rows.report.push({ ...placeOf(chainId, event), product, hash, delta, asOf, evidenceRoot });
      const before = vault();
      // Only deployed money is ever lost.
      const deployed = before.deployed + (delta < 0n ? delta : 0n);
      const lowered = delta < 0n && settled < poolAt(before, event.time).totalAssets;
      return change({
        settled,
        streaming,
        streamStart: start,
        streamEnd: end,
        reportAsOf: asOf,
        reportTime: event.time,
        deployed,
        lossUntil: lowered ? event.time + LOSS_PAUSE : before.lossUntil,
      });
    }
    case "LossReviewed":
      return change({ lossUntil: event.until, reviewUntil: event.until });
    case "LossConfirmed":
      return change({ reviewUntil: 0 });
    case "LossTakenBack": {
      const { assets, settled, streaming, start, end, lossUntil } = event;
      const deployed = vault().deployed + assets;
      return change({ settled, streaming, streamStart: start, streamEnd: end, deployed, lossUntil, reviewUntil: 0 });
    }
    case "LossRestored": {
      const { assets, settled, streaming, start, end } = event;
      const deployed = vault().deployed + assets;
      return change({ settled, streaming, streamStart: start, streamEnd: end, deployed });
    }
    case "EvidenceRenewed":
      return change({ evidenceUntil: event.until });
    case "Deployed":
      return change({ deployed: vault().deployed + event.assets });
    case "Repaid":
      return change({ deployed: vault().deployed - event.assets });
    case "QueueSet":
      if (!world.queues.has(event.queue)) world.queues.set(event.queue, product);
      return change({ queue: event.queue });
    case "CustodianChanged": {
      const { custodian, buffer } = event;
      return change({ custodian: custodian === zeroAddress ? null : custodian, buffer });
    }
    case "TreasuryChanged":
      return change({ fee: event.fee });
    case "FeeTaken":
      return change({ feesTaken: vault().feesTaken + event.assets });
    case "CapChanged":
      return change({ cap: event.cap });
    case "MinDepositChanged":
      return change({ minDeposit: event.minDeposit });
    case "PausedUntil":
      return change({ pausedUntil: event.until });
  }
}

/**
 * Applies one side of a movement. Returns the change in the number of holders. The queue holds shares for others and
 * does not count as a holder. `estimated` means that the assets of a transfer are a value and not a cost.
 */
function move({
  fold,
  event,
  wallet,
  kind,
  shares,
  assets,
  pool,
  estimated = false,
}: {
  fold: Fold;
  event: ChainEvent;
  wallet: Hex;
  kind: Movement["kind"];
  shares: bigint;
  assets: bigint;
  pool: Pool;
  estimated?: boolean;
}): number {
  const product = event.address;
  if (wallet === vaultOf(fold, event, product).queue) return 0;
  const before = positionOf(fold, product, wallet);
  const comes = kind === "deposit" || kind === "transfer_in";
  const after = comes ? acquire({ position: before, shares, assets, estimated }) : release(before, shares, assets);
  addMovement(fold, event, { product, wallet, kind, assets, shares, price: sharePrice(pool) });
  return changePosition({ fold, event, product, wallet, change: after });
}

function transfer(fold: Fold, event: ChainEvent & { name: "Transfer" }, next: Next) {
  const { from, to, shares } = event;
  // Anyone can make a transfer of zero between any two wallets. Such a transfer is ignored so that it cannot fill
  // another wallet's history.
  if (shares === 0n || from === to) return;
  const partner = next(event.address);
  // OpenZeppelin emits mints and burns right before the deposit or withdrawal event, which carries the assets.
  if (partner?.name === "Deposit" && from === zeroAddress && partner.owner === to && partner.shares === shares) return;
  if (partner?.name === "Withdraw" && to === zeroAddress && partner.owner === from && partner.shares === shares) return;
  const vault = vaultOf(fold, event, event.address);
  // Shares in the queue still belong to the wallet. The queue's own event records the request.
  const request = to === vault.queue && vault.queue !== null ? next(vault.queue) : undefined;
  if (request?.name === "RedeemRequest" && request.owner === from && request.shares === shares) {
    return changeVault(fold, { event, product: event.address }, { queued: vault.queued + shares });
  }
  const supply = vault.supply + (from === zeroAddress ? shares : 0n) - (to === zeroAddress ? shares : 0n);
  const pool = poolAt(from === zeroAddress ? { ...vault, supply } : vault, event.time);
  // Between wallets of one account, as in a recovery, the cost moves with the shares.
  const recovered = partner?.name === "SharesRecovered" && partner.from === from && partner.to === to;
  const carried = recovered || areOneAccounts(fold.world, from, to);
  const giver = positionOf(fold, event.address, from);
  const value = carried && shares <= giver.shares ? carriedCost(giver, shares) : previewRedeem(shares, pool);
  const estimated = !carried || giver.costEstimated;
  let { holders, queued } = vault;
  if (from !== zeroAddress)
    holders += move({ fold, event, wallet: from, kind: "transfer_out", shares, assets: value, pool });
  if (to !== zeroAddress)
    holders += move({ fold, event, wallet: to, kind: "transfer_in", shares, assets: value, pool, estimated });
  if (to === vault.queue) queued += shares;
  if (from === vault.queue) queued -= shares;
  if (holders !== vault.holders || queued !== vault.queued || supply !== vault.supply)
    changeVault(fold, { event, product: event.address }, { supply, holders, queued });
}
