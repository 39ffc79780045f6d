import type { Holding } from "@aqua/sdk/api/portfolio";
import { Link } from "react-router";
import { sumAmounts } from "../../features/decimal.ts";
import { shortenAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Amount } from "../../ui/amount.tsx";
import type { Column } from "../../ui/table.tsx";

/** Columns both kinds of stakes have. */
export const valueColumn: () => Column<Holding> = () => ({
  key: "value",
  title: t("stakes.value"),
  figure: true,
  render: (row) => <Amount value={row.value} unit={row.symbol} mono />,
});

export const exitColumn: () => Column<Holding> = () => ({
  key: "exit",
  title: t("stakes.exit"),
  figure: true,
  render: (row) => <Amount value={row.exit_value} unit={row.symbol} mono />,
});

export const profitColumn: () => Column<Holding> = () => ({
  key: "profit",
  title: t("stakes.profit"),
  figure: true,
  render: (row) => (
    <Amount value={sumAmounts([row.realised, row.unrealised, row.interest])} unit={row.symbol} tone="gain" mono />
  ),
});

/** The product, and below it what tells this stake from the others. */
export function StakeName({ stake, detail, several }: { stake: Holding; detail?: string; several: boolean }) {
  const below = [detail, several && shortenAddress(stake.wallet)].filter(Boolean).join(" · ");
  return (
    <>
      <Link to={paths.product(stake.short_id)} className="link">
        {stake.name}
      </Link>
      {below && <span className="block text-12 font-normal text-muted">{below}</span>}
    </>
  );
}

export function stakeKey(row: Holding): string {
  return `${row.chain_id}-${row.short_id}-${row.wallet}-${row.deposit_id ?? ""}`;
}
