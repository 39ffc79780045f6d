import type { Liquidity } from "@aqua/sdk/api/product";
import { DAY_MS } from "@aqua/sdk/durations";
import { useState } from "react";
import { formatNearDate } from "../../i18n/format.ts";
import { language, loadTexts, t } from "../../i18n/i18n.ts";
import { reportError } from "../../report-error.ts";
import { loadFailure } from "../../ui/boundary.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { exitWaitOf } from "../products/exit-wait.ts";
import { presentText, readAmount, typed } from "../transact/form/amount-text.ts";

const longWait = 7 * DAY_MS;

/**
 * Shows when a withdrawal of an amount (1,000 at first) would be paid. It uses the same estimate as every other page.
 */
export function WhenPaid({ liquidity, asset }: { liquidity: Liquidity; asset: { symbol: string; decimals: number } }) {
  const { symbol, decimals } = asset;
  const [entered, setEntered] = useState(() => typed("1000"));
  const text = presentText(entered, { decimals, symbol });
  const readText = (text: string) => readAmount(text, { decimals, symbol, language: language() });
  const read = readText(text);
  /** "here" once the texts for reasons are loaded, or the error if loading them failed. */
  const [reasons, setReasons] = useState<"here" | { failure: unknown } | null>(null);

  function change(next: string) {
    setEntered(typed(next));
    if (readText(next).kind !== "error") return;
    // Most readers never need the panel's texts on this page, so they load with the first error.
    loadTexts("transact").then(
      () => setReasons("here"),
      (error: unknown) => {
        reportError("page", error);
        setReasons({ failure: error });
      },
    );
  }

  function reasonText(): string | null {
    if (read.kind !== "error" || reasons === null) return null;
    return reasons === "here" ? t(`transact.error.${read.code}`, { symbol, decimals }) : loadFailure(reasons.failure);
  }

  return (
    <div className="panel grid items-end gap-x-6 gap-y-3 p-5 sm:grid-cols-[minmax(0,260px)_minmax(0,1fr)]">
      <TextField
        label={t("liquidity.whenPaid.amount")}
        figures
        type="text"
        inputMode="decimal"
        autoComplete="off"
        maxLength={60}
        value={text}
        error={reasonText()}
        onChange={(event) => change(event.target.value)}
        end={<span className="text-14 text-muted">{symbol}</span>}
      />
      <p aria-live="polite" className="min-h-14 content-center text-20 font-strong">
        {read.kind === "amount" && <Answer liquidity={liquidity} amount={read.value} decimals={decimals} />}
      </p>
    </div>
  );
}

function Answer({ liquidity, amount, decimals }: { liquidity: Liquidity; amount: bigint; decimals: number }) {
  const wait = exitWaitOf(liquidity, { amount, decimals });
  if (wait === null) return t("liquidity.wait.none");
  if (wait === "more") return t("liquidity.whenPaid.more");
  if (wait.p90 === 0) return t("liquidity.whenPaid.now");
  const { time } = liquidity.as_of;
  const values = { half: formatNearDate(time + wait.p50, time), most: formatNearDate(time + wait.p90, time) };
  return <span className={wait.p90 > longWait ? "text-caution" : undefined}>{t("liquidity.whenPaid.by", values)}</span>;
}
