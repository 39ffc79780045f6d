import type { PrivilegedAct, TransparencySummary } from "@aqua/sdk/api/transparency";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { formatDateTime } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Address } from "../../ui/address.tsx";
import { Empty } from "../../ui/empty.tsx";
import type { Column } from "../../ui/table.tsx";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { hashColumn } from "../products/hash-column.tsx";
import { explorerOf } from "../products/product-labels.ts";
import { actText } from "./act-text.ts";
import { ByProduct } from "./by-product.tsx";
import { Scheduled } from "./scheduled.tsx";

const actsPageSize = 12;

function actsOptions(page: number, shortId: string | null) {
  return queryOptions({
    queryKey: ["transparency", "acts", shortId, page] as const,
    queryFn: ({ signal }) =>
      api.privilegedActs({ page, page_size: actsPageSize, ...(shortId ? { short_id: shortId } : {}) }, signal),
    // Each row names its own product, so rows of the previous page cannot be mistaken for another product's.
    placeholderData: keepPreviousData,
    ...freshness.LAZY,
  });
}

/** One page of the acts of role holders, newest first, of one product or of all. */
function useActs(page: number, shortId: string | null) {
  return useQuery(actsOptions(page, shortId));
}

/** Lists all acts of role holders as sentences, newest first, of one product or of all. */
export default function Acts({ summary }: { summary: TransparencySummary | undefined }) {
  const columns: Column<PrivilegedAct>[] = [
    {
      key: "what",
      title: t("transparency.act"),
      lead: true,
      render: (row) => <span className="font-normal wrap-anywhere">{actText(row, summary)}</span>,
    },
    {
      key: "where",
      title: t("products.tx.product"),
      render: (row) => {
        const product = summary?.reserves.find((reserves) => reserves.short_id === row.short_id);
        return row.short_id ? (
          <Link to={paths.product(row.short_id)} className="link">
            {product?.name ?? row.short_id}
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
    hashColumn(),
  ];
  return (
    <div className="flex flex-col gap-5">
      {summary && <Scheduled summary={summary} />}
      <ByProduct
        name="acts"
        intro={t("transparency.acts.intro")}
        products={summary?.reserves ?? []}
        useRows={useActs}
        pageSize={actsPageSize}
        failed={t("transparency.acts.failed")}
        none={<Empty title={t("transparency.acts.none")} />}
        columns={columns}
        rowKey={(row) => `${row.chain_id}-${row.block}-${row.log_index}`}
      />
    </div>
  );
}
