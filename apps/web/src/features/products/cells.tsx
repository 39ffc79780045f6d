import type { Product } from "@aqua/sdk/api/product";
import { formatDuration } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { cx } from "../../ui/class-names.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { toggled } from "./arrangement.ts";
import type { MyBalances } from "./mine.ts";

/** How long a typical exit takes, in a few words. */
export function Wait({ product: { wait } }: { product: Product }) {
  if (wait === null) return <Unknown reason={t("products.wait.unknown")} />;
  if (wait.p50 === 0) return t("products.wait.none");
  return (
    <span title={t("products.wait.quantile", { p90: formatDuration(wait.p90) })}>
      {t("products.wait.about", { p50: formatDuration(wait.p50) })}
    </span>
  );
}

/** What the connected wallet has in it: 0 only once that is known. */
export function MyBalance({ product, mine: { values, failed } }: { product: Product; mine: MyBalances }) {
  if (values)
    return (
      <Amount value={values.get(product.short_id) ?? "0"} unit={product.asset.symbol} compact={false} minDigits={0} />
    );
  return failed ? <Unknown reason={t("ui.error.title")} /> : <Skeleton className="h-5 w-16 max-w-full" />;
}

interface CompareBoxProps {
  product: Product;
  /** Short ids that are chosen. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  className?: string;
}

/** Chooses a product for the comparison; out of use when no more fit. */
export function CompareBox({ product, chosen, onChange, className }: CompareBoxProps) {
  const next = toggled(chosen, product.short_id);
  const full = next.length === chosen.length;
  return (
    <label
      title={full ? t("products.compare.full") : undefined}
      className={cx(
        "inline-flex min-h-6 items-center gap-2 text-14 whitespace-nowrap",
        full ? "cursor-not-allowed text-muted opacity-60" : "cursor-pointer hover:text-accent",
        className,
      )}
    >
      <input
        type="checkbox"
        checked={chosen.includes(product.short_id)}
        disabled={full}
        aria-label={t("products.compare.one", { name: product.name })}
        onChange={() => onChange(next)}
        className="size-4.5 accent-accent"
      />
      <span aria-hidden="true">{t("products.compare")}</span>
    </label>
  );
}
