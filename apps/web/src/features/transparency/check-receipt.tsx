import type { Reserves } from "@aqua/sdk/api/transparency";
import { timeUnits } from "@aqua/sdk/maths/term";
import { formatUnits } from "@aqua/sdk/maths/units";
import { useQuery } from "@tanstack/react-query";
import { formatAmount, formatCount, formatTerm } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Checking } from "../readings/checking.tsx";
import { momentText } from "../readings/words.ts";
import { ChainAway, ComparedTable, ReadBy } from "./compared-table.tsx";
import type { CheckedReceipt, ReceiptFigure } from "./receipt-check.ts";

/** What a figure says in words: a state, a length of time, what is to happen at maturity. */
function wordOf(figure: ReceiptFigure, value: string): string {
  const [first = "", second = ""] = value.split(" ");
  const unit = timeUnits.find((one) => one === second);
  if (figure === "term" && unit && Number(first) > 0) return formatTerm({ value: Number(first), unit });
  if (figure === "status" && (first === "running" || first === "matured")) return t(`evidence.receipt.state.${first}`);
  if (figure === "roll" && (first === "none" || first === "principal" || first === "all"))
    return t(`evidence.receipt.roll.${first}`, { term: second });
  return value;
}

function Verdict({ checked, id }: { checked: Extract<CheckedReceipt, { outcome: "compared" }>; id: string }) {
  const wrong = checked.figures.filter(({ standing }) => standing === "different").length;
  if (checked.block === null)
    return (
      <Notice look="error" live="status" title={t("evidence.receipt.unlisted", { id })}>
        {t("evidence.receipt.unlisted.text")}
      </Notice>
    );
  const block = formatCount(checked.block);
  return wrong === 0 ? (
    <Notice look="success" live="status" title={t("evidence.compared.holds")}>
      {t("evidence.receipt.holds", { id, block })}
    </Notice>
  ) : (
    <Notice look="error" live="status" title={t("evidence.compared.differs", { count: wrong })}>
      {t("evidence.receipt.differs", { block })}
    </Notice>
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

/** Reads a receipt from the chain in this browser and shows each figure beside what this site says of it. */
export function CheckReceipt({ product, id }: { product: Reserves; id: string }) {
  const checked = useQuery({
    queryKey: ["transparency", "receipt", product.chain_id, product.contract, id] as const,
    queryFn: async ({ signal }) => (await import("./receipt-check.ts")).checkReceipt(product, BigInt(id), signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (checked.data === undefined)
    return <Checking check={checked} failed={t("evidence.receipt.failed")} checking={t("evidence.receipt.checking")} />;
  const { data } = checked;
  return (
    <div className="flex flex-col gap-4" aria-busy={checked.isFetching || undefined}>
      <p className="text-14">{t("evidence.receipt.about", { id, product: product.name })}</p>
      <Outcome checked={data} product={product} id={id} />
      {"source" in data && <ReadBy source={data.source} />}
      <div>
        <Button size="small" look="quiet" busy={checked.isFetching} onClick={() => checked.refetch()}>
          {t("readings.proof.again")}
        </Button>
      </div>
    </div>
  );
}
