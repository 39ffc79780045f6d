import type { TimeDetail } from "@aqua/sdk/api/product";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Gauge } from "../../ui/gauge.tsx";
import { Section } from "../../ui/section.tsx";
import { isZero, shareOf } from "../decimal.ts";
import { partText } from "../part-text.ts";

/**
 * Compares the receipts with the product's cash and, separately, with the amount that the custodian has according to
 * the operator's books.
 */
export function Coverage({ product: { books, asset } }: { product: TimeDetail }) {
  const unit = asset.symbol;
  const level = shareOf(books.cash, books.liabilities);
  const part = (of: string | null) => partText(of, books.liabilities);
  const text = isZero(books.liabilities)
    ? t("product.coverage.none")
    : t("product.coverage.text", { cash: part(books.cash), custodian: part(books.deployed) });
  const parts = [
    { label: t("product.books.cash"), value: books.cash, rounding: "down" as const },
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
          {parts.map(({ label, ...part }) => (
            <Figure key={label} size="small" label={label}>
              <Amount {...part} unit={unit} />
            </Figure>
          ))}
        </dl>
      </div>
    </Section>
  );
}
