import type { Product } from "@aqua/sdk/api/product";
import { useEffect, useState } from "react";
import { formatDuration } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { cx } from "../../ui/class-names.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { mostCompared } from "./list-view.ts";
import type { MyBalances } from "./my-balances.ts";

/** How long a typical exit takes, in a few words. */
export function Wait({ product: { wait, type, withheld } }: { product: Product }) {
  if (type === "time_deposit") return <Unknown reason={t("products.wait.atMaturity")} />;
  if (withheld.length > 0) return <Unknown reason={t("ui.withheld")} />;
  if (wait === null) return <Unknown reason={t("products.wait.unknown")} />;
  if (wait.p50 === 0) return t("products.wait.none");
  return (
    <span title={t("products.wait.quantile", { p90: formatDuration(wait.p90) })}>
      {t("products.wait.about", { p50: formatDuration(wait.p50) })}
    </span>
  );
}

/** The connected wallet's balance in the product. Shows 0 only after the balance is known to be 0. */
export function MyBalance({ product, balances: { values, failed } }: { product: Product; balances: MyBalances }) {
  if (values) {
    const value = values.get(product.short_id);
    if (value === null) return <Unknown reason={t("ui.withheld")} />;
    return <Amount value={value ?? "0"} unit={product.asset.symbol} />;
  }
  return failed ? <Unknown reason={t("ui.error.title")} /> : <Skeleton className="h-5 w-16 max-w-full" />;
}

interface CompareBoxProps {
  product: Product;
  /** The chosen short ids. */
  chosen: readonly string[];
  onToggle: (id: string) => void;
}

/**
 * Selects a product for the comparison; disabled when the comparison is full. The address stores the choice and updates
 * a moment after the click, so the box shows the click at once.
 */
export function CompareBox({ product, chosen, onToggle }: CompareBoxProps) {
  const id = product.short_id;
  const checked = chosen.includes(id);
  const [isTicked, setIsTicked] = useState(checked);
  useEffect(() => setIsTicked(checked), [checked]);
  const full = !checked && !isTicked && chosen.length >= mostCompared;
  return (
    <label
      title={full ? t("products.compare.full") : undefined}
      className={cx(
        "inline-flex min-h-6 items-center gap-2 text-14 whitespace-nowrap",
        full ? "cursor-not-allowed text-muted opacity-60" : "cursor-pointer hover:text-accent",
      )}
    >
      <input
        type="checkbox"
        checked={isTicked}
        disabled={full}
        aria-label={t("products.compare.one", { name: product.name })}
        onChange={() => {
          setIsTicked(!isTicked);
          onToggle(id);
        }}
        className="size-4.5 accent-accent"
      />
      <span aria-hidden="true">{t("products.compare")}</span>
    </label>
  );
}
