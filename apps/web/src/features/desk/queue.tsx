import type { Liquidity } from "@aqua/sdk/api/product";
import { formatCount, formatRelative } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import type { Column } from "../../ui/table.tsx";
import { compareAmounts, sumAmounts } from "../decimal.ts";
import { Command } from "./command.tsx";
import { commands } from "./commands.ts";
import { ProductTable } from "./parts.tsx";
import { lacksCash, type OfProduct, useQueues } from "./queries.ts";

type Row = OfProduct<Liquidity>;

const columns = (now: number): Column<Row>[] => [
  { key: "product", title: t("products.tx.product"), lead: true, render: ({ product }) => product.name },
  {
    key: "idle",
    title: t("desk.queue.cash"),
    render: ({ product, data }) =>
      data === null ? t("desk.unknown") : <Amount mono value={data.idle} unit={product.symbol} />,
  },
  {
    key: "buffer",
    title: t("desk.queue.buffer"),
    render: ({ product, data }) => <Amount mono value={data?.buffer} unit={product.symbol} />,
  },
  {
    key: "deployed",
    title: t("desk.queue.deployed"),
    render: ({ product, data }) => <Amount mono value={data?.deployed} unit={product.symbol} />,
  },
  {
    key: "queue",
    title: t("desk.queue.requests"),
    render: ({ product, data }) => {
      const queue = data?.queue;
      if (queue == null) return <span className="text-muted">{t("desk.queue.noQueue")}</span>;
      if (queue.requests === 0) return t("desk.queue.empty");
      return (
        <>
          {formatCount(queue.requests)} · <Amount mono value={queue.value} unit={product.symbol} />
          {queue.oldest !== null && (
            <span className="block text-12 text-muted">
              {t("desk.queue.oldest", { age: formatRelative(Math.min(queue.oldest, now), now) })}
            </span>
          )}
        </>
      );
    },
  },
];

/** The queue of each product against its cash, with the commands that pay it. */
export function Queue() {
  return (
    <ProductTable
      anchor="queue"
      texts={{
        title: t("desk.queue"),
        intro: t("desk.queue.intro"),
        failed: t("desk.queue.failed"),
        none: t("products.none.title"),
      }}
      useRows={useQueues}
      columns={columns}
      detail={Payment}
    />
  );
}

/** The command that pays waiting requests, and the one that brings the missing money back first. */
function Payment({ product, data }: Row) {
  if (data?.queue == null || !lacksCash({ product, data }))
    return <Command line={commands.coverage(product)} does={t("desk.queue.coverage")} />;
  const missing = sumAmounts([data.queue.value, `-${data.idle}`]);
  return (
    <div className="flex flex-col gap-3">
      {compareAmounts(missing, "0") > 0 && (
        <Command line={commands.repay(product, missing)} does={t("desk.queue.repay")} />
      )}
      {compareAmounts(data.idle, "0") > 0 && (
        <Command line={commands.process(product)} does={t("desk.queue.process")} />
      )}
    </div>
  );
}
