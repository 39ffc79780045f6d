import type { Product } from "@aqua/sdk/api/product";
import { formatDuration, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { isZero } from "../decimal.ts";
import { productColumn } from "../products/product-column.tsx";

/** The time within which 90% of withdrawals of a typical amount are paid. */
function Wait({ product }: { product: Product }) {
  if (product.type === "time_deposit") return t("about.now.atMaturity");
  if (product.withheld.length > 0) return <Unknown reason={t("ui.withheld")} />;
  if (product.wait === null) return <Unknown reason={t("products.wait.unknown")} />;
  return product.wait.p90 === 0 ? t("about.now.instant") : formatDuration(product.wait.p90);
}

/** Describes the operator's share of gains, or the cost of an early withdrawal. */
function feeText({ conditions: { performance_fee, early_withdrawal } }: Product): string {
  if (performance_fee !== null)
    return isZero(performance_fee) ? t("about.now.noFee") : t("about.now.fee", { fee: formatRate(performance_fee) });
  if (early_withdrawal === null) return t("about.now.noTerm");
  const values = { rate: formatRate(early_withdrawal.rate), penalty: formatRate(early_withdrawal.penalty) };
  return t(isZero(early_withdrawal.penalty) ? "about.now.earlyRate" : "about.now.earlyPenalty", values);
}

/**
 * Shows for each product where its money is, when it can be withdrawn and what that costs. The figures come from the
 * contracts.
 */
export function Conditions({ products }: { products: readonly Product[] }) {
  const columns: Column<Product>[] = [
    productColumn(t("about.now.product")),
    {
      key: "cash",
      title: t("about.now.cash"),
      figure: true,
      render: (row) => <Amount value={row.conditions.cash} unit={row.asset.symbol} digits={0} rounding="down" />,
    },
    {
      key: "deployed",
      title: t("about.now.deployed"),
      figure: true,
      render: (row) => <Amount value={row.conditions.deployed} unit={row.asset.symbol} digits={0} />,
    },
    {
      key: "available",
      title: t("about.now.available"),
      figure: true,
      render: (row) => <Amount value={row.instant_capacity} unit={row.asset.symbol} digits={0} rounding="down" />,
    },
    { key: "wait", title: t("about.now.wait"), render: (row) => <Wait product={row} /> },
    {
      key: "fee",
      title: t("about.now.fees"),
      render: (product) => (product.withheld.length > 0 ? <Unknown reason={t("ui.withheld")} /> : feeText(product)),
    },
  ];
  const [first] = products;
  return (
    <div className="panel">
      <Table width="medium" caption={t("about.now")} columns={columns} rows={products} rowKey={(row) => row.short_id} />
      {first && (
        <div className="border-t border-line px-5 py-3">
          <Stamp align="start" block={first.as_of.block} time={first.as_of.time} stale={first.as_of.stale} />
        </div>
      )}
    </div>
  );
}
