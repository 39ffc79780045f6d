import type { Product } from "@aqua/sdk/api/product";
import { Link } from "react-router";
import { isZero } from "../../features/decimal.ts";
import { connectWallet, prefetchWallet } from "../../features/open-wallet.ts";
import { useTotalHoldValue } from "../../features/portfolio/value.ts";
import { formatAmount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Button, buttonClasses } from "../../ui/button.tsx";
import { useWallet } from "../../wallet/store.ts";

/** The next step of this visitor: connect, make a first deposit, or look at what one has. */
export function CallToAction({ best }: { best: Product | null }) {
  const { address } = useWallet();
  const value = useTotalHoldValue(address).data;
  const explore = (
    <Link to={paths.products} className={buttonClasses({ look: "secondary", size: "large" })}>
      {t("home.cta.explore")}
    </Link>
  );
  if (address && value && !isZero(value.total))
    return (
      <>
        <Link to={paths.portfolios} className={buttonClasses({ size: "large" })}>
          {t("home.cta.portfolio", { value: formatAmount(value.total), currency: value.currency })}
        </Link>
        {explore}
      </>
    );
  if (address)
    return (
      <>
        {best && (
          <Link to={paths.product(best.short_id)} className={buttonClasses({ size: "large" })}>
            {t("home.cta.first")}
          </Link>
        )}
        {explore}
      </>
    );
  return (
    <>
      <Button size="large" onPointerEnter={prefetchWallet} onFocus={prefetchWallet} onClick={connectWallet}>
        {t("shell.wallet.connect")}
      </Button>
      {explore}
    </>
  );
}
