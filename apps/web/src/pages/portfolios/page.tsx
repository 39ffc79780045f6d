import { lazy, Suspense } from "react";
import { Link, useSearchParams } from "react-router";
import { useNetwork } from "../../features/network.ts";
import { readViewed } from "../../features/portfolio/query.ts";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { paths } from "../../paths.ts";
import { Address } from "../../ui/address.tsx";
import { buttonClasses } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { useWallet } from "../../wallet/store.ts";
import { PortfolioSkeleton } from "./skeletons.tsx";

const Portfolio = lazy(() => import("./portfolio.tsx"));
const NotConnected = lazy(() => import("./not-connected.tsx"));
const FaucetCard = lazy(() =>
  Promise.all([import("../../features/transact/faucet-card.tsx"), loadTexts("transact", "wallet")]).then(
    ([module]) => ({
      default: module.FaucetCard,
    }),
  ),
);

export default function PortfoliosPage() {
  const [search] = useSearchParams();
  const wallet = useWallet();
  const network = useNetwork();
  const viewed = readViewed(search);
  const address = viewed === "invalid" ? null : (viewed ?? wallet.address);
  const own = address !== null && address.toLowerCase() === wallet.address?.toLowerCase();
  const restoring = !viewed && (wallet.status === "reconnecting" || wallet.status === "connecting");
  usePageTitle(t("portfolio.title"));

  return (
    <>
      <PageHead
        seed={address?.toLowerCase() ?? "portfolios"}
        title={t("portfolio.title")}
        lead={address ? undefined : t("portfolio.lead")}
      >
        {address && (
          <p className="mt-2 flex flex-wrap items-center gap-x-3 text-14 text-muted">
            {t(own ? "portfolio.yours" : "portfolio.readOnly")}
            <Address address={address} what={t("products.address")} full />
          </p>
        )}
      </PageHead>
      <div className="page flex flex-col gap-10 pt-8">
        {viewed === "invalid" ? (
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
        ) : address ? (
          <Suspense fallback={<PortfolioSkeleton />}>
            {own && network.data?.faucet && <FaucetCard />}
            <Portfolio key={address} address={address} own={own} />
          </Suspense>
        ) : restoring ? (
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
