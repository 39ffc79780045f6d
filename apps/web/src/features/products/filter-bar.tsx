import { formatUnits } from "@aqua/sdk/maths/units";
import { Search, SlidersHorizontal } from "lucide-react";
import { useId, useState } from "react";
import { language, t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { SelectField } from "../../ui/select-field.tsx";
import { useEarlyEntry } from "../../ui/use-early-entry.ts";
import { readAmount } from "../transact/form/amount-text.ts";
import { filterText } from "./filter-text.ts";
import {
  activeFilters,
  type FilterName,
  type ProductFilters,
  type ProductSort,
  productSorts,
  productStatuses,
  productTypes,
  termChoices,
} from "./filters.ts";
import { chainName } from "./product-labels.ts";
import { useTyped } from "./use-typed.ts";

interface FilterBarProps {
  filters: ProductFilters;
  sort: ProductSort;
  /** The chain ids of the listed products. */
  networks: number[];
  /** Symbol of the asset that all products share; null when the assets differ. */
  symbol: string | null;
  onChange: (name: FilterName | "sort", value: string | null) => void;
}

const frame =
  "flex h-11 items-center gap-2 rounded-6 border border-line-strong/70 bg-surface px-3 hover:border-accent focus-within:outline-2 focus-within:outline-accent";
const input = "h-full min-w-0 flex-1 bg-transparent text-14 outline-none placeholder:text-muted";

export function FilterBar({ filters, sort, networks, symbol, onChange }: FilterBarProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const [q, setQ] = useTyped(filters.q, (value) => onChange("q", value));
  useEarlyEntry(`${id}-q`, q, (field) => setQ(field.value));
  const any = { value: "", label: t("products.filter.any") };
  const hidden = activeFilters(filters).filter((name) => name !== "q").length;
  return (
    <search>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-3 md:grid-cols-[repeat(auto-fit,minmax(140px,1fr))]">
        <div className="md:col-span-2">
          <label htmlFor={`${id}-q`} className="mb-1 block text-12 text-muted">
            {t("filters.q")}
          </label>
          <div className={frame}>
            <Search aria-hidden="true" className="size-4 shrink-0 text-muted" strokeWidth={1.75} />
            <input
              id={`${id}-q`}
              type="search"
              value={q}
              maxLength={80}
              placeholder={t("filters.searchHint")}
              onChange={(event) => setQ(event.target.value)}
              className={input}
            />
          </div>
        </div>
        <Button
          look="secondary"
          className="md:hidden"
          aria-expanded={open}
          aria-controls={`${id}-more`}
          icon={<SlidersHorizontal aria-hidden="true" className="size-4" strokeWidth={1.75} />}
          onClick={() => setOpen(!open)}
        >
          {hidden > 0 ? t("filters.more.some", { count: hidden }) : t("filters.more")}
        </Button>
        <div id={`${id}-more`} className={cx("col-span-2 grid grid-cols-2 gap-3 md:contents", !open && "hidden")}>
          <SelectField
            label={t("filters.type")}
            value={filters.type ?? ""}
            onChange={(value) => onChange("type", value)}
            options={[any, ...productTypes.map((type) => ({ value: type, label: t(`products.type.${type}`) }))]}
          />
          <SelectField
            label={t("filters.status")}
            value={filters.status ?? ""}
            onChange={(value) => onChange("status", value)}
            options={[
              any,
              ...productStatuses.map((status) => ({ value: status, label: t(`products.status.${status}`) })),
            ]}
          />
          {(networks.length > 1 || filters.network !== null) && (
            <SelectField
              label={t("filters.network")}
              value={filters.network === null ? "" : String(filters.network)}
              onChange={(value) => onChange("network", value)}
              options={[
                any,
                ...[...new Set([...networks, ...(filters.network === null ? [] : [filters.network])])].map((chain) => ({
                  value: String(chain),
                  label: chainName(chain),
                })),
              ]}
            />
          )}
          <SelectField
            label={t("filters.term")}
            value={filters.term ?? ""}
            onChange={(value) => onChange("term", value)}
            options={[any, ...termChoices.map((term) => ({ value: term, label: t(`filters.term.${term}`) }))]}
          />
          <ExitField filters={filters} symbol={symbol} onChange={(value) => onChange("exit", value)} />
          <SelectField
            label={t("filters.sort")}
            value={sort}
            onChange={(value) => onChange("sort", value === "tvl" ? null : value)}
            options={productSorts.map((choice) => ({ value: choice, label: t(`filters.sort.${choice}`) }))}
          />
        </div>
      </div>
    </search>
  );
}

/** "I can exit at least … today". An invalid amount filters nothing, and the field shows the error. */
function ExitField({
  filters,
  symbol,
  onChange,
}: {
  filters: ProductFilters;
  symbol: string | null;
  onChange: (value: string | null) => void;
}) {
  const id = useId();
  const [text, type] = useTyped(filters.exit ?? "", onChange);
  const read = (typed: string) => readAmount(typed, { decimals: 18, symbol: symbol ?? "", language: language() });
  // An amount from the address is formatted for the current language.
  const displayed = text === filters.exit ? filterText(filters, "exit") : text;
  const wrong = read(displayed).kind === "error";
  const change = (entered: string) => {
    const amount = read(entered);
    type(entered, amount.kind === "amount" ? formatUnits(amount.value, 18).replace(/\.?0+$/, "") : "");
  };
  useEarlyEntry(id, displayed, (field) => change(field.value));
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block truncate text-12 text-muted" title={t("filters.exit.long")}>
        {t("filters.exit")}
      </label>
      <div className={cx(frame, wrong && "border-negative")}>
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          maxLength={24}
          value={displayed}
          placeholder={t("products.filter.any")}
          aria-invalid={wrong || undefined}
          aria-describedby={wrong ? `${id}-note` : undefined}
          onChange={(event) => change(event.target.value)}
          className={input}
        />
        {symbol && <span className="text-12 text-muted">{symbol}</span>}
      </div>
      {wrong && (
        <p id={`${id}-note`} role="alert" className="mt-1 text-12 text-negative">
          {t("filters.exit.wrong")}
        </p>
      )}
    </div>
  );
}
