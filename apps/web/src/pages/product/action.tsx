import type { ProductDetail } from "@aqua/sdk/api/product";
import { lazy, Suspense, useState } from "react";
import { depositAmount } from "../../features/transact/form/deposit-amount.ts";
import { formatRate } from "../../i18n/format.ts";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { SkipLink } from "../../ui/skip-link.tsx";
import { takesDeposits } from "./notices.ts";

const withTexts = <Module,>(module: Promise<Module>) =>
  Promise.all([module, loadTexts("transact", "reasons", "wallet")]).then(([loaded]) => loaded);
const ActionPanel = lazy(() => withTexts(import("../../features/transact/demand/action-panel.tsx")));
const TimePanel = lazy(() => withTexts(import("../../features/transact/term/time-panel.tsx")));

const Sheet = lazy(() => import("../../ui/sheet.tsx").then((module) => ({ default: module.Sheet })));

const waiting = (
  <div className="panel p-5">
    <Skeleton className="h-12" />
    <Skeleton className="mt-5 h-14" />
    <Skeleton className="mt-5 h-40" />
    <Skeleton className="mt-5 h-13" />
  </div>
);

function Panel({ product }: { product: ProductDetail }) {
  return (
    <Suspense fallback={waiting}>
      {product.type === "time_deposit" ? <TimePanel product={product} /> : <ActionPanel product={product} />}
    </Suspense>
  );
}

const place = "deposit";

/** Focuses the amount of a deposit; on a phone the button that opens the sheet, which stays at the end of the page. */
function goToDeposit() {
  const target = document.getElementById(place);
  const amount = target?.querySelector<HTMLElement>(`#${depositAmount}`);
  // If another tab than Deposit is open, focuses that tab, one arrow key away from Deposit.
  const tab = target?.querySelector<HTMLElement>("[role=tab][aria-selected=true]");
  (amount ?? tab ?? target)?.focus();
}

/** A skip link from the start of the page to its action. Absent where the product takes no deposits. */
export function SkipToDeposit({ product }: { product: ProductDetail }) {
  if (!takesDeposits(product)) return null;
  return (
    <SkipLink
      href={`#${place}`}
      onClick={(event) => {
        event.preventDefault();
        goToDeposit();
      }}
    >
      {t("products.skipToDeposit")}
    </SkipLink>
  );
}

/** Beside the text on wide screens, and sticky. */
export function ActionAside({ product }: { product: ProductDetail | undefined }) {
  return (
    <aside id={place} tabIndex={-1} aria-label={t("products.action")} className="min-w-0">
      {/* Where the window is too narrow for both, a long panel ends above AQUA MIND, since its last element is the
          button. */}
      <div className="sticky top-22 max-h-[calc(100dvh-168px)] overflow-y-auto rounded-12 min-[1560px]:max-h-[calc(100dvh-104px)]">
        {product ? <Panel product={product} /> : waiting}
      </div>
    </aside>
  );
}

/** On a phone: a bar at the bottom that opens the panel as a sheet. */
export function ActionSheet({ product }: { product: ProductDetail }) {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  return (
    <>
      <div className="sticky bottom-0 z-20 mt-10 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] shadow-float">
        <div className="page flex h-18 items-center justify-between gap-4">
          <p className="min-w-0">
            <span className="block text-12 text-muted">{t("products.apy")}</span>
            <span className="block text-20 font-strong">{formatRate(product.apy.value)}</span>
          </p>
          <Button
            id={place}
            onClick={() => {
              setOpen(true);
              setWanted(true);
            }}
            aria-haspopup="dialog"
          >
            {t(product.status === "open" ? "products.action.open" : "products.action.closed")}
          </Button>
        </div>
      </div>
      {wanted && (
        <Suspense>
          <Sheet kept open={open} onClose={() => setOpen(false)} title={product.name}>
            <Panel product={product} />
          </Sheet>
        </Suspense>
      )}
    </>
  );
}
