import type { TotalHoldValue } from "@aqua/sdk/api/portfolio";
import { Link } from "react-router";
import { formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Amount } from "../../ui/amount.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Section } from "../../ui/section.tsx";
import { shareOf, sumAmounts } from "../decimal.ts";
import { useProductList } from "../products/list.ts";

/** There are six series colours: five for products and one for the rest. */
const named = 5;

interface Part {
  shortId: string | null;
  value: string;
}

/** The largest parts individually, and the rest as one part. */
function partsOf(byProduct: TotalHoldValue["by_product"]): Part[] {
  const sorted = byProduct
    .flatMap(({ short_id, value }) => (value !== null && Number(value) > 0 ? [{ short_id, value }] : []))
    .sort((a, b) => Number(b.value) - Number(a.value));
  const parts: Part[] = sorted.slice(0, named).map(({ short_id, value }) => ({ shortId: short_id, value }));
  const rest = sorted.slice(named).map(({ value }) => value);
  return rest.length > 0 ? [...parts, { shortId: null, value: sumAmounts(rest) }] : parts;
}

/** Shows each product's share of the value as a bar and as text. */
export function Allocation({ value }: { value: TotalHoldValue }) {
  const names = new Map(useProductList({}).data?.items.map((product) => [product.short_id, product.name]));
  const parts = partsOf(value.by_product);
  return (
    <Section title={t("positions.allocation")}>
      <div className="panel p-5">
        {parts.length === 0 ? (
          <Empty title={t("positions.allocation.none")} />
        ) : (
          <>
            <div aria-hidden="true" className="flex h-3 gap-0.5 overflow-hidden rounded-full">
              {parts.map((part, index) => (
                <span
                  key={part.shortId}
                  className="min-w-1 forced-color-adjust-none"
                  style={{
                    flexGrow: shareOf(part.value, value.total) ?? 0,
                    background: `var(--series-${index + 1})`,
                  }}
                />
              ))}
            </div>
            <ul className="mt-5 flex flex-col gap-4">
              {parts.map((part, index) => {
                const share = shareOf(part.value, value.total);
                return (
                  <li key={part.shortId} className="flex items-baseline gap-3 text-14">
                    <span
                      aria-hidden="true"
                      className="size-2.5 shrink-0 rounded-full forced-color-adjust-none"
                      style={{ background: `var(--series-${index + 1})` }}
                    />
                    <span className="min-w-0 flex-1">
                      {part.shortId === null ? (
                        t("positions.allocation.rest")
                      ) : (
                        <Link to={paths.product(part.shortId)} className="link">
                          {names.get(part.shortId) ?? part.shortId}
                        </Link>
                      )}
                      <span className="block text-12 text-muted">
                        <Amount value={part.value} unit={value.unit} />
                      </span>
                    </span>
                    <span className="font-mono">
                      {formatRate(share === null ? null : String(share), { digits: 1 })}
                    </span>
                  </li>
                );
              })}
            </ul>
          </>
        )}
      </div>
    </Section>
  );
}
