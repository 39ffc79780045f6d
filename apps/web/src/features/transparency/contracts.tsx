import type { TransparencySummary } from "@aqua/sdk/api/transparency";
import { t } from "../../i18n/i18n.ts";
import { Address } from "../../ui/address.tsx";
import { chainName, explorerOf } from "../products/product-labels.ts";
import { contractName } from "./contract-name.ts";

type Contract = TransparencySummary["contracts"][number];

/** Lists every contract address: first those that all products share, then by product. */
export function Contracts({ summary }: { summary: TransparencySummary }) {
  const groups = new Map<string, { title: string; rows: Contract[] }>();
  for (const row of summary.contracts) {
    const key = row.short_id ?? `chain ${row.chain_id}`;
    const product = summary.reserves.find((reserves) => reserves.short_id === row.short_id);
    const title = row.short_id === null ? chainName(row.chain_id) : (product?.name ?? row.short_id);
    const group = groups.get(key) ?? { title, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  }
  const ordered = [...groups].sort(([a], [b]) => Number(b.startsWith("chain ")) - Number(a.startsWith("chain ")));
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      {ordered.map(([key, group]) => (
        <div key={key} className="panel">
          <h3 className="border-b border-line px-5 py-3 text-16">{group.title}</h3>
          <dl className="divide-y divide-line">
            {group.rows.map((row) => (
              <div
                key={`${row.role}-${row.address}`}
                className="flex flex-wrap items-center justify-between gap-x-6 px-5 py-2"
              >
                <dt className="text-14 text-muted">{contractName(row.role)}</dt>
                <dd>
                  <Address address={row.address} what={t("products.address")} explorer={explorerOf(row.chain_id)} />
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </div>
  );
}
