import type { ProductDetail } from "@aqua/sdk/api/product";
import { formatAmount, formatDateTime, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Notice } from "../../ui/notice.tsx";
import { WithheldNotice } from "../../ui/withheld.tsx";
import { compareAmounts, isZero } from "../decimal.ts";
import { noticesOf, type ProductNotice } from "./notices.ts";

/**
 * Says what a demand deposit earned recently. Null if that is unknown or if the period is too short to state a yearly
 * rate.
 */
export function earnedText({ type, apy }: ProductDetail): string | null {
  if (type !== "demand_deposit" || apy.value === null) return null;
  if (isZero(apy.value)) return t("product.notice.earnedNothing", { days: apy.window_days });
  return apy.annualised ? t("product.notice.earned", { rate: formatRate(apy.value), days: apy.window_days }) : null;
}

/** Says how the money of a demand deposit can be withdrawn at this moment. Null if nothing is deposited. */
export function exitText(product: ProductDetail): string | null {
  if (product.type !== "demand_deposit" || isZero(product.tvl)) return null;
  const { instant_capacity, asset, vault, tvl } = product;
  if (instant_capacity === null || tvl === null) return null;
  const queued = vault.queue !== null;
  if (isZero(instant_capacity)) return t(queued ? "product.notice.exit.queue" : "product.notice.exit.none");
  if (compareAmounts(instant_capacity, tvl) >= 0) return t("product.notice.exit.all");
  const some = t("product.notice.exit.some", {
    amount: formatAmount(instant_capacity, { rounding: "down" }),
    unit: asset.symbol,
  });
  return queued ? `${some} ${t("product.notice.exit.larger")}` : some;
}

const looks = { windingDown: "error", closedDemand: "info", closedTime: "info" } as const;

/** The title of a notice and the sentences that apply to the product now. */
function words(
  notice: Exclude<ProductNotice, { code: "withheld" }>,
  product: ProductDetail,
): { title: string; sentences: (string | null)[] } {
  switch (notice.code) {
    case "stale":
      return { title: t("products.stale.title"), sentences: [t("products.stale.text")] };
    case "windingDown": {
      const [received, claims] = [formatAmount(notice.received), formatAmount(notice.claims)];
      const values = { received, claims, unit: product.asset.symbol };
      const sentences = [t("product.notice.windingDown.text"), t("product.notice.windingDown.received", values)];
      return { title: t("product.notice.windingDown"), sentences };
    }
    case "closedDemand":
      return { title: t("products.closed.title"), sentences: [earnedText(product), exitText(product)] };
    case "closedTime":
      return { title: t("products.closed.title"), sentences: [t("product.notice.closedTime.text")] };
    case "pausedDemand":
      return {
        title: t("product.notice.paused", { until: formatDateTime(notice.until) }),
        // The end of a pause opens no closed product.
        sentences: [product.status === "closed" ? null : t("product.notice.pausedDemand.text"), exitText(product)],
      };
    case "pausedTime":
      return {
        title: t("product.notice.paused", { until: formatDateTime(notice.until) }),
        sentences: [t("product.notice.pausedTime.text")],
      };
    case "evidenceLapsed":
    case "evidenceLapsedTime": {
      // A pause stops the early withdrawals that the text for time deposits says continue.
      const paused = product.paused_until !== null && product.paused_until > product.as_of.time;
      const code = paused ? "evidenceLapsed" : notice.code;
      return {
        title: t("product.notice.evidenceLapsed"),
        sentences: [t(`product.notice.${code}.text`, { until: formatDateTime(notice.until) }), exitText(product)],
      };
    }
    case "afterLoss":
      return {
        title: t("product.notice.afterLoss"),
        sentences: [t("product.notice.afterLoss.text", { until: formatDateTime(notice.until) }), exitText(product)],
      };
    case "lossReview":
    case "lossReviewTime":
      return {
        title: t("product.notice.lossReview"),
        sentences: [t(`product.notice.${notice.code}.text`, { until: formatDateTime(notice.until) })],
      };
    case "reportLate":
      return {
        title: t("product.notice.reportLate"),
        sentences: [product.status === "closed" ? null : t("product.notice.reportLate.text"), exitText(product)],
      };
    case "capped":
    case "termless":
    case "noRoom":
      return { title: t(`product.notice.${notice.code}`), sentences: [t(`product.notice.${notice.code}.text`)] };
  }
}

/** Notices above the figures about states that limit what a depositor can do. */
export function NoticeList({ product }: { product: ProductDetail }) {
  return noticesOf(product).map((notice) => {
    if (notice.code === "withheld") return <WithheldNotice key={notice.code} />;
    const { title, sentences } = words(notice, product);
    const look = notice.code in looks ? looks[notice.code as keyof typeof looks] : "caution";
    return (
      <Notice key={notice.code} look={look} title={title}>
        {sentences.filter((sentence) => sentence !== null).join(" ")}
      </Notice>
    );
  });
}
