import type { ServerEvents } from "@aqua/sdk/api/events";
import type { Network } from "@aqua/sdk/api/network";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { reportError } from "../../report-error.ts";
import { stored, subscribeSession } from "../../stored-session.ts";
import { blocks } from "../../wallet/blocks.ts";
import { whenIdle } from "../../when-idle.ts";
import { queryKeys } from "../query-keys.ts";
import { readingKeys } from "../readings/keys.ts";
import { applyReadings } from "../readings/live.ts";
import { followStream, type Gap } from "./event-stream.ts";
import { continueAfter } from "./seen-events.ts";

/** Figures that change with every block are refetched at most this often, in milliseconds. */
const blockPause = 15_000;
/**
 * Figures of products are refetched at most this often, in milliseconds, because each names the block it was read at.
 */
const productPause = 60_000;

/**
 * Applies server-sent events to the cache. A transaction refreshes its wallet and its product, `identity` refreshes the
 * account, `readings` updates last values in place, `anchor` refreshes data that depends on batches, and `reset`
 * refreshes everything on screen. A block also wakes listeners that wait for one.
 * Exported for tests; `useLiveUpdates` is its only caller. Returns a function that stops it.
 */
export function followEvents(source: EventTarget, queries: QueryClient, address: string | null): () => void {
  let lastBlockRefresh = 0;
  let lastProductRefresh = Date.now();

  function on<Name extends keyof ServerEvents>(name: Name, apply: (data: ServerEvents[Name]) => void) {
    const listener = (event: Event) => {
      const message = event as MessageEvent<string>;
      if (message.lastEventId) continueAfter(message.lastEventId);
      let data: ServerEvents[Name];
      try {
        data = JSON.parse(message.data || "{}");
      } catch (error) {
        return reportError("live", error);
      }
      apply(data);
    };
    source.addEventListener(name, listener);
    return () => source.removeEventListener(name, listener);
  }

  const refresh = (key: readonly unknown[]) => queries.invalidateQueries({ queryKey: key });
  function refreshProduct(shortId: string) {
    refresh(queryKeys.products);
    refresh(queryKeys.product(shortId));
  }

  const stops = [
    on("block", ({ chain_id, block, time }) => {
      blocks.dispatchEvent(new CustomEvent("block", { detail: chain_id }));
      queries.setQueryData<Network>(queryKeys.network, (network) =>
        network
          ? {
              ...network,
              chains: network.chains.map((chain) =>
                chain.chain_id === chain_id ? { ...chain, head: { block, time, stale: false } } : chain,
              ),
            }
          : network,
      );
      if (Date.now() - lastProductRefresh >= productPause) {
        lastProductRefresh = Date.now();
        refresh(queryKeys.products);
        refresh(queryKeys.anyProduct);
      }
      // Income streams with every block, so a holding's value changes too.
      if (address && Date.now() - lastBlockRefresh >= blockPause) {
        lastBlockRefresh = Date.now();
        refresh([...queryKeys.account(address), "value"]);
        refresh([...queryKeys.account(address), "holdings"]);
      }
    }),
    on("transaction", (transaction) => {
      refresh(queryKeys.account(transaction.address));
      if (transaction.short_id) refreshProduct(transaction.short_id);
    }),
    // This event only signals that the account has changed: its identity check, or the record of its wallet on a chain.
    on("identity", () => {
      refresh(queryKeys.me);
      if (address) refresh(queryKeys.account(address));
    }),
    on("product", ({ short_id }) => refreshProduct(short_id)),
    on("readings", (data) => applyReadings(queries, data)),
    on("anchor", ({ short_id }) => refresh(readingKeys.anchored(short_id))),
    on("reset", () => queries.invalidateQueries()),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Updates the page's data with the server's events. */
export function useLiveUpdates(address: string | null) {
  const queries = useQueryClient();
  const token = useSyncExternalStore(
    subscribeSession,
    () => stored("token"),
    () => null,
  );
  useEffect(() => {
    let stop = () => {};
    // Starts after hydration, because updates would make the page differ from the server's rendering.
    const callOff = whenIdle(() => {
      const events = new EventTarget();
      const stopFollowing = followEvents(events, queries, address);
      const onGap = (gap: Gap) =>
        void queries.invalidateQueries(gap === "everything" ? {} : { queryKey: readingKeys.all });
      const stopStream = followStream({ address, token, events, onGap });
      stop = () => {
        stopStream();
        stopFollowing();
      };
    });
    return () => {
      callOff();
      stop();
    };
  }, [queries, address, token]);
}
