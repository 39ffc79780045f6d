import type { Performance, ProductDetail } from "@aqua/sdk/api/product";
import type { ReactNode } from "react";
import { formatAmount, formatDate, formatRate, formatTerm } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Figure } from "../../ui/figure.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { Term } from "../../ui/term.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { lossText } from "../loss-text.ts";
import { formatCoverage } from "../products/coverage.ts";
import { openTerms } from "../products/deposit-state.ts";

/** A group of figures above their formula and the block they belong to. */
function Group({ performance, formula, children }: { performance: Performance; formula: string; children: ReactNode }) {
  return (
    <div className="panel">
      {children}
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3">
        <p className="max-w-[68ch] text-12 text-muted">{formula}</p>
        <Stamp block={performance.as_of.block} time={performance.as_of.time} stale={performance.as_of.stale} />
      </div>
    </div>
  );
}

/** Share price, APY over each window, and maximum drawdown. */
export function DemandFigures({ performance, unit }: { performance: Performance; unit: string }) {
  const reversed = performance.max_drawdown_taken_back;
  return (
    <Group performance={performance} formula={t("performance.formula")}>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 p-5 sm:grid-cols-4">
        <Figure label={<Term name="sharePrice">{t("products.sharePrice")}</Term>} note={unit}>
          {performance.share_price === null ? (
            <Unknown reason={t("performance.price.none")} />
          ) : (
            formatAmount(performance.share_price, { digits: 6 })
          )}
        </Figure>
        {performance.apy.map((apy) => (
          <Figure
            key={apy.window_days ?? "inception"}
            label={
              apy.window_days === null
                ? t("performance.apy.inception")
                : t("performance.apy.window", { days: apy.window_days })
            }
            note={
              apy.value === null ? t("performance.apy.tooYoung") : apy.annualised ? undefined : t("performance.apy.raw")
            }
          >
            {apy.value === null ? <Unknown reason={t("performance.apy.tooYoung")} /> : formatRate(apy.value)}
          </Figure>
        ))}
        <Figure
          label={t("performance.drawdown")}
          note={
            reversed === null
              ? t("performance.drawdown.note")
              : t("performance.drawdown.reversed", { date: formatDate(reversed) })
          }
        >
          {performance.max_drawdown === null ? (
            <Unknown reason={t("performance.apy.tooYoung")} />
          ) : (
            lossText(`-${performance.max_drawdown}`)
          )}
        </Figure>
      </dl>
    </Group>
  );
}

/** Shows the mean rate of deposits, the coverage, and what each open term pays now. */
export function TermFigures({
  performance,
  product,
}: {
  performance: Performance;
  product: ProductDetail | undefined;
}) {
  const last = performance.series.at(-1);
  const offers = product?.type === "time_deposit" ? openTerms(product) : [];
  return (
    <Group
      performance={performance}
      formula={t(offers.length > 0 ? "performance.termFormula" : "performance.termFixed")}
    >
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 p-5">
        <Figure label={t("performance.meanRate")} note={t("performance.meanRate.note")} size="large">
          {last?.rate ? formatRate(last.rate) : <Unknown reason={t("performance.meanRate.none")} />}
        </Figure>
        <Figure label={t("performance.coverage")} note={t("performance.coverage.note")} size="large">
          {last?.coverage ? formatCoverage(last.coverage) : <Unknown reason={t("performance.coverage.none")} />}
        </Figure>
      </dl>
      {offers.length > 0 && (
        <dl className="grid grid-cols-2 gap-x-6 gap-y-5 border-t border-line p-5 sm:grid-cols-3">
          {offers.map((offer) => (
            <Figure
              key={offer.term_id}
              label={t("performance.offer", { term: formatTerm(offer) })}
              note={t("performance.offer.rate", { rate: formatRate(offer.rate) })}
            >
              {formatRate(offer.apy)}
            </Figure>
          ))}
        </dl>
      )}
    </Group>
  );
}
