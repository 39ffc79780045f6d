import type { Product } from "@aqua/sdk/api/product";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { filterText } from "./filter-text.ts";
import { emptyingFilters, type FilterName, type ProductFilters } from "./filters.ts";

interface NothingFoundProps {
  products: readonly Product[];
  filters: ProductFilters;
  onRemove: (name: FilterName) => void;
  onRemoveAll: () => void;
}

/**
 * Names the filter that leaves no result and offers to remove it. If no single filter does, offers to remove all of
 * them.
 */
export function NothingFound({ products, filters, onRemove, onRemoveAll }: NothingFoundProps) {
  const emptying = emptyingFilters(products, filters);
  return (
    <div className="panel">
      <Empty
        title={t("filters.empty.title")}
        actions={
          emptying.length > 0 ? (
            emptying.map(({ name }) => (
              <Button key={name} look="secondary" size="small" onClick={() => onRemove(name)}>
                {t("products.empty.remove", { filter: t(`filters.${name}`), value: filterText(filters, name) })}
              </Button>
            ))
          ) : (
            <Button look="secondary" size="small" onClick={onRemoveAll}>
              {t("filters.empty.removeAll")}
            </Button>
          )
        }
      >
        {emptying.length > 0
          ? emptying.map(({ name, found }) => (
              <p key={name}>
                {t("filters.empty.without", {
                  filter: t(`filters.${name}`),
                  value: filterText(filters, name),
                  count: found,
                })}
              </p>
            ))
          : t("filters.empty.together")}
      </Empty>
    </div>
  );
}
