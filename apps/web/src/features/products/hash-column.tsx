import { t } from "../../i18n/i18n.ts";
import { Address } from "../../ui/address.tsx";
import type { Column } from "../../ui/table.tsx";
import { explorerOf } from "./product-labels.ts";

/** A table's last column with the row's transaction. */
export function hashColumn<Row extends { hash: string; chain_id: number }>(): Column<Row> {
  return {
    key: "hash",
    title: t("products.tx.hash"),
    figure: true,
    render: (row) => (
      <Address address={row.hash} what={t("products.tx.hash")} kind="tx" explorer={explorerOf(row.chain_id)} />
    ),
  };
}
