import type { Holding } from "@aqua/sdk/api/portfolio";
import type { TimeDetail } from "@aqua/sdk/api/product";
import type { ChainReceipt, ChainTerm, TermPosition } from "@aqua/sdk/chain/term-position";
import { capRoomOf, fundedRoomOf } from "@aqua/sdk/maths/receipts";
import { maturityOf } from "@aqua/sdk/maths/term";
import { cashForReceipt, exitAt, exitLimit, interestOf, type RolledPart, rollLimit } from "@aqua/sdk/maths/term-orders";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { accountNeed } from "../eligibility/account-need.ts";
import {
  type Circumstances,
  entryObstacle,
  exitObstacle,
  type Obstacle,
  walletObstacle,
} from "../eligibility/eligibility.ts";
import { autoRollUntil } from "./auto-roll.ts";

type Case = Circumstances<TimeDetail, TermPosition>;

function productObstacle({ product, position, now }: Case): Obstacle | null {
  const read = position === "error" ? null : position;
  if (product.books.winding_down !== null || (read?.claims ?? 0n) > 0n) return { code: "windingDown" };
  const review = reviewObstacle(product);
  if (review !== null) return review;
  if (product.status === "closed") return { code: "termClosed" };
  if (product.cap_used === null) return { code: "withheld" };
  const until = read?.pausedUntil ?? product.paused_until ?? 0;
  if (until > now) return { code: "termPaused", until };
  const lapsed = evidenceObstacle(product, now);
  if (lapsed !== null) return lapsed;
  const open = product.terms.filter((term) => term.open);
  if (open.length === 0) return { code: "noTerm" };
  return read === null ? roomObstacle(product) : chainRoomObstacle(read);
}

/** A loss under review holds up what a pause does, until it is settled. */
function reviewObstacle({ loss_reviewed_until: until }: TimeDetail): Obstacle | null {
  return until === null ? null : { code: "termLossReview", until };
}

/** Openings and rollovers stop when the product's evidence lapses. Exits do not stop. */
function evidenceObstacle({ evidence_until: until }: TimeDetail, now: number): Obstacle | null {
  return until !== null && until <= now ? { code: "termEvidenceLapsed", until } : null;
}

/** The obstacle if no deposit fits, by the server's last data. */
function roomObstacle(product: TimeDetail): Obstacle | null {
  const units = (amount: string) => parseUnits(amount, product.asset.decimals);
  const minimum = units(product.min_deposit);
  const open = product.terms.filter((term) => term.open);
  if (open.some((term) => units(term.room) > 0n && units(term.room) >= minimum)) return null;
  const capRoom = units(product.cap) - units(product.cap_used ?? product.cap);
  return capRoom > 0n && capRoom >= minimum ? { code: "interestDry" } : { code: "capReached" };
}

/** The same check with the chain's own accounts: caps first, then funded interest. */
function chainRoomObstacle(position: TermPosition): Obstacle | null {
  const at = BigInt(Math.floor(position.time / 1_000));
  const fits = (room: bigint) => room > 0n && room >= position.minDeposit;
  const within = position.terms.filter((term) => fits(capRoomOf(term, position)));
  if (within.length === 0) return { code: "capReached" };
  const funded = within.some((term) => fits(fundedRoomOf(term.rate, position, maturityOf(at, term) - at)));
  return funded ? null : { code: "interestDry" };
}

/** The first obstacle to a new time deposit, most general first; null if there is none. */
export function openObstacle(circumstances: Case): Obstacle | null {
  const { product, wallet, position, visitor } = circumstances;
  const obstacle = productObstacle(circumstances) ?? walletObstacle(circumstances);
  if (obstacle !== null || position === null || position === "error") return obstacle;
  const record = entryObstacle(position, accountNeed(visitor, wallet.address ?? "", product.chain_id));
  if (record !== null) return record;
  return position.open ? null : { code: "termClosed" };
}

/** A receipt and the connected wallet. */
export interface ReceiptCase extends Case {
  /** Null while loading. */
  receipt: ChainReceipt | null;
  /** The holder that the API reports. */
  holder: string;
}

interface Ready {
  position: TermPosition;
  receipt: ChainReceipt;
}

/** The first obstacle to every action on a receipt. If there is none, returns the data for the next checks. */
function checkReceipt(circumstances: ReceiptCase): Obstacle | Ready {
  const { wallet, position, receipt, holder } = circumstances;
  const obstacle = walletObstacle({ ...circumstances, position: null });
  // The chain is read only for the receipt's own wallet, so position and receipt do not apply to another wallet.
  if (obstacle !== null && obstacle.code !== "loading") return obstacle;
  if (wallet.address?.toLowerCase() !== holder.toLowerCase()) return { code: "otherWallet", holder };
  if (position === null) return { code: "loading" };
  if (position === "error") return { code: "chainUnavailable" };
  if (receipt === null) return { code: "loading" };
  if (receipt.owner === null) return { code: "receiptGone" };
  if (receipt.owner.toLowerCase() !== wallet.address?.toLowerCase())
    return { code: "otherWallet", holder: receipt.owner };
  return { position, receipt };
}

const isObstacle = (value: Obstacle | Ready): value is Obstacle => "code" in value;

/** Whether a receipt has matured by the time of the block it was read at. */
export function isMatured({ position, receipt }: Ready): boolean {
  return BigInt(Math.floor(position.time / 1_000)) >= receipt.maturity;
}

function whole(circumstances: Case, value: bigint): string {
  return formatUnits(value, circumstances.product.asset.decimals);
}

/** The first obstacle to a receipt's payment at maturity. A pause or a closed product is no obstacle. */
export function closeObstacle(circumstances: ReceiptCase): Obstacle | null {
  const result = checkReceipt(circumstances);
  if (isObstacle(result)) return result;
  const { position, receipt } = result;
  if (position.claims > 0n) return { code: "windingDown" };
  if (!isMatured(result)) return { code: "notMatured", time: Number(receipt.maturity) * 1_000 };
  const record = exitObstacle(position);
  if (record !== null) return record;
  const due = receipt.principal + interestOf(receipt);
  const here = cashForReceipt(receipt, position, false);
  if (due <= here) return null;
  return { code: "noCash", needed: whole(circumstances, due), here: whole(circumstances, here) };
}

/**
 * The first obstacle to an exit of `principal` before maturity; of the whole receipt if null. The form shows an error of
 * the amount itself beside its field.
 */
export function earlyExitObstacle(circumstances: ReceiptCase, principal: bigint | null = null): Obstacle | null {
  const result = checkReceipt(circumstances);
  if (isObstacle(result)) return result;
  const { position, receipt } = result;
  if (position.claims > 0n) return { code: "windingDown" };
  if (isMatured(result)) return { code: "maturedAlready" };
  const review = reviewObstacle(circumstances.product);
  if (review !== null) return review;
  if (position.pausedUntil > circumstances.now) return { code: "termPaused", until: position.pausedUntil };
  const record = exitObstacle(position);
  if (record !== null) return record;
  const at = BigInt(Math.floor(position.time / 1_000));
  const part = principal ?? receipt.principal;
  const limit = exitLimit({ receipt, principal: part, at, accounts: position });
  if (limit?.code === "nothing") return { code: "nothingToClaim" };
  if (limit?.code !== "cash") return null;
  const { payout } = exitAt({ ...receipt, principal: part }, at);
  return { code: "noCashEarly", needed: whole(circumstances, payout), here: whole(circumstances, limit.room) };
}

/** The first obstacle to a rollover of a matured receipt under `term`. */
export function rolloverObstacle(
  circumstances: ReceiptCase,
  term: ChainTerm | null,
  what: RolledPart,
): Obstacle | null {
  const result = checkReceipt(circumstances);
  if (isObstacle(result)) return result;
  const { position, receipt } = result;
  if (position.claims > 0n) return { code: "windingDown" };
  if (!isMatured(result)) return { code: "notMatured", time: Number(receipt.maturity) * 1_000 };
  const review = reviewObstacle(circumstances.product);
  if (review !== null) return review;
  if (position.pausedUntil > circumstances.now) return { code: "termPaused", until: position.pausedUntil };
  const lapsed = evidenceObstacle(circumstances.product, circumstances.now);
  if (lapsed !== null) return lapsed;
  if (!position.open) return { code: "termClosed" };
  if (term === null || !term.open) return { code: "noTerm" };
  const need = accountNeed(circumstances.visitor, circumstances.wallet.address ?? "", circumstances.product.chain_id);
  // The old deposit pays for the new one, so the wallet needs no money of its own.
  const record = entryObstacle({ ...position, assetBalance: 1n }, need);
  if (record !== null) return record;
  const at = BigInt(Math.floor(position.time / 1_000));
  const limit = rollLimit({ receipt, term, what, at, accounts: position });
  if (limit === null) return null;
  const room = whole(circumstances, limit.room);
  const codes = { cap: "rollCap", interest: "rollInterest", minimum: "rollMinimum", nothing: "rollNothing" } as const;
  return { code: codes[limit.code], room };
}

/** Whether a matured receipt's instruction can still be carried out at `now`; times in Unix milliseconds. */
function isRollable(roll: ChainReceipt["roll"], maturity: number, now: number): boolean {
  return roll !== "none" && now <= autoRollUntil(maturity);
}

/**
 * The first obstacle to an instruction for a receipt's maturity. A stored instruction can be changed until it is too
 * late to carry it out.
 */
export function instructionObstacle(circumstances: ReceiptCase): Obstacle | null {
  const result = checkReceipt(circumstances);
  if (isObstacle(result)) return result;
  if (result.position.claims > 0n) return { code: "windingDown" };
  const { roll, maturity } = result.receipt;
  if (isMatured(result) && !isRollable(roll, Number(maturity) * 1_000, result.position.time))
    return { code: "maturedAlready" };
  return result.position.noGas ? { code: "noGas" } : null;
}

/** The first obstacle to drawing a receipt's share in a wind-down. */
export function drawObstacle(circumstances: ReceiptCase): Obstacle | null {
  const result = checkReceipt(circumstances);
  if (isObstacle(result)) return result;
  if (result.position.claims === 0n || result.receipt.claimable === 0n) return { code: "nothingToDraw" };
  return exitObstacle(result.position);
}

export type Choice = "close" | "rollover" | "instruct" | "exit" | "draw";

/** The possible actions on a receipt, by the chain's data, or by the server's data while the chain's data loads. */
export function choicesOf({ product, position, receipt, now }: ReceiptCase, holding: Holding): Choice[] {
  const read = position === "error" ? null : position;
  if (read === null ? product.books.winding_down !== null : read.claims > 0n) return ["draw"];
  const time = read?.time ?? now;
  const maturity = receipt === null ? (holding.maturity ?? 0) : Number(receipt.maturity) * 1_000;
  if (time < maturity) return ["instruct", "exit"];
  const roll = receipt?.roll ?? holding.receipt?.roll ?? "none";
  return isRollable(roll, maturity, time) ? ["close", "rollover", "instruct"] : ["close", "rollover"];
}
