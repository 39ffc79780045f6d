import type { ProductDetail } from "@aqua/sdk/api/product";
import { formatAmount, formatCountry } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Address } from "../../ui/address.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Section } from "../../ui/section.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { Evidence } from "./evidence.tsx";

function coordinatesText({ coordinates }: ProductDetail): string | null {
  if (!coordinates) return null;
  const { latitude, longitude } = coordinates;
  const degrees = (value: number) => formatAmount(Math.abs(value).toFixed(4), { digits: 2 });
  return `${degrees(latitude)}° ${latitude < 0 ? "S" : "N"}, ${degrees(longitude)}° ${longitude < 0 ? "W" : "E"}`;
}

/** Shows the asset, the documents about it, and the product document whose hash is in the contract's registry. */
export default function EvidenceTab({ product }: { product: ProductDetail }) {
  return (
    <>
      <Section title={t("product.asset")}>
        <dl className="panel grid gap-x-6 gap-y-5 p-5 sm:grid-cols-2">
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
      </Section>
      <Section title={t("product.evidence")} intro={t("product.evidence.intro")}>
        <Evidence evidence={product.evidence} now={product.as_of.time} />
      </Section>
      <Section title={t("product.documents.product")}>
        <div className="panel px-5 py-4 text-14">
          <Address address={product.metadata_hash} what={t("products.hash")} />
          <p className="mt-1 max-w-[68ch] text-12 text-muted">
            {t(product.description.length > 0 ? "product.documents.how" : "product.document.none")}
          </p>
        </div>
      </Section>
    </>
  );
}
