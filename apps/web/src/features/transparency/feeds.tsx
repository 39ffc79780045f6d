import type { Reserves } from "@aqua/sdk/api/transparency";
import { Link } from "react-router";
import { formatDateTime, formatDuration, formatRelative } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Badge } from "../../ui/badge.tsx";
import { type Column, Table } from "../../ui/table.tsx";

/** Lateness is measured at the block of the row, as in the contract, not by the reader's clock. */
function FeedState({ row }: { row: Reserves }) {
  if (row.max_age === null) return <Badge>{t("transparency.feed.fixed")}</Badge>;
  if (row.last_report === null) return <Badge look="caution">{t("transparency.feed.none")}</Badge>;
  const late = row.max_age > 0 && row.as_of.time - row.last_report > row.max_age;
  return late ? (
    <Badge look="negative">{t("transparency.feed.late")}</Badge>
  ) : (
    <Badge look="positive">{t("transparency.feed.fresh")}</Badge>
  );
}

/** Shows the age of the report behind each product's value. */
export function Feeds({ reserves }: { reserves: readonly Reserves[] }) {
  const columns: Column<Reserves>[] = [
    {
      key: "product",
      title: t("products.tx.product"),
      lead: true,
      render: (row) => (
        <Link to={paths.performance(row.short_id)} className="link">
          {row.name}
        </Link>
      ),
    },
    {
      key: "last",
      title: t("transparency.feed.last"),
      render: (row) =>
        row.last_report === null ? (
          "—"
        ) : (
          <time dateTime={new Date(row.last_report).toISOString()} title={formatDateTime(row.last_report)}>
            {formatRelative(row.last_report)}
          </time>
        ),
    },
    {
      key: "limit",
      title: t("transparency.feed.limit"),
      render: (row) => (row.max_age ? t("transparency.feed.within", { age: formatDuration(row.max_age) }) : "—"),
    },
    { key: "state", title: t("transparency.feed.state"), render: (row) => <FeedState row={row} /> },
  ];
  return <Table caption={t("transparency.feeds")} columns={columns} rows={reserves} rowKey={(row) => row.short_id} />;
}
