import { type Address, type Log, parseEventLogs, zeroAddress } from "viem";
import { demandVaultAbi } from "../abi/DemandVault.ts";
import { redemptionQueueAbi } from "../abi/RedemptionQueue.ts";
import { termDepositAbi } from "../abi/TermDeposit.ts";
import type { TransactionKind } from "../api/portfolio.ts";

/** The contracts that emit a product's events. */
export interface Emitters {
  type: "demand_deposit" | "time_deposit";
  contract: Address;
  queue: Address | null;
}

/**
 * A line that a statement must contain because of one chain event. Amounts in smallest units; null if the event does
 * not contain them.
 */
export interface ChainLine {
  event: string;
  logIndex: number;
  kind: TransactionKind;
  /** Lower case. Always null for `processed`, because the queue pays all requests at its head together. */
  wallet: string | null;
  depositId: string | null;
  assets: bigint | null;
  shares: bigint | null;
  /** The principal that an early exit took out of a receipt; null for all other lines. */
  principal: bigint | null;
}

/**
 * The statement lines of a product that result from the events of one transaction, in chain order. The rules are the
 * server's.
 */
export function linesOf(logs: readonly Log[], { type, contract, queue }: Emitters): ChainLine[] {
  const from = (address: Address | null) => logs.filter((log) => isSame(log.address, address));
  if (type === "time_deposit") return termLines(from(contract));
  return vaultLines(from(contract), from(queue), queue);
}

function isSame(one: Address, other: Address | null): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}

type Event = { eventName: string; logIndex: number | null };

function line(
  { eventName: event, logIndex }: Event,
  { wallet, ...parts }: Pick<ChainLine, "kind"> & Partial<ChainLine>,
): ChainLine {
  const owner = wallet?.toLowerCase() ?? null;
  const absent = { depositId: null, assets: null, shares: null, principal: null };
  return { event, logIndex: logIndex ?? -1, ...absent, ...parts, wallet: owner };
}

const inOrder = (a: Event, b: Event) => (a.logIndex ?? 0) - (b.logIndex ?? 0);

function vaultEvents(logs: Log[]) {
  return parseEventLogs({ abi: demandVaultAbi, eventName: ["Transfer", "Deposit", "Withdraw"], logs }).sort(inOrder);
}
function queueEvents(logs: Log[]) {
  const eventName = ["RedeemRequest", "Processed", "Withdraw", "PlacesRecovered"] as const;
  return parseEventLogs({ abi: redemptionQueueAbi, eventName: [...eventName], logs }).sort(inOrder);
}
type VaultEvent = ReturnType<typeof vaultEvents>[number];
type QueueEvent = ReturnType<typeof queueEvents>[number];

function vaultLines(ownLogs: Log[], queueLogs: Log[], queue: Address | null): ChainLine[] {
  const own = vaultEvents(ownLogs);
  const queued = queueEvents(queueLogs);
  const lines = [
    ...own.flatMap((event) =>
      event.eventName === "Transfer" ? transferLines({ event, own, queued, queue }) : [movementLine(event)],
    ),
    ...queued.flatMap(queueLines),
  ];
  // The queue holds shares on behalf of others, so it has no statement of its own.
  return lines
    .filter(({ wallet }) => wallet === null || wallet !== queue?.toLowerCase())
    .sort((a, b) => a.logIndex - b.logIndex);
}

function movementLine(event: Exclude<VaultEvent, { eventName: "Transfer" }>): ChainLine {
  const { owner, assets, shares } = event.args;
  return line(event, { kind: event.eventName === "Deposit" ? "deposit" : "withdraw", wallet: owner, assets, shares });
}

function queueLines(event: QueueEvent): ChainLine[] {
  switch (event.eventName) {
    case "Withdraw":
      return [
        line(event, { kind: "claim", wallet: event.args.owner, assets: event.args.assets, shares: event.args.shares }),
      ];
    case "RedeemRequest":
      return [line(event, { kind: "request", wallet: event.args.owner, shares: event.args.shares })];
    case "Processed":
      return [line(event, { kind: "processed", wallet: null, shares: event.args.shares, assets: event.args.assets })];
    case "PlacesRecovered":
      return [
        line(event, { kind: "transfer_out", wallet: event.args.from }),
        line(event, { kind: "transfer_in", wallet: event.args.to }),
      ];
  }
}

/** Transfers of shares between wallets, unless another event describes them better. */
function transferLines({
  event,
  own,
  queued,
  queue,
}: {
  event: Extract<VaultEvent, { eventName: "Transfer" }>;
  own: readonly VaultEvent[];
  queued: readonly QueueEvent[];
  queue: Address | null;
}): ChainLine[] {
  const { from, to, value: shares } = event.args;
  if (shares === 0n || from === to) return [];
  const isLater = (other: Event) => inOrder(event, other) < 0;
  // The deposit or withdrawal event right after a mint or burn describes the transfer, including its price.
  const next = own.find(isLater);
  if (next?.eventName === "Deposit" && from === zeroAddress && describes(next.args, to, shares)) return [];
  if (next?.eventName === "Withdraw" && to === zeroAddress && describes(next.args, from, shares)) return [];
  // Shares that move into the queue still belong to the wallet.
  const request = isSame(to, queue) ? queued.find(isLater) : undefined;
  if (request?.eventName === "RedeemRequest" && describes(request.args, from, shares)) return [];
  return [
    ...(from === zeroAddress ? [] : [line(event, { kind: "transfer_out", wallet: from, shares })]),
    ...(to === zeroAddress ? [] : [line(event, { kind: "transfer_in", wallet: to, shares })]),
  ];
}

function describes(event: { owner: Address; shares: bigint }, owner: Address, shares: bigint): boolean {
  return event.owner === owner && event.shares === shares;
}

function termEvents(logs: Log[]) {
  const eventName = ["Opened", "Closed", "ExitedEarly", "RolledOver", "Claimed", "Transfer"] as const;
  return parseEventLogs({ abi: termDepositAbi, eventName: [...eventName], logs }).sort(inOrder);
}

type TermEvent = ReturnType<typeof termEvents>[number];

function termLines(logs: Log[]): ChainLine[] {
  const all = termEvents(logs);
  return all.flatMap((event) => termLinesOf(event, all));
}

function termLinesOf(event: TermEvent, all: readonly TermEvent[]): ChainLine[] {
  if (event.eventName === "Transfer") {
    const { from, to, tokenId } = event.args;
    if (from === zeroAddress || to === zeroAddress || from === to) return [];
    const depositId = String(tokenId);
    return [
      line(event, { kind: "transfer_out", wallet: from, depositId }),
      line(event, { kind: "transfer_in", wallet: to, depositId }),
    ];
  }
  const depositId = String(event.args.id);
  switch (event.eventName) {
    case "Opened": {
      // The principal of a rolled-over receipt was not paid in. The rollover itself is the line.
      const { id, owner, principal: assets } = event.args;
      const isRollover = all.some((one) => one.eventName === "RolledOver" && one.args.newId === id);
      return isRollover ? [] : [line(event, { kind: "deposit", wallet: owner, depositId, assets })];
    }
    case "RolledOver": {
      const { newId, paid: assets } = event.args;
      const opened = all.find((one) => one.eventName === "Opened" && one.args.id === newId);
      const owner = opened?.eventName === "Opened" ? opened.args.owner : null;
      return [line(event, { kind: "rollover", wallet: owner, depositId, assets })];
    }
    default: {
      const kinds = { Closed: "mature", ExitedEarly: "withdraw", Claimed: "claim" } as const;
      const { owner, paid: assets } = event.args;
      const principal = event.eventName === "ExitedEarly" ? event.args.principal : null;
      return [line(event, { kind: kinds[event.eventName], wallet: owner, depositId, assets, principal })];
    }
  }
}
