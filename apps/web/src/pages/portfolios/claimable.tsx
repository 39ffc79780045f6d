import { lazy, Suspense } from "react";
import { isZero } from "../../features/decimal.ts";
import type { Scope } from "../../features/portfolio/scope.ts";
import { useTotalHoldValue } from "../../features/portfolio/value.ts";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";

const ClaimAll = lazy(() =>
  Promise.all([import("../../features/transact/claim-all.tsx"), loadTexts("transact", "wallet")]).then(([module]) => ({
    default: module.ClaimAll,
  })),
);

/** What can be collected now, from queues and matured deposits; nothing while there is none. */
export function Claimable({ scope, own }: { scope: Scope; own: boolean }) {
  const { data } = useTotalHoldValue(scope.address, scope.also);
  if (!data || isZero(data.claimable)) return null;
  return (
    <section aria-label={t("portfolio.claimable")} className="panel border-l-3 border-l-positive p-5">
      <p className="text-12 text-muted">{t("portfolio.claimable")}</p>
      <p className="mt-0.5 text-28 font-strong">
        <Amount value={data.claimable} unit={data.currency} live />
      </p>
      <p className="mt-1 max-w-[68ch] text-14 text-muted">{t("portfolio.claimable.text")}</p>
      {own && (
        <div className="mt-4 empty:hidden">
          <Suspense>
            <ClaimAll />
          </Suspense>
        </div>
      )}
    </section>
  );
}
