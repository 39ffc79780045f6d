import { t } from "../../../i18n/i18n.ts";
import { Notice } from "../../../ui/notice.tsx";
import { countryNames } from "../../products/country-names.ts";
import { useProductList } from "../../products/list.ts";

/** Names the products that are not offered in every country, before the visitor types anything. */
export default function ClosedProducts() {
  const products = useProductList();
  if (products.data === undefined)
    return products.isError && <p className="text-14 text-muted">{t("register.closedTo.unreachable")}</p>;
  const closed = products.data.items.filter(({ closed_to }) => closed_to.length > 0);
  if (closed.length === 0) return null;
  return (
    <Notice look="caution" title={t("register.closedTo.some")}>
      <ul>
        {closed.map(({ short_id, name, closed_to }) => (
          <li key={short_id}>{t("register.closedTo.product", { name, countries: countryNames(closed_to) })}</li>
        ))}
      </ul>
    </Notice>
  );
}
