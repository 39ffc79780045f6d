import { useSearchParams } from "react-router";
import { formatCount, shortenAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Segmented } from "../../ui/segmented.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import type { Scope } from "./scope.ts";

/** The maximum number of options that fit in a row. */
const inARow = 3;

/** Chooses one of the visitor's wallets, or all together. */
export function WalletChoice({ wallets, scope }: { wallets: readonly `0x${string}`[]; scope: Scope }) {
  const [, setSearch] = useSearchParams();
  const value = scope.also.length > 0 ? "all" : scope.address.toLowerCase();
  const options = [
    ...wallets.map((address) => ({ value: address.toLowerCase(), label: shortenAddress(address) })),
    { value: "all", label: t("portfolio.wallets.all", { count: formatCount(wallets.length) }) },
  ];
  function choose(next: string) {
    setSearch(
      (now) => {
        const search = new URLSearchParams(now);
        if (next === wallets[0]?.toLowerCase()) search.delete("wallet");
        else search.set("wallet", next);
        search.delete("page");
        return search;
      },
      { preventScrollReset: true },
    );
  }
  return options.length <= inARow ? (
    <Segmented label={t("portfolio.wallets")} value={value} onChange={choose} options={options} />
  ) : (
    <div className="w-64 max-w-full">
      <SelectField label={t("portfolio.wallets")} value={value} onChange={choose} options={options} />
    </div>
  );
}
