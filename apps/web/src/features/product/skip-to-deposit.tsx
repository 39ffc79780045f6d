import type { ProductDetail } from "@aqua/sdk/api/product";
import { t } from "../../i18n/i18n.ts";
import { SkipLink } from "../../ui/skip-link.tsx";
import { depositAmount } from "../transact/form/deposit-amount.ts";
import { takesDeposits } from "./notices.ts";

/** Focuses the amount of a deposit; on a phone the button that opens the sheet, which stays at the end of the page. */
function goToDeposit(place: string) {
  const target = document.getElementById(place);
  const amount = target?.querySelector<HTMLElement>(`#${depositAmount}`);
  // If another tab than Deposit is open, focuses that tab, one arrow key away from Deposit.
  const tab = target?.querySelector<HTMLElement>("[role=tab][aria-selected=true]");
  (amount ?? tab ?? target)?.focus();
}

/** Loaded with the product: whether it takes deposits rests on all of its notices. */
export default function Skip({ product, place }: { product: ProductDetail; place: string }) {
  if (!takesDeposits(product)) return null;
  return (
    <SkipLink
      href={`#${place}`}
      onClick={(event) => {
        event.preventDefault();
        goToDeposit(place);
      }}
    >
      {t("products.skipToDeposit")}
    </SkipLink>
  );
}
