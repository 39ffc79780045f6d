import type { RedemptionRequest } from "@aqua/sdk/api/portfolio";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import {
  formatAmount,
  formatCount,
  formatDate,
  formatDateTime,
  formatDuration,
  shortenAddress,
} from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Address } from "../../ui/address.tsx";
import { Amount } from "../../ui/amount.tsx";
import { Empty } from "../../ui/empty.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { api } from "../api.ts";
import { useContentLanguage } from "../content-language.ts";
import { freshness } from "../freshness.ts";
import { explorerOf } from "../products/product-labels.ts";
import { Claimable } from "./claimable.tsx";
import { ListPanel } from "./list-panel.tsx";
import { alsoQuery, type Scope, scopeKey } from "./scope.ts";

/** Requests that wait in a redemption queue, oldest first. */
function useRedemptionRequests({ address, also }: Scope) {
  const lang = useContentLanguage();
  return useQuery({
    queryKey: [...scopeKey(address, also, "requests"), lang],
    queryFn: ({ signal }) => api.redemptionRequests(address, { lang, ...alsoQuery(also) }, signal),
    ...freshness.EAGER,
  });
}

function columns(several: boolean): Column<RedemptionRequest>[] {
  return [
    {
      key: "product",
      title: t("products.tx.product"),
      lead: true,
      render: (row) => (
        <>
          <Link to={paths.liquidity(row.short_id)} className="link">
            {row.name}
          </Link>
          <span className="block text-12 font-normal text-muted">
            {t("positions.requests.asked", { date: formatDate(row.requested_at) })}
            {several && ` · ${shortenAddress(row.wallet)}`}
          </span>
        </>
      ),
    },
    {
      key: "value",
      title: t("positions.requests.value"),
      figure: true,
      render: (row) => (
        <>
          <Amount value={row.value} unit={row.symbol} mono />
          <span className="block font-sans text-12 text-muted">
            {row.pending_shares === row.shares
              ? t("positions.requests.shares", { shares: formatAmount(row.shares, { digits: 4 }) })
              : t("positions.requests.part", {
                  pending: formatAmount(row.pending_shares, { digits: 4 }),
                  shares: formatAmount(row.shares, { digits: 4 }),
                })}
          </span>
        </>
      ),
    },
    {
      key: "position",
      title: t("positions.requests.position"),
      figure: true,
      render: (row) => formatCount(row.position),
    },
    {
      key: "ahead",
      title: t("positions.requests.ahead"),
      figure: true,
      render: (row) => <Amount value={row.ahead} unit={row.symbol} mono />,
    },
    {
      key: "wait",
      title: t("positions.requests.wait"),
      figure: true,
      render: (row) => (
        <span className="font-sans">
          {row.wait === null ? (
            <Unknown reason={t("positions.requests.wait.none")} />
          ) : (
            t("products.wait.text", { p50: formatDuration(row.wait.p50), p90: formatDuration(row.wait.p90) })
          )}
          <span className="block text-12 text-muted">{stateText(row)}</span>
        </span>
      ),
    },
    {
      key: "hash",
      title: t("products.tx.hash"),
      figure: true,
      render: (row) => (
        <Address address={row.hash} what={t("products.tx.hash")} kind="tx" explorer={explorerOf(row.chain_id)} />
      ),
    },
  ];
}

/** Says what a request waits for. */
function stateText({ ready, payable_from }: RedemptionRequest): string {
  if (ready) return t("positions.requests.ready");
  if (payable_from === null) return t("positions.requests.notReady");
  return t("positions.requests.payable", { time: formatDateTime(payable_from) });
}

/** Shows requests that wait in redemption queues, and the money that the queues have set aside. */
export default function Requests({ scope, own }: { scope: Scope; own: boolean }) {
  const requests = useRedemptionRequests(scope);
  return (
    <div className="flex flex-col gap-6">
      <Claimable scope={scope} own={own} />
      <p className="max-w-[68ch] text-14 text-muted">{t("positions.requests.explain")}</p>
      <ListPanel query={requests} rows={2}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={t("positions.requests.none")}>{t("positions.requests.noneText")}</Empty>
          ) : (
            <Table
              caption={t("positions.tab.requests")}
              columns={columns(scope.also.length > 0)}
              rows={rows}
              rowKey={(row) => `${row.chain_id}-${row.hash}-${row.requested_at}-${row.shares}`}
            />
          )
        }
      </ListPanel>
    </div>
  );
}
