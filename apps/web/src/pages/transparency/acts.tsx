import type { PrivilegedAct, TransparencySummary } from "@aqua/sdk/api/transparency";
import { useState } from "react";
import { Link } from "react-router";
import { explorerOf } from "../../features/products/words.ts";
import { actText } from "../../features/transparency/act-words.ts";
import { actsPageSize, useActs } from "../../features/transparency/acts.ts";
import { formatDateTime } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Address } from "../../ui/address.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { ProductFilter } from "./product-filter.tsx";

/** Everything holders of a role did, in words, newest first; of all products or of one. */
export default function Acts({ summary }: { summary: TransparencySummary | undefined }) {
  const [page, setPage] = useState(1);
  const [product, setProduct] = useState<string | null>(null);
  const acts = useActs(page, product);
  const columns: Column<PrivilegedAct>[] = [
    {
      key: "what",
      title: t("transparency.act"),
      lead: true,
      render: (row) => <span className="font-normal">{actText(row, summary)}</span>,
    },
    {
      key: "where",
      title: t("products.tx.product"),
      render: (row) => {
        const known = summary?.reserves.find((one) => one.short_id === row.short_id);
        return row.short_id ? (
          <Link to={paths.product(row.short_id)} className="link">
            {known?.name ?? row.short_id}
          </Link>
        ) : (
          <Address address={row.contract} what={t("products.address")} explorer={explorerOf(row.chain_id)} />
        );
      },
    },
    {
      key: "time",
      title: t("products.tx.time"),
      render: (row) => <span className="md:whitespace-nowrap">{formatDateTime(row.time)}</span>,
    },
    {
      key: "hash",
      title: t("products.tx.hash"),
      figure: true,
      render: (row) => (
        <Address address={row.hash} what={t("products.tx.hash")} kind="tx" explorer={explorerOf(row.chain_id)} />
      ),
    },
  ];
  return (
    <Section
      title={t("transparency.acts")}
      intro={t("transparency.acts.intro")}
      aside={
        <ProductFilter
          products={summary?.reserves ?? []}
          value={product}
          onChange={(next) => {
            setProduct(next);
            setPage(1);
          }}
        />
      }
    >
      <div className="panel overflow-hidden">
        {acts.data === undefined ? (
          acts.isError ? (
            <div className="p-5">
              <ErrorState
                title={t("transparency.acts.failed")}
                error={acts.error}
                busy={acts.isFetching}
                onRetry={() => acts.refetch()}
              />
            </div>
          ) : (
            <TableSkeleton rows={6} />
          )
        ) : acts.data.total === 0 ? (
          <Empty title={t("transparency.acts.none")}>{t("transparency.acts.noneText")}</Empty>
        ) : (
          <>
            <Table
              caption={t("transparency.acts")}
              columns={columns}
              rows={acts.data.items}
              rowKey={(row) => `${row.chain_id}-${row.block}-${row.log_index}`}
            />
            <Pager page={page} pageSize={actsPageSize} total={acts.data.total} onChange={setPage} />
          </>
        )}
      </div>
    </Section>
  );
}
