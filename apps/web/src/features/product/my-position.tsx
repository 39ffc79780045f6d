import type { Holding } from "@aqua/sdk/api/portfolio";
import type { ProductDetail } from "@aqua/sdk/api/product";
import { formatAmount, formatRelative } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Button } from "../../ui/button.tsx";
import { Figure } from "../../ui/figure.tsx";
import { useWallet } from "../../wallet/store.ts";
import { isZero, sumAmounts } from "../decimal.ts";
import { useHoldings } from "../portfolio/holdings.ts";
import { requestPanel } from "../transact/form/use-panel-tab.ts";
import { takesDeposits } from "./notices.ts";

/**
 * The claimable amount if there is one. Otherwise the cost for a demand deposit, or the number of receipts and the next
 * maturity.
 */
function noteOf(positions: readonly Holding[], unit: string): string {
  if (positions.some(({ withheld }) => withheld)) return t("ui.withheld");
  const claimable = sumAmounts(positions.flatMap((holding) => holding.claimable ?? []));
  if (!isZero(claimable))
    return t("product.mine.claimable", { amount: formatAmount(claimable, { rounding: "down" }), unit });
  if (positions[0]?.type === "demand_deposit")
    return t("product.mine.cost", {
      cost: formatAmount(sumAmounts(positions.map((holding) => holding.principal))),
      unit,
    });
  // A product that winds down pays nothing at maturity.
  if (positions.some(({ receipt }) => receipt?.winding_down)) return t("product.receipts", { count: positions.length });
  const maturities = positions.flatMap((holding) => holding.maturity ?? []);
  return t("product.mine.receipts", {
    count: positions.length,
    when: maturities.length > 0 ? formatRelative(Math.min(...maturities)) : "—",
  });
}

/** The connected wallet's position with its possible actions. Renders nothing if the wallet has no position. */
export function MyPosition({ product }: { product: ProductDetail }) {
  const { address } = useWallet();
  const holdings = useHoldings(address);
  const unit = product.asset.symbol;
  const positions = holdings.data?.items.filter((holding) => holding.short_id === product.short_id) ?? [];
  if (!address || positions.length === 0) return null;
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
      <dl>
        <Figure
          label={t(product.type === "demand_deposit" ? "products.mine" : "product.mine.deposits")}
          size="large"
          note={noteOf(positions, unit)}
        >
          <Amount
            key={address}
            value={sumAmounts(["0.00", ...positions.map((holding) => holding.value)])}
            unit={unit}
            live
          />
        </Figure>
      </dl>
      <div className="flex gap-2">
        {takesDeposits(product) && (
          <Button size="small" onClick={() => requestPanel("deposit")}>
            {t("product.mine.add")}
          </Button>
        )}
        <Button size="small" look="secondary" onClick={() => requestPanel("withdraw")}>
          {t("product.mine.withdraw")}
        </Button>
      </div>
    </div>
  );
}
