import { lazy, Suspense, useState } from "react";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { WithheldNotice } from "../../ui/withheld.tsx";
import { isZero } from "../decimal.ts";
import type { Scope } from "./scope.ts";
import { useTotalHoldValue } from "./value.ts";

const ClaimAll = lazy(() =>
  Promise.all([import("../transact/demand/claim-all.tsx"), loadTexts("transact", "wallet")]).then(([module]) => ({
    default: module.ClaimAll,
  })),
);

/** Shows what can be claimed now from queues and matured deposits. Renders nothing if there is nothing to claim. */
export function Claimable({ scope, own }: { scope: Scope; own: boolean }) {
  const { data } = useTotalHoldValue(scope.address, scope.also);
  const claimable = data?.claimable ?? null;
  const hasClaimable = claimable !== null && !isZero(claimable);
  /** The panel stays mounted after everything is claimed, so that the owner can read the outcome. */
  const [wasClaimable, setWasClaimable] = useState(false);
  if (hasClaimable && !wasClaimable) setWasClaimable(true);
  if (data?.claimable === null) return <WithheldNotice />;
  if (!hasClaimable && !(wasClaimable && own)) return null;
  return (
    <section
      aria-label={hasClaimable ? t("positions.claimable") : undefined}
      className={hasClaimable ? "panel border-l-3 border-l-positive p-5" : undefined}
    >
      {hasClaimable && (
        <>
          <p className="text-12 text-muted">{t("positions.claimable")}</p>
          <p className="mt-0.5 text-28 font-strong">
            <Amount value={claimable} unit={data?.unit} rounding="down" live />
          </p>
          <p className="mt-1 max-w-[68ch] text-14 text-muted">{t("positions.claimable.text")}</p>
        </>
      )}
      {own && (
        <div className={hasClaimable ? "mt-4 empty:hidden" : "empty:hidden"}>
          <Suspense>
            <ClaimAll />
          </Suspense>
        </div>
      )}
    </section>
  );
}
