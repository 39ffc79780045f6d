import type { TransactionKind } from "@aqua/sdk/api/portfolio";
import type { Reserves } from "@aqua/sdk/api/transparency";
import { addressIn, wordAt } from "./chain-text.ts";

/**
 * The first topic of each event that statement lines are derived from, by emitter. A test compares them with the
 * contracts.
 */
export const eventTopics = {
  vault: {
    Transfer: "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
    Deposit: "0xdcbc1c05240f31ff3ad067ef1ee35ce4997762752e3a095284754544f4c709d7",
    Withdraw: "0xfbde797d201c681b91056529119e0b02407c7bb96a4a2c75c01fc9667232c8db",
  },
  queue: {
    RedeemRequest: "0x1fdc681a13d8c5da54e301c7ce6542dcde4581e4725043fdab2db12ddc574506",
    Processed: "0xc534675d962a9c4b4a6eef4e934d46b14162000192fa31cf0c29cd81fdb8c2ee",
    Withdraw: "0xfbde797d201c681b91056529119e0b02407c7bb96a4a2c75c01fc9667232c8db",
    PlacesRecovered: "0xd9638e302b5eed48a7cb5b5f8b890caccbc1ec504fc5a61038743e42c3d812ed",
  },
  term: {
    Opened: "0x824372a59619765bbec00b7820d9232076aa40466f690e2e30f5c8c100e39bf5",
    Closed: "0x2a2cdda665f8e5bf5781a3ce93a60cbf53dc48cb83e9470a4904de33c8fd275c",
    ExitedEarly: "0x25ee6907efcdb3479b428baec171f2f59814639fbda74b8d7025ed7098566c5a",
    RolledOver: "0x57a158a720c23b45f98d1fc56918af5c514d3d701153895879f9ef9b34c75f60",
    Claimed: "0x4ec90e965519d92681267467f775ada5bd214aa92c0dc93d90a5e880ce9ed026",
    Transfer: "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
  },
} as const;

/** A log of eth_getTransactionReceipt. */
export interface Log {
  address: string;
  topics: readonly string[];
  data: string;
  logIndex: string;
}

/** The contracts that emit a product's events, in lower case. */
export interface Teller {
  product: Reserves;
  contract: string;
  queue: string | null;
}

/** A line that a statement must have because of one chain event. Null: not in the event. */
export interface ChainLine {
  product: Reserves;
  event: string;
  logIndex: number;
  kind: TransactionKind;
  /** Always null for `processed`: the queue pays all requests at its head together. */
  wallet: string | null;
  depositId: string | null;
  assets: bigint | null;
  shares: bigint | null;
}

interface ChainEvent {
  /** The emitter: a product's own contract, or its queue. */
  by: "own" | "queue";
  name: string;
  logIndex: number;
  /** The address in an indexed parameter, counted from 1. */
  who: (index: number) => string;
  /** A number in an indexed parameter. */
  id: (index: number) => bigint;
  /** A number in the event's data. */
  amount: (index: number) => bigint;
}

const nobody = addressIn(0n);

function toldBy(log: Log, { product, contract, queue }: Teller): ChainEvent[] {
  const address = log.address.toLowerCase();
  const by = address === contract ? "own" : "queue";
  if (by === "queue" && address !== queue) return [];
  const events = eventTopics[by === "queue" ? "queue" : product.type === "time_deposit" ? "term" : "vault"];
  const [name] = Object.entries(events).find(([, topic]) => topic === log.topics[0]) ?? [];
  if (!name) return [];
  const id = (index: number) => BigInt(log.topics[index] ?? "none");
  return [
    {
      by,
      name,
      logIndex: Number(log.logIndex),
      id,
      who: (index) => addressIn(id(index)),
      amount: (index) => wordAt(log.data, index),
    },
  ];
}

/**
 * The statement lines of a product that result from one transaction's events, in chain order, by the server's rules.
 */
export function linesOf(logs: readonly Log[], teller: Teller): ChainLine[] {
  const told = logs.flatMap((log) => toldBy(log, teller)).sort((a, b) => a.logIndex - b.logIndex);
  const line = (
    event: ChainEvent,
    kind: TransactionKind,
    wallet: string | null,
    parts: Partial<ChainLine>,
  ): ChainLine => ({
    product: teller.product,
    event: event.name,
    logIndex: event.logIndex,
    kind,
    wallet,
    depositId: null,
    assets: null,
    shares: null,
    ...parts,
  });
  if (teller.product.type === "time_deposit") return told.flatMap((event) => ofTerm(event, told, line));
  // The queue holds shares on behalf of others, so it has no statement.
  return told
    .flatMap((event) => ofVault({ event, all: told, queue: teller.queue, line }))
    .filter(({ wallet }) => wallet === null || wallet !== teller.queue);
}

type Make = (event: ChainEvent, kind: TransactionKind, wallet: string | null, parts: Partial<ChainLine>) => ChainLine;

function ofVault({
  event,
  all,
  queue,
  line,
}: {
  event: ChainEvent;
  all: readonly ChainEvent[];
  queue: string | null;
  line: Make;
}): ChainLine[] {
  const { who, amount } = event;
  switch (`${event.by} ${event.name}`) {
    case "own Deposit":
      return [line(event, "deposit", who(2), { assets: amount(0), shares: amount(1) })];
    case "own Withdraw":
      return [line(event, "withdraw", who(3), { assets: amount(0), shares: amount(1) })];
    case "queue Withdraw":
      return [line(event, "claim", who(3), { assets: amount(0), shares: amount(1) })];
    case "queue RedeemRequest":
      return [line(event, "request", who(2), { shares: amount(1) })];
    case "queue Processed":
      return [line(event, "processed", null, { shares: amount(0), assets: amount(1) })];
    case "queue PlacesRecovered":
      return [line(event, "transfer_out", who(1), {}), line(event, "transfer_in", who(2), {})];
    default:
      return transferred({ event, all, queue, line });
  }
}

/** Transfers of shares between wallets, unless another event describes them better. */
function transferred({
  event,
  all,
  queue,
  line,
}: {
  event: ChainEvent;
  all: readonly ChainEvent[];
  queue: string | null;
  line: Make;
}): ChainLine[] {
  const [from, to, shares] = [event.who(1), event.who(2), event.amount(0)];
  if (shares === 0n || from === to) return [];
  const next = (by: ChainEvent["by"]) => all.find((one) => one.by === by && one.logIndex > event.logIndex);
  // The deposit or withdrawal event right after a mint or burn describes it, with its price.
  const own = next("own");
  if (own?.name === "Deposit" && from === nobody && own.who(2) === to && own.amount(1) === shares) return [];
  if (own?.name === "Withdraw" && to === nobody && own.who(3) === from && own.amount(1) === shares) return [];
  // Shares that are moved into the queue still belong to the wallet.
  const asked = to === queue ? next("queue") : undefined;
  if (asked?.name === "RedeemRequest" && asked.who(2) === from && asked.amount(1) === shares) return [];
  return [
    ...(from === nobody ? [] : [line(event, "transfer_out", from, { shares })]),
    ...(to === nobody ? [] : [line(event, "transfer_in", to, { shares })]),
  ];
}

function ofTerm(event: ChainEvent, all: readonly ChainEvent[], line: Make): ChainLine[] {
  const { who, id, amount } = event;
  const depositId = String(id(event.name === "Transfer" ? 3 : 1));
  switch (event.name) {
    case "Opened":
      // The principal of a rolled-over receipt was not paid in; its rollover is the line.
      return all.some((one) => one.name === "RolledOver" && one.id(2) === id(1))
        ? []
        : [line(event, "deposit", who(2), { depositId, assets: amount(0) })];
    case "Closed":
      return [line(event, "mature", who(2), { depositId, assets: amount(0) })];
    case "ExitedEarly":
      return [line(event, "withdraw", who(2), { depositId, assets: amount(0) })];
    case "Claimed":
      return [line(event, "claim", who(2), { depositId, assets: amount(0) })];
    case "RolledOver": {
      const opened = all.find((one) => one.name === "Opened" && one.id(1) === id(2));
      return [line(event, "rollover", opened?.who(2) ?? null, { depositId, assets: amount(0) })];
    }
    default: {
      const [from, to] = [who(1), who(2)];
      if (from === nobody || to === nobody || from === to) return [];
      return [line(event, "transfer_out", from, { depositId }), line(event, "transfer_in", to, { depositId })];
    }
  }
}
