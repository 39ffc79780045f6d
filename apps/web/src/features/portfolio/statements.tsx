import type { Statement } from "@aqua/sdk/api/portfolio";
import { formatDay } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { DateField } from "../../ui/date-field.tsx";
import { useDownload } from "../../ui/download.ts";
import { Empty } from "../../ui/empty.tsx";
import { Notice } from "../../ui/notice.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { SelectField } from "../../ui/select-field.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { useNow } from "../../ui/use-now.ts";
import { usePrinting } from "../../ui/use-printing.ts";
import { useProductList } from "../products/list.ts";
import { IncomeProofDownload } from "./income-proof.tsx";
import { ListPanel } from "./list-panel.tsx";
import { type PeriodName, periodNames, readPeriod, spanOf } from "./period.ts";
import { ProductStatement } from "./product-statement.tsx";
import { readProduct } from "./query.ts";
import type { Scope } from "./scope.ts";
import { useStatement, useStatementFile } from "./statement.ts";
import { StatementHead } from "./statement-head.tsx";
import { useAddressBar } from "./use-address-bar.ts";

/** Shows a period's movements with the balances before and after it, and offers them as files. */
export default function Statements({ scope }: { scope: Scope }) {
  const [search, change] = useAddressBar();
  const now = useNow(60_000);
  const { name, period } = readPeriod(search, now);
  const shortId = readProduct(search);
  const span = spanOf(period, now);
  const printing = usePrinting();
  const statement = useStatement(scope, span, shortId);
  const products = useProductList({}).data?.items ?? [];

  return (
    <section aria-label={t("positions.tab.statements")} className="flex flex-col gap-6">
      <div className="grid max-w-[760px] grid-cols-2 gap-3 md:grid-cols-4 print:hidden">
        <SelectField<PeriodName>
          label={t("positions.statement.period")}
          value={name}
          onChange={(next) =>
            change(
              next === "custom"
                ? { period: next, from: period.from, to: period.to }
                : { period: next === "thisMonth" ? "" : next, from: "", to: "" },
            )
          }
          options={periodNames.map((value) => ({ value, label: t(`positions.statement.period.${value}`) }))}
        />
        <SelectField
          label={t("products.tx.product")}
          value={shortId ?? ""}
          onChange={(value) => change({ product: value })}
          options={[
            { value: "", label: t("products.filter.any") },
            ...products.map((product) => ({ value: product.short_id, label: product.name })),
          ]}
        />
        {name === "custom" &&
          (["from", "to"] as const).map((edge) => (
            <DateField
              key={edge}
              label={t(`positions.statement.${edge}`)}
              value={period[edge]}
              onChange={(value) => change({ [edge]: value })}
            />
          ))}
      </div>
      {span === null ? (
        <Notice look="caution" title={t("positions.statement.wrong.title")}>
          {t("positions.statement.wrong.text")}
        </Notice>
      ) : (
        <ListPanel query={statement} rows={6}>
          {(data) => (
            <>
              {printing && <StatementHead statement={data} period={period} />}
              <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-5 py-4 print:hidden">
                <p className="text-14 text-muted">
                  {t("positions.statement.days", { from: formatDay(period.from), to: formatDay(period.to) })}
                </p>
                <Downloads scope={scope} shortId={shortId} name={`${period.from}-${period.to}`} statement={data} />
              </div>
              {data.products.length === 0 ? (
                <Empty title={t("positions.statement.none")}>{t("positions.statement.noneText")}</Empty>
              ) : (
                data.products.map((product) => (
                  <ProductStatement
                    key={`${product.chain_id}-${product.short_id}-${period.from}-${period.to}`}
                    product={product}
                    several={scope.also.length > 0}
                  />
                ))
              )}
              <div className="flex justify-end border-t border-line px-5 py-3 print:hidden">
                <Stamp block={data.as_of.block} time={data.as_of.time} stale={data.as_of.stale} />
              </div>
            </>
          )}
        </ListPanel>
      )}
      <IncomeProofDownload scope={scope} shortId={shortId} products={products} />
    </section>
  );
}

interface DownloadsProps {
  scope: Scope;
  shortId: string | null;
  /** The name of the files without their extension. */
  name: string;
  /** The displayed statement. */
  statement: Statement;
}

/** Downloads the displayed statement. */
function Downloads({ scope, shortId, name, statement }: DownloadsProps) {
  const fetchFile = useStatementFile(scope, statement, shortId);
  const { state, download } = useDownload(`aqua-statement-${name}.csv`, fetchFile);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {state === "failed" && (
        <span role="alert" className="text-14 text-negative">
          {t("positions.statement.failed")}
        </span>
      )}
      <Button size="small" look="secondary" busy={state === "busy"} onClick={download}>
        {t("positions.statement.csv")}
      </Button>
      <Button
        size="small"
        look="secondary"
        onClick={() =>
          saveFile(
            new Blob([`${JSON.stringify(statement, null, 2)}\n`], { type: "application/json" }),
            `aqua-statement-${name}.json`,
          )
        }
      >
        {t("positions.statement.json")}
      </Button>
      <Button size="small" look="secondary" onClick={() => window.print()}>
        {t("positions.statement.print")}
      </Button>
    </div>
  );
}
