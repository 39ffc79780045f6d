import { acquire, emptyPosition, type Position, release } from "@aqua/sdk/maths/position";
import { type Pool, previewRedeem, sharePrice } from "@aqua/sdk/maths/shares";
import { type Hex, zeroAddress } from "viem";
import type { ChainEvent } from "./decode.ts";
import {
  type IdentityRecord,
  type Movement,
  type NewRows,
  noRows,
  noStake,
  placeOf,
  poolAt,
  positionKey,
  type VaultState,
  type World,
} from "./state.ts";
import { createTermReplay, isTermEvent } from "./terms.ts";

/**
 * Folds events, in the order of the chain, into new versions of what they change. `world` is moved along; it must hold
 * the latest version of everything that is touched, as far as there is one.
 * RangeError where the events contradict what is known: shares leave that never came, a vault that was never created.
 */
export function replay(chainId: number, world: World, events: readonly ChainEvent[]): NewRows {
  const rows = noRows();
  const place = (event: ChainEvent) => placeOf(chainId, event);

  function vaultOf(event: ChainEvent): VaultState {
    const vault = world.vaults.get(event.address);
    if (!vault) throw new RangeError(`${event.name} in block ${event.block} of a vault whose creation was not seen`);
    return vault;
  }

  function changeVault(event: ChainEvent, change: Partial<VaultState>): void {
    const next = { ...vaultOf(event), ...change, ...place(event) };
    world.vaults.set(event.address, next);
    rows.vaultState.push(next);
  }

  function changeProduct(event: ChainEvent, product: Hex, change: { status?: number; metadataHash?: Hex }): void {
    const known = world.products.get(product) ?? { status: 0, metadataHash: "0x" as Hex };
    const next = { ...known, ...change, ...place(event), product };
    world.products.set(product, next);
    rows.productState.push(next);
  }

  function changeIdentity(event: ChainEvent, wallet: Hex, change: Partial<IdentityRecord>): void {
    const known = world.identities.get(wallet);
    const blank = { subject: "0x" as Hex, validUntil: 0n, country: 0, tier: 0, revoked: false, frozen: false };
    const next = { ...(known ?? blank), ...change, ...place(event), wallet };
    world.identities.set(wallet, next);
    rows.identityRecord.push(next);
  }

  /**
   * Moves one side of a movement; answers how the number of holders changes. The queue holds shares for others and is
   * no holder. `carried` says that the assets of a transfer are the cost it brings along, not an estimate.
   */
  function move(
    event: ChainEvent,
    wallet: Hex,
    kind: Movement["kind"],
    shares: bigint,
    assets: bigint,
    pool: Pool,
    carried = false,
  ) {
    if (wallet === vaultOf(event).queue) return 0;
    const key = positionKey(event.address, wallet);
    const known = world.positions.get(key);
    const before: Position = known ?? emptyPosition;
    const estimated = kind === "transfer_in" && !carried;
    const comes = kind === "deposit" || kind === "transfer_in";
    const after = comes ? acquire(before, shares, assets, estimated) : release(before, shares, assets);
    const { cost, realised, totalIn, totalOut, costEstimated } = after;
    const next = {
      ...(known ?? noStake),
      ...place(event),
      ...{ wallet, product: event.address, shares: after.shares, cost, realised, totalIn, totalOut, costEstimated },
      since: after.shares === 0n ? null : (known?.since ?? event.time),
    };
    world.positions.set(key, next);
    rows.position.push(next);
    const price = sharePrice(pool);
    const side = { wallet, product: event.address, hash: event.hash, kind, assets, shares, price };
    rows.movement.push({ ...place(event), ...side, receiptId: null, newReceiptId: null, fee: 0n });
    return (after.shares > 0n ? 1 : 0) - (before.shares > 0n ? 1 : 0);
  }

  function transfer(event: ChainEvent & { name: "Transfer" }, partner: ChainEvent | undefined): void {
    const { from, to, shares } = event;
    // Anyone may move nothing between anyone's wallets; such a transfer is noise and must not fill a stranger's history.
    if (shares === 0n || from === to) return;
    // OpenZeppelin mints and burns right before it tells of the deposit or withdrawal, which carries the assets.
    if (partner?.name === "Deposit" && from === zeroAddress && partner.owner === to && partner.shares === shares)
      return;
    if (partner?.name === "Withdraw" && to === zeroAddress && partner.owner === from && partner.shares === shares)
      return;
    const vault = vaultOf(event);
    const supply = vault.supply + (from === zeroAddress ? shares : 0n) - (to === zeroAddress ? shares : 0n);
    const pool = poolAt(from === zeroAddress ? { ...vault, supply } : vault, event.time);
    // Recovery moves all there is from one wallet of an account to another: the cost goes along.
    const carried = partner?.name === "SharesRecovered" && partner.from === from && partner.to === to;
    const cost = world.positions.get(positionKey(event.address, from))?.cost;
    const value = carried && cost !== undefined ? cost : previewRedeem(shares, pool);
    let { holders, queued } = vault;
    if (from !== zeroAddress) holders += move(event, from, "transfer_out", shares, value, pool, carried);
    if (to !== zeroAddress) holders += move(event, to, "transfer_in", shares, value, pool, carried);
    if (to === vault.queue) queued += shares;
    if (from === vault.queue) queued -= shares;
    if (holders !== vault.holders || queued !== vault.queued || supply !== vault.supply)
      changeVault(event, { supply, holders, queued });
  }

  function apply(event: ChainEvent, partner: ChainEvent | undefined) {
    switch (event.name) {
      case "ProductListed":
        return changeProduct(event, event.product, { status: 0, metadataHash: event.metadataHash });
      case "ProductStatusChanged":
        return changeProduct(event, event.product, { status: event.status });
      case "ProductMetadataChanged":
        return changeProduct(event, event.product, { metadataHash: event.metadataHash });
      case "Bound": {
        const { wallet, subject, validUntil, country, tier } = event;
        return changeIdentity(event, wallet, { subject, validUntil, country, tier, revoked: false });
      }
      case "Renewed":
        return changeIdentity(event, event.wallet, { validUntil: event.validUntil });
      case "Revoked":
        return changeIdentity(event, event.wallet, { revoked: true });
      case "FrozenSet":
        return changeIdentity(event, event.wallet, { frozen: event.frozen });
      case "Retired":
        // A retired wallet can do as little as a frozen one, and no event ever lets it go again.
        return changeIdentity(event, event.wallet, { frozen: true });
      case "VaultCreated": {
        const { vestingTime, maxRate, maxReportAge, asOf } = event;
        world.vaults.set(event.address, {
          ...place(event),
          ...{ product: event.address, supply: 0n, settled: 0n, streaming: 0n, streamStart: asOf, streamEnd: asOf },
          ...{ deployed: 0n, queue: null, queued: 0n, requested: 0n, eligible: 0n, processed: 0n },
          ...{ setAside: 0n, claimed: 0n, custodian: null, buffer: 0n, fee: 0n, feesTaken: 0n, maxRate },
          ...{ cap: 0n, minDeposit: 0n, pausedUntil: 0, vestingTime, maxReportAge, reportAsOf: asOf, reportTime: null },
          ...{ deposited: 0n, withdrawn: 0n, holders: 0 },
        });
        return changeVault(event, {});
      }
      case "Transfer":
        return transfer(event, partner);
      case "Deposit": {
        const vault = vaultOf(event);
        const { owner, shares, assets } = event;
        const holders = vault.holders + move(event, owner, "deposit", shares, assets, poolAt(vault, event.time));
        const { supply, settled, deposited } = vault;
        return changeVault(event, {
          ...{ supply: supply + shares, settled: settled + assets, deposited: deposited + assets, holders },
        });
      }
      case "Withdraw": {
        const vault = vaultOf(event);
        const { owner, shares, assets } = event;
        const holders = vault.holders + move(event, owner, "withdraw", shares, assets, poolAt(vault, event.time));
        const { supply, settled, withdrawn } = vault;
        const queued = vault.queued - (owner === vault.queue ? shares : 0n);
        return changeVault(event, {
          ...{ supply: supply - shares, settled: settled - assets, withdrawn: withdrawn + assets, holders, queued },
        });
      }
      case "Reported": {
        const { delta, asOf, evidenceRoot, settled, streaming, start, end, hash } = event;
        rows.report.push({ ...place(event), product: event.address, hash, delta, asOf, evidenceRoot });
        const stream = { settled, streaming, streamStart: start, streamEnd: end };
        // Only deployed money is ever lost.
        const deployed = vaultOf(event).deployed + (delta < 0n ? delta : 0n);
        return changeVault(event, { ...stream, deployed, reportAsOf: asOf, reportTime: event.time });
      }
      case "Deployed":
        return changeVault(event, { deployed: vaultOf(event).deployed + event.assets });
      case "Repaid":
        return changeVault(event, { deployed: vaultOf(event).deployed - event.assets });
      case "QueueSet":
        return changeVault(event, { queue: event.queue });
      case "CustodianChanged":
        return changeVault(event, { custodian: event.custodian, buffer: event.buffer });
      case "TreasuryChanged":
        return changeVault(event, { fee: event.fee });
      case "FeeTaken":
        return changeVault(event, { feesTaken: vaultOf(event).feesTaken + event.assets });
      case "SharesRecovered":
        // Its Transfer comes right before and tells everything else.
        return;
      case "CapChanged":
        return changeVault(event, { cap: event.cap });
      case "MinDepositChanged":
        return changeVault(event, { minDeposit: event.minDeposit });
      case "PausedUntil":
        return changeVault(event, { pausedUntil: event.until });
    }
  }

  /** The contract's later events in the same transaction. */
  function* laterOf(index: number): Generator<ChainEvent> {
    const event = events[index];
    for (let i = index + 1; events[i]?.hash === event?.hash; i += 1) {
      const later = events[i];
      if (later && later.address === event?.address) yield later;
    }
  }

  const applyTerm = createTermReplay(chainId, world, rows);
  events.forEach((event, index) => {
    if (isTermEvent(event)) applyTerm(event, laterOf(index));
    else apply(event, event.name === "Transfer" ? laterOf(index).next().value : undefined);
  });
  return rows;
}
