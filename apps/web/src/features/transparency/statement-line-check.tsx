import type { TransparencySummary } from "@aqua/sdk/api/transparency";
import { formatCount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Notice } from "../../ui/notice.tsx";
import { Checked } from "./check-panel.tsx";
import { ChainAway, ComparedTable, ComparedVerdict, ReadBy } from "./comparison-table.tsx";
import type { LineFigure } from "./statement-line-comparison.ts";
import type { CheckedLine, ComparedLine } from "./statement-line-verification.ts";

type Kind = ComparedLine["kind"];

/** Known kinds of lines. An unknown kind is shown unchanged. */
const kinds: readonly string[] = [
  ...["deposit", "withdraw", "request", "processed", "claim", "cancel", "transfer_in", "transfer_out", "mature"],
  "rollover",
];

function wordOf(figure: LineFigure, value: string): string {
  return figure === "kind" && kinds.includes(value) ? t(`products.tx.kind.${value as Exclude<Kind, "batch">}`) : value;
}

function titleOf({ kind, product }: ComparedLine): string {
  return kind === "batch"
    ? t("evidence.line.batch", { product: product.name })
    : t("evidence.line.of", { kind: t(`products.tx.kind.${kind}`), product: product.name });
}

function Line({ line }: { line: ComparedLine }) {
  const title = titleOf(line);
  return (
    <section aria-label={title} className="mt-2 flex flex-col gap-3">
      <div>
        <h3 className="text-16">{title}</h3>
        {line.sides !== "both" && (
          <p className="text-14 text-negative">
            {t(line.sides === "chain" ? "evidence.line.missing" : "evidence.line.extra")}
          </p>
        )}
      </div>
      <ComparedTable
        caption={title}
        figures={line.figures}
        title={(figure) => t(`evidence.line.figure.${figure}`)}
        symbol={line.product.symbol}
        decimals={line.product.decimals}
        word={wordOf}
      />
    </section>
  );
}

function Lines({ checked }: { checked: Extract<CheckedLine, { outcome: "compared" }> }) {
  const { lines, wallets, queried } = checked;
  const block = formatCount(checked.block);
  const count = lines.filter(({ kind }) => kind !== "batch").length;
  return (
    <>
      <ComparedVerdict
        figures={lines.flatMap(({ figures }) => figures)}
        holds={t("evidence.line.holds", { count, block })}
        differs={t("evidence.line.differs", { block })}
      />
      {wallets > queried && (
        <Notice look="caution" title={t("evidence.line.crowded")}>
          {t("evidence.line.crowded.text", { count: wallets, most: queried })}
        </Notice>
      )}
      {lines.map((line) => (
        <Line key={line.key} line={line} />
      ))}
      <p className="max-w-[68ch] text-12 text-muted">{t("evidence.line.note")}</p>
      <ReadBy source={checked.source} />
    </>
  );
}

function Outcome({ checked }: { checked: CheckedLine }) {
  if (checked.outcome === "compared") return <Lines checked={checked} />;
  if (checked.outcome === "chain_away") return <ChainAway />;
  const look = checked.outcome === "quiet" ? "info" : "caution";
  return (
    <Notice look={look} live="status" title={t(`evidence.line.${checked.outcome}`)}>
      {t(`evidence.line.${checked.outcome}.text`)}
    </Notice>
  );
}

/** Reads a transaction from the chain in this browser and compares each resulting statement line with this site's. */
export function CheckLine({ hash, summary }: { hash: string; summary: TransparencySummary }) {
  return (
    <Checked
      about={["line", hash]}
      check={async (signal) => (await import("./statement-line-verification.ts")).checkLine(hash, summary, signal)}
      failed={t("evidence.line.failed")}
      checking={t("evidence.line.checking")}
    >
      {(checked) => (
        <>
          <p className="font-mono text-12 break-all text-muted">{hash}</p>
          <Outcome checked={checked} />
        </>
      )}
    </Checked>
  );
}
