import type { ProductDetail } from "@aqua/sdk/api/product";
import { lazy, Suspense } from "react";
import { Link } from "react-router";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Address } from "../../ui/address.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { explorerOf } from "../products/product-labels.ts";

const ScheduledHere = lazy(() =>
  Promise.all([import("./scheduled-here.tsx"), loadTexts("transparency")]).then(([module]) => module),
);

const roles = ["owner", "guardian", "reporter", "treasurer", "attester"] as const;

/** Lists the product's contract addresses, what each role can and cannot do there, and scheduled changes. */
export default function Contracts({ product }: { product: ProductDetail }) {
  const explorer = explorerOf(product.chain_id);
  return (
    <Section title={t("product.contracts")} intro={t("product.contracts.intro")}>
      <dl className="panel divide-y divide-line">
        {product.contracts.map((contract) => (
          <div key={contract.role} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-5 py-2.5">
            <dt className="text-14 text-muted">
              {contract.role === "product" && product.type === "time_deposit"
                ? t("product.contract.receipts")
                : t(`products.contract.${contract.role}`)}
            </dt>
            <dd>
              <Address address={contract.address} what={t("products.address")} explorer={explorer} full />
            </dd>
          </div>
        ))}
      </dl>
      <h3 className="mt-6 mb-3 text-16">{t("product.roles")}</h3>
      <dl className="panel divide-y divide-line">
        {roles.map((role) => (
          <div key={role} className="grid gap-x-6 gap-y-0.5 px-5 py-3 text-14 sm:grid-cols-[140px_minmax(0,1fr)]">
            <dt className="font-strong">{t(`product.role.${role}`)}</dt>
            <dd className="max-w-[68ch] text-muted">
              {role === "attester" ? t("product.role.attester.can") : t(`product.role.${role}.${product.type}`)}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 mb-6 text-14">
        <Link to={paths.transparency} className="link">
          {t("product.roles.holders")}
        </Link>
      </p>
      <Suspense fallback={<Skeleton className="h-40 rounded-12" />}>
        <ScheduledHere shortId={product.short_id} />
      </Suspense>
    </Section>
  );
}
