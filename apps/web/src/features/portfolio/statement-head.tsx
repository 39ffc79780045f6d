import type { Statement } from "@aqua/sdk/api/portfolio";
import { findChain } from "@aqua/sdk/chains";
import { formatCount, formatDateTime, formatDay } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";

interface StatementHeadProps {
  statement: Statement;
  period: { from: string; to: string };
}

/** The head of a printed statement. The paper must state its wallets, its period, its blocks and its site. */
export function StatementHead({ statement, period }: StatementHeadProps) {
  const { as_of, products, wallets } = statement;
  const chainIds = [...new Set([as_of.chain_id, ...products.map((product) => product.chain_id)])];
  const facts = [
    { label: t("positions.statement.wallets"), values: wallets },
    {
      label: t("positions.statement.period"),
      values: [t("positions.statement.days", { from: formatDay(period.from), to: formatDay(period.to) })],
    },
    { label: t("positions.statement.blocks"), values: chainIds.map((chainId) => blocksText(statement, chainId)) },
    { label: t("positions.statement.site"), values: [location.origin] },
  ];
  return (
    <div className="border-b border-line px-5 py-4">
      <h2 className="text-20">{t("positions.statement.title")}</h2>
      <dl className="mt-3 flex flex-col gap-2 text-14">
        {facts.map(({ label, values }) => (
          <div key={label}>
            <dt className="text-12 text-muted">{label}</dt>
            {values.map((value) => (
              <dd key={value} className="wrap-anywhere">
                {value}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The range of blocks with movements on a chain. On the statement's own chain also the block at which it was read. */
function blocksText({ as_of, products }: Statement, chainId: number): string {
  const blocks = products
    .filter((product) => product.chain_id === chainId)
    .flatMap(({ lines }) => lines.map(({ block }) => block));
  const [first, last] = blocks.reduce<[number, number]>(
    ([low, high], block) => [Math.min(low, block), Math.max(high, block)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const moved =
    blocks.length === 0
      ? t("positions.statement.blocks.none")
      : t("positions.statement.blocks.range", { from: formatCount(first), to: formatCount(last) });
  const read = t("positions.statement.blocks.read", {
    block: formatCount(as_of.block),
    time: formatDateTime(as_of.time, "UTC"),
  });
  const name = findChain(chainId)?.name ?? String(chainId);
  return [name, moved, ...(chainId === as_of.chain_id ? [read] : [])].join(" · ");
}
