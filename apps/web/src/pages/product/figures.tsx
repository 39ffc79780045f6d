import type { ProductDetail } from "@aqua/sdk/api/product";
import { shareOf } from "../../features/decimal.ts";
import { useHoldings } from "../../features/portfolio/holdings.ts";
import { earningsOf } from "../../features/products/earnings.ts";
import { formatAmount, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Counted } from "../../ui/counted.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Gauge } from "../../ui/gauge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { useWallet } from "../../wallet/store.ts";

const rate = (value: string) => formatRate(value);

/** The visitor's stake: 0 only once it is known that there is none. */
function MyPosition({ product }: { product: ProductDetail }) {
  const { address } = useWallet();
  const holdings = useHoldings(address);
  const mine = holdings.data?.items.find((holding) => holding.short_id === product.short_id);
  const unit = product.asset.symbol;
  return (
    <Figure
      label={t("products.mine")}
      size="large"
      note={
        !address
          ? t("products.mine.disconnected")
          : mine
            ? t("products.mine.cost", { cost: formatAmount(mine.principal), unit })
            : holdings.data && t("products.mine.none")
      }
    >
      {!address ? (
        "—"
      ) : holdings.data ? (
        <Amount key={address} value={mine?.value ?? "0"} unit={unit} live />
      ) : holdings.isError ? (
        <Unknown reason={t("ui.error.title")} />
      ) : (
        <Skeleton className="h-9 w-24 max-w-full" />
      )}
    </Figure>
  );
}

/** The figures one decides on, under one stamp, with the visitor's own stake when a wallet is connected. */
export function ProductFigures({ product }: { product: ProductDetail }) {
  const unit = product.asset.symbol;
  const earnings = earningsOf(product);
  const filled = shareOf(product.tvl, product.cap);
  const late =
    product.type === "demand_deposit" &&
    product.vault.last_report !== null &&
    product.as_of.time - product.vault.last_report > product.vault.report_max_age &&
    product.vault.report_max_age > 0;
  return (
    <div className="flex flex-col gap-4">
      {product.as_of.stale && (
        <Notice look="caution" title={t("products.stale.title")}>
          {t("products.stale.text")}
        </Notice>
      )}
      {late && (
        <Notice look="caution" title={t("products.reportLate.title")}>
          {t("products.reportLate.text")}
        </Notice>
      )}
      {product.status === "closed" && (
        <Notice look="info" title={t("products.closed.title")}>
          {t("products.closed.text")}
        </Notice>
      )}
      <div className="panel">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-5 p-5 md:grid-cols-4">
          <Figure label={earnings.label} note={earnings.note} size="large">
            {earnings.value === null ? "—" : <Counted value={earnings.value} format={rate} />}
          </Figure>
          <Figure
            label={t("products.tvl")}
            size="large"
            note={t("products.capFillText", {
              fill: formatRate(filled === null ? null : String(filled), { digits: 0 }),
            })}
          >
            <Amount value={product.tvl} unit={unit} compact digits={1} live />
          </Figure>
          {product.share && (
            <Figure label={t("products.sharePrice")} note={unit} size="large">
              <Amount value={product.share.price} digits={4} live />
            </Figure>
          )}
          <MyPosition product={product} />
        </dl>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line px-5 py-3">
          <div className="flex min-w-48 flex-1 items-center gap-3">
            <span className="text-12 whitespace-nowrap text-muted">{t("products.capFill")}</span>
            <Gauge
              label={t("products.capFill")}
              level={filled}
              text={t("products.capFillText", {
                fill: formatRate(filled === null ? null : String(filled), { digits: 0 }),
              })}
              className="max-w-64"
            />
            <span className="text-12 whitespace-nowrap text-muted">
              {t("products.capOf", { cap: formatAmount(product.cap, { compact: true }), unit })}
            </span>
          </div>
          <Stamp block={product.as_of.block} time={product.as_of.time} stale={product.as_of.stale} />
        </div>
      </div>
    </div>
  );
}
