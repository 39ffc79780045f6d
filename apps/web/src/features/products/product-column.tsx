import { Link } from "react-router";
import { paths } from "../../paths.ts";
import type { Column } from "../../ui/table.tsx";

/** The first column of a table: the row's product, as a link. `title` comes from the texts of the page. */
export function productColumn<Row extends { short_id: string; name: string }>(title: string): Column<Row> {
  return {
    key: "product",
    title,
    lead: true,
    render: (row) => (
      <Link to={paths.product(row.short_id)} className="link">
        {row.name}
      </Link>
    ),
  };
}
