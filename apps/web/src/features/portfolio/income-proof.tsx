import type { IncomeProof } from "@aqua/sdk/api/incomeProof";
import type { Product } from "@aqua/sdk/api/product";
import { findChain } from "@aqua/sdk/chains";
import { formatUnits } from "@aqua/sdk/maths/units";
import { Download } from "lucide-react";
import { useId, useState } from "react";
import { Link } from "react-router";
import { formatAmount, formatCount, shortenAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { useNow } from "../../ui/use-now.ts";
import { verifyFilePath } from "../transparency/verify-path.ts";
import { monthsUntil } from "./income-month.ts";
import type { Scope } from "./scope.ts";
import { type IncomeFileQuery, type IncomeFileState, reportsIn, useIncomeFile } from "./use-income-file.ts";

type Listed = Pick<Product, "short_id" | "name" | "chain_id" | "type">;

interface IncomeProofProps {
  scope: Scope;
  /** The product that the page shows; null: all. */
  shortId: string | null;
  products: readonly Listed[];
}

/** Offers the file that proves what a wallet's shares earned in a month. */
export function IncomeProofDownload({ scope, shortId, products }: IncomeProofProps) {
  const id = useId();
  const months = monthsUntil(useNow(60_000));
  const [month, setMonth] = useState("");
  const [wallet, setWallet] = useState<string>(scope.address);
  const wallets = [scope.address, ...scope.also];
  const known = wallets.find((address) => address === wallet) ?? scope.address;
  // Only demand deposits have income from reports.
  const shown = products.filter(
    ({ type, short_id }) => type === "demand_deposit" && (shortId === null || shortId === short_id),
  );
  const chainIds = [...new Set(shown.map(({ chain_id }) => chain_id))];
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby={id} className="panel flex flex-col gap-4 p-5 print:hidden">
      <div>
        <h3 id={id} className="text-16">
          {t("positions.income.title")}
        </h3>
        <p className="mt-1 max-w-[68ch] text-14 text-muted">{t("positions.income.text")}</p>
      </div>
      <div className="grid max-w-[380px] grid-cols-2 gap-3">
        <SelectField
          label={t("positions.income.month")}
          value={months.includes(month) ? month : (months[0] ?? "")}
          onChange={setMonth}
          options={months.map((value) => ({ value, label: value }))}
        />
        {wallets.length > 1 && (
          <SelectField
            label={t("positions.income.wallet")}
            value={known}
            onChange={setWallet}
            options={wallets.map((value) => ({ value, label: shortenAddress(value) }))}
          />
        )}
      </div>
      {chainIds.map((chainId) => (
        <OfChain
          key={chainId}
          query={{ wallet: known, month: months.includes(month) ? month : (months[0] ?? ""), chainId, shortId }}
          chain={chainIds.length > 1 ? (findChain(chainId)?.name ?? String(chainId)) : null}
          products={shown}
        />
      ))}
    </section>
  );
}

interface OfChainProps {
  query: IncomeFileQuery;
  /** The chain's name if there are several. */
  chain: string | null;
  products: readonly Listed[];
}

/** A file covers one chain. */
function OfChain({ query, chain, products }: OfChainProps) {
  const { state, download } = useIncomeFile(query);
  return (
    <div className="flex flex-col items-start gap-3">
      <Button
        size="small"
        look="secondary"
        busy={state.at === "busy"}
        onClick={download}
        icon={<Download aria-hidden="true" className="size-4" strokeWidth={1.75} />}
      >
        {chain === null ? t("positions.income.download") : t("positions.income.downloadOf", { chain })}
      </Button>
      <Outcome state={state} products={products} />
    </div>
  );
}

function Outcome({ state, products }: { state: IncomeFileState; products: readonly Listed[] }) {
  if (state.at === "idle") return null;
  if (state.at === "failed")
    return (
      <p role="alert" className="text-14 text-negative">
        {t(state.error === null ? "ui.error.offline" : "positions.statement.failed")}
      </p>
    );
  return (
    <div role="status" className="flex flex-col gap-2 text-14">
      {state.at === "busy" && <p className="text-muted">{t("positions.income.loading")}</p>}
      {state.at === "none" && <p>{t("positions.income.none")}</p>}
      {state.at === "saved" && <Saved file={state.file} products={products} />}
    </div>
  );
}

function Saved({ file, products }: { file: IncomeProof; products: readonly Listed[] }) {
  const { unproved } = reportsIn(file);
  const nameOf = (shortId: string) => products.find(({ short_id }) => short_id === shortId)?.name ?? shortId;
  return (
    <>
      <p>{t("positions.income.saved")}</p>
      <ul>
        {file.products.map(({ short_id, income, decimals, symbol }) => (
          <li key={short_id}>
            {t("positions.income.earned", {
              product: nameOf(short_id),
              amount: formatAmount(formatUnits(BigInt(income), decimals), { digits: decimals }),
              unit: symbol,
            })}
          </li>
        ))}
      </ul>
      {unproved > 0 && <p className="text-caution">{t("positions.income.unproved", { count: unproved })}</p>}
      {file.block !== null && (
        <p className="text-muted">{t("positions.income.running", { block: formatCount(file.block) })}</p>
      )}
      <Link to={verifyFilePath} className="link">
        {t("positions.income.check")}
      </Link>
    </>
  );
}
