import type { Product } from "@aqua/sdk/api/product";
import { X } from "lucide-react";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";

interface CompareTrayProps {
  products: readonly Product[];
  onChange: (ids: string[]) => void;
  onCompare: () => void;
}

/** The products chosen for comparison, visible while browsing for more. */
export default function CompareTray({ products, onChange, onCompare }: CompareTrayProps) {
  const ids = products.map((product) => product.short_id);
  return (
    <section
      aria-label={t("compare.tray")}
      tabIndex={-1}
      data-focus-home
      // On a phone the tray is above AQUA MIND; on wider screens it is beside it.
      className="sticky bottom-20 z-20 mt-6 flex animate-rise flex-wrap items-center gap-x-4 gap-y-2 rounded-12 border border-line bg-surface p-3 shadow-float sm:bottom-3 sm:mr-40"
    >
      <ul className="hidden min-w-0 flex-1 flex-wrap gap-2 sm:flex">
        {products.map((product) => (
          <li key={product.short_id} className="min-w-0">
            <button
              type="button"
              aria-label={t("compare.remove", { name: product.name })}
              onClick={() => onChange(ids.filter((id) => id !== product.short_id))}
              className="inline-flex h-9 max-w-full items-center gap-1.5 rounded-6 border border-line bg-ground px-3 text-14 hover:border-accent"
            >
              <span className="truncate">{product.name}</span>
              <X aria-hidden="true" className="size-3.5 shrink-0" strokeWidth={2} />
            </button>
          </li>
        ))}
      </ul>
      <div className="ml-auto flex flex-1 items-center justify-between gap-3 sm:flex-none">
        {products.length < 2 ? (
          <p role="status" className="text-14 text-muted">
            {t("compare.another")}
          </p>
        ) : (
          <Button size="small" onClick={onCompare}>
            {t("compare.open", { count: products.length })}
          </Button>
        )}
        <Button size="small" look="quiet" onClick={() => onChange([])}>
          {t("compare.clear")}
        </Button>
      </div>
    </section>
  );
}
