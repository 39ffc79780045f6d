import type { Reserves } from "@aqua/sdk/api/transparency";
import { lazy, Suspense, useState } from "react";
import { formatAmount } from "../../i18n/format.ts";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { type Part, PartsBar } from "../../ui/chart/parts-bar.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { WithheldNotice } from "../../ui/withheld.tsx";
import { sumAmounts } from "../decimal.ts";
import { negative } from "./reserve-parts.ts";

const Check = lazy(() =>
  Promise.all([import("./reserves-check.tsx"), loadTexts("evidence", "readings")]).then(([module]) => module),
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

/** One side of the balance: its parts, their sum, and whether the parts add up to the total. */
function Side({
  title,
  entries,
  total,
  symbol,
}: {
  title: string;
  entries: readonly Entry[];
  total: string | null;
  symbol: string;
}) {
  const text = (value: string | null) => formatAmount(value);
  const difference = sumAmounts([...entries.map((entry) => entry.amount), total && negative(total)]);
  const addsUp = difference === null || !/[1-9]/.test(difference);
  return (
    <div className="min-w-0">
      <h4 className="mb-3 flex items-baseline justify-between gap-4 text-14 font-strong">
        {title}
        <span className="text-12 font-normal text-muted">{symbol}</span>
      </h4>
      <PartsBar label={title} parts={partsOf(entries)} format={text} />
      <p className="mt-2 flex items-baseline justify-between gap-4 border-t border-line pt-2 text-14">
        <span>{t("transparency.total")}</span>
        <span
          className="text-right font-mono font-strong wrap-anywhere"
          title={total === null ? undefined : `${total} ${symbol}`}
        >
          {text(total)}
        </span>
      </p>
      {!addsUp && (
        <p className="mt-2 text-12 text-negative">{t("transparency.partsOff", { amount: difference, unit: symbol })}</p>
      )}
    </div>
  );
}

/** Compares what a product has with what it owes: every part, the effect of a loss, and a way to check the figures. */
export function ReserveDetail({ reserves }: { reserves: Reserves }) {
  const { symbol, type, as_of } = reserves;
  // The check stays at the block for which it was started, while the figures above update.
  const [checked, setChecked] = useState<Reserves | null>(null);
  return (
    <section aria-label={t("transparency.row.detailOf", { name: reserves.name })} className="flex flex-col gap-5 pt-2">
      {reserves.total_assets === null && <WithheldNotice />}
      <div className="grid gap-x-10 gap-y-8 md:grid-cols-2">
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
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-[68ch] text-12 text-muted">{t(`transparency.formula.${type}`)}</p>
        <Stamp block={as_of.block} time={as_of.time} stale={as_of.stale} />
      </div>
      {checked ? (
        <Suspense fallback={<Skeleton className="h-40" />}>
          <Check reserves={checked} onAgain={() => setChecked(reserves)} />
        </Suspense>
      ) : (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button look="secondary" size="small" onClick={() => setChecked(reserves)}>
            {t("transparency.check")}
          </Button>
          <p className="text-12 text-muted">{t("transparency.check.intro")}</p>
        </div>
      )}
    </section>
  );
}
