import type { Reserves } from "@aqua/sdk/api/transparency";
import { useState } from "react";
import { formatAmount, formatDateTime, formatRelative } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { isZero } from "../decimal.ts";
import { productColumn } from "../products/product-column.tsx";
import { openFindingsOf, useAudit } from "./audit.ts";
import { AuditRecord } from "./audit-record.tsx";
import { KnownSummary } from "./known-summary.tsx";
import { NamedSection } from "./named-section.tsx";
import { amountOf, cashOf, spareOf } from "./reserve-parts.ts";
import { ReserveDetail } from "./reserves.tsx";

function Age({ time }: { time: number }) {
  return (
    <time dateTime={new Date(time).toISOString()} title={formatDateTime(time)}>
      {formatRelative(time)}
    </time>
  );
}

/** Shows what a product owes, and by how much its cash and the custodian's amount together fall short of it. */
function Owed({ row }: { row: Reserves }) {
  const spare = spareOf(row);
  return (
    <>
      <Amount value={row.total_liabilities} unit={row.symbol} digits={0} mono />
      {spare?.startsWith("-") && !isZero(spare) && (
        <span className="mt-1 block">
          <Badge look="negative">
            {t("transparency.short", { amount: formatAmount(spare.slice(1)), unit: row.symbol })}
          </Badge>
        </span>
      )}
    </>
  );
}

/** Expiry is measured at the block of the row, as in the contract, not by the reader's clock. */
function EvidenceAge({ row: { evidence, as_of } }: { row: Reserves }) {
  if (evidence === null) return <Unknown reason={t("transparency.row.evidence.none")} />;
  if (evidence.until <= as_of.time) return <Badge look="negative">{t("transparency.row.evidence.expired")}</Badge>;
  return <Age time={evidence.confirmed} />;
}

function LastAudit({ row }: { row: Reserves }) {
  const { data } = useAudit();
  const chain = data?.chains.find(({ chain_id }) => chain_id === row.chain_id);
  // Until the whole history was compared once, nothing can be said about a product.
  const time = chain?.whole ? chain.time : null;
  if (data !== undefined && openFindingsOf(data, row).length > 0)
    return <Badge look="negative">{t("transparency.row.audit.differs")}</Badge>;
  return time === null ? <Unknown reason={t("transparency.row.audit.none")} /> : <Age time={time} />;
}

interface Opened {
  has: (shortId: string) => boolean;
  toggle: (shortId: string) => void;
}

function columns(opened: Opened): Column<Reserves>[] {
  return [
    productColumn(t("products.tx.product")),
    {
      key: "cash",
      title: t("transparency.row.cash"),
      figure: true,
      render: (row) => <Amount value={cashOf(row)} unit={row.symbol} digits={0} rounding="down" mono />,
    },
    {
      key: "custodian",
      title: t("transparency.row.custodian"),
      figure: true,
      render: (row) => <Amount value={amountOf(row, "deployed")} unit={row.symbol} digits={0} mono />,
    },
    { key: "owed", title: t("transparency.row.owed"), figure: true, render: (row) => <Owed row={row} /> },
    { key: "evidence", title: t("transparency.row.evidence"), render: (row) => <EvidenceAge row={row} /> },
    {
      key: "reading",
      title: t("transparency.row.reading"),
      render: ({ last_reading }) =>
        last_reading === null ? <Unknown reason={t("transparency.row.reading.none")} /> : <Age time={last_reading} />,
    },
    {
      key: "audit",
      title: t("transparency.row.audit"),
      render: (row) => <LastAudit row={row} />,
    },
    {
      key: "detail",
      title: t("transparency.row.detail"),
      render: (row) => (
        <Button
          size="small"
          look="secondary"
          aria-expanded={opened.has(row.short_id)}
          aria-label={t("transparency.row.detailOf", { name: row.name })}
          onClick={() => opened.toggle(row.short_id)}
        >
          {t("transparency.row.detail")}
        </Button>
      ),
    },
  ];
}

/**
 * One row per product: its cash, the custodian's amount according to the operator's books, and what the product owes.
 */
export default function ProductsTab() {
  const [ids, setIds] = useState<readonly string[]>([]);
  const opened: Opened = {
    has: (id) => ids.includes(id),
    toggle: (id) => setIds(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]),
  };
  return (
    <KnownSummary>
      {({ reserves, as_of }) => (
        <>
          <NamedSection
            name="reserves"
            intro={t("transparency.reserves.intro")}
            aside={<Stamp block={as_of.block} time={as_of.time} stale={as_of.stale} />}
          >
            <div className="panel overflow-hidden">
              {reserves.length === 0 ? (
                <Empty title={t("products.none.title")}>{t("transparency.reserves.none")}</Empty>
              ) : (
                <Table
                  width="wide"
                  caption={t("transparency.reserves")}
                  columns={columns(opened)}
                  rows={reserves}
                  rowKey={(row) => row.short_id}
                  detail={(row) => (opened.has(row.short_id) ? <ReserveDetail reserves={row} /> : null)}
                />
              )}
            </div>
          </NamedSection>
          <AuditRecord />
        </>
      )}
    </KnownSummary>
  );
}
