import type { ProductDetail } from "@aqua/sdk/api/product";
import { t } from "../../i18n/i18n.ts";
import { Notice } from "../../ui/notice.tsx";
import { countryNames } from "./country-names.ts";

export default function ClosedToNotice({ countries }: { countries: ProductDetail["closed_to"] }) {
  return (
    <Notice look="caution" title={t("register.closedTo", { countries: countryNames(countries) })}>
      {t("register.closedTo.text")}
    </Notice>
  );
}
