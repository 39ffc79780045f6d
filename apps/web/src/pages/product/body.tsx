import type { ProductDetail } from "@aqua/sdk/api/product";
import { lazy, Suspense } from "react";
import { PriceChart } from "../../features/products/price-chart.tsx";
import { formatCountry } from "../../i18n/format.ts";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { Figure } from "../../ui/figure.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { Contracts } from "./contracts.tsx";
import { Coverage } from "./coverage.tsx";
import { Evidence } from "./evidence.tsx";
import { coordinatesText } from "./fact-text.ts";
import { Facts } from "./facts.tsx";
import { Terms } from "./term-table.tsx";
import { ProductTransactions } from "./transactions.tsx";
import { Yield } from "./yield.tsx";

const withReadings = <Module,>(module: Promise<Module>) =>
  Promise.all([module, loadTexts("readings")]).then(([loaded]) => loaded);
const Devices = lazy(() => withReadings(import("./devices.tsx")));
const Links = lazy(() => withReadings(import("./links.tsx")));

function Asset({ product }: { product: ProductDetail }) {
  return (
    <Section title={t("product.asset")}>
      <div className="panel">
        <dl className="grid gap-x-6 gap-y-5 p-5 sm:grid-cols-2">
          <Figure size="small" label={t("product.place")} note={coordinatesText(product)}>
            {product.location ?? <Unknown reason={t("product.document.none")} />}
          </Figure>
          <Figure
            size="small"
            label={t("product.holder")}
            note={product.holder && `${product.holder.role} · ${formatCountry(product.holder.country)}`}
          >
            {product.holder?.name ?? <Unknown reason={t("product.document.none")} />}
          </Figure>
        </dl>
        <Evidence evidence={product.evidence} now={product.as_of.time} />
      </div>
    </Section>
  );
}

function Risks({ product }: { product: ProductDetail }) {
  return (
    <Section title={t("product.risks")} intro={t("product.risks.intro")}>
      {product.risks.length === 0 ? (
        <p className="panel p-5 text-14 text-muted">{t("product.risks.none")}</p>
      ) : (
        <ul className="grid gap-4 sm:grid-cols-2">
          {product.risks.map((risk) => (
            <li key={risk.title} className="panel border-l-3 border-l-caution p-5">
              <h3 className="text-16">{risk.title}</h3>
              <p className="mt-1 text-14 text-muted">{risk.text}</p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** Everything below the figures, from the terms or the chart to the contracts. */
export default function ProductBody({ product }: { product: ProductDetail }) {
  return (
    <>
      {product.description.length > 0 && (
        <div className="flex max-w-[68ch] flex-col gap-3 text-16">
          {product.description.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      )}
      {product.type === "time_deposit" ? (
        <>
          <Terms product={product} />
          <Coverage product={product} />
        </>
      ) : (
        <PriceChart shortId={product.short_id} unit={product.asset.symbol} />
      )}
      <Facts product={product} />
      <Yield product={product} />
      <Asset product={product} />
      <Suspense fallback={<Skeleton className="h-160 rounded-12" />}>
        <Devices shortId={product.short_id} />
        {product.type === "demand_deposit" && <Links product={product} />}
      </Suspense>
      <Risks product={product} />
      <ProductTransactions product={product} />
      <Contracts product={product} />
    </>
  );
}
