import type { DemandDetail, ProductDetail, TimeDetail } from "@aqua/sdk/api/product";
import type { ComponentProps } from "react";
import { formatAmount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Thread } from "../../ui/thread.tsx";
import { sumAmounts } from "../decimal.ts";
import { classAndPlace, proofAge } from "../products/product-labels.ts";

type Knots = ComponentProps<typeof Thread>["knots"];

/**
 * Draws a demand deposit from the asset through its newest report to the amount that can be withdrawn. A missing step
 * is an open knot.
 */
function DemandThread({ product }: { product: DemandDetail }) {
  const reported = product.vault.last_report !== null && product.proof_age !== null;
  const knots: Knots = [
    { key: "asset", label: t("product.asset"), note: classAndPlace(product) || product.name },
    {
      key: "report",
      label: t("products.proof"),
      note: proofAge(product),
      ...(reported ? {} : { state: "open" as const }),
    },
    {
      key: "price",
      label: t("products.sharePrice"),
      note: `${formatAmount(product.share.price, { digits: 6 })} ${product.asset.symbol}`,
    },
    {
      key: "payout",
      label: t("product.head.available"),
      note: `${formatAmount(product.instant_capacity, { rounding: "down" })} ${product.asset.symbol}`,
    },
  ];
  return <Thread label={t("product.yield")} knots={knots} />;
}

/** Draws a time deposit from the asset through the interest funded by the operator to the amount paid at maturity. */
function TimeThread({ product }: { product: TimeDetail }) {
  const { books, asset } = product;
  const amount = (value: string | null) => `${formatAmount(value)} ${asset.symbol}`;
  const open = (value: number | null) => (value === null || value > 0 ? {} : { state: "open" as const });
  const funded = sumAmounts([books.reserved, books.free_interest]);
  const knots: Knots = [
    { key: "asset", label: t("product.asset"), note: classAndPlace(product) || product.name },
    {
      key: "funded",
      label: t("product.thread.funded"),
      note: amount(funded),
      ...open(funded === null ? null : Number(funded)),
    },
    {
      key: "reserved",
      label: t("product.thread.reserved"),
      note: amount(books.reserved),
      ...open(books.reserved === null ? null : Number(books.reserved)),
    },
    {
      key: "receipts",
      label: t("product.thread.receipts"),
      note: books.receipts === null ? "—" : t("product.receipts", { count: books.receipts }),
      ...open(books.receipts),
    },
    { key: "payout", label: t("product.thread.owed"), note: amount(books.liabilities), ...open(books.receipts) },
  ];
  return <Thread label={t("product.yield")} knots={knots} />;
}

/** Where the yield comes from, with current figures. */
export function Yield({ product }: { product: ProductDetail }) {
  return product.type === "demand_deposit" ? <DemandThread product={product} /> : <TimeThread product={product} />;
}
