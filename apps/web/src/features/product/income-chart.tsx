import type { ProductDetail } from "@aqua/sdk/api/product";
import { useMemo } from "react";
import { formatAmount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Chart } from "../../ui/chart/chart.tsx";
import type { ChartSeries } from "../../ui/chart/types.ts";
import { WithheldReason } from "../../ui/withheld.tsx";
import { isZero } from "../decimal.ts";

/** Charts a product's income of the last twelve months with one bar per month. */
export function IncomeChart({ product }: { product: ProductDetail }) {
  const unit = product.asset.symbol;
  const name = t(`product.income.${product.type}`);
  const series = useMemo<ChartSeries[]>(() => {
    const points = product.income_months.map(({ start, amount }) => ({ time: start, value: amount }));
    return [{ name, colour: 1, bars: true, points }];
  }, [product.income_months, name]);
  if (product.withheld.some((part) => part !== "flows"))
    return (
      <p className="border-t border-line p-5 text-14 text-muted">
        <WithheldReason />
      </p>
    );
  if (product.income_months.every(({ amount }) => isZero(amount)))
    return <p className="border-t border-line p-5 text-14 text-muted">{t(`product.income.none.${product.type}`)}</p>;
  return (
    <div className="border-t border-line pt-4">
      <Chart
        title={t("product.income.title", { name, unit })}
        series={series}
        periods="month"
        height={100}
        format={(value) => formatAmount(value)}
      />
    </div>
  );
}
