import type { ProductDetail } from "@aqua/sdk/api/product";
import { ChevronDown } from "lucide-react";
import { t } from "../../i18n/i18n.ts";
import { Section } from "../../ui/section.tsx";
import { Coverage } from "./coverage.tsx";
import { Facts } from "./facts.tsx";
import { Yield } from "./yield.tsx";

function Description({ paragraphs }: { paragraphs: readonly string[] }) {
  return (
    <Section title={t("product.description")}>
      <div className="flex max-w-[68ch] flex-col gap-3 text-14">
        {paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
    </Section>
  );
}

function Steps({ product }: { product: ProductDetail }) {
  return (
    <Section title={t("product.yield.steps")}>
      <div className="panel p-5">
        <Yield product={product} />
      </div>
      <ol className="panel mt-4 divide-y divide-line empty:hidden">
        {product.yield_source.map((step, index) => (
          <li key={step} className="flex gap-4 px-5 py-4">
            <span aria-hidden="true" className="font-mono text-14 text-accent">
              {index + 1}
            </span>
            <p className="max-w-[68ch] text-14">{step}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Risks({ risks }: { risks: ProductDetail["risks"] }) {
  return (
    <Section title={t("product.risks")}>
      {risks.length === 0 ? (
        <p className="panel p-5 text-14 text-muted">{t("product.risks.none")}</p>
      ) : (
        <ul className="grid gap-4 sm:grid-cols-2">
          {risks.map((risk) => (
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

/** The operator's full texts and every figure of the product, collapsed at first. */
export function More({ product }: { product: ProductDetail }) {
  return (
    <details className="group">
      <summary className="panel flex min-h-12 cursor-pointer items-center justify-between gap-4 px-5 py-3 text-14 font-strong hover:border-accent">
        {t("product.more")}
        <ChevronDown
          aria-hidden="true"
          className="size-5 shrink-0 transition-transform group-open:rotate-180"
          strokeWidth={1.75}
        />
      </summary>
      <div className="mt-8 flex flex-col gap-10">
        {product.description.length > 0 && <Description paragraphs={product.description} />}
        <Steps product={product} />
        <Facts product={product} />
        {product.type === "time_deposit" && (
          <>
            <p className="max-w-[68ch] text-14">{t("product.terms.intro")}</p>
            <Coverage product={product} />
          </>
        )}
        <Risks risks={product.risks} />
      </div>
    </details>
  );
}
