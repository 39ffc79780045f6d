import type { Reserves } from "@aqua/sdk/api/transparency";
import { timeUnits } from "@aqua/sdk/maths/term";
import { formatUnits } from "@aqua/sdk/maths/units";
import { formatAmount, formatCount, formatTerm } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Notice } from "../../ui/notice.tsx";
import { momentText } from "../readings/reading-text.ts";
import { Checked } from "./check-panel.tsx";
import { ChainAway, ComparedTable, ComparedVerdict, ReadBy } from "./comparison-table.tsx";
import type { CheckedReceipt, ReceiptFigure } from "./receipt-verification.ts";

/** A figure as text: a state, a duration, or what happens at maturity. */
function wordOf(figure: ReceiptFigure, value: string): string {
  const [first = "", second = ""] = value.split(" ");
  const unit = timeUnits.find((candidate) => candidate === second);
  if (figure === "term" && unit && Number(first) > 0) return formatTerm({ value: Number(first), unit });
  if (figure === "status" && (first === "running" || first === "matured")) return t(`evidence.receipt.state.${first}`);
  if (figure === "roll" && (first === "none" || first === "principal" || first === "all"))
    return t(`evidence.receipt.roll.${first}`, { term: second });
  return value;
}

function Verdict({ checked, id }: { checked: Extract<CheckedReceipt, { outcome: "compared" }>; id: string }) {
  if (checked.block === null)
    return (
      <Notice look="error" live="status" title={t("evidence.receipt.unlisted", { id })}>
        {t("evidence.receipt.unlisted.text")}
      </Notice>
    );
  const block = formatCount(checked.block);
  return (
    <ComparedVerdict
      figures={checked.figures}
      holds={t("evidence.receipt.holds", { id, block })}
      differs={t("evidence.receipt.differs", { block })}
    />
  );
}

function Outcome({ checked, product, id }: { checked: CheckedReceipt; product: Reserves; id: string }) {
  const { symbol, decimals, name } = product;
  switch (checked.outcome) {
    case "compared":
      return (
        <>
          <Verdict checked={checked} id={id} />
          <ComparedTable
            caption={t("evidence.receipt.caption", { id })}
            figures={checked.figures}
            title={(figure) => t(`evidence.receipt.figure.${figure}`)}
            symbol={symbol}
            decimals={decimals}
            word={wordOf}
          />
        </>
      );
    case "gone":
      return (
        <Notice look="info" live="status" title={t(`evidence.receipt.gone.${checked.state}`, { id })}>
          {t("evidence.receipt.gone.text", {
            amount: formatAmount(formatUnits(checked.principal, decimals), { digits: decimals, minDigits: 2 }),
            unit: symbol,
            from: momentText(checked.openedAt),
            to: momentText(checked.maturity),
          })}
          <span className="mt-1 block font-mono text-12">receiptOf({id})</span>
        </Notice>
      );
    case "chain_away":
      return <ChainAway />;
    default:
      return (
        <Notice look="caution" live="status" title={t(`evidence.receipt.${checked.outcome}`, { id })}>
          {t(`evidence.receipt.${checked.outcome}.text`, { product: name })}
        </Notice>
      );
  }
}

/** Reads a receipt from the chain in this browser and compares each figure with this site's. */
export function CheckReceipt({ product, id }: { product: Reserves; id: string }) {
  return (
    <Checked
      about={["receipt", product.chain_id, product.contract, id]}
      check={async (signal) => (await import("./receipt-verification.ts")).checkReceipt(product, BigInt(id), signal)}
      failed={t("evidence.receipt.failed")}
      checking={t("evidence.receipt.checking")}
    >
      {(checked) => (
        <>
          <p className="text-14">{t("evidence.receipt.about", { id, product: product.name })}</p>
          <Outcome checked={checked} product={product} id={id} />
          {"source" in checked && (
            <ReadBy source={checked.source} {...(checked.outcome === "compared" && { age: checked.age })} />
          )}
        </>
      )}
    </Checked>
  );
}
