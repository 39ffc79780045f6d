import type { AnchoredBatch } from "@aqua/sdk/api/telemetry";
import { useState } from "react";
import { Link } from "react-router";
import { explorerOf } from "../../features/products/words.ts";
import { batchesPageSize, useBatches } from "../../features/transparency/batches.ts";
import { useFleet } from "../../features/transparency/fleet.ts";
import { formatCount, formatDateTime } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Address } from "../../ui/address.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { Answer } from "./answer.tsx";
import { BatchFile } from "./batch-file.tsx";
import { ProductFilter } from "./product-filter.tsx";

/** Every batch the chain holds, newest first, with what it was anchored by and its file. */
export function Anchors() {
  const [page, setPage] = useState(1);
  const [product, setProduct] = useState<string | null>(null);
  const batches = useBatches(page, product);
  const feeds = useFleet().data?.feeds ?? [];
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
              {feeds.find((feed) => feed.short_id === row.short_id)?.name ?? row.short_id}
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
    {
      key: "hash",
      title: t("products.tx.hash"),
      figure: true,
      render: (row) => (
        <Address address={row.hash} what={t("products.tx.hash")} kind="tx" explorer={explorerOf(row.chain_id)} />
      ),
    },
  ];
  return (
    <Section
      title={t("evidence.anchors")}
      intro={t("evidence.anchors.intro")}
      aside={
        <ProductFilter
          products={feeds}
          value={product}
          onChange={(next) => {
            setProduct(next);
            setPage(1);
          }}
        />
      }
    >
      <div className="panel overflow-hidden">
        <Answer query={batches} failed={t("evidence.anchors.failed")} skeleton={<TableSkeleton rows={8} />}>
          {({ items, total }) =>
            total === 0 ? (
              <Empty title={t("evidence.anchors.none")}>{t("evidence.anchors.noneText")}</Empty>
            ) : (
              <>
                <Table
                  caption={t("evidence.anchors")}
                  columns={columns}
                  rows={items}
                  rowKey={(row) => `${row.chain_id}-${row.short_id}-${row.number}`}
                  detail={(row) => <BatchFile batch={row} />}
                />
                <Pager page={page} pageSize={batchesPageSize} total={total} onChange={setPage} />
              </>
            )
          }
        </Answer>
      </div>
    </Section>
  );
}

function hashName(name: "root" | "head" | "data_hash"): string {
  return t(`evidence.anchors.${name === "data_hash" ? "file" : name}`);
}
