import type { LinkedWallet } from "@aqua/sdk/api/auth";
import type { Holding } from "@aqua/sdk/api/portfolio";
import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { formatAmount, shortenAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { useContentLanguage } from "../content-language.ts";
import { sumAmounts } from "../decimal.ts";
import { useNetwork } from "../network.ts";
import { useHoldings } from "../portfolio/holdings.ts";
import { productOptions } from "../products/detail.ts";
import { dropSwitch, useStoredSwitch } from "../wallet-dialog/stored-switch.ts";
import { MoveGuide } from "./move-guide.tsx";
import { positionsOf } from "./move-step.ts";

interface MoveHoldingsProps {
  /** The account's former wallet, and the wallet that replaced it. */
  former: LinkedWallet;
  current: LinkedWallet;
  verified: boolean;
}

/** Offers to transfer a former wallet's remaining holdings to the current one. Renders nothing if there are none. */
export default function MoveHoldings({ former, current, verified }: MoveHoldingsProps) {
  const { data, isError, error, isFetching, refetch } = useHoldings(former.address);
  const { data: network } = useNetwork();
  /** Chains whose guide was used. Their guides stay until they are dismissed, even if nothing is left to move. */
  const [begun, setBegun] = useState<readonly number[]>([]);
  const from = shortenAddress(former.address);
  if (data === undefined)
    return (
      isError && (
        <ErrorState title={t("move.unknown", { from })} error={error} busy={isFetching} onRetry={() => refetch()} />
      )
    );
  const chains = (network?.chains ?? []).filter(
    ({ chain_id }) => begun.includes(chain_id) || data.items.some((holding) => holding.chain_id === chain_id),
  );
  return chains.map(({ chain_id, identity_registry }) => (
    <ChainMove
      key={chain_id}
      chainId={chain_id}
      registry={identity_registry as `0x${string}`}
      holdings={data.items.filter((holding) => holding.chain_id === chain_id)}
      onBegun={() => setBegun((chainIds) => [...new Set([...chainIds, chain_id])])}
      former={former}
      current={current}
      verified={verified}
    />
  ));
}

interface ChainMoveProps extends MoveHoldingsProps {
  chainId: number;
  registry: `0x${string}`;
  holdings: readonly Holding[];
  onBegun: () => void;
}

function ChainMove({ former, current, verified, chainId, registry, holdings, onBegun }: ChainMoveProps) {
  const lang = useContentLanguage();
  const shortIds = [...new Set(holdings.map((holding) => holding.short_id))];
  const products = useQueries({ queries: shortIds.map((shortId) => productOptions(shortId, lang)) });
  const loaded = products.flatMap(({ data }) => data ?? []);
  const storedSwitch = useStoredSwitch(former.address, current.address);
  const [open, setOpen] = useState(false);
  const [from, to] = [shortenAddress(former.address), shortenAddress(current.address)];
  if (open || storedSwitch !== null)
    return (
      <MoveGuide
        move={{
          chainId,
          registry,
          positions: positionsOf(holdings, loaded),
          from: former.address as `0x${string}`,
          to: current.address as `0x${string}`,
        }}
        contracts={
          loaded.length === shortIds.length
            ? "known"
            : products.some(({ isError }) => isError)
              ? "unreachable"
              : "reading"
        }
        holdings={holdings}
        verified={verified}
        storedSwitch={storedSwitch}
        onBegun={onBegun}
        onClose={() => {
          dropSwitch();
          setOpen(false);
        }}
      />
    );
  if (holdings.length === 0) return null;
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
      <p className="min-w-0 flex-1 basis-60 text-14 text-muted">
        {t("move.offer", { from, to, value: totalsOf(holdings) })}
      </p>
      <Button
        size="small"
        look="secondary"
        aria-label={t("move.title", { from })}
        onClick={() => {
          onBegun();
          setOpen(true);
        }}
      >
        {t("move.open")}
      </Button>
    </div>
  );
}

/** "1,200.50 tUSD · 3.00 EURC": the sum of holdings in each asset. */
function totalsOf(holdings: readonly Holding[]): string {
  const symbols = [...new Set(holdings.map(({ symbol }) => symbol))];
  return symbols
    .map((symbol) => {
      const values = holdings.filter((holding) => holding.symbol === symbol).map(({ value }) => value);
      return `${formatAmount(sumAmounts(values))} ${symbol}`;
    })
    .join(" · ");
}
