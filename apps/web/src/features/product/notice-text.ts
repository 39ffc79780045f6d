import type { ProductDetail } from "@aqua/sdk/api/product";
import { formatAmount, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { compareAmounts, isZero } from "../decimal.ts";

/** What the deposits of a demand deposit earned lately; null where it is not known or not comparable with a year. */
export function earnedText({ type, apy }: ProductDetail): string | null {
  if (type !== "demand_deposit" || apy.value === null) return null;
  if (isZero(apy.value)) return t("product.notice.earnedNothing", { days: apy.window_days });
  return apy.annualised ? t("product.notice.earned", { rate: formatRate(apy.value), days: apy.window_days }) : null;
}

/** How the money of a demand deposit can be withdrawn at this moment; null where nothing is deposited. */
export function exitText(product: ProductDetail): string | null {
  if (product.type !== "demand_deposit" || isZero(product.tvl)) return null;
  const { instant_capacity, asset, vault, tvl } = product;
  const queued = vault.queue !== null;
  if (isZero(instant_capacity)) return t(queued ? "product.notice.exit.queue" : "product.notice.exit.none");
  if (compareAmounts(instant_capacity, tvl) >= 0) return t("product.notice.exit.all");
  return t("product.notice.exit.some", {
    amount: formatAmount(instant_capacity, { rounding: "down" }),
    unit: asset.symbol,
  });
}
