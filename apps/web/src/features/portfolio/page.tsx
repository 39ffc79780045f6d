import { lazy, Suspense } from "react";
import { Link } from "react-router";
import { formatCount } from "../../i18n/format.ts";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { paths } from "../../paths.ts";
import { Address } from "../../ui/address.tsx";
import { buttonClasses } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { useNetwork } from "../network.ts";
import { PortfolioSkeleton } from "./skeletons.tsx";
import { useScope } from "./use-scope.ts";

const WalletChoice = lazy(() => import("./wallet-choice.tsx").then((module) => ({ default: module.WalletChoice })));
const Portfolio = lazy(() =>
  Promise.all([import("./portfolio.tsx"), loadTexts("positions")]).then(([module]) => module),
);
const NotConnected = lazy(() => import("./not-connected.tsx"));
const FaucetCard = lazy(() =>
  Promise.all([import("../transact/eligibility/faucet-card.tsx"), loadTexts("transact", "wallet")]).then(
    ([module]) => ({
      default: module.FaucetCard,
    }),
  ),
);

export default function PortfoliosPage() {
  const network = useNetwork();
  const view = useScope();
  const scope = view.state === "wallet" ? view.scope : null;
  usePageTitle(t("portfolio.title"));

  return (
    <>
      <PageHead
        seed={scope?.address.toLowerCase() ?? "portfolios"}
        title={t("portfolio.title")}
        lead={scope ? undefined : t("portfolio.lead")}
      >
        {view.state === "wallet" && (
          <>
            <p className="mt-2 flex flex-wrap items-center gap-x-3 text-14 text-muted">
              {view.scope.also.length > 0 ? (
                t("portfolio.together", { count: formatCount(1 + view.scope.also.length) })
              ) : (
                <>
                  {t(
                    view.own ? "portfolio.yours" : view.wallets.length > 0 ? "portfolio.linked" : "portfolio.readOnly",
                  )}
                  <Address address={view.scope.address} what={t("products.address")} full />
                </>
              )}
            </p>
            {view.wallets.length > 0 && (
              <div className="mt-4 min-h-10">
                <Suspense>
                  <WalletChoice wallets={view.wallets} scope={view.scope} />
                </Suspense>
              </div>
            )}
          </>
        )}
      </PageHead>
      {/* The height keeps the footer below the window when the skeleton gives way to a shorter text. */}
      <div className="page flex min-h-[75vh] flex-col gap-10 pt-8">
        {view.state === "invalid" ? (
          <Notice
            look="error"
            title={t("portfolio.invalid.title")}
            actions={
              <Link to={paths.portfolios} className={buttonClasses({ look: "secondary", size: "small" })}>
                {t("portfolio.invalid.own")}
              </Link>
            }
          >
            {t("portfolio.invalid.text")}
          </Notice>
        ) : view.state === "wallet" ? (
          <Suspense fallback={<PortfolioSkeleton />}>
            <Portfolio key={[view.scope.address, ...view.scope.also].join()} scope={view.scope} own={view.own} />
            {view.own && network.data?.faucet && <FaucetCard />}
          </Suspense>
        ) : view.state === "restoring" ? (
          <PortfolioSkeleton />
        ) : (
          <Suspense fallback={<PortfolioSkeleton />}>
            <NotConnected />
          </Suspense>
        )}
      </div>
    </>
  );
}
