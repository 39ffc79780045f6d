import type { ProductDetail } from "@aqua/sdk/api/product";
import { formatAmount, formatDateTime, shortenAddress } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import { now } from "../../../server-clock.ts";
import { nonceUnknown, type TrackedTransaction } from "../../../wallet/transactions.ts";
import { reasonText } from "./failure-reasons.ts";

interface Outcome {
  title: string;
  lines: string[];
}

/** A wallet's balance in a product, in whole units of the asset, as read at a block. */
export interface PositionAt {
  value: string;
  block: number;
}

/** The outcome of a transaction: the event, its effect on the money, and the next step. */
export function outcomeText(
  transaction: TrackedTransaction,
  product: ProductDetail | null,
  position: PositionAt | null = null,
): Outcome {
  switch (transaction.stage) {
    case "confirmed": {
      const outcome = confirmedText(transaction, product);
      return { ...outcome, lines: [...outcome.lines, ...positionText(transaction, position)] };
    }
    case "replaced":
      return replacedText(transaction);
    case "dropped":
      return { title: t("transact.done.dropped.title"), lines: [droppedText(transaction)] };
    default:
      return failedText(transaction, product);
  }
}

/** The new position, once it has been read at the transaction's block or later. */
function positionText({ block, symbol }: TrackedTransaction, position: PositionAt | null): string[] {
  if (position === null || block === null || position.block < block) return [];
  return [t("transact.done.position", { amount: formatAmount(position.value), symbol: symbol ?? "" })];
}

function confirmedText(transaction: TrackedTransaction, product: ProductDetail | null): Outcome {
  const { amount, facts, kind, description, shares, assetDecimals } = transaction;
  const exact = (value: string | undefined) => formatAmount(value ?? "0", { digits: assetDecimals, minDigits: 2 });
  const values = {
    amount: exact(amount ?? undefined),
    symbol: transaction.symbol ?? product?.asset.symbol ?? "",
    shares: formatAmount(shares, { digits: 6, minDigits: 2 }),
    share: product?.share?.symbol ?? "",
    receipt: facts.receipt ?? "",
    principal: exact(facts.principal),
    interest: exact(facts.interest),
    maturity: formatDateTime(facts.maturity === undefined ? null : Number(facts.maturity)),
  };
  switch (kind) {
    case "instruct":
      return { title: t("transact.done.instruct.title"), lines: [t("transact.done.instruct.text")] };
    case "move":
      return { title: t("transact.done.move.title"), lines: description.split(" · ") };
    case "veto":
      return { title: t("transact.done.veto.title"), lines: [t("transact.done.veto.text")] };
    case "demand":
      return { title: t("transact.done.demand.title"), lines: [t("transact.done.demand.text")] };
    case "rollover":
      return {
        title: t("transact.done.rollover.title", values),
        lines: [
          t("transact.done.open.text", values),
          ...(Number(amount ?? "0") > 0 ? [t("transact.done.withdraw.title", values)] : []),
        ],
      };
    case "request":
      return { title: t("transact.done.request.title"), lines: [t("transact.done.request.text", values)] };
    default:
  }
  if (amount === null) return { title: t("transact.done.all"), lines: description.split(" · ") };
  if (kind !== "deposit")
    return {
      title: t(kind === "claim" ? "transact.done.claim.title" : "transact.done.withdraw.title", values),
      lines: shares === null || kind === "claim" ? [] : [t("transact.done.withdraw.text", values)],
    };
  const title = t("transact.done.deposit.title", values);
  if (facts.receipt !== undefined) return { title, lines: [t("transact.done.open.text", values)] };
  const earning = isStreaming(product) ? "transact.done.earning" : "transact.done.earningLater";
  return { title, lines: [t("transact.done.deposit.text", values), t(earning)] };
}

/**
 * A dropped transaction has moved no money, because its nonce is unused. If no node has seen it, its nonce is unknown,
 * and the wallet may still send it later.
 */
function droppedText({ nonce }: TrackedTransaction): string {
  return t(nonce === nonceUnknown ? "transact.done.dropped.unseen" : "transact.done.dropped.text");
}

function replacedText({ reason, replacedBy }: TrackedTransaction): Outcome {
  if (reason?.code === "cancelled")
    return { title: t("transact.done.cancelled.title"), lines: [t("transact.stage.nothingMoved")] };
  return {
    title: t("transact.done.replaced.title"),
    lines: [
      replacedBy === null
        ? t("transact.done.replaced.text")
        : t("transact.done.replaced.by", { hash: shortenAddress(replacedBy) }),
    ],
  };
}

/** Outcomes of a bundle whose own text already says what happened to the money. */
const bundleEnds = new Set(["batchUnsent", "batchUnknown", "batchPartly"]);

function failedText({ reason, symbol }: TrackedTransaction, product: ProductDetail | null): Outcome {
  const why = reason === null ? [] : [reasonText(reason, symbol ?? product?.asset.symbol ?? "")];
  const promised = reason !== null && bundleEnds.has(reason.code) ? [] : [t("transact.done.failed.text")];
  return { title: t("transact.done.failed.title"), lines: [[...why, ...promised].join(" ")] };
}

/** Whether reported income is still streaming in, so that new shares earn at once. */
function isStreaming(product: ProductDetail | null): boolean {
  if (product?.type !== "demand_deposit") return false;
  return product.vault.stream_end > now() && Number(product.vault.streaming) > 0;
}
