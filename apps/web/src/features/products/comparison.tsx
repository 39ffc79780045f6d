import type { Product } from "@aqua/sdk/api/product";
import { ArrowLeft, X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "react-router";
import { formatCount, formatRate, formatTerm } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Amount } from "../../ui/amount.tsx";
import { Button, buttonClasses } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { Gauge } from "../../ui/gauge.tsx";
import { StateBadge } from "./badges.tsx";
import { MyBalance, Wait } from "./cells.tsx";
import { bestAmong, type Measure } from "./comparison.ts";
import { earningsOf } from "./earnings.ts";
import type { MyBalances } from "./my-balances.ts";
import { ProductPicture } from "./picture.tsx";
import { capFill, chainName, proofAge } from "./product-labels.ts";

interface Row {
  key: string;
  title: string;
  render: (product: Product) => ReactNode;
  /** The measure by which the best product is marked. */
  measure?: Measure;
}

function Terms({ product }: { product: Product }) {
  if (product.type === "demand_deposit") return t("compare.term.none");
  const terms = product.open_terms ?? (product.term ? [{ ...product.term, rate: null }] : []);
  if (product.withheld.includes("accounts")) return "—";
  if (terms.length === 0) return t("products.rate.none");
  return (
    <ul>
      {terms.map((term) => (
        <li key={`${term.value}-${term.unit}-${term.rate}`}>
          {formatTerm(term)}
          {term.rate !== null && <span className="text-muted"> · {formatRate(term.rate)}</span>}
        </li>
      ))}
    </ul>
  );
}

function CapFill({ product }: { product: Product }) {
  const { level, fill, cap } = capFill(product);
  const text = t("products.capFillText", { fill });
  return (
    <>
      <Gauge label={t("products.capFill")} level={level} text={text} className="mt-1 max-w-40" />
      <span className="text-12 text-muted">
        {text} · {t("products.capOf", { cap, unit: product.asset.symbol })}
      </span>
    </>
  );
}

function rows(balances: MyBalances | null): Row[] {
  const money = (pick: (product: Product) => string | null, rounding?: "down") => (product: Product) => {
    const value = pick(product);
    // A whole sum needs no decimals. Any other amount shows both, since readers compare figures side by side here.
    const digits = value !== null && /\.0*[1-9]/.test(value) ? 2 : 0;
    // The unit may wrap below its figure where three columns share a phone.
    return (
      <Amount
        value={value}
        unit={product.asset.symbol}
        minDigits={digits}
        {...(rounding && { rounding })}
        className="whitespace-normal!"
      />
    );
  };
  return [
    { key: "status", title: t("compare.status"), render: (product) => <StateBadge product={product} /> },
    { key: "type", title: t("compare.type"), render: (product) => t(`products.type.${product.type}`) },
    {
      key: "earnings",
      title: t("compare.earnings"),
      measure: "apy",
      render: (product) => {
        const { label, value, note } = earningsOf(product);
        return (
          <>
            <span className="text-20 font-strong">{formatRate(value)}</span>
            <span className="ml-1.5 text-12 text-muted">{label}</span>
            <span className="block text-12 text-muted">{note}</span>
          </>
        );
      },
    },
    { key: "terms", title: t("compare.term"), render: (product) => <Terms product={product} /> },
    { key: "tvl", title: t("products.tvl"), render: money((product) => product.tvl) },
    { key: "cap", title: t("products.capFill"), render: (product) => <CapFill product={product} /> },
    {
      key: "exit",
      title: t("products.exitNow"),
      measure: "exit",
      render: money((product) => product.instant_capacity, "down"),
    },
    { key: "wait", title: t("products.wait.short"), measure: "wait", render: (product) => <Wait product={product} /> },
    {
      key: "minimum",
      title: t("products.minimum"),
      measure: "minimum",
      render: money((product) => product.min_deposit),
    },
    { key: "proof", title: t("products.proof"), measure: "proof", render: proofAge },
    { key: "holders", title: t("compare.holders"), render: (product) => formatCount(product.holders) },
    { key: "class", title: t("compare.class"), render: (product) => product.asset_class ?? "—" },
    { key: "place", title: t("compare.place"), render: (product) => product.location ?? "—" },
    { key: "network", title: t("compare.network"), render: (product) => chainName(product.chain_id) },
    ...(balances
      ? [
          {
            key: "mine",
            title: t("products.mine"),
            render: (product: Product) => <MyBalance product={product} balances={balances} />,
          },
        ]
      : []),
  ];
}

interface ComparisonProps {
  products: Product[];
  balances: MyBalances | null;
  /**
   * True when the visitor opened the comparison on this page, which moves the focus here; false when the address did.
   */
  takesFocus: boolean;
  onRemove: (id: string) => void;
  onBack: () => void;
}

/**
 * Two or three products side by side, one column each. On a phone the title of a row is above its cells, so that three
 * columns fit. Some browsers drop the table roles in a grid layout, so the roles are explicit.
 */
export default function Comparison({ products, balances, takesFocus, onRemove, onBack }: ComparisonProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const begin = useRef(takesFocus);
  useEffect(() => {
    if (begin.current) heading.current?.focus({ preventScroll: true });
  }, []);
  const line = cx(
    "grid gap-x-3 gap-y-1 px-4 py-3 md:gap-x-6 md:px-5",
    products.length === 2
      ? "grid-cols-2 md:grid-cols-[180px_repeat(2,minmax(0,1fr))]"
      : "grid-cols-3 md:grid-cols-[180px_repeat(3,minmax(0,1fr))]",
  );
  return (
    <section aria-label={t("compare.title")}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 ref={heading} tabIndex={-1} className="text-20">
          {t("compare.title")}
        </h2>
        <Button
          look="secondary"
          size="small"
          icon={<ArrowLeft aria-hidden="true" className="size-4" strokeWidth={1.75} />}
          onClick={onBack}
        >
          {t("compare.back")}
        </Button>
      </div>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
      <table role="table" className="panel block text-14 wrap-anywhere">
        <caption className="sr-only">{t("compare.title")}</caption>
        <thead role="rowgroup" className="block">
          <tr role="row" className={line}>
            <td role="cell" className="hidden md:block" />
            {products.map((product) => (
              <th key={product.short_id} role="columnheader" scope="col" className="text-left font-normal">
                <span className="relative block">
                  <ProductPicture
                    shortId={product.short_id}
                    image={product.image}
                    className="mb-3 aspect-[16/9] rounded-6 border border-line"
                  />
                  <button
                    type="button"
                    aria-label={t("compare.remove", { name: product.name })}
                    onClick={() => onRemove(product.short_id)}
                    className="absolute top-1 right-1 grid size-8 place-items-center rounded-full border border-line bg-surface text-muted hover:border-accent hover:text-ink"
                  >
                    <X aria-hidden="true" className="size-4" strokeWidth={1.75} />
                  </button>
                </span>
                <Link
                  to={paths.product(product.short_id)}
                  className="text-12 font-strong wrap-break-word hyphens-auto hover:text-accent hover:underline sm:text-14 md:text-16"
                >
                  {product.name}
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block">
          {rows(balances).map(({ key, title, render, measure }) => {
            const best = measure ? bestAmong(products, measure) : [];
            return (
              <tr key={key} role="row" className={cx("border-t border-line", line)}>
                <th
                  role="rowheader"
                  scope="row"
                  className="col-span-full text-left text-12 font-normal text-muted md:col-span-1 md:text-14"
                >
                  {title}
                </th>
                {products.map((product, index) => (
                  <td key={product.short_id} role="cell" className="min-w-0">
                    {render(product)}
                    {measure && best[index] && (
                      <span className="mt-1 block text-12 font-strong text-positive">
                        {t(`compare.best.${measure}`)}
                      </span>
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
        <tfoot role="rowgroup" className="block border-t border-line">
          <tr role="row" className={line}>
            <td role="cell" className="hidden md:block" />
            {products.map((product) => (
              <td key={product.short_id} role="cell">
                <Link
                  to={paths.product(product.short_id)}
                  className={buttonClasses({ look: "secondary", size: "small", wide: true })}
                >
                  {t("compare.view")}
                </Link>
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
      <p className="mt-3 max-w-[68ch] text-12 text-muted">{t("compare.note")}</p>
    </section>
  );
}
