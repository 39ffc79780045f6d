import { Link } from "react-router";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import type { Column } from "../../ui/table.tsx";

/** A table's first column: the row's product, as a link. */
export function productColumn<Row extends { short_id: string; name: string }>(): Column<Row> {
  return {
    key: "product",
    title: t("products.tx.product"),
    lead: true,
    render: (row) => (
      <Link to={paths.product(row.short_id)} className="link">
        {row.name}
      </Link>
    ),
  };
}
