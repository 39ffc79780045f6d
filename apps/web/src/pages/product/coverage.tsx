import type { TimeDetail } from "@aqua/sdk/api/product";
import { isZero } from "../../features/decimal.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Gauge } from "../../ui/gauge.tsx";
import { Section } from "../../ui/section.tsx";
import { coverageText } from "./fact-text.ts";

/** The assets that cover what is owed to receipts, each part separately. */
export function Coverage({ product: { books, asset } }: { product: TimeDetail }) {
  const unit = asset.symbol;
  const level = books.coverage === null ? null : Math.min(1, Number(books.coverage));
  const text =
    books.coverage === null
      ? t("product.coverage.none")
      : t("product.coverage.text", { coverage: coverageText(books.coverage) });
  const parts = [
    { label: t("product.books.cash"), value: books.cash },
    { label: t("product.books.deployed"), value: books.deployed },
    { label: t("product.books.free"), value: books.free_interest },
    { label: t("product.books.principal"), value: books.principal },
    ...(books.winding_down ? [] : [{ label: t("product.books.reserved"), value: books.reserved }]),
    { label: t("product.books.liabilities"), value: books.liabilities },
    ...(isZero(books.losses) ? [] : [{ label: t("product.books.losses"), value: books.losses }]),
  ];
  return (
    <Section title={t("product.coverage.title")} intro={t("product.coverage.intro")}>
      <div className="panel flex flex-col gap-6 p-5 sm:flex-row">
        <div className="flex items-center gap-4 sm:w-56 sm:shrink-0">
          <Gauge label={t("product.coverage")} level={level} text={text} shape="vessel" />
          <p className="text-14">{text}</p>
        </div>
        <dl className="grid flex-1 grid-cols-2 gap-x-6 gap-y-5 md:grid-cols-3">
          {parts.map(({ label, value }) => (
            <Figure key={label} size="small" label={label}>
              <Amount value={value} unit={unit} />
            </Figure>
          ))}
        </dl>
      </div>
    </Section>
  );
}
