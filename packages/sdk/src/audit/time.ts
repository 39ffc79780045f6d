/**
 * The accounts of time deposits, their receipts and their owners, from the events of the contracts. The rules are those
 * of docs/contracts.md and of the product model; formulas are in ../maths.
 */
import { type Hex, zeroAddress } from "viem";
import {
  addReceipt,
  costOfPart,
  emptyReceiptPosition,
  payPart,
  payReceipt,
  penaltyOf,
  type ReceiptPosition,
  receiptValue,
  receivedBy,
  rollReceipt,
  splitPayment,
  type TermAccounts,
} from "../maths/receipts.ts";
import { simpleInterest } from "../maths/term.ts";
import { atTime, type Common, placeOf } from "./common.ts";
import { type AuditEvent, type EventOf, type FormerEvent, lower } from "./events.ts";
import type { MovementRow, PositionRow, ReceiptRow, TermRow, TermStateRow } from "./rows.ts";

type TermEvent = EventOf<"term"> | Extract<FormerEvent, { kind: "former_term" }>;
type Named<Name extends TermEvent["eventName"]> = EventOf<"term"> & { eventName: Name };

interface Product {
  state: TermStateRow;
  terms: Map<number, TermRow>;
  receipts: Map<bigint, ReceiptRow>;
  positions: Map<Hex, PositionRow>;
}

export interface TimeLedger {
  apply(event: TermEvent, following: readonly AuditEvent[]): void;
  products: ReadonlyMap<Hex, Product>;
}

const statuses = { live: 1, closed: 3, exitedEarly: 4, rolledOver: 5, settled: 6 } as const;

export function createTimeLedger({ chainId, rows, isOneAccount }: Common): TimeLedger {
  const products = new Map<Hex, Product>();

  function set(product: Product, event: AuditEvent, change: Partial<TermStateRow>) {
    const state = { ...product.state, ...change, ...placeOf(chainId, event) };
    product.state = { ...state, received: receivedBy(accountsOf(state)) };
    rows.termState.push(product.state);
  }

  function termOf({ terms }: Product, event: AuditEvent, termId: number): TermRow {
    const term = terms.get(termId);
    if (!term)
      throw new RangeError(`${event.eventName} in block ${event.block} of term ${termId}, which was never added`);
    return term;
  }

  function setTerm(product: Product, event: AuditEvent, term: TermRow) {
    const row = { ...term, ...placeOf(chainId, event) };
    product.terms.set(term.termId, row);
    rows.term.push(row);
  }

  function addPrincipal(product: Product, event: AuditEvent, { termId, by }: { termId: number; by: bigint }) {
    const term = termOf(product, event, termId);
    setTerm(product, event, { ...term, principal: term.principal + by });
  }

  function receiptOf({ receipts }: Product, event: AuditEvent, id: bigint): ReceiptRow {
    const receipt = receipts.get(id);
    if (!receipt)
      throw new RangeError(`${event.eventName} in block ${event.block} of receipt ${id}, which was never opened`);
    return receipt;
  }

  function setReceipt(
    product: Product,
    event: AuditEvent,
    receipt: Omit<ReceiptRow, "chainId" | "block" | "logIndex" | "time">,
  ) {
    const row = { ...receipt, ...placeOf(chainId, event) };
    product.receipts.set(row.receiptId, row);
    rows.receipt.push(row);
  }

  /** Stores what a movement makes of a wallet's position. Returns by how much the number of holders changes. */
  function book(
    product: Product,
    event: AuditEvent,
    {
      wallet,
      change,
      ...movement
    }: { wallet: Hex; change: (position: ReceiptPosition) => ReceiptPosition } & Pick<
      MovementRow,
      "kind" | "assets" | "receiptId"
    > &
      Partial<Pick<MovementRow, "newReceiptId" | "fee">>,
  ): number {
    const known = product.positions.get(wallet);
    const before = known ?? emptyReceiptPosition;
    const { receipts, cost, interest, totalIn, totalOut, costEstimated } = change(before);
    const place = placeOf(chainId, event);
    const of = { wallet, product: product.state.product };
    const row = {
      ...{ shares: 0n, pending: 0n, claimable: 0n, claimableShares: 0n, realised: 0n },
      ...place,
      ...of,
      ...{ receipts, cost, interest, totalIn, totalOut, costEstimated },
      since: receipts > 0 ? (known?.since ?? event.time) : null,
    };
    product.positions.set(wallet, row);
    rows.position.push(row);
    rows.movement.push({
      ...place,
      ...of,
      hash: event.hash,
      shares: 0n,
      price: null,
      newReceiptId: null,
      fee: 0n,
      ...movement,
    });
    return Number(receipts > 0) - Number(before.receipts > 0);
  }

  function create(event: Named<"TermDepositCreated">) {
    const { custodian, buffer } = event.args;
    const state = { ...blank, ...placeOf(chainId, event), product: event.address, custodian: lower(custodian), buffer };
    const product = { state, terms: new Map(), receipts: new Map(), positions: new Map() };
    products.set(event.address, product);
    set(product, event, {});
  }

  function open(product: Product, event: Named<"Opened">, following: readonly AuditEvent[]) {
    const { id, principal, interest } = event.args;
    const [owner, termId] = [lower(event.args.owner), Number(event.args.termId)];
    const rolled = following.find(
      (later): later is Named<"RolledOver"> =>
        later.address === event.address &&
        later.kind === "term" &&
        later.eventName === "RolledOver" &&
        later.args.newId === id,
    );
    setReceipt(product, event, {
      ...{ product: event.address, receiptId: id, owner, termId, principal, interest },
      openedAt: atTime(event.args.openedAt),
      maturity: atTime(event.args.maturity),
      ...{ hash: event.hash, status: statuses.live, roll: 0, rollTermId: 0, paid: 0n },
      ...{ cost: principal, costEstimated: false },
      rolledFrom: rolled?.args.id ?? null,
      ...{ rolledTo: null, demandedAt: null },
    });
    addPrincipal(product, event, { termId, by: principal });
    const { state } = product;
    const owed = {
      principal: state.principal + principal,
      liabilities: state.liabilities + principal + interest,
      reserved: state.reserved + interest,
      receipts: state.receipts + 1,
    };
    // The principal of a rollover is already here, and its wallet already counts as a holder.
    if (rolled) return set(product, event, owed);
    const more = book(product, event, {
      wallet: owner,
      change: (position) => addReceipt(position, principal),
      ...{ kind: "deposit", assets: principal, receiptId: id },
    });
    set(product, event, {
      ...owed,
      cash: state.cash + principal,
      deposited: state.deposited + principal,
      holders: state.holders + more,
    });
  }

  /** Takes a receipt that ends with a payment out of the accounts. */
  function end(
    product: Product,
    event: AuditEvent,
    { receipt, paid, holders, ...change }: { receipt: ReceiptRow; paid: bigint; holders: number } & Partial<ReceiptRow>,
  ) {
    const { principal, interest, termId } = receipt;
    setReceipt(product, event, { ...receipt, ...change, paid: receipt.paid + paid, demandedAt: null });
    addPrincipal(product, event, { termId, by: -principal });
    const { state } = product;
    set(product, event, {
      cash: state.cash - paid,
      principal: state.principal - principal,
      liabilities: state.liabilities - principal - interest,
      reserved: state.reserved - interest,
      paidOut: state.paidOut + paid,
      receipts: state.receipts - 1,
      holders: state.holders + holders,
    });
  }

  function close(product: Product, event: Named<"Closed">) {
    const { id: receiptId, paid } = event.args;
    const receipt = receiptOf(product, event, receiptId);
    const holders = book(product, event, {
      wallet: lower(event.args.owner),
      change: (position) => payReceipt({ position, cost: receipt.cost, paid, gone: true }),
      ...{ kind: "mature", assets: paid, receiptId },
    });
    end(product, event, { receipt, paid, holders, status: statuses.closed });
  }

  /** `taken` is the principal that leaves: all of it, or a part while the rest stays under its conditions. */
  function exit(product: Product, event: TermEvent, { id, owner, paid, taken }: Exit) {
    const receipt = receiptOf(product, event, id);
    const principal = taken ?? receipt.principal;
    const { penalty, rate } = termOf(product, event, receipt.termId);
    const fee = penaltyOf({ principal, penalty });
    const movement = { kind: "withdraw", assets: paid, receiptId: id, fee } as const;
    if (principal === receipt.principal) {
      const holders = book(product, event, {
        wallet: lower(owner),
        change: (position) => payReceipt({ position, cost: receipt.cost, paid, gone: true }),
        ...movement,
      });
      return end(product, event, { receipt, paid, holders, status: statuses.exitedEarly });
    }
    const rest = receipt.principal - principal;
    if (rest < 0n) throw new RangeError(`Receipt ${id} of ${receipt.principal} pays out ${principal}`);
    const interest = simpleInterest(rest, rate, BigInt(receipt.maturity - receipt.openedAt));
    const cost = costOfPart(receipt, principal);
    book(product, event, {
      wallet: lower(owner),
      change: (position) => payPart({ position, cost, paid }),
      ...movement,
    });
    setReceipt(product, event, { ...receipt, principal: rest, interest, cost: receipt.cost - cost });
    addPrincipal(product, event, { termId: receipt.termId, by: -principal });
    const { state } = product;
    const unowed = receipt.interest - interest;
    set(product, event, {
      cash: state.cash - paid,
      principal: state.principal - principal,
      liabilities: state.liabilities - principal - unowed,
      reserved: state.reserved - unowed,
      paidOut: state.paidOut + paid,
    });
  }

  function rollOver(product: Product, event: Named<"RolledOver">) {
    const { id, newId, paid } = event.args;
    const receipt = receiptOf(product, event, id);
    const { principal } = receiptOf(product, event, newId);
    book(product, event, {
      wallet: receipt.owner,
      change: (position) => rollReceipt({ position, cost: receipt.cost, paid, principal }),
      ...{ kind: "rollover", assets: paid, receiptId: id, newReceiptId: newId },
    });
    end(product, event, { receipt, paid, holders: 0, status: statuses.rolledOver, rolledTo: newId });
  }

  /** A payment in a winding down. A receipt is settled when it has received everything it was owed. */
  function claim(product: Product, event: Named<"Claimed">) {
    const { id, paid } = event.args;
    const receipt = receiptOf(product, event, id);
    const total = receipt.paid + paid;
    const isSettled = total === receipt.principal + receipt.interest;
    const more = book(product, event, {
      wallet: lower(event.args.owner),
      change: (position) => payReceipt({ position, cost: receipt.cost, paid, gone: isSettled }),
      ...{ kind: "claim", assets: paid, receiptId: id },
    });
    setReceipt(product, event, {
      ...receipt,
      paid: total,
      cost: receipt.cost - splitPayment(receipt.cost, paid, isSettled).cost,
      ...(isSettled ? { status: statuses.settled, demandedAt: null } : {}),
    });
    const { state } = product;
    set(product, event, {
      cash: state.cash - paid,
      liabilities: state.liabilities - paid,
      paidOut: state.paidOut + paid,
      principal: state.principal - (isSettled ? receipt.principal : 0n),
      receipts: state.receipts - Number(isSettled),
      holders: state.holders + more,
    });
  }

  function transfer(product: Product, event: Named<"Transfer">, following: readonly AuditEvent[]) {
    const id = event.args.tokenId;
    const [from, to] = [lower(event.args.from), lower(event.args.to)];
    if (from === zeroAddress || to === zeroAddress || from === to) return;
    const receipt = receiptOf(product, event, id);
    const next = following.find(({ address }) => address === event.address);
    const isRecovery = next?.kind === "term" && next.eventName === "Recovered" && next.args.id === id;
    const keepsCost = isRecovery || isOneAccount(from, to);
    const { state } = product;
    const assets = keepsCost
      ? receipt.cost
      : receiptValueAt(receipt, { term: termOf(product, event, receipt.termId), state, time: event.time });
    const estimated = !keepsCost || receipt.costEstimated;
    const left = book(product, event, {
      wallet: from,
      change: (position) => payReceipt({ position, cost: receipt.cost, paid: assets, gone: true }),
      ...{ kind: "transfer_out", assets, receiptId: id },
    });
    const came = book(product, event, {
      wallet: to,
      change: (position) => addReceipt(position, assets, estimated),
      ...{ kind: "transfer_in", assets, receiptId: id },
    });
    setReceipt(product, event, { ...receipt, owner: to, cost: assets, costEstimated: estimated });
    if (left + came !== 0) set(product, event, { holders: state.holders + left + came });
  }

  function addTerm(product: Product, event: Named<"TermAdded">) {
    const { termId, count, unit, rate, breakRate, penalty } = event.args;
    setTerm(product, event, {
      ...placeOf(chainId, event),
      product: event.address,
      ...{ termId: Number(termId), count: Number(count), unit: Number(unit), rate, breakRate, penalty },
      ...{ cap: 0n, open: false, principal: 0n },
    });
  }

  function setAccounts(product: Product, event: EventOf<"term">) {
    const { state } = product;
    switch (event.eventName) {
      case "LimitsChanged":
        return set(product, event, { cap: event.args.cap, minDeposit: event.args.minDeposit });
      case "PausedUntil":
        return set(product, event, { pausedUntil: atTime(event.args.until) });
      case "EvidenceRenewed":
        return set(product, event, { evidenceUntil: atTime(event.args.until) });
      case "InterestFunded":
        return set(product, event, { cash: state.cash + event.args.amount });
      case "InterestWithdrawn":
        return set(product, event, { cash: state.cash - event.args.amount });
      case "Deployed":
        return set(product, event, {
          cash: state.cash - event.args.amount,
          deployed: state.deployed + event.args.amount,
        });
      case "Repaid": {
        const { amount } = event.args;
        const deployed = state.deployed > amount ? state.deployed - amount : 0n;
        return set(product, event, { cash: state.cash + amount, deployed });
      }
      case "LossBooked":
        return set(product, event, {
          deployed: state.deployed - event.args.amount,
          losses: state.losses + event.args.amount,
        });
      case "WindingDown":
        if (event.args.claims !== state.liabilities || event.args.cash !== state.cash)
          throw new RangeError(
            `The winding down of ${state.product} in block ${event.block} starts from other accounts`,
          );
        return set(product, event, { claims: event.args.claims });
    }
  }

  return {
    products,
    apply(event, following) {
      if (event.eventName === "TermDepositCreated") return create(event);
      const product = products.get(event.address);
      if (!product)
        throw new RangeError(`${event.eventName} in block ${event.block} of a time deposit that was never created`);
      if (event.kind === "former_term") return exit(product, event, { ...event.args, taken: null });
      switch (event.eventName) {
        case "TermAdded":
          return addTerm(product, event);
        case "TermChanged": {
          const { termId, cap, open: isOpen } = event.args;
          return setTerm(product, event, { ...termOf(product, event, Number(termId)), cap, open: isOpen });
        }
        case "Opened":
          return open(product, event, following);
        case "Closed":
          return close(product, event);
        case "ExitedEarly":
          return exit(product, event, { ...event.args, taken: event.args.principal });
        case "RolledOver":
          return rollOver(product, event);
        case "Claimed":
          return claim(product, event);
        case "Transfer":
          return transfer(product, event, following);
        case "AutoRollSet": {
          const receipt = receiptOf(product, event, event.args.id);
          const { roll, rollTermId } = event.args;
          return setReceipt(product, event, { ...receipt, roll: Number(roll), rollTermId: Number(rollTermId) });
        }
        case "PaymentDemanded":
          return setReceipt(product, event, { ...receiptOf(product, event, event.args.id), demandedAt: event.time });
        default:
          return setAccounts(product, event);
      }
    },
  };
}

interface Exit {
  id: bigint;
  owner: Hex;
  paid: bigint;
  /** Null in contracts of earlier releases, where a receipt could only leave as a whole. */
  taken: bigint | null;
}

const blank = {
  cap: 0n,
  minDeposit: 0n,
  pausedUntil: 0,
  evidenceUntil: 0,
  cash: 0n,
  deployed: 0n,
  principal: 0n,
  liabilities: 0n,
  reserved: 0n,
  claims: 0n,
  received: 0n,
  deposited: 0n,
  paidOut: 0n,
  losses: 0n,
  receipts: 0,
  holders: 0,
};

/** A time deposit's accounts as the formulas take them. */
export function accountsOf({ cash, deployed, liabilities, reserved, claims, buffer }: TermStateRow): TermAccounts {
  return { cash, deployed, liabilities, reserved, claims, buffer };
}

/** What a receipt is worth at `time`, Unix seconds. */
export function receiptValueAt(
  { principal, interest, openedAt, maturity, paid }: ReceiptRow,
  { term: { rate, breakRate, penalty }, state, time }: { term: TermRow; state: TermStateRow; time: number },
): bigint {
  const receipt = { principal, interest, paid, rate, breakRate, penalty };
  return receiptValue(
    { ...receipt, openedAt: BigInt(openedAt), maturity: BigInt(maturity) },
    accountsOf(state),
    BigInt(time),
  );
}
