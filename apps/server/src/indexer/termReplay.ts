import {
  addReceipt,
  costOfPart,
  emptyReceiptPosition,
  payPart,
  payReceipt,
  penaltyOf,
  type Receipt as ReceiptFigures,
  type ReceiptPosition,
  receiptValue,
  receivedBy,
  rollReceipt,
  splitPayment,
  type TermAccounts,
} from "@aqua/sdk/maths/receipts";
import { simpleInterest } from "@aqua/sdk/maths/term";
import { type Hex, zeroAddress } from "viem";
import type { ChainEvent } from "./decode.ts";
import {
  areOneAccounts,
  emptyQueueFigures,
  type Movement,
  type NewRows,
  placeOf,
  positionKey,
  type Receipt,
  receiptKey,
  type Term,
  type TermState,
  termKey,
  type World,
} from "./world.ts";

export type TermEvent = Extract<ChainEvent, { name: `Term${string}` }>;
type Event<Name extends TermEvent["name"]> = Extract<TermEvent, { name: Name }>;

export const receiptStatus = { live: 1, closed: 3, exitedEarly: 4, rolledOver: 5, settled: 6 } as const;

export function isTermEvent(event: ChainEvent): event is TermEvent {
  return event.name.startsWith("Term");
}

/** Converts the accounts of a product to the input of the maths functions. */
export function accountsOf(state: TermState): TermAccounts {
  const { cash, deployed, liabilities, reserved, claims, buffer } = state;
  return { cash, deployed, liabilities, reserved, claims, buffer };
}

/** Converts a receipt with its term to the input of the maths functions. */
export function figuresOf(
  receipt: Pick<Receipt, "principal" | "interest" | "openedAt" | "maturity" | "paid">,
  { rate, breakRate, penalty }: Term,
): ReceiptFigures {
  const { principal, interest, openedAt, maturity, paid } = receipt;
  return {
    principal,
    interest,
    paid,
    rate,
    breakRate,
    penalty,
    openedAt: BigInt(openedAt),
    maturity: BigInt(maturity),
  };
}

/**
 * Folds events of time deposits, in chain order, into new versions of the rows they change. Each event comes with the
 * product's later events in the same transaction.
 * @throws RangeError if an event contradicts the known state
 */
export function createTermReplay(chainId: number, world: World, rows: NewRows) {
  const place = (event: ChainEvent) => placeOf(chainId, event);
  const unknown = (event: TermEvent, what: string) =>
    new RangeError(`${event.name} in block ${event.block} of ${what} that was not seen`);

  function stateOf(event: TermEvent): TermState {
    const state = world.termStates.get(event.address);
    if (!state) throw unknown(event, "a time deposit");
    return state;
  }

  function changeState(event: TermEvent, change: Partial<TermState>): void {
    const changed = { ...stateOf(event), ...change, ...place(event) };
    const next = { ...changed, received: receivedBy(accountsOf(changed)) };
    world.termStates.set(event.address, next);
    rows.termState.push(next);
  }

  function termOf(event: TermEvent, termId: number): Term {
    const term = world.terms.get(termKey(event.address, termId));
    if (!term) throw unknown(event, `term ${termId}`);
    return term;
  }

  function setTerm(event: TermEvent, term: Term): void {
    world.terms.set(termKey(event.address, term.termId), term);
    rows.term.push(term);
  }

  function changeTerm(event: TermEvent, termId: number, change: Partial<Term>): void {
    setTerm(event, { ...termOf(event, termId), ...change, ...place(event) });
  }

  function receiptOf(event: TermEvent, id: bigint): Receipt {
    const receipt = world.receipts.get(receiptKey(event.address, id));
    if (!receipt) throw unknown(event, `receipt ${id}`);
    return receipt;
  }

  function setReceipt(event: TermEvent, receipt: Receipt): void {
    world.receipts.set(receiptKey(event.address, receipt.receiptId), receipt);
    rows.receipt.push(receipt);
  }

  function changeReceipt(event: TermEvent, id: bigint, change: Partial<Receipt>): void {
    setReceipt(event, { ...receiptOf(event, id), ...change, ...place(event) });
  }

  /** Stores a wallet's new position and the movement that caused it. Returns the change in the number of holders. */
  function move({
    event,
    wallet,
    change,
    movement,
  }: {
    event: TermEvent;
    wallet: Hex;
    change: (position: ReceiptPosition) => ReceiptPosition;
    movement: Pick<Movement, "kind" | "assets" | "receiptId"> & Partial<Pick<Movement, "newReceiptId" | "fee">>;
  }): number {
    const key = positionKey(event.address, wallet);
    const known = world.positions.get(key);
    const before = known ?? emptyReceiptPosition;
    const { receipts, cost, interest, totalIn, totalOut, costEstimated } = change(before);
    const next = {
      ...(known ?? { ...emptyQueueFigures, shares: 0n, realised: 0n }),
      ...place(event),
      wallet,
      product: event.address,
      receipts,
      cost,
      interest,
      totalIn,
      totalOut,
      costEstimated,
      since: receipts === 0 ? null : (known?.since ?? event.time),
    };
    world.positions.set(key, next);
    rows.position.push(next);
    const side = { wallet, product: event.address, hash: event.hash, shares: 0n, price: null };
    rows.movement.push({ ...place(event), ...side, newReceiptId: null, fee: 0n, ...movement });
    return (receipts > 0 ? 1 : 0) - (before.receipts > 0 ? 1 : 0);
  }

  function create(event: Event<"TermDepositCreated">): void {
    world.termStates.set(event.address, {
      ...place(event),
      product: event.address,
      custodian: event.custodian,
      buffer: event.buffer,
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
    });
    changeState(event, {});
  }

  /**
   * In a rollover, the principal comes from the previous receipt. The `RolledOver` event
   * passes the place and position of that receipt to the new one.
   */
  function open(event: Event<"TermOpened">, rolled: Event<"TermRolledOver"> | undefined): void {
    const { id, owner, termId, principal, interest, openedAt, maturity, hash } = event;
    const state = stateOf(event);
    setReceipt(event, {
      ...place(event),
      product: event.address,
      receiptId: id,
      owner,
      termId,
      principal,
      interest,
      openedAt,
      maturity,
      hash,
      status: receiptStatus.live,
      roll: 0,
      rollTermId: 0,
      paid: 0n,
      cost: principal,
      costEstimated: false,
      rolledFrom: rolled?.id ?? null,
      rolledTo: null,
      demandedAt: null,
    });
    changeTerm(event, termId, { principal: termOf(event, termId).principal + principal });
    const promised = {
      principal: state.principal + principal,
      liabilities: state.liabilities + principal + interest,
      reserved: state.reserved + interest,
      receipts: state.receipts + 1,
    };
    let { cash, deposited, holders } = state;
    if (!rolled) {
      const movement = { kind: "deposit", assets: principal, receiptId: id } as const;
      holders += move({ event, wallet: owner, change: (position) => addReceipt(position, principal), movement });
      cash += principal;
      deposited += principal;
    }
    changeState(event, { ...promised, cash, deposited, holders });
  }

  /** Removes a receipt that pays `paid` from the accounts, unless the product is winding down. */
  function finish({
    event,
    receipt,
    paid,
    change,
    holders,
  }: {
    event: TermEvent;
    receipt: Receipt;
    paid: bigint;
    change: Partial<Receipt>;
    holders: number;
  }): void {
    const { principal, interest, termId, receiptId } = receipt;
    changeReceipt(event, receiptId, { ...change, paid: receipt.paid + paid, demandedAt: null });
    changeTerm(event, termId, { principal: termOf(event, termId).principal - principal });
    const state = stateOf(event);
    changeState(event, {
      cash: state.cash - paid,
      principal: state.principal - principal,
      liabilities: state.liabilities - principal - interest,
      reserved: state.reserved - interest,
      paidOut: state.paidOut + paid,
      receipts: state.receipts - 1,
      holders: state.holders + holders,
    });
  }

  function leave(event: Event<"TermClosed" | "TermExitedEarly">): void {
    const { id, owner, paid } = event;
    const receipt = receiptOf(event, id);
    const early = event.name === "TermExitedEarly";
    if (early && event.principal !== null && event.principal !== receipt.principal) {
      leaveInPart(event, { receipt, principal: event.principal });
      return;
    }
    const { penalty } = termOf(event, receipt.termId);
    const fee = early ? penaltyOf({ principal: receipt.principal, penalty }) : 0n;
    const movement = { kind: early ? "withdraw" : "mature", assets: paid, receiptId: id, fee } as const;
    const holders = move({
      event,
      wallet: owner,
      change: (position) => payReceipt({ position, cost: receipt.cost, paid, gone: true }),
      movement,
    });
    finish({
      event,
      receipt,
      paid,
      change: { status: early ? receiptStatus.exitedEarly : receiptStatus.closed },
      holders,
    });
  }

  /** An early exit of a part of the principal. The rest stays in the receipt under its conditions. */
  function leaveInPart(
    event: Event<"TermExitedEarly">,
    { receipt, principal }: { receipt: Receipt; principal: bigint },
  ): void {
    const { id, owner, paid } = event;
    const rest = receipt.principal - principal;
    if (rest < 0n)
      throw new RangeError(`${event.name} in block ${event.block} takes ${principal} of ${receipt.principal}`);
    const { penalty, rate, principal: ofTerm } = termOf(event, receipt.termId);
    const interest = simpleInterest(rest, rate, BigInt(receipt.maturity - receipt.openedAt));
    const cost = costOfPart(receipt, principal);
    const fee = penaltyOf({ principal, penalty });
    move({
      event,
      wallet: owner,
      change: (position) => payPart({ position, cost, paid }),
      movement: { kind: "withdraw", assets: paid, receiptId: id, fee },
    });
    changeReceipt(event, id, { principal: rest, interest, cost: receipt.cost - cost });
    changeTerm(event, receipt.termId, { principal: ofTerm - principal });
    const state = stateOf(event);
    const saved = receipt.interest - interest;
    changeState(event, {
      cash: state.cash - paid,
      principal: state.principal - principal,
      liabilities: state.liabilities - principal - saved,
      reserved: state.reserved - saved,
      paidOut: state.paidOut + paid,
    });
  }

  function rollOver(event: Event<"TermRolledOver">): void {
    const { id, newId, paid } = event;
    const receipt = receiptOf(event, id);
    const { principal } = receiptOf(event, newId);
    const movement = { kind: "rollover", assets: paid, receiptId: id, newReceiptId: newId } as const;
    move({
      event,
      wallet: receipt.owner,
      change: (position) => rollReceipt({ position, cost: receipt.cost, paid, principal }),
      movement,
    });
    finish({ event, receipt, paid, change: { status: receiptStatus.rolledOver, rolledTo: newId }, holders: 0 });
  }

  function claim(event: Event<"TermClaimed">): void {
    const { id, owner, paid } = event;
    const receipt = receiptOf(event, id);
    const isSettled = receipt.paid + paid === receipt.principal + receipt.interest;
    const movement = { kind: "claim", assets: paid, receiptId: id } as const;
    const holders = move({
      event,
      wallet: owner,
      change: (position) => payReceipt({ position, cost: receipt.cost, paid, gone: isSettled }),
      movement,
    });
    changeReceipt(event, id, {
      status: isSettled ? receiptStatus.settled : receipt.status,
      paid: receipt.paid + paid,
      cost: receipt.cost - splitPayment(receipt.cost, paid, isSettled).cost,
      demandedAt: isSettled ? null : receipt.demandedAt,
    });
    const state = stateOf(event);
    changeState(event, {
      cash: state.cash - paid,
      principal: state.principal - (isSettled ? receipt.principal : 0n),
      liabilities: state.liabilities - paid,
      paidOut: state.paidOut + paid,
      receipts: state.receipts - (isSettled ? 1 : 0),
      holders: state.holders + holders,
    });
  }

  function transfer(event: Event<"TermTransfer">, recovered: boolean): void {
    const { from, to, id } = event;
    // Mints and burns are recorded by the events that state the reason. A receipt sent to its own wallet changes
    // nothing.
    if (from === zeroAddress || to === zeroAddress || from === to) return;
    const receipt = receiptOf(event, id);
    const state = stateOf(event);
    const carried = recovered || areOneAccounts(world, from, to);
    const figures = figuresOf(receipt, termOf(event, receipt.termId));
    const value = carried ? receipt.cost : receiptValue(figures, accountsOf(state), BigInt(event.time));
    const estimated = !carried || receipt.costEstimated;
    const side = { assets: value, receiptId: id };
    const left = move({
      event,
      wallet: from,
      change: (position) => payReceipt({ position, cost: receipt.cost, paid: value, gone: true }),
      movement: {
        kind: "transfer_out",
        ...side,
      },
    });
    const came = move({
      event,
      wallet: to,
      change: (position) => addReceipt(position, value, estimated),
      movement: {
        kind: "transfer_in",
        ...side,
      },
    });
    changeReceipt(event, id, { owner: to, cost: value, costEstimated: estimated });
    if (left + came !== 0) changeState(event, { holders: state.holders + left + came });
  }

  function windDown(event: Event<"TermWindingDown">): void {
    const { claims, cash } = event;
    const state = stateOf(event);
    if (claims !== state.liabilities || cash !== state.cash)
      throw new RangeError(`TermWindingDown in block ${event.block} contradicts the accounts of earlier events`);
    changeState(event, { claims });
  }

  return function apply(event: TermEvent, later: Iterable<ChainEvent>) {
    switch (event.name) {
      case "TermDepositCreated":
        return create(event);
      case "TermAdded": {
        const { termId, count, unit, rate, breakRate, penalty } = event;
        return setTerm(event, {
          ...place(event),
          product: event.address,
          termId,
          count,
          unit,
          rate,
          breakRate,
          penalty,
          cap: 0n,
          open: false,
          principal: 0n,
        });
      }
      case "TermChanged":
        return changeTerm(event, event.termId, { cap: event.cap, open: event.open });
      case "TermLimitsChanged":
        return changeState(event, { cap: event.cap, minDeposit: event.minDeposit });
      case "TermPausedUntil":
        return changeState(event, { pausedUntil: event.until });
      case "TermEvidenceRenewed":
        return changeState(event, { evidenceUntil: event.until });
      case "TermOpened": {
        for (const other of later) {
          if (other.name === "TermRolledOver" && other.newId === event.id) return open(event, other);
        }
        return open(event, undefined);
      }
      case "TermClosed":
      case "TermExitedEarly":
        return leave(event);
      case "TermRolledOver":
        return rollOver(event);
      case "TermAutoRollSet":
        return changeReceipt(event, event.id, { roll: event.roll, rollTermId: event.rollTermId });
      case "TermInterestFunded":
        return changeState(event, { cash: stateOf(event).cash + event.amount });
      case "TermInterestWithdrawn":
        return changeState(event, { cash: stateOf(event).cash - event.amount });
      case "TermDeployed": {
        const { cash, deployed } = stateOf(event);
        return changeState(event, { cash: cash - event.amount, deployed: deployed + event.amount });
      }
      case "TermRepaid": {
        const { cash, deployed } = stateOf(event);
        const rest = deployed > event.amount ? deployed - event.amount : 0n;
        return changeState(event, { cash: cash + event.amount, deployed: rest });
      }
      case "TermLossBooked": {
        const { deployed, losses } = stateOf(event);
        return changeState(event, { deployed: deployed - event.amount, losses: losses + event.amount });
      }
      case "TermPaymentDemanded":
        return changeReceipt(event, event.id, { demandedAt: event.time });
      case "TermWindingDown":
        return windDown(event);
      case "TermClaimed":
        return claim(event);
      case "TermRecovered":
        // The Transfer event of the receipt comes right before and carries all other data.
        return;
      case "TermTransfer": {
        const [next] = later;
        return transfer(event, next?.name === "TermRecovered" && next.id === event.id);
      }
    }
  };
}
