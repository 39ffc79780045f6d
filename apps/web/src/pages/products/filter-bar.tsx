import { Search } from "lucide-react";
import {
  type FilterName,
  type ProductFilters,
  type ProductSort,
  productSorts,
  productStatuses,
  productTypes,
} from "../../features/products/filters.ts";
import { chainName } from "../../features/products/words.ts";
import { t } from "../../i18n/i18n.ts";
import { SelectField } from "../../ui/select-field.tsx";

interface FilterBarProps {
  filters: ProductFilters;
  sort: ProductSort;
  /** Chain ids that occur. */
  networks: number[];
  onChange: (name: FilterName | "sort", value: string | null) => void;
}

export function FilterBar({ filters, sort, networks, onChange }: FilterBarProps) {
  const any = { value: "", label: t("products.filter.any") };
  return (
    <search className="grid grid-cols-2 items-end gap-3 md:grid-cols-[minmax(0,1fr)_repeat(3,168px)]">
      <div className="col-span-2 md:col-span-1">
        <label htmlFor="product-search" className="mb-1 block text-12 text-muted">
          {t("products.filter.q")}
        </label>
        <div className="flex h-11 items-center gap-2 rounded-6 border border-line-strong/60 bg-surface px-3 focus-within:outline-2 focus-within:outline-accent">
          <Search aria-hidden="true" className="size-4 text-muted" strokeWidth={1.75} />
          <input
            id="product-search"
            type="search"
            value={filters.q}
            maxLength={80}
            placeholder={t("products.filter.searchHint")}
            onChange={(event) => onChange("q", event.target.value)}
            className="h-full min-w-0 flex-1 bg-transparent text-14 outline-none placeholder:text-muted"
          />
        </div>
      </div>
      <SelectField
        label={t("products.filter.type")}
        value={filters.type ?? ""}
        onChange={(value) => onChange("type", value)}
        options={[any, ...productTypes.map((type) => ({ value: type, label: t(`products.type.${type}`) }))]}
      />
      <SelectField
        label={t("products.filter.status")}
        value={filters.status ?? ""}
        onChange={(value) => onChange("status", value)}
        options={[any, ...productStatuses.map((status) => ({ value: status, label: t(`products.status.${status}`) }))]}
      />
      {networks.length > 1 && (
        <SelectField
          label={t("products.filter.network")}
          value={filters.network === null ? "" : String(filters.network)}
          onChange={(value) => onChange("network", value)}
          options={[any, ...networks.map((id) => ({ value: String(id), label: chainName(id) }))]}
        />
      )}
      <SelectField
        label={t("products.sort")}
        value={sort}
        onChange={(value) => onChange("sort", value === "tvl" ? null : value)}
        options={productSorts.map((choice) => ({ value: choice, label: t(`products.sort.${choice}`) }))}
      />
    </search>
  );
}
