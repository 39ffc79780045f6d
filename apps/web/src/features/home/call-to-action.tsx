import type { Product } from "@aqua/sdk/api/product";
import { DAY_MS } from "@aqua/sdk/durations";
import { Link } from "react-router";
import { currentTime } from "../../i18n/clock.ts";
import { formatAmount, formatRelative } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Button, buttonClasses } from "../../ui/button.tsx";
import { useWallet } from "../../wallet/store.ts";
import { useAccountInfo } from "../account/info.ts";
import { isZero } from "../decimal.ts";
import { connectWallet, prefetchWallet } from "../open-wallet.ts";
import { useTotalHoldValue } from "../portfolio/value.ts";
import { useAddressKnown, useLoggedIn } from "../session.ts";
import { missingStep } from "./missing-step.ts";

/** The call to action mentions maturities within this time, in milliseconds. */
const soon = 7 * DAY_MS;

/**
 * Shows the next step for this visitor: connect, log in, verify, link, claim, see what matures, or make a first
 * deposit.
 */
export function CallToAction({ best }: { best: Product | null }) {
  const { address } = useWallet();
  const loggedIn = useLoggedIn();
  const account = useAccountInfo(loggedIn).data;
  const isLinked = useAddressKnown();
  const missing = missingStep(loggedIn ? account : null, address, isLinked);
  const value = useTotalHoldValue(address).data;
  const next = value?.next_cash ?? null;
  const claimable = value && !isZero(value.claimable) ? value.claimable : null;
  const explore = (
    <Link to={paths.products} className={buttonClasses({ look: "secondary", size: "large" })}>
      {t("home.cta.explore")}
    </Link>
  );
  if (address && value && !isZero(value.total))
    return (
      <>
        <Link to={paths.portfolios} className={buttonClasses({ size: "large" })}>
          {claimable !== null
            ? t("home.cta.claim", { value: formatAmount(claimable, { rounding: "down" }), currency: value.unit })
            : next !== null && next.time - currentTime() < soon
              ? t("home.cta.matures", {
                  amount: formatAmount(next.amount, { rounding: "down" }),
                  currency: value.unit,
                  when: formatRelative(next.time),
                })
              : t("home.cta.portfolio", { value: formatAmount(value.total), currency: value.unit })}
        </Link>
        {explore}
      </>
    );
  if (missing)
    return (
      <>
        <Link to={missing.to} className={buttonClasses({ size: "large" })}>
          {t(missing.label)}
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
