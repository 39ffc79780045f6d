import { formatAmount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import type { FilterName, ProductFilters } from "./filters.ts";
import { chainName } from "./product-labels.ts";

/** A filter's value as displayed text. */
export function filterText(filters: ProductFilters, name: FilterName): string {
  switch (name) {
    case "q":
      return filters.q.trim();
    case "network":
      return filters.network === null ? "" : chainName(filters.network);
    case "type":
      return filters.type ? t(`products.type.${filters.type}`) : "";
    case "status":
      return filters.status ? t(`products.status.${filters.status}`) : "";
    case "term":
      return filters.term ? t(`filters.term.${filters.term}`) : "";
    case "exit":
      return formatAmount(filters.exit, { digits: 18, minDigits: 0 });
  }
}
