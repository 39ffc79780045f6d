import type { DemandDetail } from "@aqua/sdk/api/product";
import { yearlyGain } from "@aqua/sdk/maths/apy";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { formatAmount } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import type { KeyLine } from "../../../ui/key-lines.tsx";
import { exitWaitOf } from "../../products/exit-wait.ts";
import { lossLine } from "../form/risk-lines.ts";
import { waitLine } from "./exit-wait.tsx";

/** The expected earnings of a deposit of `amount` (smallest units), how it can be withdrawn, and past losses. */
export function depositLines(product: DemandDetail, amount: bigint): KeyLine[] {
  return [yearLine(product, amount), ...exitLines(product, amount), lossLine(product)];
}

function yearLine({ apy, asset, withheld }: DemandDetail, amount: bigint): KeyLine {
  const label = t("transact.line.year");
  if (withheld.includes("accounts")) return { label, value: "—", note: t("ui.withheld") };
  if (apy.value === null) return { label, value: "—", note: t("transact.line.year.unknown") };
  if (!apy.annualised) return { label, value: "—", note: t("transact.line.year.young") };
  const gain = formatAmount(formatUnits(yearlyGain(amount, apy.value), asset.decimals), { signed: true });
  return { label, value: t("transact.line.about", { amount: gain, symbol: asset.symbol }) };
}

function exitLines(product: DemandDetail, amount: bigint): KeyLine[] {
  const { symbol, decimals } = product.asset;
  const label = t("transact.line.available");
  if (product.instant_capacity === null) return [{ label, value: "—", note: t("ui.withheld") }];
  const available = parseUnits(product.instant_capacity, decimals);
  if (amount <= available) return [{ label, value: t("transact.line.availableAll") }];
  const values = {
    amount: formatAmount(formatUnits(available, decimals), { rounding: "down" }),
    whole: formatAmount(formatUnits(amount, decimals), { minDigits: 0 }),
    symbol,
  };
  const wait = waitLine(product, exitWaitOf(product, { amount, decimals }), t("transact.line.wait"));
  return [{ label, value: t("transact.line.availablePart", values), caution: wait.caution }, wait];
}
