/**
 * The accounts of demand deposits, their queues and their depositors, from the events of the contracts. The rules are
 * those of docs/contracts.md and of the product model; formulas are in ../maths.
 */
import { type Hex, zeroAddress } from "viem";
import { DAY } from "../durations.ts";
import { paidTo } from "../maths/exit.ts";
import { acquire, carriedCost, release } from "../maths/position.ts";
import { type Pool, previewRedeem, sharePrice } from "../maths/shares.ts";
import { totalAssetsAt } from "../maths/stream.ts";
import { atTime, type Common, placeOf } from "./common.ts";
import { type AuditEvent, type EventOf, type FormerEvent, lower } from "./events.ts";
import type { MovementRow, PositionRow, RequestRow, VaultStateRow } from "./rows.ts";

type VaultEvent = EventOf<"vault"> | Extract<FormerEvent, { kind: "former_vault" }>;
type QueueEvent = EventOf<"queue">;

interface Vault {
  state: VaultStateRow;
  positions: Map<Hex, PositionRow>;
  /** Requests that are not fully processed, in the queue's order. */
  line: RequestRow[];
  /** The accounts right before the last redemption by the queue. */
  redeemedAt: Pool | null;
}

export interface DemandLedger {
  applyVault(event: VaultEvent, following: readonly AuditEvent[]): void;
  applyQueue(event: QueueEvent): void;
  vaults: ReadonlyMap<Hex, { state: VaultStateRow; positions: ReadonlyMap<Hex, PositionRow> }>;
}

/** The price of a vault's shares at `time`, Unix seconds. */
export function poolOf({ supply, settled, streaming, streamStart, streamEnd }: VaultStateRow, time: number): Pool {
  const stream = { settled, streaming, start: BigInt(streamStart), end: BigInt(streamEnd) };
  return { totalAssets: totalAssetsAt(stream, BigInt(time)), supply };
}

export function createDemandLedger({ chainId, rows, isOneAccount }: Common): DemandLedger {
  const vaults = new Map<Hex, Vault>();
  const vaultOfQueue = new Map<Hex, Hex>();

  function vaultAt(address: Hex, event: AuditEvent): Vault {
    const vault = vaults.get(address);
    if (!vault) throw new RangeError(`${event.eventName} in block ${event.block} of a vault that was never created`);
    return vault;
  }

  function set(vault: Vault, event: AuditEvent, change: Partial<VaultStateRow>) {
    vault.state = { ...vault.state, ...change, ...placeOf(chainId, event) };
    rows.vaultState.push(vault.state);
  }

  function positionOf(vault: Vault, wallet: Hex): Omit<PositionRow, "chainId" | "block" | "logIndex" | "time"> {
    return vault.positions.get(wallet) ?? { ...noPosition, wallet, product: vault.state.product };
  }

  /** Returns by how much the number of holders changes. */
  function setPosition(
    vault: Vault,
    event: AuditEvent,
    { wallet, ...change }: Partial<PositionRow> & { wallet: Hex },
  ): number {
    const before = positionOf(vault, wallet);
    const after = { ...before, ...change, ...placeOf(chainId, event) };
    after.since = after.shares > 0n ? (before.since ?? event.time) : null;
    vault.positions.set(wallet, after);
    rows.position.push(after);
    return Number(after.shares > 0n) - Number(before.shares > 0n);
  }

  function record(
    { state: { product } }: Vault,
    event: AuditEvent,
    movement: Pick<MovementRow, "wallet" | "kind" | "assets" | "shares" | "price">,
  ) {
    const receipt = { receiptId: null, newReceiptId: null, fee: 0n };
    rows.movement.push({ ...placeOf(chainId, event), product, hash: event.hash, ...receipt, ...movement });
  }

  /** Shares that come to or leave a wallet. What the queue holds belongs to the wallets that queued it. */
  function book(
    vault: Vault,
    event: AuditEvent,
    { pool, estimated = false, ...side }: Pick<MovementRow, "wallet" | "kind" | "assets" | "shares"> & Book,
  ): number {
    const { wallet, kind, shares, assets } = side;
    if (wallet === vault.state.queue) return 0;
    const position = positionOf(vault, wallet);
    const isIncoming = kind === "deposit" || kind === "transfer_in";
    const change = isIncoming ? acquire({ position, shares, assets, estimated }) : release(position, shares, assets);
    record(vault, event, { ...side, price: sharePrice(pool) });
    return setPosition(vault, event, { ...change, wallet });
  }

  function create(event: VaultEvent & { eventName: "VaultCreated" }) {
    const { vestingTime, maxRate, maxReportAge, asOf } = event.args;
    const start = atTime(asOf);
    const state = {
      ...blankVault,
      ...placeOf(chainId, event),
      product: event.address,
      streamStart: start,
      streamEnd: start + atTime(vestingTime),
      reportAsOf: start,
      vestingTime: atTime(vestingTime),
      maxReportAge: atTime(maxReportAge),
      maxRate,
    };
    const vault = { state, positions: new Map(), line: [], redeemedAt: null };
    vaults.set(event.address, vault);
    set(vault, event, {});
  }

  function deposit(vault: Vault, event: VaultEvent & { eventName: "Deposit" }) {
    const { supply, settled, deposited, holders } = vault.state;
    const { owner, assets, shares } = event.args;
    const pool = poolOf(vault.state, event.time);
    const more = book(vault, event, { wallet: lower(owner), kind: "deposit", shares, assets, pool });
    set(vault, event, {
      supply: supply + shares,
      settled: settled + assets,
      deposited: deposited + assets,
      holders: holders + more,
    });
  }

  function withdraw(vault: Vault, event: VaultEvent & { eventName: "Withdraw" }) {
    const { supply, settled, withdrawn, holders, queue, queued } = vault.state;
    const { assets, shares } = event.args;
    const wallet = lower(event.args.owner);
    const pool = poolOf(vault.state, event.time);
    if (wallet === queue) vault.redeemedAt = pool;
    const more = book(vault, event, { wallet, kind: "withdraw", shares, assets, pool });
    set(vault, event, {
      supply: supply - shares,
      settled: settled - assets,
      withdrawn: withdrawn + assets,
      holders: holders + more,
      queued: wallet === queue ? queued - shares : queued,
    });
  }

  function transfer(vault: Vault, event: VaultEvent & { eventName: "Transfer" }, following: readonly AuditEvent[]) {
    const shares = event.args.value;
    const [from, to] = [lower(event.args.from), lower(event.args.to)];
    const { state } = vault;
    if (shares === 0n || from === to) return;
    const next = following.find(({ address }) => address === event.address);
    if (isExplained({ from, to, shares }, next)) return;
    const isRequest =
      state.queue !== null && to === state.queue && isRequestOf({ from, shares }, state.queue, following);
    if (isRequest) return set(vault, event, { queued: state.queued + shares });

    const [minted, burned] = [from === zeroAddress, to === zeroAddress];
    const supply = state.supply + (minted ? shares : 0n) - (burned ? shares : 0n);
    const pool = poolOf(minted ? { ...state, supply } : state, event.time);
    const giver = positionOf(vault, from);
    const isRecovery = next?.kind === "vault" && next.eventName === "SharesRecovered" && isFromTo(next.args, from, to);
    const keepsCost = isRecovery || isOneAccount(from, to);
    const assets = keepsCost && shares <= giver.shares ? carriedCost(giver, shares) : previewRedeem(shares, pool);
    const estimated = !keepsCost || giver.costEstimated;
    let { holders } = state;
    if (!minted) holders += book(vault, event, { wallet: from, kind: "transfer_out", shares, assets, pool });
    if (!burned) holders += book(vault, event, { wallet: to, kind: "transfer_in", shares, assets, pool, estimated });
    const queued = state.queued + (to === state.queue ? shares : 0n) - (from === state.queue ? shares : 0n);
    if (supply !== state.supply || holders !== state.holders || queued !== state.queued)
      set(vault, event, { supply, holders, queued });
  }

  function report(vault: Vault, event: VaultEvent & { eventName: "Reported" }) {
    const { delta, asOf, evidenceRoot, settled, streaming, streamStart, streamEnd } = event.args;
    const { state } = vault;
    rows.report.push({
      ...placeOf(chainId, event),
      product: state.product,
      hash: event.hash,
      delta,
      asOf: atTime(asOf),
      evidenceRoot,
    });
    const isPriceLowered = delta < 0n && settled < poolOf(state, event.time).totalAssets;
    set(vault, event, {
      settled,
      streaming,
      streamStart: atTime(streamStart),
      streamEnd: atTime(streamEnd),
      reportAsOf: atTime(asOf),
      reportTime: event.time,
      deployed: delta < 0n ? state.deployed + delta : state.deployed,
      // The contract closes deposits for a day after a loss that lowers the price.
      lossUntil: isPriceLowered ? event.time + DAY : state.lossUntil,
    });
  }

  /** A loss that was given back, in whole or in part. */
  function giveBack(
    vault: Vault,
    event: VaultEvent & { eventName: "LossTakenBack" | "LossRestored" },
    change: Partial<VaultStateRow>,
  ) {
    const { assets, settled, streaming, streamStart, streamEnd } = event.args;
    set(vault, event, {
      settled,
      streaming,
      streamStart: atTime(streamStart),
      streamEnd: atTime(streamEnd),
      deployed: vault.state.deployed + assets,
      ...change,
    });
  }

  function setQueue(vault: Vault, event: VaultEvent & { eventName: "QueueSet" }) {
    const queue = lower(event.args.queue);
    if (!vaultOfQueue.has(queue)) vaultOfQueue.set(queue, event.address);
    set(vault, event, { queue });
  }

  function setTerms(vault: Vault, event: VaultEvent) {
    const { state } = vault;
    switch (event.eventName) {
      case "LossReviewed":
        return set(vault, event, { lossUntil: atTime(event.args.until), reviewUntil: atTime(event.args.until) });
      case "LossConfirmed":
        return set(vault, event, { reviewUntil: 0 });
      case "EvidenceRenewed":
        return set(vault, event, { evidenceUntil: atTime(event.args.until) });
      case "Deployed":
        return set(vault, event, { deployed: state.deployed + event.args.assets });
      case "Repaid":
        return set(vault, event, { deployed: state.deployed - event.args.assets });
      case "CustodianChanged": {
        const custodian = lower(event.args.custodian);
        return set(vault, event, {
          custodian: custodian === zeroAddress ? null : custodian,
          buffer: event.args.buffer,
        });
      }
      case "TreasuryChanged":
        return set(vault, event, { fee: event.args.fee });
      case "FeeTaken":
        return set(vault, event, { feesTaken: state.feesTaken + event.args.assets });
      case "CapChanged":
        return set(vault, event, { cap: event.args.cap });
      case "MinDepositChanged":
        return set(vault, event, { minDeposit: event.args.minDeposit });
      case "PausedUntil":
        return set(vault, event, { pausedUntil: atTime(event.args.until) });
    }
  }

  function request(vault: Vault, event: QueueEvent & { eventName: "RedeemRequest" }) {
    const { shares } = event.args;
    const wallet = lower(event.args.owner);
    const { product, requested } = vault.state;
    const place = placeOf(chainId, event);
    const entry = { product, wallet, start: requested, shares, requestedAt: event.time, payableFrom: null };
    const row = { ...place, ...entry, hash: event.hash };
    rows.withdrawalRequest.push(row);
    vault.line.push(row);
    const pool = poolOf(vault.state, event.time);
    const assets = previewRedeem(shares, pool);
    record(vault, event, { wallet, kind: "request", assets, shares, price: sharePrice(pool) });
    setPosition(vault, event, { wallet, pending: positionOf(vault, wallet).pending + shares });
    set(vault, event, { requested: requested + shares });
  }

  function processBatch(vault: Vault, event: QueueEvent & { eventName: "Processed" }) {
    const { batch: number, shares, assets } = event.args;
    const { product, processed, setAside } = vault.state;
    if (vault.redeemedAt === null) throw new RangeError(`Batch ${number} of ${product} redeemed nothing`);
    const end = processed + shares;
    rows.queueBatch.push({
      ...placeOf(chainId, event),
      product,
      hash: event.hash,
      number: Number(number),
      shares,
      assets,
      end,
    });
    let { holders } = vault.state;
    for (const [wallet, paid] of sharesOfBatch(vault.line, processed, { shares, assets })) {
      const before = positionOf(vault, wallet);
      const { totalOut: _, ...sold } = release(before, paid.shares, paid.assets);
      holders += setPosition(vault, event, {
        ...sold,
        wallet,
        pending: before.pending - paid.shares,
        claimable: before.claimable + paid.assets,
        claimableShares: before.claimableShares + paid.shares,
      });
      record(vault, event, { wallet, kind: "processed", ...paid, price: sharePrice(vault.redeemedAt) });
    }
    vault.line = vault.line.filter((one) => one.start + one.shares > end);
    set(vault, event, { processed: end, setAside: setAside + assets, holders });
  }

  function makePayable(vault: Vault, event: QueueEvent & { eventName: "PayableFrom" }) {
    const { shares: covered, time } = event.args;
    vault.line = vault.line.map((one) => {
      if (one.payableFrom !== null || one.start + one.shares > covered) return one;
      const row = { ...one, ...placeOf(chainId, event), payableFrom: atTime(time) };
      rows.withdrawalRequest.push(row);
      return row;
    });
    set(vault, event, { eligible: covered });
  }

  function claim(vault: Vault, event: QueueEvent & { eventName: "Withdraw" }) {
    const { assets, shares } = event.args;
    const wallet = lower(event.args.owner);
    const before = positionOf(vault, wallet);
    if (assets > before.claimable || shares > before.claimableShares)
      throw new RangeError(`${wallet} claims ${assets} of ${before.claimable} that are set aside for it`);
    setPosition(vault, event, {
      wallet,
      claimable: before.claimable - assets,
      claimableShares: before.claimableShares - shares,
      totalOut: before.totalOut + assets,
    });
    record(vault, event, { wallet, kind: "claim", assets, shares, price: null });
    set(vault, event, { claimed: vault.state.claimed + assets });
  }

  /** Everything a retired wallet has in the queue goes to its successor, with its cost. */
  function recoverPlaces(vault: Vault, event: QueueEvent & { eventName: "PlacesRecovered" }) {
    const [from, to] = [lower(event.args.from), lower(event.args.to)];
    vault.line = vault.line.map((one) => {
      if (one.wallet !== from) return one;
      const row = { ...one, ...placeOf(chainId, event), wallet: to };
      rows.withdrawalRequest.push(row);
      return row;
    });
    const [giver, taker] = [positionOf(vault, from), positionOf(vault, to)];
    const { pending: shares, claimable, claimableShares } = giver;
    const cost = carriedCost(giver, shares);
    const assets = cost + claimable;
    const price = sharePrice(poolOf(vault.state, event.time));
    const left = setPosition(vault, event, {
      wallet: from,
      pending: 0n,
      claimable: 0n,
      claimableShares: 0n,
      shares: giver.shares - shares,
      cost: giver.cost - cost,
      totalOut: giver.totalOut + assets,
      costEstimated: giver.costEstimated && giver.shares > shares,
    });
    const came = setPosition(vault, event, {
      wallet: to,
      pending: taker.pending + shares,
      claimable: taker.claimable + claimable,
      claimableShares: taker.claimableShares + claimableShares,
      shares: taker.shares + shares,
      cost: taker.cost + cost,
      totalIn: taker.totalIn + assets,
      costEstimated: taker.costEstimated || (giver.costEstimated && shares > 0n),
    });
    record(vault, event, { wallet: from, kind: "transfer_out", assets, shares, price });
    record(vault, event, { wallet: to, kind: "transfer_in", assets, shares, price });
    set(vault, event, { holders: vault.state.holders + left + came });
  }

  return {
    vaults,
    applyVault(event, following) {
      if (event.eventName === "VaultCreated") return create(event);
      const vault = vaultAt(event.address, event);
      if (event.kind === "former_vault")
        // Under the former rules a loss taken back ended every closure of deposits.
        return giveBack(
          vault,
          { ...event, kind: "vault", args: { ...event.args, lossUntil: 0n } },
          {
            lossUntil: 0,
            reviewUntil: 0,
          },
        );
      switch (event.eventName) {
        case "Deposit":
          return deposit(vault, event);
        case "Withdraw":
          return withdraw(vault, event);
        case "Transfer":
          return transfer(vault, event, following);
        case "Reported":
          return report(vault, event);
        case "LossTakenBack":
          return giveBack(vault, event, { lossUntil: atTime(event.args.lossUntil), reviewUntil: 0 });
        case "LossRestored":
          return giveBack(vault, event, {});
        case "QueueSet":
          return setQueue(vault, event);
        default:
          return setTerms(vault, event);
      }
    },
    applyQueue(event) {
      const product = vaultOfQueue.get(event.address);
      if (product === undefined) return;
      const vault = vaultAt(product, event);
      switch (event.eventName) {
        case "RedeemRequest":
          return request(vault, event);
        case "Processed":
          return processBatch(vault, event);
        case "PayableFrom":
          return makePayable(vault, event);
        case "Withdraw":
          return claim(vault, event);
        case "PlacesRecovered":
          return recoverPlaces(vault, event);
      }
    },
  };
}

interface Book {
  pool: Pool;
  /** The assets are a value at the time of a transfer, not a cost. */
  estimated?: boolean;
}

const noPosition = {
  shares: 0n,
  pending: 0n,
  claimable: 0n,
  claimableShares: 0n,
  receipts: 0,
  cost: 0n,
  realised: 0n,
  interest: 0n,
  totalIn: 0n,
  totalOut: 0n,
  costEstimated: false,
  since: null,
};

const blankVault = {
  supply: 0n,
  settled: 0n,
  streaming: 0n,
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
  cap: 0n,
  minDeposit: 0n,
  pausedUntil: 0,
  lossUntil: 0,
  reviewUntil: 0,
  evidenceUntil: 0,
  reportTime: null,
  deposited: 0n,
  withdrawn: 0n,
  holders: 0,
};

/** Whether a mint or burn belongs to the deposit or withdrawal that the contract reports right after it. */
function isExplained(
  { from, to, shares }: { from: Hex; to: Hex; shares: bigint },
  next: AuditEvent | undefined,
): boolean {
  if (next?.kind !== "vault") return false;
  if (next.eventName === "Deposit")
    return from === zeroAddress && lower(next.args.owner) === to && next.args.shares === shares;
  if (next.eventName === "Withdraw")
    return to === zeroAddress && lower(next.args.owner) === from && next.args.shares === shares;
  return false;
}

/** Whether the queue reports a request for these shares next. */
function isRequestOf(
  { from, shares }: { from: Hex; shares: bigint },
  queue: Hex,
  following: readonly AuditEvent[],
): boolean {
  const next = following.find(({ address }) => address === queue);
  return (
    next?.kind === "queue" &&
    next.eventName === "RedeemRequest" &&
    lower(next.args.owner) === from &&
    next.args.shares === shares
  );
}

function isFromTo(args: { from: Hex; to: Hex }, from: Hex, to: Hex): boolean {
  return lower(args.from) === from && lower(args.to) === to;
}

/** What a batch pays to each wallet, in the order of the queue. The batch starts at share number `from`. */
function sharesOfBatch(line: readonly RequestRow[], from: bigint, batch: { shares: bigint; assets: bigint }) {
  const paid = new Map<Hex, { shares: bigint; assets: bigint }>();
  for (const { wallet, start, shares } of line) {
    const part = paidTo({ start: start - from, shares }, [batch]);
    if (part.shares === 0n) continue;
    const sum = paid.get(wallet) ?? { shares: 0n, assets: 0n };
    paid.set(wallet, { shares: sum.shares + part.shares, assets: sum.assets + part.assets });
  }
  return paid;
}
