import type { Statement, StatementLine } from "@aqua/sdk/api/portfolio";
import { useState } from "react";
import { Link } from "react-router";
import { formatAmount, formatDateTime, shortenAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Address } from "../../ui/address.tsx";
import { Amount } from "../../ui/amount.tsx";
import { Pager } from "../../ui/pager.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { usePrinting } from "../../ui/use-printing.ts";
import { explorerOf } from "../products/product-labels.ts";
import { verifyLinePath } from "../transparency/verify-path.ts";

type Of = Statement["products"][number];

/** Lines per page; a year of a busy wallet has thousands. */
const pageSize = 20;

/** All digits of the asset, so that a reader can add up the statement. */
function Exact({ value, of }: { value: string | null; of: Of }) {
  return <Amount value={value} unit={of.symbol} digits={of.decimals} minDigits={2} mono />;
}

function columns(of: Of, several: boolean): Column<StatementLine>[] {
  return [
    {
      key: "kind",
      title: t("products.tx.kind"),
      lead: true,
      render: (line) => (
        <>
          {t(`products.tx.kind.${line.kind}`)}
          {(line.deposit_id !== null || several) && (
            <span className="block text-12 font-normal text-muted">
              {[
                line.deposit_id !== null && t("positions.time.number", { id: line.deposit_id }),
                several && shortenAddress(line.wallet),
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
          )}
        </>
      ),
    },
    {
      key: "time",
      title: t("products.tx.time"),
      // Times are in UTC, like the days of the period. In another zone a movement could seem to be outside the period.
      render: (line) => <span className="text-12">{formatDateTime(line.time, "UTC")}</span>,
    },
    {
      key: "amount",
      title: t("products.tx.amount"),
      figure: true,
      render: (line) => (
        <>
          <Exact value={line.amount} of={of} />
          {Number(line.fee) > 0 && (
            <span className="block font-sans text-12 text-muted">
              {t("positions.statement.fee", { fee: formatAmount(line.fee, { digits: of.decimals }), unit: of.symbol })}
            </span>
          )}
        </>
      ),
    },
    ...(of.type === "demand_deposit"
      ? [
          {
            key: "price",
            title: t("products.tx.price"),
            figure: true,
            render: (line: StatementLine) => <Amount value={line.price} digits={6} mono />,
          },
          {
            key: "shares",
            title: t("positions.statement.sharesAfter"),
            figure: true,
            render: (line: StatementLine) => <Amount value={line.balance.shares} digits={6} mono />,
          },
        ]
      : [
          {
            key: "principal",
            title: t("positions.statement.principalAfter"),
            figure: true,
            render: (line: StatementLine) => <Exact value={line.balance.principal} of={of} />,
          },
        ]),
    {
      key: "value",
      title: t("positions.statement.valueAfter"),
      figure: true,
      render: (line) => <Exact value={line.balance.value} of={of} />,
    },
    {
      key: "hash",
      title: t("products.tx.hash"),
      figure: true,
      render: (line) => (
        <>
          <Address address={line.hash} what={t("products.tx.hash")} kind="tx" explorer={explorerOf(of.chain_id)} />
          <Link to={verifyLinePath(line.hash)} className="link block font-sans text-12 print:hidden">
            {t("positions.verify")}
          </Link>
        </>
      ),
    },
  ];
}

/** The statement of one product: the opening balance, every movement, and the closing balance. */
export function ProductStatement({ product, several }: { product: Of; several: boolean }) {
  const [page, setPage] = useState(1);
  const printing = usePrinting();
  const sums = [
    ["", "opening", product.opening.value],
    ["+", "paidIn", product.paid_in],
    ["−", "paidOut", product.paid_out],
    ["+", "earned", product.earned],
    ["=", "closing", product.closing.value],
  ] as const;
  return (
    <section aria-label={product.name} className="border-b border-line last:border-b-0">
      <div className="px-5 pt-5">
        <h3 className="text-16">{product.name}</h3>
        <dl className="mt-3 flex flex-wrap items-end gap-x-4 gap-y-3">
          {sums.map(([sign, name, value]) => (
            <div key={name} className="flex items-end gap-3">
              {sign && (
                <span aria-hidden="true" className="font-mono text-14 text-muted">
                  {sign}
                </span>
              )}
              <div>
                <dt className="text-12 text-muted">{t(`positions.statement.${name}`)}</dt>
                <dd className="text-14">
                  <Exact value={value} of={product} />
                </dd>
              </div>
            </div>
          ))}
        </dl>
      </div>
      {product.lines.length === 0 ? (
        <p className="px-5 py-5 text-14 text-muted">{t("positions.statement.quiet")}</p>
      ) : (
        <div className="pt-3">
          <Table
            caption={product.name}
            columns={columns(product, several)}
            rows={printing ? product.lines : product.lines.slice((page - 1) * pageSize, page * pageSize)}
            rowKey={(line) => `${line.block}-${line.log_index}-${line.wallet}`}
          />
          <Pager page={page} pageSize={pageSize} total={product.lines.length} onChange={setPage} />
        </div>
      )}
    </section>
  );
}
