import { Link } from "react-router";
import { useNetwork } from "../../features/network.ts";
import { useProductList } from "../../features/products/list.ts";
import { chainName, explorerOf, proofAge } from "../../features/products/words.ts";
import { formatRelative } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { paths } from "../../paths.ts";
import { Address } from "../../ui/address.tsx";
import { Amount } from "../../ui/amount.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Section } from "../../ui/section.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { Table } from "../../ui/table.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";

export default function TransparencyPage() {
  usePageTitle(t("transparency.title"));
  const network = useNetwork();
  const products = useProductList({});
  return (
    <>
      <PageHead seed="transparency" title={t("transparency.title")} lead={t("transparency.lead")} />
      <div className="page flex flex-col gap-12 pt-8">
        <Section title={t("transparency.chains")} intro={t("transparency.chains.intro")}>
          {network.isError && !network.data ? (
            <ErrorState error={network.error} busy={network.isFetching} onRetry={() => network.refetch()} />
          ) : !network.data ? (
            <div className="panel">
              <TableSkeleton rows={4} />
            </div>
          ) : (
            <div className="grid gap-5 lg:grid-cols-2">
              {network.data.chains.map((chain) => (
                <div key={chain.chain_id} className="panel">
                  <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-5 py-3">
                    <h3 className="text-16">{chainName(chain.chain_id)}</h3>
                    {chain.head ? (
                      <Stamp block={chain.head.block} time={chain.head.time} stale={chain.head.stale} />
                    ) : (
                      <span className="text-12 text-muted">{t("shell.noHead")}</span>
                    )}
                  </div>
                  <dl className="divide-y divide-line">
                    {(["product_registry", "identity_registry"] as const).map((role) => (
                      <div key={role} className="flex flex-wrap items-center justify-between gap-x-6 px-5 py-2.5">
                        <dt className="text-14 text-muted">{t(`products.contract.${role}`)}</dt>
                        <dd>
                          <Address
                            address={chain[role]}
                            what={t("products.address")}
                            explorer={explorerOf(chain.chain_id)}
                          />
                        </dd>
                      </div>
                    ))}
                  </dl>
                </div>
              ))}
            </div>
          )}
        </Section>
        <Section title={t("transparency.products")} intro={t("transparency.products.intro")}>
          <div className="panel overflow-hidden">
            {products.isError && !products.data ? (
              <div className="p-5">
                <ErrorState error={products.error} busy={products.isFetching} onRetry={() => products.refetch()} />
              </div>
            ) : !products.data ? (
              <TableSkeleton rows={3} />
            ) : products.data.items.length === 0 ? (
              <Empty title={t("products.none.title")} />
            ) : (
              <Table
                caption={t("transparency.products")}
                rows={products.data.items}
                rowKey={(row) => row.short_id}
                columns={[
                  {
                    key: "name",
                    title: t("products.tx.product"),
                    lead: true,
                    render: (row) => (
                      <Link to={paths.product(row.short_id)} className="link">
                        {row.name}
                      </Link>
                    ),
                  },
                  {
                    key: "contract",
                    title: t("transparency.contract"),
                    render: (row) => (
                      <Address
                        address={row.contract}
                        what={t("products.address")}
                        explorer={explorerOf(row.chain_id)}
                      />
                    ),
                  },
                  {
                    key: "assets",
                    title: t("transparency.assets"),
                    figure: true,
                    render: (row) => <Amount value={row.tvl} unit={row.asset.symbol} mono />,
                  },
                  { key: "proof", title: t("products.proof"), figure: true, render: (row) => proofAge(row) },
                  {
                    key: "read",
                    title: t("transparency.read"),
                    figure: true,
                    render: (row) => formatRelative(row.as_of.time),
                  },
                ]}
              />
            )}
          </div>
        </Section>
        <Notice title={t("transparency.later.title")}>{t("transparency.later.text")}</Notice>
      </div>
    </>
  );
}
