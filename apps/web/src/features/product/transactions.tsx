import type { ProductDetail } from "@aqua/sdk/api/product";
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
import { TransactionTable } from "../products/transaction-table.tsx";
import { useProductTransactions } from "../products/transactions.ts";

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
