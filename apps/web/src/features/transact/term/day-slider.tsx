import { DAY } from "@aqua/sdk/durations";
import { shownSign } from "@aqua/sdk/maths/rounding";
import type { Term } from "@aqua/sdk/maths/term";
import { daysOf, exitOnDay } from "@aqua/sdk/maths/term-orders";
import { formatUnits } from "@aqua/sdk/maths/units";
import { useId, useState } from "react";
import { formatAmount, formatDate } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import { cx } from "../../../ui/class-names.ts";
import { exactAmount } from "../../../wallet/exact-amount.ts";

interface DaySliderProps {
  principal: bigint;
  term: Term;
  /** Unix seconds. */
  openedAt: bigint;
  /** Days before this time (Unix seconds) are in the past. */
  from?: bigint;
  symbol: string;
  decimals: number;
}

/** Shows the payout of an early exit on any day up to maturity. */
export function DaySlider({ principal, term, openedAt, from, symbol, decimals }: DaySliderProps) {
  const id = useId();
  const lastDay = daysOf(openedAt, term);
  const firstDay = from === undefined ? 0 : Math.min(lastDay, Math.ceil(Number(from - openedAt) / DAY));
  const [chosen, setChosen] = useState<number | null>(null);
  const day = Math.max(firstDay, Math.min(chosen ?? Math.floor((firstDay + lastDay) / 2), lastDay));
  const { at, payout } = exitOnDay({ principal, term, openedAt }, day);
  const whole = (value: bigint) => formatUnits(value, decimals);
  const amountText = (value: bigint) => exactAmount(whole(value), decimals);
  const gain = payout - principal;
  const sign = shownSign(whole(gain), decimals, "half-even");
  const date = formatDate(Number(at) * 1_000);
  const words = t("transact.early.day", { day, date });

  return (
    <div className="rounded-6 bg-ground p-4 text-14" data-testid="early-exit">
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="font-strong">
          {t("transact.early.title")}
        </label>
        <span className="text-right text-muted">{words}</span>
      </div>
      <input
        id={id}
        type="range"
        min={firstDay}
        max={lastDay}
        step={1}
        value={day}
        aria-valuetext={`${words}: ${amountText(payout)} ${symbol}`}
        onChange={(event) => setChosen(Number(event.target.value))}
        className="mt-3 h-6 w-full cursor-pointer accent-accent"
      />
      <p className="mt-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="text-muted">{t("transact.early.pays")}</span>
        <span className="text-16 font-strong">
          {amountText(payout)} {symbol}
        </span>
      </p>
      <p className={cx("text-right text-12", sign < 0 ? "text-negative" : "text-muted")}>
        {t("transact.early.difference", {
          difference: formatAmount(whole(gain), { digits: decimals, minDigits: 2, signed: true }),
          symbol,
        })}
      </p>
      <p className="mt-2 text-12 text-muted">
        {t(day === lastDay ? "transact.early.atMaturity" : "transact.early.note")}
      </p>
    </div>
  );
}
