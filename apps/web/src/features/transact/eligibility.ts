import type { DemandDetail } from "@aqua/sdk/api/product";
import { parseUnits } from "@aqua/sdk/maths/units";
import type { Position } from "../../wallet/chain/position.ts";
import type { Wallet } from "../../wallet/store.ts";
import { type AccountNeed, accountNeed, type Visitor } from "./account-need.ts";

/** Why a visitor cannot act on a product now, with what the words need. Times in Unix milliseconds. */
export type Obstacle =
  | { code: "closed" }
  | { code: "paused"; until: number }
  | { code: "reportOld"; since: number | null }
  | { code: "capReached" }
  /** The chain takes no deposit now although nothing the server knows says why. */
  | { code: "depositsClosed" }
  | { code: "notConnected" }
  | { code: "connecting" }
  | { code: "wrongNetwork" }
  | { code: "loading" }
  | { code: "chainUnavailable" }
  /** The chain knows no verified record of this wallet. */
  | { code: "account"; need: AccountNeed }
  | { code: "exitOnly" }
  | { code: "frozen" }
  /** Another wallet took its place on chain; what it holds goes there. */
  | { code: "retired" }
  | { code: "noGas" }
  | { code: "noAssets" }
  | { code: "nothingToWithdraw" };

export interface Circumstances {
  product: DemandDetail;
  wallet: Wallet;
  /** Null while it is read; "error" when the chain did not answer. */
  position: Position | "error" | null;
  visitor: Visitor;
  /** Unix milliseconds. */
  now: number;
}

function productObstacle(product: DemandDetail, now: number): Obstacle | null {
  if (product.status === "closed") return { code: "closed" };
  const { paused_until } = product;
  const { last_report, report_max_age } = product.vault;
  if (paused_until !== null && paused_until > now) return { code: "paused", until: paused_until };
  if (last_report === null || last_report + report_max_age < now) return { code: "reportOld", since: last_report };
  const units = (amount: string) => parseUnits(amount, product.asset.decimals);
  const room = units(product.cap) - units(product.tvl);
  if (room <= 0n || room < units(product.min_deposit)) return { code: "capReached" };
  return null;
}

function walletObstacle({ product, wallet, position }: Circumstances): Obstacle | null {
  // While "connecting" the kit's dialog is open or was closed; the button must then open it again.
  if (wallet.status === "reconnecting") return { code: "connecting" };
  if (wallet.address === null) return { code: "notConnected" };
  if (wallet.chainId !== product.chain_id) return { code: "wrongNetwork" };
  if (position === null) return { code: "loading" };
  if (position === "error") return { code: "chainUnavailable" };
  return null;
}

/** What stands between this visitor and a deposit, the most general first; null when nothing does. */
export function depositObstacle(circumstances: Circumstances): Obstacle | null {
  const { product, wallet, position, visitor, now } = circumstances;
  const before = productObstacle(product, now) ?? walletObstacle(circumstances);
  if (before !== null || position === null || position === "error") return before;
  if (position.status === "frozen") return { code: "frozen" };
  if (position.status === "retired") return { code: "retired" };
  if (position.status === "exit_only") return { code: "exitOnly" };
  if (position.status === "none")
    return { code: "account", need: accountNeed(visitor, wallet.address ?? "", product.chain_id) };
  if (position.nativeBalance === 0n) return { code: "noGas" };
  if (position.assetBalance === 0n) return { code: "noAssets" };
  if (position.maxDeposit === 0n) return { code: "depositsClosed" };
  return null;
}

/** What stands between this visitor and a withdrawal. Closed, paused and capped products can always be left. */
export function withdrawalObstacle(circumstances: Circumstances): Obstacle | null {
  const { position } = circumstances;
  const before = walletObstacle(circumstances);
  if (before !== null || position === null || position === "error") return before;
  if (position.status === "retired") return { code: "retired" };
  if (position.shares === 0n) return { code: "nothingToWithdraw" };
  if (position.status === "frozen" || position.status === "none") return { code: "frozen" };
  if (position.nativeBalance === 0n) return { code: "noGas" };
  return null;
}
