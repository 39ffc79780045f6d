import type { Home } from "@aqua/sdk/api/home";
import { formatCount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { AnimatedNumber } from "../../ui/animated-number.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { WithheldReason } from "../../ui/withheld.tsx";

type Sums = { symbol: string; amount: string | null }[];

/** One sum per unit. Unknown sums are left out; if no sum is known, the figure is shown as unknown. */
function Sum({ of, unknown }: { of: Sums; unknown: string }) {
  const knownSums = of.filter(({ amount }) => amount !== null);
  if (knownSums.length === 0) return <Unknown reason={unknown} />;
  return knownSums.map(({ symbol, amount }) => (
    <Amount key={symbol} value={amount} unit={symbol} digits={0} live className="block" />
  ));
}

const count = (value: string) => formatCount(BigInt(value));

/** Figures of the whole instance with one block and time. Skeletons of the same size are shown while they load. */
export function HomeFigures({ summary }: { summary: Home | undefined }) {
  return (
    <section aria-label={t("home.figures")} className="panel">
      <dl className="grid grid-cols-2 gap-6 p-5 md:p-6 lg:grid-cols-4">
        <Figure label={t("home.deposits")} size="large">
          {summary ? (
            <Sum
              of={summary.totals.map(({ symbol, deposits }) => ({ symbol, amount: deposits }))}
              unknown={t(summary.positions === null ? "ui.withheld" : "home.none")}
            />
          ) : (
            <Skeleton className="h-9 w-40 max-w-full" />
          )}
        </Figure>
        <Figure label={t("home.income")} size="large">
          {summary ? (
            <Sum
              of={summary.totals.map(({ symbol, income }) => ({ symbol, amount: income }))}
              unknown={t(summary.totals.some(({ deposits }) => deposits === null) ? "ui.withheld" : "home.income.none")}
            />
          ) : (
            <Skeleton className="h-9 w-32 max-w-full" />
          )}
        </Figure>
        <Figure label={t("home.open")} size="large">
          {summary ? <AnimatedNumber value={String(summary.open)} format={count} /> : <Skeleton className="h-9 w-12" />}
        </Figure>
        <Figure label={t("home.devices")} size="large">
          {summary ? (
            <AnimatedNumber value={String(summary.devices_24h)} format={count} />
          ) : (
            <Skeleton className="h-9 w-12" />
          )}
        </Figure>
      </dl>
      <div className="flex min-h-13 flex-wrap items-center justify-end gap-3 border-t border-line px-5 py-3 md:px-6">
        {summary?.positions === null && (
          <p className="mr-auto text-14 text-muted">
            <WithheldReason />
          </p>
        )}
        {summary && <Stamp block={summary.as_of.block} time={summary.as_of.time} stale={summary.as_of.stale} />}
      </div>
    </section>
  );
}
