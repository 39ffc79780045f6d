import { t } from "../../i18n/i18n.ts";

interface ProductFilterProps {
  products: readonly { short_id: string; name: string }[];
  /** The short id of one product; null for all. */
  value: string | null;
  onChange: (shortId: string | null) => void;
}

/** Filters the rows below by product. */
export function ProductFilter({ products, value, onChange }: ProductFilterProps) {
  return (
    <label className="flex items-center gap-2 text-14 text-muted">
      {t("products.tx.product")}
      <select
        value={value ?? ""}
        onChange={(event) => onChange(event.target.value || null)}
        className="h-9 max-w-56 rounded-6 border border-line-strong/60 bg-surface px-2 text-14 text-ink"
      >
        <option value="">{t("transparency.acts.all")}</option>
        {products.map((product) => (
          <option key={product.short_id} value={product.short_id}>
            {product.name}
          </option>
        ))}
      </select>
    </label>
  );
}
