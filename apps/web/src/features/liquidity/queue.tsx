import type { Liquidity, WithdrawalRequest } from "@aqua/sdk/api/product";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatCount, formatDateTime, formatRelative } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Address } from "../../ui/address.tsx";
import { Amount } from "../../ui/amount.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Pager } from "../../ui/pager.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { useWallet } from "../../wallet/store.ts";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { explorerOf } from "../products/product-labels.ts";
import { queryKeys } from "../query-keys.ts";
import { waitRange } from "./wait-text.ts";

const queuePageSize = 12;

function queueOptions(shortId: string, wallet: string | null, page: number) {
  return queryOptions({
    queryKey: [...queryKeys.product(shortId), "queue", wallet?.toLowerCase() ?? null, page],
    queryFn: ({ signal }) =>
      api.productQueue(shortId, { page, page_size: queuePageSize, ...(wallet ? { wallets: wallet } : {}) }, signal),
    // The previous page stays visible while another page of the same product's queue loads.
    placeholderData: (previous, query) => (query?.queryKey[1] === shortId ? previous : undefined),
    ...freshness.EAGER,
  });
}

/** One page of a redemption queue, the visitor's own requests first. */
function useQueue(shortId: string, wallet: string | null, page: number) {
  return useQuery(queueOptions(shortId, wallet, page));
}

/** Every request in the queue in order, the visitor's own first. */
export function Queue({ liquidity, unit }: { liquidity: Liquidity; unit: string }) {
  const { address } = useWallet();
  const [page, setPage] = useState(1);
  const places = useQueue(liquidity.short_id, address, page);
  const isVisitors = (place: WithdrawalRequest) => place.wallet.toLowerCase() === address?.toLowerCase();
  const explorer = explorerOf(liquidity.as_of.chain_id);
  const columns: Column<WithdrawalRequest>[] = [
    {
      key: "position",
      title: t("liquidity.place"),
      lead: true,
      render: (row) => (
        <span className="inline-flex items-center gap-2">
          <span className="font-mono">{formatCount(row.position)}</span>
          {isVisitors(row) && <Badge look="accent">{t("liquidity.place.mine")}</Badge>}
        </span>
      ),
    },
    {
      key: "wallet",
      title: t("products.tx.wallet"),
      render: (row) => <Address address={row.wallet} what={t("products.address")} explorer={explorer} />,
    },
    {
      key: "time",
      title: t("liquidity.place.asked"),
      render: (row) => (
        <time
          dateTime={new Date(row.requested_at).toISOString()}
          title={formatDateTime(row.requested_at)}
          className="whitespace-nowrap"
        >
          {formatRelative(row.requested_at)}
        </time>
      ),
    },
    {
      key: "value",
      title: t("liquidity.place.value"),
      figure: true,
      render: (row) => <Amount value={row.value} unit={unit} mono />,
    },
    {
      key: "ahead",
      title: t("liquidity.place.ahead"),
      figure: true,
      render: (row) => <Amount value={row.ahead} unit={unit} mono />,
    },
    {
      key: "state",
      title: t("liquidity.place.state"),
      render: (row) =>
        row.ready ? (
          <Badge look="positive">{t("liquidity.place.ready")}</Badge>
        ) : (
          <Badge look="caution">
            {row.payable_from === null
              ? t("liquidity.place.report")
              : t("liquidity.place.payable", { time: formatDateTime(row.payable_from) })}
          </Badge>
        ),
    },
    {
      key: "wait",
      title: t("liquidity.place.wait"),
      render: (row) => (row.wait ? waitRange(row.wait) : <Unknown reason={t("liquidity.wait.none")} />),
    },
    {
      key: "hash",
      title: t("products.tx.hash"),
      figure: true,
      render: (row) => <Address address={row.hash} what={t("products.tx.hash")} kind="tx" explorer={explorer} />,
    },
  ];
  return (
    <section aria-label={t("liquidity.places")}>
      <p className="mb-3 text-14 text-muted">{t("liquidity.places.intro")}</p>
      <div className="panel overflow-hidden">
        {places.data === undefined ? (
          places.isError ? (
            <div className="p-5">
              <ErrorState
                title={t("liquidity.places.failed")}
                error={places.error}
                busy={places.isFetching}
                onRetry={() => places.refetch()}
              />
            </div>
          ) : (
            <TableSkeleton rows={6} />
          )
        ) : places.data.total === 0 ? (
          <Empty title={t("liquidity.queue.empty")}>{t("liquidity.queue.emptyText")}</Empty>
        ) : (
          <>
            <Table
              width="wide"
              caption={t("liquidity.places")}
              columns={columns}
              rows={places.data.items}
              rowKey={(row) => `${row.hash}-${row.position}`}
            />
            <Pager page={page} pageSize={queuePageSize} total={places.data.total} onChange={setPage} />
          </>
        )}
      </div>
    </section>
  );
}
