import type { ProductDetail } from "@aqua/sdk/api/product";
import { PriceChart } from "../../features/products/price-chart.tsx";
import { explorerOf, proofAge } from "../../features/products/words.ts";
import { formatAmount, formatCountry, formatDate, formatDuration } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Address } from "../../ui/address.tsx";
import { Amount } from "../../ui/amount.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Section } from "../../ui/section.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { Evidence } from "./evidence.tsx";
import { ProductTransactions } from "./transactions.tsx";

function waitText(product: ProductDetail): string {
  if (product.wait === null) return "—";
  if (product.wait.p90 === 0) return t("products.wait.now");
  return t("products.wait.text", { p50: formatDuration(product.wait.p50), p90: formatDuration(product.wait.p90) });
}

/** Everything below the figures, from the chart to the contracts. */
export default function ProductBody({ product }: { product: ProductDetail }) {
  const unit = product.asset.symbol;
  return (
    <>
      <div className="flex max-w-[68ch] flex-col gap-3 text-16">
        {product.description.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
      {product.type === "demand_deposit" && <PriceChart shortId={product.short_id} unit={unit} />}
      <Section title={t("products.facts")}>
        <dl className="panel grid grid-cols-2 gap-x-6 gap-y-5 p-5 md:grid-cols-3">
          <Figure size="small" label={t("products.exitNow")}>
            <Amount value={product.instant_capacity} unit={unit} />
          </Figure>
          <Figure size="small" label={t("products.wait")}>
            {waitText(product)}
          </Figure>
          <Figure size="small" label={t("products.minimum")}>
            <Amount value={product.min_deposit} unit={unit} minDigits={0} />
          </Figure>
          <Figure size="small" label={t("products.holders")}>
            {product.holders}
          </Figure>
          <Figure size="small" label={t("products.proof")}>
            {proofAge(product)}
          </Figure>
          <Figure size="small" label={t("products.inception")}>
            {formatDate(product.inception)}
          </Figure>
          {product.type === "demand_deposit" && (
            <>
              <Figure size="small" label={t("products.streaming")} note={t("products.streaming.note")}>
                <Amount value={product.vault.streaming} unit={unit} />
              </Figure>
              <Figure size="small" label={t("products.supply")}>
                <Amount value={product.share.supply} unit={product.share.symbol} />
              </Figure>
            </>
          )}
          <Figure size="small" label={t("products.fees")}>
            {t("products.fees.none")}
          </Figure>
        </dl>
      </Section>
      {product.yield_source.length > 0 && (
        <Section title={t("products.yield")}>
          <ol className="panel grid gap-px overflow-hidden bg-line">
            {product.yield_source.map((step, index) => (
              <li key={step} className="flex gap-4 bg-surface p-5">
                <span aria-hidden="true" className="font-mono text-14 text-accent">
                  {index + 1}
                </span>
                <p className="max-w-[68ch] text-14">{step}</p>
              </li>
            ))}
          </ol>
        </Section>
      )}
      <Section title={t("products.asset")}>
        <div className="panel">
          <dl className="grid gap-x-6 gap-y-5 p-5 sm:grid-cols-2">
            <Figure size="small" label={t("products.place")} note={coordinates(product)}>
              {product.location ?? <Unknown reason={t("products.document.none")} />}
            </Figure>
            <Figure
              size="small"
              label={t("products.holder")}
              note={product.holder && `${product.holder.role} · ${formatCountry(product.holder.country)}`}
            >
              {product.holder?.name ?? <Unknown reason={t("products.document.none")} />}
            </Figure>
          </dl>
          <Evidence evidence={product.evidence} now={product.as_of.time} />
        </div>
      </Section>
      <Section title={t("products.risks")} intro={t("products.risks.intro")}>
        <ul className="grid gap-4 sm:grid-cols-2">
          {product.risks.map((risk) => (
            <li key={risk.title} className="panel border-l-3 border-l-caution p-5">
              <h3 className="text-16">{risk.title}</h3>
              <p className="mt-1 text-14 text-muted">{risk.text}</p>
            </li>
          ))}
        </ul>
      </Section>
      <ProductTransactions product={product} />
      <Section title={t("products.contracts")} intro={t("products.contracts.intro")}>
        <dl className="panel divide-y divide-line">
          {product.contracts.map((contract) => (
            <div
              key={contract.role}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-5 py-2.5"
            >
              <dt className="text-14 text-muted">{t(`products.contract.${contract.role}`)}</dt>
              <dd>
                <Address
                  address={contract.address}
                  what={t("products.address")}
                  explorer={explorerOf(product.chain_id)}
                  full
                />
              </dd>
            </div>
          ))}
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-5 py-2.5">
            <dt className="text-14 text-muted">{t("products.contract.document")}</dt>
            <dd>
              <Address address={product.metadata_hash} what={t("products.hash")} />
            </dd>
          </div>
        </dl>
      </Section>
    </>
  );
}

function coordinates(product: ProductDetail): string | null {
  if (!product.coordinates) return null;
  const { latitude, longitude } = product.coordinates;
  const degrees = (value: number) => formatAmount(Math.abs(value).toFixed(4), { digits: 2 });
  return `${degrees(latitude)}° ${latitude < 0 ? "S" : "N"}, ${degrees(longitude)}° ${longitude < 0 ? "W" : "E"}`;
}
