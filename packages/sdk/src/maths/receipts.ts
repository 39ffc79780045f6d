import { secondsPerYear } from "./apy.ts";
import { simpleInterest } from "./term.ts";
import { mulDivCeil, mulDivFloor, smaller } from "./units.ts";

/**
 * The receipts and accounts of a time deposit, exactly as TermDeposit computes them (docs/contracts.md, "Time
 * deposits"). Amounts in smallest units, times in Unix seconds, rates and ratios with 18 decimals.
 */
const wad = 10n ** 18n;

/**
 * A live receipt with the conditions of its term.
 * @example const receipt = { principal: 1_000_000_000n, interest: 38_679_452n, openedAt: 1_767_225_600n, maturity: 1_782_864_000n, rate: 78_000_000_000_000_000n, breakRate: 20_000_000_000_000_000n, penalty: 5_000_000_000_000_000n, paid: 0n }
 */
export interface Receipt {
  principal: bigint;
  /** Interest due at maturity in addition to the principal. */
  interest: bigint;
  openedAt: bigint;
  maturity: bigint;
  rate: bigint;
  breakRate: bigint;
  penalty: bigint;
  /** The amount drawn so far in a winding down. */
  paid: bigint;
}

/**
 * The product's accounts; `claims` is 0 unless it is wound down, and then `reserved` is the part of the claims that is
 * interest.
 * @example const accounts = { cash: 900_000_000n, deployed: 300_000_000n, liabilities: 1_038_679_452n, reserved: 38_679_452n, claims: 0n, buffer: 100_000_000_000_000_000n }
 * @example const woundDown = { cash: 700_000_000n, deployed: 0n, liabilities: 1_038_679_452n, reserved: 38_679_452n, claims: 1_038_679_452n, buffer: 0n }
 */
export interface TermAccounts {
  cash: bigint;
  deployed: bigint;
  liabilities: bigint;
  reserved: bigint;
  claims: bigint;
  /** Fraction of all principal that is never deployed. */
  buffer: bigint;
}

/**
 * Interest earned up to `at`: 0 at the opening, the full interest from maturity on.
 * @example accruedOf(receipt, 1_769_904_000n) // 6624657n
 */
export function accruedOf(receipt: Receipt, at: bigint): bigint {
  if (at >= receipt.maturity) return receipt.interest;
  return at <= receipt.openedAt ? 0n : simpleInterest(receipt.principal, receipt.rate, at - receipt.openedAt);
}

/**
 * The amount that the claims of a winding down share: all cash received since it began, at most the claims. 0 without a
 * winding down.
 * @example receivedBy(woundDown) // 700000000n
 */
export function receivedBy({ cash, liabilities, claims }: TermAccounts): bigint {
  return claims === 0n ? 0n : smaller(claims, cash + claims - liabilities);
}

/**
 * The amount that a receipt can draw in a winding down, as `claimable(id)` returns; 0 without one. Principals rank before
 * interest.
 * @example claimableOf(receipt, woundDown, 1_769_904_000n) // 700000000n
 */
export function claimableOf(receipt: Receipt, accounts: TermAccounts, at: bigint): bigint {
  return accounts.claims === 0n ? 0n : shareOf({ receipt, accounts, received: receivedBy(accounts), at });
}

/**
 * Value of a receipt at `at`: principal and interest earned so far. In a winding down, at most its share of all assets,
 * with deployed money at book value, less the amount drawn.
 * @example receiptValue(receipt, accounts, 1_769_904_000n) // 1006624657n
 */
export function receiptValue(receipt: Receipt, accounts: TermAccounts, at: bigint): bigint {
  if (accounts.claims === 0n) return receipt.principal + accruedOf(receipt, at);
  return shareOf({
    receipt,
    accounts,
    received: smaller(accounts.claims, receivedBy(accounts) + accounts.deployed),
    at,
  });
}

function shareOf({
  receipt,
  accounts: { claims, reserved },
  received,
  at,
}: {
  receipt: Receipt;
  accounts: TermAccounts;
  received: bigint;
  at: bigint;
}): bigint {
  const principals = claims - reserved;
  const share =
    received <= principals
      ? mulDivFloor(receipt.principal, received, principals)
      : receipt.principal + mulDivFloor(receipt.interest, received - principals, reserved);
  return smaller(share, receipt.principal + accruedOf(receipt, at)) - receipt.paid;
}

/**
 * The payout of a receipt at `at` if there is enough cash, as `quoteExit` returns it: principal and interest from
 * maturity on, the early exit before.
 * @example exitQuote(receipt, 1_769_904_000n) // 996698630n
 */
export function exitQuote(receipt: Receipt, at: bigint): bigint {
  const { principal, interest, openedAt, maturity, breakRate } = receipt;
  if (at >= maturity) return principal + interest;
  return principal - penaltyOf(receipt) + simpleInterest(principal, breakRate, at > openedAt ? at - openedAt : 0n);
}

/**
 * The part of the principal that an early exit costs, rounded up.
 * @example penaltyOf({ principal: 1_000_000_000n, penalty: 5_000_000_000_000_000n }) // 5000000n
 */
export function penaltyOf({ principal, penalty }: Pick<Receipt, "principal" | "penalty">): bigint {
  return mulDivCeil(principal, penalty, wad);
}

/**
 * The part of all principal that may not be deployed, rounded up. 0 in a winding down.
 * @example bufferOf(accounts) // 100000000n
 */
export function bufferOf({ liabilities, reserved, claims, buffer }: TermAccounts): bigint {
  return claims === 0n ? mulDivCeil(liabilities - reserved, buffer, wad) : 0n;
}

/**
 * Funded interest that is not promised to any receipt. It covers the interest of new deposits.
 * @example freeInterest(accounts) // 161320548n
 */
export function freeInterest({ cash, deployed, liabilities }: TermAccounts): bigint {
  return atLeastZero(cash + deployed - liabilities);
}

/**
 * The principal that may be sent to the custodian now: cash that is not promised as interest, without the buffer. 0 in a
 * winding down. Does not check whether a loss is under review.
 * @example deployableOf(accounts) // 600000000n
 */
export function deployableOf(accounts: TermAccounts): bigint {
  const { cash, deployed, liabilities, reserved, claims } = accounts;
  if (claims > 0n) return 0n;
  return atLeastZero(smaller(liabilities - reserved - bufferOf(accounts) - deployed, cash - reserved));
}

/**
 * The free interest that may be taken back to the custodian now: cash beyond the buffer and the reserved interest, or in
 * a winding down beyond all claims. Does not check whether a loss is under review.
 * @example withdrawableInterest(accounts) // 161320548n
 */
export function withdrawableInterest(accounts: TermAccounts): bigint {
  const { cash, liabilities, reserved, claims } = accounts;
  const kept = claims > 0n ? liabilities : reserved + bufferOf(accounts);
  return atLeastZero(smaller(freeInterest(accounts), cash - kept));
}

/**
 * The product's coverage ratio, see `coverageRatio`.
 * @example coverageOf(accounts) // 1155313121569290464n
 */
export function coverageOf({ cash, deployed, liabilities }: TermAccounts): bigint | null {
  return coverageRatio(cash + deployed, liabilities);
}

/**
 * Assets / liabilities with 18 decimals, rounded down. Null if nothing is owed.
 * @example coverageRatio(3n, 2n) // 1500000000000000000n
 */
export function coverageRatio(assets: bigint, liabilities: bigint): bigint | null {
  return liabilities === 0n ? null : mulDivFloor(assets, wad, liabilities);
}

/**
 * The payment for a receipt at `at` by all rules of the contract except ownership, and the accounts after it. At
 * maturity it is the full payment; before, an early exit unless `paused`; in a winding down, its draw. 0 if it cannot
 * be paid.
 * @example withdrawNow({ receipt, accounts, at: 1_769_904_000n, paused: true }) // { paid: 0n, accounts: accounts }
 */
export function withdrawNow({
  receipt,
  accounts,
  at,
  paused,
}: {
  receipt: Receipt;
  accounts: TermAccounts;
  at: bigint;
  paused: boolean;
}): { paid: bigint; accounts: TermAccounts } {
  const { cash, liabilities, claims } = accounts;
  if (claims > 0n) {
    const paid = claimableOf(receipt, accounts, at);
    return { paid, accounts: { ...accounts, cash: cash - paid, liabilities: liabilities - paid } };
  }
  const stays = { paid: 0n, accounts };
  const early = at < receipt.maturity;
  if (early && paused) return stays;
  const paid = exitQuote(receipt, at);
  if (paid === 0n || paid > cashFor(receipt, accounts, early)) return stays;
  return { paid, accounts: { ...withoutReceipt(accounts, receipt), cash: cash - paid } };
}

/**
 * Cash available for the payment of one receipt: all but the interest reserved for the others, and before maturity
 * (`early`) also without half the buffer. 0 when nothing is.
 * @example cashFor(receipt, accounts, true) // 900000000n
 */
export function cashFor(
  receipt: Pick<Receipt, "principal" | "interest">,
  accounts: TermAccounts,
  early: boolean,
): bigint {
  const after = withoutReceipt(accounts, receipt);
  const reserve = after.reserved + (early ? bufferOf(after) / 2n : 0n);
  return atLeastZero(accounts.cash - reserve);
}

/** The product's accounts without the receipt's liabilities and reserves. */
function withoutReceipt<Accounts extends TermAccounts>(
  accounts: Accounts,
  { principal, interest }: Pick<Receipt, "principal" | "interest">,
): Accounts {
  return {
    ...accounts,
    liabilities: accounts.liabilities - principal - interest,
    reserved: accounts.reserved - interest,
  };
}

/**
 * The sum that could be paid at `at` if all receipts were withdrawn one after another in the order of their maturity.
 * @example capacityOf({ receipts: [receipt], accounts, at: 1_782_864_000n, paused: false }) // 0n
 */
export function capacityOf({
  receipts,
  accounts,
  at,
  paused,
}: {
  receipts: readonly Receipt[];
  accounts: TermAccounts;
  at: bigint;
  paused: boolean;
}): bigint {
  const inLine = [...receipts].sort((a, b) => Number(a.maturity - b.maturity));
  let [left, total] = [accounts, 0n];
  for (const receipt of inLine) {
    const { paid, accounts: after } = withdrawNow({ receipt, accounts: left, at, paused });
    total += paid;
    left = after;
  }
  return total;
}

/** A principal fits into 96 bits. */
const mostPrincipal = 2n ** 96n - 1n;

/**
 * The largest principal that a deposit over `seconds` at `rate` could have now: within the caps of product and term,
 * and within the free interest, which is promised from cash. 0 in a winding down. Does not check whether deposits are
 * open.
 * @example roomOf({ rate: 78_000_000_000_000_000n, cap: 5_000_000_000n, principal: 1_000_000_000n }, { ...accounts, cap: 2_000_000_000n }, 86_400n) // 1000000000n
 */
export function roomOf(
  term: { rate: bigint; cap: bigint; principal: bigint },
  accounts: TermAccounts & { cap: bigint },
  seconds: bigint,
): bigint {
  if (accounts.claims > 0n) return 0n;
  return smaller(capRoomOf(term, accounts), fundedRoomOf(term.rate, accounts, seconds));
}

/**
 * The principal that the caps of product and term still allow.
 * @example capRoomOf({ cap: 5_000_000_000n, principal: 1_000_000_000n }, { ...accounts, cap: 2_000_000_000n }) // 1000000000n
 */
export function capRoomOf(
  term: { cap: bigint; principal: bigint },
  { cap, liabilities, reserved }: Pick<TermAccounts, "liabilities" | "reserved"> & { cap: bigint },
): bigint {
  return smaller(atLeastZero(cap - (liabilities - reserved)), atLeastZero(term.cap - term.principal));
}

/**
 * The largest principal whose interest over `seconds` at `rate` is funded, both by the free interest and in cash.
 * @example fundedRoomOf(78_000_000_000_000_000n, { ...accounts, deployed: 200_000_000n }, 15_638_400n) // 1585352060n
 */
export function fundedRoomOf(rate: bigint, accounts: TermAccounts, seconds: bigint): bigint {
  const [growth, whole] = [rate * seconds, secondsPerYear * wad];
  let room = mostPrincipal;
  if (growth > 0n) room = smaller(room, mostBelow(freeInterest(accounts), growth, whole));
  // The deposit itself brings cash. Only interest beyond its principal needs cash that is already there.
  if (growth > whole) room = smaller(room, mostBelow(accounts.cash - accounts.reserved, growth - whole, whole));
  return room;
}

/** The largest p with ⌊p · growth / whole⌋ ≤ most. */
function mostBelow(most: bigint, growth: bigint, whole: bigint): bigint {
  return ((most + 1n) * whole - 1n) / growth;
}

/**
 * One wallet's receipts in one product. Invariant: cost = totalIn − totalOut + interest, exactly.
 * @example const position = { receipts: 1, cost: 100n, interest: 0n, totalIn: 100n, totalOut: 0n, costEstimated: false }
 */
export interface ReceiptPosition {
  /** Number of live receipts. */
  receipts: number;
  /** Cost of the receipts, less draws. */
  cost: bigint;
  /** Payments of closed receipts beyond their cost, and draws beyond their cost. */
  interest: bigint;
  totalIn: bigint;
  totalOut: bigint;
  /** True if part of the cost is an estimate, namely the value of a receipt at the time it was transferred in. */
  costEstimated: boolean;
}

export const emptyReceiptPosition: ReceiptPosition = {
  receipts: 0,
  cost: 0n,
  interest: 0n,
  totalIn: 0n,
  totalOut: 0n,
  costEstimated: false,
};

/**
 * Adds a receipt for `assets`: a deposit, or a transfer in at its value (`estimated`) or with its original cost.
 * @example addReceipt(emptyReceiptPosition, 100n) // position
 */
export function addReceipt(position: ReceiptPosition, assets: bigint, estimated = false): ReceiptPosition {
  return {
    ...position,
    receipts: position.receipts + 1,
    cost: position.cost + assets,
    totalIn: position.totalIn + assets,
    costEstimated: position.costEstimated || estimated,
  };
}

/**
 * Splits a payment into returned cost and interest. Cost comes first; if the receipt is `gone`, all of the cost is
 * returned.
 * @example splitPayment(100n, 130n, true) // { cost: 100n, interest: 30n }
 */
export function splitPayment(cost: bigint, paid: bigint, gone: boolean): { cost: bigint; interest: bigint } {
  const back = gone ? cost : smaller(cost, paid);
  return { cost: back, interest: paid - back };
}

/**
 * Records that a receipt of this cost pays out, or is transferred out at that value. RangeError if there is no such
 * receipt.
 * @example payReceipt({ position, cost: 100n, paid: 130n, gone: true }) // { receipts: 0, cost: 0n, interest: 30n, totalIn: 100n, totalOut: 130n, costEstimated: false }
 */
export function payReceipt({
  position,
  cost,
  paid,
  gone,
}: {
  position: ReceiptPosition;
  cost: bigint;
  paid: bigint;
  gone: boolean;
}): ReceiptPosition {
  check(position, cost);
  const split = splitPayment(cost, paid, gone);
  const receipts = position.receipts - (gone ? 1 : 0);
  return {
    receipts,
    cost: position.cost - split.cost,
    interest: position.interest + split.interest,
    totalIn: position.totalIn,
    totalOut: position.totalOut + paid,
    costEstimated: receipts > 0 && position.costEstimated,
  };
}

/**
 * The cost of a part of a receipt's principal, rounded down.
 * @example costOfPart({ cost: 101n, principal: 100n }, 50n) // 50n
 */
export function costOfPart({ cost, principal }: { cost: bigint; principal: bigint }, part: bigint): bigint {
  return mulDivFloor(cost, part, principal);
}

/**
 * Records that a part of this cost leaves a receipt, which stays, and pays out. A payment below the cost is a loss.
 * @example payPart({ position, cost: 50n, paid: 49n }) // { receipts: 1, cost: 50n, interest: -1n, totalIn: 100n, totalOut: 49n, costEstimated: false }
 */
export function payPart({
  position,
  cost,
  paid,
}: {
  position: ReceiptPosition;
  cost: bigint;
  paid: bigint;
}): ReceiptPosition {
  const { receipts, costEstimated } = position;
  return { ...payReceipt({ position, cost, paid, gone: true }), receipts, costEstimated };
}

/**
 * Records that a receipt of this cost rolls over into one of `principal`, which is neither paid out nor paid in, and
 * pays `paid`.
 * @example rollReceipt({ position, cost: 100n, paid: 5n, principal: 100n }) // { receipts: 1, cost: 100n, interest: 5n, totalIn: 100n, totalOut: 5n, costEstimated: false }
 */
export function rollReceipt({
  position,
  cost,
  paid,
  principal,
}: {
  position: ReceiptPosition;
  cost: bigint;
  paid: bigint;
  principal: bigint;
}): ReceiptPosition {
  check(position, cost);
  return {
    ...position,
    cost: position.cost - cost + principal,
    interest: position.interest + paid + principal - cost,
    totalOut: position.totalOut + paid,
    costEstimated: position.receipts > 1 && position.costEstimated,
  };
}

function check(position: ReceiptPosition, cost: bigint): void {
  if (position.receipts === 0 || position.cost < cost)
    throw new RangeError(`No receipt of cost ${cost} among ${position.receipts} with cost ${position.cost}`);
}

function atLeastZero(value: bigint): bigint {
  return value > 0n ? value : 0n;
}
