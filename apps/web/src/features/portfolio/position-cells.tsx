import type { Holding } from "@aqua/sdk/api/portfolio";
import { Link } from "react-router";
import { shortenAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Amount } from "../../ui/amount.tsx";
import type { Column } from "../../ui/table.tsx";
import { sumAmounts } from "../decimal.ts";

/** The value column, which both kinds of positions have. */
export const valueColumn: () => Column<Holding> = () => ({
  key: "value",
  title: t("positions.value"),
  figure: true,
  render: (row) => <Amount value={row.value} unit={row.symbol} mono />,
});

export const exitColumn: () => Column<Holding> = () => ({
  key: "exit",
  title: t("positions.exit"),
  figure: true,
  render: (row) => <Amount value={row.exit_value} unit={row.symbol} rounding="down" mono />,
});

export const profitColumn: () => Column<Holding> = () => ({
  key: "profit",
  title: t("positions.profit"),
  figure: true,
  render: (row) => (
    <Amount value={sumAmounts([row.realised, row.unrealised, row.interest])} unit={row.symbol} tone="gain" mono />
  ),
});

/** The product's name, and below it what distinguishes this position from others in the same product. */
export function PositionName({ position, detail, several }: { position: Holding; detail?: string; several: boolean }) {
  const below = [detail, several && shortenAddress(position.wallet)].filter(Boolean).join(" · ");
  return (
    <>
      <Link to={paths.product(position.short_id)} className="link">
        {position.name}
      </Link>
      {below && <span className="block text-12 font-normal text-muted">{below}</span>}
    </>
  );
}

/** Links to deposit more into the product or to withdraw from it. Shown for the visitor's own wallet. */
export function PositionActions({ shortId }: { shortId: string }) {
  return (
    <span className="flex gap-x-4 font-sans whitespace-nowrap">
      <Link to={`${paths.product(shortId)}#deposit`} className="link inline-flex min-h-11 items-center md:min-h-0">
        {t("positions.add")}
      </Link>
      <Link to={`${paths.product(shortId)}#withdraw`} className="link inline-flex min-h-11 items-center md:min-h-0">
        {t("positions.withdraw")}
      </Link>
    </span>
  );
}

export function positionKey(row: Holding): string {
  return `${row.chain_id}-${row.short_id}-${row.wallet}-${row.deposit_id ?? ""}`;
}
