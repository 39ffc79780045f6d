import type { DemandDetail, ProductDetail } from "@aqua/sdk/api/product";
import type { Position } from "@aqua/sdk/chain/vault-position";
import type { WalletPosition } from "@aqua/sdk/chain/wallet-position";
import { parseUnits } from "@aqua/sdk/maths/units";
import type { Wallet } from "../../../wallet/store.ts";
import { type AccountNeed, accountNeed, type Visitor } from "./account-need.ts";

/**
 * The reason why a visitor cannot act on a product now, with the values for its text. Times are in Unix milliseconds.
 */
export type Obstacle =
  | { code: "closed" }
  | { code: "paused"; until: number }
  | { code: "reportOld"; since: number | null }
  /** `until`: the latest end of the review, or the end of the day without deposits after a loss. */
  | { code: "lossReview" | "afterLoss"; until: number }
  | { code: "evidenceLapsed"; until: number }
  | { code: "capReached" }
  /** Figures that a depositor decides by are withheld because of a finding of the audit. */
  | { code: "withheld" }
  /** The contract takes no deposit now, for a reason that is not in the server's data. */
  | { code: "depositsClosed" }
  | { code: "notConnected" }
  | { code: "connecting" }
  | { code: "wrongNetwork" }
  | { code: "loading" }
  | { code: "chainUnavailable" }
  /** The chain has no verified record of this wallet. */
  | { code: "account"; need: AccountNeed }
  | { code: "exitOnly" }
  | { code: "frozen" }
  /** Another wallet replaced this one on chain and receives its holdings. */
  | { code: "retired" }
  | { code: "noGas" }
  | { code: "noAssets" }
  | { code: "nothingToWithdraw" }
  | { code: "nothingToClaim" }
  /** A time deposit in wind-down: each receipt draws its share. */
  | { code: "windingDown" }
  | { code: "termClosed" }
  /** Pauses openings, rollovers and early exits. */
  | { code: "termPaused"; until: number }
  /** Holds up the same until the loss is settled. `until`: the time until which it can be reversed. */
  | { code: "termLossReview"; until: number }
  /** Stops only openings and rollovers. */
  | { code: "termEvidenceLapsed"; until: number }
  | { code: "noTerm" }
  /** No interest is funded for new deposits. */
  | { code: "interestDry" }
  /** The receipt belongs to a wallet that is not connected. */
  | { code: "otherWallet"; holder: string }
  | { code: "receiptGone" }
  | { code: "notMatured"; time: number }
  | { code: "maturedAlready" }
  /** Decimal strings in whole units: the cash the payment needs, and the cash available. */
  | { code: "noCash" | "noCashEarly"; needed: string; here: string }
  /** `room`: the amount that would fit, or that would suffice. */
  | { code: "rollCap" | "rollInterest" | "rollMinimum" | "rollNothing"; room: string }
  | { code: "nothingToDraw" };

export interface Circumstances<Detail extends ProductDetail = DemandDetail, Read extends WalletPosition = Position> {
  product: Detail;
  wallet: Wallet;
  /** Null while loading; "error" when the chain did not respond. */
  position: Read | "error" | null;
  visitor: Visitor;
  /** Unix milliseconds. */
  now: number;
}

type Anyone = Pick<Circumstances<ProductDetail, WalletPosition>, "product" | "wallet" | "position">;

function productObstacle(product: DemandDetail, now: number): Obstacle | null {
  if (product.status === "closed") return { code: "closed" };
  if (product.cap_used === null) return { code: "withheld" };
  const { paused_until } = product;
  const { last_report, report_max_age, evidence_until, loss_reviewed_until, deposits_closed_until } = product.vault;
  if (paused_until !== null && paused_until > now) return { code: "paused", until: paused_until };
  if (last_report === null || last_report + report_max_age < now) return { code: "reportOld", since: last_report };
  if (loss_reviewed_until !== null && loss_reviewed_until > now)
    return { code: "lossReview", until: loss_reviewed_until };
  if (deposits_closed_until !== null && deposits_closed_until > now)
    return { code: "afterLoss", until: deposits_closed_until };
  if (evidence_until !== null && evidence_until <= now) return { code: "evidenceLapsed", until: evidence_until };
  const units = (amount: string) => parseUnits(amount, product.asset.decimals);
  const room = units(product.cap) - units(product.cap_used);
  if (room <= 0n || room < units(product.min_deposit)) return { code: "capReached" };
  return null;
}

/** Obstacles that apply to every action. */
export function walletObstacle({ product, wallet, position }: Anyone): Obstacle | null {
  // While "connecting", the kit's dialog is open or was closed. The button must be able to open it again.
  if (wallet.status === "reconnecting") return { code: "connecting" };
  if (wallet.address === null) return { code: "notConnected" };
  if (wallet.chainId !== product.chain_id) return { code: "wrongNetwork" };
  if (position === null) return { code: "loading" };
  if (position === "error") return { code: "chainUnavailable" };
  return null;
}

/** The first obstacle to a deposit, most general first; null if there is none. */
export function depositObstacle(circumstances: Circumstances): Obstacle | null {
  const { product, wallet, position, visitor, now } = circumstances;
  const obstacle = productObstacle(product, now) ?? walletObstacle(circumstances);
  if (obstacle !== null || position === null || position === "error") return obstacle;
  const record = entryObstacle(position, accountNeed(visitor, wallet.address ?? "", product.chain_id));
  if (record !== null) return record;
  if (position.maxDeposit === 0n) return { code: "depositsClosed" };
  return null;
}

/** Obstacles of a wallet that pays in: its record, its gas and its balance. */
export function entryObstacle(position: WalletPosition, need: AccountNeed): Obstacle | null {
  const { status } = position;
  if (status === "frozen" || status === "retired") return { code: status };
  if (status === "exit_only") return { code: "exitOnly" };
  if (status === "none") return { code: "account", need };
  if (position.noGas) return { code: "noGas" };
  return position.assetBalance === 0n ? { code: "noAssets" } : null;
}

/** Obstacles of a wallet that withdraws its own assets. An expired record is no obstacle. */
export function exitObstacle({ status, noGas }: WalletPosition): Obstacle | null {
  if (status === "retired") return { code: "retired" };
  if (status === "frozen" || status === "none") return { code: "frozen" };
  return noGas ? { code: "noGas" } : null;
}

/** The first obstacle to a withdrawal. Closed, paused and capped products always allow withdrawals. */
export function withdrawalObstacle(circumstances: Circumstances): Obstacle | null {
  const { position } = circumstances;
  const obstacle = walletObstacle(circumstances);
  if (obstacle !== null || position === null || position === "error") return obstacle;
  if (position.status === "retired") return { code: "retired" };
  if (position.shares === 0n) return { code: "nothingToWithdraw" };
  return exitObstacle(position);
}

/** The first obstacle to claiming the amount that a queue has set aside. A pause or a closed product is no obstacle. */
export function claimObstacle(circumstances: Circumstances): Obstacle | null {
  const { position } = circumstances;
  const obstacle = walletObstacle(circumstances);
  if (obstacle !== null || position === null || position === "error") return obstacle;
  if ((position.queue?.claimable ?? 0n) > 0n) return exitObstacle(position);
  // The contract reports 0 claimable for a wallet that is not allowed to act.
  return exitObstacle(position) ?? { code: "nothingToClaim" };
}
