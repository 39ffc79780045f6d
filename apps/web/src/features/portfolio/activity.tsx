import type { Transaction, TransactionKind } from "@aqua/sdk/api/portfolio";
import { useMemo } from "react";
import { Link } from "react-router";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Pager } from "../../ui/pager.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { useWallet } from "../../wallet/store.ts";
import { useTransactions } from "../../wallet/transactions.ts";
import { useProductList } from "../products/list.ts";
import { TransactionTable } from "../products/transaction-table.tsx";
import { type ActivityQuery, useActivity, usePendingTransactions } from "./activity.ts";
import { ListPanel } from "./list-panel.tsx";
import { mergeActivity } from "./merge-activity.ts";
import { activityKinds, readKind, readPage, readProduct } from "./query.ts";
import type { Scope } from "./scope.ts";
import { useAddressBar } from "./use-address-bar.ts";

const pageSize = 20;

/**
 * Lists the wallets' transactions: confirmed ones from the chain, pending and failed ones from the server and this
 * browser. The address stores the filters.
 */
export default function Activity({ scope, own }: { scope: Scope; own: boolean }) {
  const [search, changeAddress] = useAddressBar();
  const { address } = useWallet();
  const kind = readKind(search);
  const shortId = readProduct(search);
  const page = readPage(search);
  const query: ActivityQuery = {
    page,
    page_size: pageSize,
    ...(kind && { kind }),
    ...(shortId && { short_id: shortId }),
  };
  const confirmed = useActivity(scope, query);
  const pending = usePendingTransactions(scope);
  const tracked = useTransactions(own ? address : null);
  const products = useProductList({}).data?.items;
  const names = useMemo(() => new Map(products?.map((product) => [product.short_id, product.name])), [products]);

  function change(name: "kind" | "product" | "page", value: string) {
    changeAddress(name === "page" ? { page: value } : { [name]: value, page: "" });
  }

  const listed = confirmed.data?.items ?? [];
  const unsettled = page === 1 ? mergeActivity({ pending, tracked, listed, kind, shortId }) : [];
  const unsettledHashes = new Set(unsettled.map((row) => row.hash));
  const rows: Transaction[] = [...unsettled, ...listed.filter((row) => !unsettledHashes.has(row.hash))];
  const filtered = kind !== null || shortId !== null;

  return (
    <section aria-label={t("positions.tab.activity")}>
      <div className="mb-4 grid max-w-[420px] grid-cols-2 gap-3">
        <SelectField<TransactionKind | "">
          label={t("products.tx.kind")}
          value={kind ?? ""}
          onChange={(value) => change("kind", value)}
          options={[
            { value: "", label: t("products.filter.any") },
            ...activityKinds.map((value) => ({ value, label: t(`products.tx.kind.${value}`) })),
          ]}
        />
        <SelectField
          label={t("products.tx.product")}
          value={shortId ?? ""}
          onChange={(value) => change("product", value)}
          options={[
            { value: "", label: t("products.filter.any") },
            ...[...names].map(([value, label]) => ({ value, label })),
          ]}
        />
      </div>
      <ListPanel query={confirmed} rows={6}>
        {({ total }) =>
          rows.length === 0 && total === 0 ? (
            <Empty
              title={t(filtered ? "positions.activity.noneFiltered" : "positions.activity.none")}
              actions={
                filtered && (
                  <>
                    {kind && (
                      <Button size="small" look="secondary" onClick={() => change("kind", "")}>
                        {t("products.empty.remove", {
                          filter: t("products.tx.kind"),
                          value: t(`products.tx.kind.${kind}`),
                        })}
                      </Button>
                    )}
                    {shortId && (
                      <Button size="small" look="secondary" onClick={() => change("product", "")}>
                        {t("products.empty.remove", {
                          filter: t("products.tx.product"),
                          value: names.get(shortId) ?? shortId,
                        })}
                      </Button>
                    )}
                  </>
                )
              }
            />
          ) : (
            <>
              <TransactionTable
                caption={t("positions.tab.activity")}
                transactions={rows}
                price
                about={{
                  key: "product",
                  title: t("products.tx.product"),
                  render: (row) =>
                    row.short_id ? (
                      <Link to={paths.product(row.short_id)} className="link">
                        {names.get(row.short_id) ?? row.short_id}
                      </Link>
                    ) : (
                      row.description
                    ),
                }}
              />
              <Pager
                page={page}
                pageSize={pageSize}
                total={total}
                onChange={(next) => change("page", next === 1 ? "" : String(next))}
              />
            </>
          )
        }
      </ListPanel>
    </section>
  );
}
