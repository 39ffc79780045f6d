import { findChain } from "@aqua/sdk/chains";
import { t } from "../../i18n/i18n.ts";
import { Address } from "../../ui/address.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { useNetwork } from "../network.ts";

/** This instance's version, networks and the registries that list its products. */
export function Instance() {
  const { data: network, isPending, isError, error, isFetching, refetch } = useNetwork();
  if (isError && !network)
    return (
      <div className="mt-5">
        <ErrorState error={error} busy={isFetching} onRetry={() => refetch()} />
      </div>
    );
  if (isPending) return <Skeleton className="mt-5 h-24" />;
  return (
    <dl className="panel mt-5 grid gap-x-10 gap-y-4 p-5 text-14 sm:grid-cols-[auto_1fr]">
      <div>
        <dt className="text-12 text-muted">{t("about.who.version")}</dt>
        <dd className="mt-0.5 font-mono">{network.version}</dd>
      </div>
      <div className="min-w-0">
        <dt className="text-12 text-muted">{t("about.who.chains")}</dt>
        {network.chains.map((chain) => (
          <dd key={chain.chain_id} className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1">
            <span className="font-strong">{findChain(chain.chain_id)?.name ?? chain.chain_id}</span>
            <span className="inline-flex flex-wrap items-center gap-x-2">
              <span className="text-muted">{t("about.who.registry")}</span>
              <Address
                address={chain.product_registry}
                what={t("about.who.registry")}
                explorer={findChain(chain.chain_id)?.explorer ?? null}
              />
            </span>
            {chain.head && (
              <Stamp align="start" block={chain.head.block} time={chain.head.time} stale={chain.head.stale} />
            )}
          </dd>
        ))}
      </div>
    </dl>
  );
}
