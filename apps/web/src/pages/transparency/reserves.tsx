import type { Reserves, TransparencySummary } from "@aqua/sdk/api/transparency";
import { lazy, Suspense, useState } from "react";
import { Link } from "react-router";
import { sumAmounts } from "../../features/decimal.ts";
import { formatCoverage } from "../../features/products/coverage.ts";
import { formatAmount } from "../../i18n/format.ts";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { type Part, PartsBar } from "../../ui/chart/parts-bar.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Stamp } from "../../ui/stamp.tsx";

const Check = lazy(() =>
  Promise.all([import("./check.tsx"), loadTexts("evidence", "readings")]).then(([module]) => module),
);

const colours = {
  idle: 1,
  deployed: 3,
  set_aside: 2,
  shares: 1,
  unstreamed: 5,
  principal: 1,
  interest: 5,
  claims: 2,
} as const;

type Entry = { part: keyof typeof colours; amount: string };

const partsOf = (entries: readonly Entry[]): Part[] =>
  entries.map(({ part, amount }) => ({
    key: part,
    name: t(`transparency.part.${part}`),
    value: amount,
    colour: colours[part],
  }));

/** One side of the balance: its parts, their sum, and whether the parts add up to it. */
function Side({
  title,
  entries,
  total,
  symbol,
}: {
  title: string;
  entries: readonly Entry[];
  total: string;
  symbol: string;
}) {
  const text = (value: string) => formatAmount(value);
  const off = sumAmounts([...entries.map((entry) => entry.amount), negative(total)]);
  const addsUp = !/[1-9]/.test(off);
  return (
    <div className="min-w-0">
      <h4 className="mb-3 flex items-baseline justify-between gap-4 text-14 font-strong">
        {title}
        <span className="text-12 font-normal text-muted">{symbol}</span>
      </h4>
      <PartsBar label={title} parts={partsOf(entries)} format={text} />
      <p className="mt-2 flex items-baseline justify-between gap-4 border-t border-line pt-2 text-14">
        <span>{t("transparency.total")}</span>
        <span className="text-right font-mono font-strong wrap-anywhere" title={`${total} ${symbol}`}>
          {text(total)}
        </span>
      </p>
      {!addsUp && (
        <p className="mt-2 text-12 text-negative">{t("transparency.partsOff", { amount: off, unit: symbol })}</p>
      )}
    </div>
  );
}

const negative = (amount: string) => (amount.startsWith("-") ? amount.slice(1) : `-${amount}`);

/** What a product owns against what it owes, with every part, the formula, and a way to check it. */
export function ReserveCard({
  reserves,
  contracts,
}: {
  reserves: Reserves;
  contracts: TransparencySummary["contracts"];
}) {
  const { symbol, coverage, type } = reserves;
  // The check keeps the block it was started for, while the figures above update.
  const [checked, setChecked] = useState<Reserves | null>(null);
  const spare = sumAmounts([reserves.total_assets, negative(reserves.total_liabilities)]);
  const short = spare.startsWith("-");
  return (
    <article className="panel">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-b border-line px-5 py-4">
        <div className="min-w-0">
          <h3 className="text-16">
            <Link to={paths.product(reserves.short_id)} className="link">
              {reserves.name}
            </Link>
          </h3>
          <p className="mt-1 text-12 text-muted">{t(`products.type.${type}`)}</p>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <span className="text-20 font-strong">{formatCoverage(coverage)}</span>
          {coverage === null ? (
            <Badge>{t("transparency.nothingOwed")}</Badge>
          ) : short ? (
            <Badge look="negative">
              {t("transparency.short", { amount: formatAmount(spare.slice(1)), unit: symbol })}
            </Badge>
          ) : (
            <Badge look="positive">{t("transparency.covered")}</Badge>
          )}
        </div>
      </div>
      <div className="grid gap-x-10 gap-y-8 p-5 md:grid-cols-2">
        <Side
          title={t("transparency.assets")}
          entries={reserves.assets}
          total={reserves.total_assets}
          symbol={symbol}
        />
        <Side
          title={t("transparency.liabilities")}
          entries={reserves.liabilities}
          total={reserves.total_liabilities}
          symbol={symbol}
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3">
        <p className="max-w-[68ch] text-12 text-muted">{t(`transparency.formula.${type}`)}</p>
        <Stamp block={reserves.as_of.block} time={reserves.as_of.time} stale={reserves.as_of.stale} />
      </div>
      <div className="border-t border-line px-5 py-3">
        {checked ? (
          <Suspense fallback={<Skeleton className="h-40" />}>
            <Check reserves={checked} contracts={contracts} onAgain={() => setChecked(reserves)} />
          </Suspense>
        ) : (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button look="secondary" size="small" onClick={() => setChecked(reserves)}>
              {t("transparency.check")}
            </Button>
            <p className="text-12 text-muted">{t("transparency.check.intro")}</p>
          </div>
        )}
      </div>
    </article>
  );
}
