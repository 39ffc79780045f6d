import type { ProductDetail } from "@aqua/sdk/api/product";
import { formatAmount, formatDateTime } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Notice } from "../../ui/notice.tsx";
import { noticesOf, type ProductNotice } from "./notices.ts";

const looks = {
  windingDown: "error",
  closedDemand: "info",
  closedQueue: "info",
  closedTime: "info",
} as const;

function words(notice: ProductNotice, unit: string): { title: string; text: string } {
  switch (notice.code) {
    case "stale":
      return { title: t("products.stale.title"), text: t("products.stale.text") };
    case "windingDown":
      return {
        title: t("product.notice.windingDown"),
        text: t("product.notice.windingDown.text", {
          received: formatAmount(notice.received),
          claims: formatAmount(notice.claims),
          unit,
        }),
      };
    case "closedDemand":
    case "closedQueue":
    case "closedTime":
      return { title: t("products.closed.title"), text: t(`product.notice.${notice.code}.text`) };
    case "pausedDemand":
    case "pausedTime":
      return {
        title: t("product.notice.paused", { until: formatDateTime(notice.until) }),
        text: t(`product.notice.${notice.code}.text`),
      };
    case "evidenceLapsed":
    case "evidenceLapsedTime":
      return {
        title: t("product.notice.evidenceLapsed"),
        text: t(`product.notice.${notice.code}.text`, { until: formatDateTime(notice.until) }),
      };
    case "afterLoss":
    case "lossReview":
      return {
        title: t(`product.notice.${notice.code}`),
        text: t(`product.notice.${notice.code}.text`, { until: formatDateTime(notice.until) }),
      };
    case "reportLate":
    case "reportLateQueue":
      return { title: t("product.notice.reportLate"), text: t(`product.notice.${notice.code}.text`) };
    case "capped":
    case "termless":
    case "noRoom":
      return { title: t(`product.notice.${notice.code}`), text: t(`product.notice.${notice.code}.text`) };
  }
}

/** Notices, above the figures, of states that limit what one can do. */
export function NoticeList({ product }: { product: ProductDetail }) {
  return noticesOf(product).map((notice) => {
    const { title, text } = words(notice, product.asset.symbol);
    const look = notice.code in looks ? looks[notice.code as keyof typeof looks] : "caution";
    return (
      <Notice key={notice.code} look={look} title={title}>
        {text}
      </Notice>
    );
  });
}
