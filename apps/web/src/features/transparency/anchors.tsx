import type { AnchoredBatch } from "@aqua/sdk/api/telemetry";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { formatCount, formatDateTime } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Address } from "../../ui/address.tsx";
import { Empty } from "../../ui/empty.tsx";
import type { Column } from "../../ui/table.tsx";
import { api } from "../api.ts";
import { hashColumn } from "../products/hash-column.tsx";
import { BatchFile } from "./batch-file.tsx";
import { ByProduct } from "./by-product.tsx";
import { useFleet } from "./fleet.ts";
import { Losses } from "./losses.tsx";

const batchesPageSize = 10;

function batchesOptions(page: number, shortId: string | null) {
  return queryOptions({
    queryKey: ["transparency", "anchors", shortId, page] as const,
    queryFn: ({ signal }) =>
      api.anchors({ page, page_size: batchesPageSize, ...(shortId && { short_id: shortId }) }, signal),
    // Each row names its own product, so rows of the previous page cannot be mistaken for another product's.
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    refetchInterval: 60_000,
  });
}

/** One page of the batches on chain, newest first, of one product or of all. */
function useBatches(page: number, shortId: string | null) {
  return useQuery(batchesOptions(page, shortId));
}

/** Lists every batch on chain, newest first, with its transaction and its file. */
export default function Anchors() {
  const feeds = useFleet().data?.feeds ?? [];
  const nameOf = (shortId: string) => feeds.find((feed) => feed.short_id === shortId)?.name ?? shortId;
  const columns: Column<AnchoredBatch>[] = [
    {
      key: "batch",
      title: t("evidence.anchors.batch"),
      lead: true,
      render: (row) => (
        <>
          {t("evidence.anchors.number", { number: formatCount(row.number) })}
          <span className="block text-12 font-normal">
            <Link to={paths.product(row.short_id)} className="link">
              {nameOf(row.short_id)}
            </Link>
          </span>
        </>
      ),
    },
    {
      key: "time",
      title: t("evidence.anchors.time"),
      render: (row) => (
        <>
          {formatDateTime(row.block_time)}
          <span className="block text-12 text-muted">
            {t("evidence.anchors.block", { block: formatCount(row.block) })}
          </span>
        </>
      ),
    },
    { key: "count", title: t("evidence.anchors.count"), figure: true, render: (row) => formatCount(row.count) },
    ...(["root", "head", "data_hash"] as const).map(
      (name): Column<AnchoredBatch> => ({
        key: name,
        title: hashName(name),
        figure: true,
        render: (row) => <Address address={row[name]} what={hashName(name)} />,
      }),
    ),
    hashColumn(),
  ];
  return (
    <ByProduct
      width="medium"
      name="roots"
      intro={t("evidence.anchors.intro")}
      note={<Losses nameOf={nameOf} />}
      products={feeds}
      useRows={useBatches}
      pageSize={batchesPageSize}
      failed={t("evidence.anchors.failed")}
      none={<Empty title={t("evidence.anchors.none")} />}
      columns={columns}
      rowKey={(row) => `${row.chain_id}-${row.short_id}-${row.number}`}
      detail={(row) => <BatchFile batch={row} />}
    />
  );
}

function hashName(name: "root" | "head" | "data_hash"): string {
  return t(`evidence.anchors.${name === "data_hash" ? "file" : name}`);
}
