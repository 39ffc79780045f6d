import {
  bufferOf,
  cashFor,
  freeInterest,
  type Receipt,
  roomOf,
  type TermAccounts,
  withdrawNow,
} from "@aqua/sdk/maths/receipts";
import { interestAtMaturity, maturityOf } from "@aqua/sdk/maths/term";
import { exitAt, exitLimit } from "@aqua/sdk/maths/term-orders";
import type { OfferedTerm, TimeProduct } from "../products.ts";

/** Instruction for a receipt at maturity, with the numbers of the contract. */
export const roll = { none: 0, principal: 1, all: 2 } as const;
export type RolloverChoice = (typeof roll)[keyof typeof roll];

/** Status of a receipt, with the numbers of the contract. */
export const receiptStatus = { live: 1, closed: 3, exitedEarly: 4, rolledOver: 5 } as const;

export interface PlannedReceipt extends Receipt {
  holder: number;
  termId: number;
  status: (typeof receiptStatus)[keyof typeof receiptStatus];
  roll: RolloverChoice;
  rollTermId: number;
}

interface Opening {
  holder: number;
  termId: number;
  principal: bigint;
}

/**
 * A time deposit, computed like the contract to the last unit. Amounts in smallest units, times in Unix seconds. An
 * impossible action returns null or false and changes nothing.
 */
export class TermModel {
  /** By id, which counts from 1. */
  readonly receipts = new Map<number, PlannedReceipt>();
  /** Receipts whose payment was demanded. */
  readonly demanded = new Set<number>();
  /** No new term begins from this time on; 0: never. */
  evidenceUntil = 0;
  #accounts: TermAccounts;

  constructor(readonly product: TimeProduct) {
    const { buffer } = product;
    this.#accounts = { cash: 0n, deployed: 0n, liabilities: 0n, reserved: 0n, claims: 0n, buffer };
  }

  get accounts(): Readonly<TermAccounts> {
    return this.#accounts;
  }

  get principal(): bigint {
    return this.#accounts.liabilities - this.#accounts.reserved;
  }

  get freeInterest(): bigint {
    return freeInterest(this.#accounts);
  }

  get kept(): bigint {
    return bufferOf(this.#accounts);
  }

  /** Principal of live receipts that mature by `time`. */
  dueBy(time: number): bigint {
    let due = 0n;
    for (const receipt of this.receipts.values())
      if (receipt.status === receiptStatus.live && receipt.maturity <= BigInt(time)) due += receipt.principal;
    return due;
  }

  /** Cash that is missing for the payment of a receipt; 0n when it can be paid. */
  missing(id: number): bigint {
    const receipt = this.receipt(id);
    const lacking = receipt.principal + receipt.interest - cashFor(receipt, this.#accounts, false);
    return lacking > 0n ? lacking : 0n;
  }

  term(termId: number): OfferedTerm {
    const term = this.product.terms[termId];
    if (term === undefined) throw new RangeError(`${this.product.shortId} has no term ${termId}.`);
    return term;
  }

  receipt(id: number): PlannedReceipt {
    const receipt = this.receipts.get(id);
    if (receipt === undefined) throw new RangeError(`${this.product.shortId} has no receipt ${id}.`);
    return receipt;
  }

  fund(amount: bigint): void {
    this.#add({ cash: amount });
  }

  deploy(amount: bigint): void {
    this.#add({ cash: -amount, deployed: amount });
  }

  repay(amount: bigint): void {
    this.#add({ cash: amount, deployed: -amount });
  }

  open({ holder, termId, principal }: Opening, at: number): number | null {
    if (principal < this.product.minDeposit) return null;
    const before = this.#accounts;
    this.#add({ cash: principal });
    const id = this.#issue({ holder, termId, principal }, at);
    if (id === null) this.#accounts = before;
    return id;
  }

  /** Pays out a receipt, early or at maturity. Returns false while the cash does not suffice. */
  leave(id: number, at: number): boolean {
    const receipt = this.receipt(id);
    if (receipt.status !== receiptStatus.live) return false;
    const { paid, accounts } = withdrawNow({ receipt, accounts: this.#accounts, at: BigInt(at), paused: false });
    if (paid === 0n) return false;
    this.#accounts = accounts;
    receipt.status = BigInt(at) < receipt.maturity ? receiptStatus.exitedEarly : receiptStatus.closed;
    return true;
  }

  /** Takes a part of the principal out of a receipt before its maturity. Returns false while the contract would refuse. */
  leavePart(id: number, principal: bigint, at: number): boolean {
    const receipt = this.receipt(id);
    if (receipt.status !== receiptStatus.live || BigInt(at) >= receipt.maturity) return false;
    const { term, minDeposit } = { term: this.term(receipt.termId), minDeposit: this.product.minDeposit };
    const of = { principal: receipt.principal, openedAt: receipt.openedAt, term };
    const accounts = { ...this.#accounts, minDeposit };
    if (exitLimit({ receipt: of, principal, at: BigInt(at), accounts }) !== null) return false;
    const rest = receipt.principal - principal;
    const interest = interestAtMaturity(rest, term, receipt.openedAt);
    const saved = receipt.interest - interest;
    const { payout } = exitAt({ ...of, principal }, BigInt(at));
    this.#add({ cash: -payout, liabilities: -principal - saved, reserved: -saved });
    Object.assign(receipt, { principal: rest, interest });
    return true;
  }

  /** Rolls a matured receipt over and returns the new id. */
  rollOver(id: number, { termId, what }: { termId: number; what: RolloverChoice }, at: number): number | null {
    const receipt = this.receipt(id);
    const { holder, principal, interest, maturity } = receipt;
    if (receipt.status !== receiptStatus.live || BigInt(at) < maturity || what === roll.none) return null;
    const before = this.#accounts;
    const paid = what === roll.all ? 0n : interest;
    receipt.status = receiptStatus.rolledOver;
    this.#add({ cash: -paid, liabilities: -principal - interest, reserved: -interest });
    const newId = this.#issue({ holder, termId, principal: principal + interest - paid }, at);
    if (newId === null) {
      this.#accounts = before;
      receipt.status = receiptStatus.live;
    }
    return newId;
  }

  setAutoRoll(id: number, termId: number, what: RolloverChoice): void {
    Object.assign(this.receipt(id), { roll: what, rollTermId: termId });
  }

  /** `principal` is already part of the cash. */
  #issue({ holder, termId, principal }: Opening, at: number): number | null {
    if (this.evidenceUntil !== 0 && at >= this.evidenceUntil) return null;
    const term = this.term(termId);
    const openedAt = BigInt(at);
    const maturity = maturityOf(openedAt, term);
    const live = [...this.receipts.values()].filter((one) => one.status === receiptStatus.live);
    const taken = live.filter((one) => one.termId === termId).reduce((all, one) => all + one.principal, 0n);
    // The incoming deposit does not count yet when the contract computes the room.
    const accounts = { ...this.#accounts, cash: this.#accounts.cash - principal, cap: this.product.cap };
    if (principal > roomOf({ ...term, principal: taken }, accounts, maturity - openedAt)) return null;
    const interest = interestAtMaturity(principal, term, openedAt);
    if (interest === 0n) return null;
    // Interest is promised in cash. A rollover brings none.
    if (interest > this.#accounts.cash - this.#accounts.reserved) return null;
    this.#add({ liabilities: principal + interest, reserved: interest });
    const id = this.receipts.size + 1;
    this.receipts.set(id, {
      holder,
      termId,
      principal,
      interest,
      openedAt,
      maturity,
      paid: 0n,
      rate: term.rate,
      breakRate: term.breakRate,
      penalty: term.penalty,
      status: receiptStatus.live,
      roll: roll.none,
      rollTermId: 0,
    });
    return id;
  }

  #add(amounts: Partial<Record<"cash" | "deployed" | "liabilities" | "reserved", bigint>>): void {
    const { cash = 0n, deployed = 0n, liabilities = 0n, reserved = 0n } = amounts;
    const before = this.#accounts;
    this.#accounts = {
      ...before,
      cash: before.cash + cash,
      deployed: before.deployed + deployed,
      liabilities: before.liabilities + liabilities,
      reserved: before.reserved + reserved,
    };
  }
}
