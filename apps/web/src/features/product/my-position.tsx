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
function noteOf(mine: readonly Holding[], unit: string): string {
  const claimable = sumAmounts(mine.flatMap((holding) => holding.claimable ?? []));
  if (!isZero(claimable))
    return t("product.mine.claimable", { amount: formatAmount(claimable, { rounding: "down" }), unit });
  if (mine[0]?.type === "demand_deposit")
    return t("product.mine.cost", { cost: formatAmount(sumAmounts(mine.map((holding) => holding.principal))), unit });
  // A product that winds down pays nothing at maturity.
  if (mine.some(({ receipt }) => receipt?.winding_down)) return t("product.receipts", { count: mine.length });
  const maturities = mine.flatMap((holding) => holding.maturity ?? []);
  return t("product.mine.receipts", {
    count: mine.length,
    when: maturities.length > 0 ? formatRelative(Math.min(...maturities)) : "—",
  });
}

/** The connected wallet's position with its possible actions. Renders nothing if the wallet has no position. */
export function MyPosition({ product }: { product: ProductDetail }) {
  const { address } = useWallet();
  const holdings = useHoldings(address);
  const unit = product.asset.symbol;
  const mine = holdings.data?.items.filter((holding) => holding.short_id === product.short_id) ?? [];
  if (!address || mine.length === 0) return null;
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
      <dl>
        <Figure
          label={t(product.type === "demand_deposit" ? "products.mine" : "product.mine.deposits")}
          size="large"
          note={noteOf(mine, unit)}
        >
          <Amount
            key={address}
            value={sumAmounts(["0.00", ...mine.map((holding) => holding.value)])}
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
