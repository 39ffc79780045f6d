import type { TimeDetail } from "@aqua/sdk/api/product";
import type { Term } from "@aqua/sdk/maths/term";
import { daysOf, exitOnDay, openingAt } from "@aqua/sdk/maths/term-orders";
import { formatUnits } from "@aqua/sdk/maths/units";
import { formatAmount } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import { Amount } from "../../../ui/amount.tsx";
import type { KeyLine } from "../../../ui/key-lines.tsx";
import { isZero } from "../../decimal.ts";
import { lossLine } from "../form/risk-lines.ts";
import { dateText } from "./term-choice.tsx";

interface Opened {
  /** Smallest units. */
  principal: bigint;
  term: Term;
  /** Unix seconds. */
  at: bigint;
}

/** The payouts of a time deposit at maturity and before it, and the losses so far. */
export function openLines(product: TimeDetail, { principal, term, at }: Opened): KeyLine[] {
  const { symbol, decimals } = product.asset;
  const { interest, maturity } = openingAt(principal, term, at);
  return [
    {
      label: t("transact.term.atMaturity", { date: dateText(maturity, at) }),
      help: "maturity",
      value: <Amount value={formatUnits(principal + interest, decimals)} unit={symbol} rounding="down" />,
    },
    earlyLine(product, { principal, term, at }),
    lossLine(product),
  ];
}

function earlyLine(product: TimeDetail, { principal, term, at }: Opened): KeyLine {
  const { symbol, decimals } = product.asset;
  const last = daysOf(at, term);
  const paidOn = (number: number) => exitOnDay({ principal, term, openedAt: at }, number).payout;
  const days = Array.from({ length: last }, (_, number) => paidOn(number));
  const [today = 0n] = days;
  const worst = days.reduce((least, payout) => (payout < least ? payout : least), today);
  const text = (payout: bigint) => ({ amount: formatAmount(formatUnits(payout, decimals), { rounding: "down" }) });
  const cash = formatAmount(product.instant_capacity, { rounding: "down" });
  return {
    label: t("transact.early.title"),
    value: (
      <>
        <span className="block">
          {t(worst === today ? "transact.early.todayWorst" : "transact.early.today", text(today))}
        </span>
        <span className="block">{t("transact.early.halfWay", text(paidOn(Math.floor(last / 2))))}</span>
        {worst !== today && <span className="block">{t("transact.early.worst", text(worst))}</span>}
      </>
    ),
    note: t("transact.early.cash", { amount: cash, symbol }),
    caution: isZero(product.instant_capacity) ? t("transact.obstacle.noCashEarly.title") : undefined,
  };
}
