import type { ProductDetail } from "@aqua/sdk/api/product";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { shortenAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Empty } from "../../ui/empty.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Section } from "../../ui/section.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { TransactionTable } from "../products/transaction-table.tsx";
import { queryKeys } from "../query-keys.ts";

function productTransactionsOptions(shortId: string, page: number, pageSize: number) {
  return queryOptions({
    queryKey: [...queryKeys.product(shortId), "transactions", page, pageSize],
    queryFn: ({ signal }) => api.productTransactions(shortId, { page, page_size: pageSize }, signal),
    // The previous rows stay visible while another page of the same product loads.
    placeholderData: (previous, query) => (query?.queryKey[1] === shortId ? previous : undefined),
    ...freshness.LAZY,
  });
}

/** One page of a product's transactions, newest first. */
function useProductTransactions(shortId: string, page: number, pageSize: number) {
  return useQuery(productTransactionsOptions(shortId, page, pageSize));
}

const pageSize = 8;

/** A product's transactions, newest first; each wallet links to its public portfolio. */
export default function ProductTransactions({ product }: { product: ProductDetail }) {
  const [page, setPage] = useState(1);
  const transactions = useProductTransactions(product.short_id, page, pageSize);
  return (
    <Section title={t("product.transactions")}>
      <div className="panel overflow-hidden" aria-busy={transactions.isFetching}>
        {transactions.isPending ? (
          <TableSkeleton rows={pageSize} />
        ) : transactions.isError && !transactions.data ? (
          <div className="p-5">
            <ErrorState
              error={transactions.error}
              busy={transactions.isFetching}
              onRetry={() => transactions.refetch()}
            />
          </div>
        ) : transactions.data.total === 0 ? (
          <Empty title={t("products.transactions.none")} />
        ) : (
          <>
            <TransactionTable
              caption={t("product.transactions")}
              transactions={transactions.data.items}
              about={{
                key: "wallet",
                title: t("products.tx.wallet"),
                render: (row) => (
                  <Link
                    to={paths.portfolioOf(row.address)}
                    className="link font-mono whitespace-nowrap"
                    title={row.address}
                  >
                    {shortenAddress(row.address, 6)}
                  </Link>
                ),
              }}
            />
            <Pager page={page} pageSize={pageSize} total={transactions.data.total} onChange={setPage} />
          </>
        )}
      </div>
    </Section>
  );
}
