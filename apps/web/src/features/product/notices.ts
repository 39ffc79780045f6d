import type { ProductDetail } from "@aqua/sdk/api/product";
import { compareAmounts } from "../decimal.ts";
import { stateOf } from "../products/deposit-state.ts";

/** Notices above the figures. Times in Unix milliseconds, amounts in units of the asset. */
export type ProductNotice =
  /** Figures are withheld because of a finding of the audit. */
  | { code: "withheld" }
  | { code: "stale" }
  /** The amounts are null if they are withheld. */
  | { code: "windingDown"; received: string | null; claims: string | null }
  | { code: "closedDemand" | "closedTime" }
  | { code: "pausedDemand" | "pausedTime"; until: number }
  | { code: "afterLoss" | "lossReview" | "lossReviewTime" | "evidenceLapsed" | "evidenceLapsedTime"; until: number }
  | { code: "reportLate" }
  | { code: "capped" | "termless" | "noRoom" };

/** Whether the last report is older than the contract accepts. */
function isReportLate({ vault, as_of }: Extract<ProductDetail, { type: "demand_deposit" }>): boolean {
  const { last_report, report_max_age } = vault;
  return last_report !== null && report_max_age > 0 && as_of.time - last_report > report_max_age;
}

/** A loss, under review or not. */
function vaultNotices({ vault, as_of }: Extract<ProductDetail, { type: "demand_deposit" }>): ProductNotice[] {
  const { loss_reviewed_until: reviewed, deposits_closed_until: closed } = vault;
  const notices: ProductNotice[] = [];
  if (reviewed !== null && reviewed > as_of.time) notices.push({ code: "lossReview", until: reviewed });
  else if (closed !== null && closed > as_of.time) notices.push({ code: "afterLoss", until: closed });
  return notices;
}

/** All states of a product that limit what a depositor can do, most serious first. */
export function noticesOf(product: ProductDetail): ProductNotice[] {
  const notices: ProductNotice[] = product.withheld.length > 0 ? [{ code: "withheld" }] : [];
  if (product.as_of.stale) notices.push({ code: "stale" });
  const time = product.type === "time_deposit";
  if (time && product.books.winding_down)
    // Winding down is final and supersedes every other state.
    return [...notices, { code: "windingDown", ...product.books.winding_down }];
  // What the other notices say of the time after them is not true if the product is wound down.
  if (time && product.loss_reviewed_until !== null)
    return [...notices, { code: "lossReviewTime", until: product.loss_reviewed_until }];
  const state = stateOf(product);
  if (state === "closed") notices.push({ code: time ? "closedTime" : "closedDemand" });
  if (product.paused_until !== null && product.paused_until > product.as_of.time)
    notices.push({ code: time ? "pausedTime" : "pausedDemand", until: product.paused_until });
  if (!time && isReportLate(product)) notices.push({ code: "reportLate" });
  // What else keeps a closed product from taking deposits changes nothing; a review also stops withdrawals.
  if (!time) notices.push(...vaultNotices(product).filter(({ code }) => state !== "closed" || code === "lossReview"));
  const evidence = time ? product.evidence_until : product.vault.evidence_until;
  if (state !== "closed" && evidence !== null && evidence <= product.as_of.time)
    notices.push({ code: time ? "evidenceLapsedTime" : "evidenceLapsed", until: evidence });
  if (state === "capped" || state === "termless") notices.push({ code: state });
  const isKnown = !product.withheld.includes("accounts");
  if (
    time &&
    isKnown &&
    state === "open" &&
    !product.terms.some((term) => term.open && hasRoom(term.room, product.min_deposit))
  )
    notices.push({ code: "noRoom" });
  return notices;
}

function hasRoom(room: string, minimum: string): boolean {
  return compareAmounts(room, "0") > 0 && compareAmounts(room, minimum) >= 0;
}

/** Whether the product itself allows deposits, independent of the visitor. */
export function takesDeposits(product: ProductDetail): boolean {
  const reported = product.type === "time_deposit" || product.vault.last_report !== null;
  return reported && noticesOf(product).every(({ code }) => code === "stale");
}
