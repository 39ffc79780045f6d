import type { ProductDetail } from "@aqua/sdk/api/product";
import { DAY_MS } from "@aqua/sdk/durations";
import { parseUnits } from "@aqua/sdk/maths/units";
import { formatAmount, formatDate } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import type { KeyLine } from "../../../ui/key-lines.tsx";
import { isZero } from "../../decimal.ts";
import { lossText } from "../../loss-text.ts";

const exampleUnits = "1000";

/** The amount that a deposit's figures use before one is typed: 1,000, or the smallest deposit if that is larger. */
export function exampleAmount({ asset, min_deposit }: ProductDetail): bigint {
  const example = parseUnits(exampleUnits, asset.decimals);
  const minimum = parseUnits(min_deposit, asset.decimals);
  return minimum > example ? minimum : example;
}

/** The worst loss of depositors in this product so far. */
export function lossLine(product: ProductDetail): KeyLine {
  const label = t("transact.line.loss");
  if (product.withheld.includes("accounts")) return { label, value: "—", note: t("ui.withheld") };
  const days = Math.max(0, Math.floor((product.as_of.time - product.inception) / DAY_MS));
  const loss = product.type === "demand_deposit" ? product.max_drawdown : product.books.losses;
  if (loss === null) return { label, value: "—", note: t("transact.line.year.unknown") };
  const known = isZero(loss) ? t("transact.line.loss.none", { days }) : null;
  // The contract books a loss of a time deposit only after its review.
  if (product.type === "time_deposit") {
    const { symbol } = product.asset;
    const value = known ?? t("transact.line.loss.reported", { amount: formatAmount(loss), symbol });
    return product.loss_reviewed_until === null
      ? { label, value }
      : { label, value, note: t("transact.obstacle.termLossReview.title") };
  }
  if (known !== null) return { label, value: known };
  const value = lossText(`-${loss}`);
  const reversed = product.max_drawdown_taken_back;
  return reversed === null
    ? { label, value }
    : { label, value, note: t("transact.line.loss.reversed", { date: formatDate(reversed) }) };
}

/** The warning that the contract has no audit; null once the product's document names one. */
export function auditWarning(product: ProductDetail): string | null {
  return product.contract_audit === null ? t("transact.line.notAudited") : null;
}
