import type { TermOffer, TimeDetail } from "@aqua/sdk/api/product";
import { formatDate, formatRate, formatTerm } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { isZero } from "../decimal.ts";
import { openTerms } from "../products/deposit-state.ts";

/** States the rate of an early exit and the part of the principal that it costs. */
function earlyExit({ break_rate, penalty }: TermOffer): string {
  const rate = formatRate(break_rate);
  return isZero(penalty)
    ? t("product.terms.early.rate", { rate })
    : t("product.terms.early.penalty", { rate, penalty: formatRate(penalty) });
}

function columns({ asset: { symbol: unit }, books }: TimeDetail): Column<TermOffer>[] {
  return [
    {
      key: "term",
      title: t("product.terms.term"),
      lead: true,
      render: (term) => (
        <span className="inline-flex flex-wrap items-center gap-2 whitespace-nowrap">
          {formatTerm(term)}
          {!term.open && <Badge>{t("product.terms.closed")}</Badge>}
        </span>
      ),
    },
    { key: "rate", title: t("products.rate"), figure: true, render: (term) => formatRate(term.rate) },
    {
      key: "apy",
      title: t("products.apy"),
      figure: true,
      render: (term) => (term.apy === null ? <Unknown reason={t("product.terms.apyUnknown")} /> : formatRate(term.apy)),
    },
    {
      key: "early",
      title: t("product.terms.early"),
      // Nobody can leave early in a winding down.
      render: (term) => (books.winding_down === null ? earlyExit(term) : "—"),
    },
    {
      key: "maturity",
      title: t("product.terms.maturity"),
      render: (term) => (term.open ? <span className="whitespace-nowrap">{formatDate(term.maturity)}</span> : "—"),
    },
    {
      key: "room",
      title: t("product.terms.room"),
      figure: true,
      render: (term) => (term.open ? <Amount value={term.room} unit={unit} digits={0} rounding="down" mono /> : "—"),
    },
  ];
}

/** Lists all terms, open ones first. Closed terms are included because receipts refer to them. */
export function Terms({ product }: { product: TimeDetail }) {
  const open = openTerms(product);
  const terms = product.terms
    .map((term) => ({ ...term, open: open.includes(term) }))
    .sort((a, b) => Number(b.open) - Number(a.open) || a.maturity - b.maturity);
  return (
    <Section title={t("product.terms")}>
      <div className="panel overflow-hidden">
        {terms.length === 0 ? (
          <Empty title={t(product.withheld.includes("accounts") ? "ui.withheld" : "product.terms.none")} />
        ) : (
          <Table
            caption={t("product.terms")}
            columns={columns(product)}
            rows={terms}
            rowKey={(term) => String(term.term_id)}
          />
        )}
      </div>
    </Section>
  );
}
