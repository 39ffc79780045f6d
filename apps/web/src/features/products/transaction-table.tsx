import type { Transaction } from "@aqua/sdk/api/portfolio";
import { formatDateTime, formatRelative } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Badge } from "../../ui/badge.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { hashColumn } from "./hash-column.tsx";

const statusLook = { pending: "caution", confirmed: "positive", failed: "negative" } as const;

function priceColumn(): Column<Transaction> {
  return {
    key: "price",
    title: t("products.tx.price"),
    figure: true,
    render: (row) => <Amount value={row.price} digits={6} mono />,
  };
}

/** For a receipt `withdraw` is the early exit, and the label includes the receipt's number. */
function Kind({ transaction: { kind, deposit_id } }: { transaction: Transaction }) {
  if (deposit_id === null) return t(`products.tx.kind.${kind}`);
  return (
    <>
      {t(kind === "withdraw" ? "products.tx.kind.early" : `products.tx.kind.${kind}`)}
      <span className="block text-12 font-normal text-muted">{t("products.tx.receipt", { id: deposit_id })}</span>
    </>
  );
}

interface TransactionTableProps {
  caption: string;
  transactions: readonly Transaction[];
  /** The caller's column after the kind: the wallet on a product's page, the product on a wallet's page. */
  about: Column<Transaction>;
  /** Shows the share price too. */
  price?: boolean;
}

/** Deposits, withdrawals and transfers, each with its state and hash. */
export function TransactionTable({ caption, transactions, about, price = false }: TransactionTableProps) {
  const columns: Column<Transaction>[] = [
    { key: "kind", title: t("products.tx.kind"), lead: true, render: (row) => <Kind transaction={row} /> },
    about,
    {
      key: "amount",
      title: t("products.tx.amount"),
      figure: true,
      render: (row) => <Amount value={row.amount} unit={row.symbol} mono />,
    },
    ...(price ? [priceColumn()] : []),
    {
      key: "status",
      title: t("products.tx.status"),
      render: (row) => <Badge look={statusLook[row.status]}>{t(`products.tx.status.${row.status}`)}</Badge>,
    },
    {
      key: "time",
      title: t("products.tx.time"),
      render: (row) => (
        <time
          dateTime={new Date(row.time).toISOString()}
          title={formatDateTime(row.time)}
          className="whitespace-nowrap"
        >
          {formatRelative(row.time)}
        </time>
      ),
    },
    hashColumn(),
  ];
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={transactions}
      // The key includes the address, since a transfer between two of the shown wallets has one row for each.
      rowKey={(row) => `${row.chain_id}-${row.hash}-${row.log_index}-${row.kind}-${row.address}`}
    />
  );
}
