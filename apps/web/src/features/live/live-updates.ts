import type { ServerEvents } from "@aqua/sdk/api/events";
import type { Network } from "@aqua/sdk/api/network";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { EventSource } from "eventsource";
import { useEffect } from "react";
import { connection } from "../../connection.ts";
import { pageAnswered } from "../../kept-page.ts";
import { reportError } from "../../report-error.ts";
import { blocks } from "../../wallet/blocks.ts";
import { whenIdle } from "../../when-idle.ts";
import { queryKeys } from "../query-keys.ts";
import { readingKeys } from "../readings/keys.ts";
import { applyReadings } from "../readings/live.ts";
import { useLoggedIn } from "../session.ts";
import { continueAfter, lastSeenEvent } from "./seen-events.ts";

/** Figures that change with every block are refetched at most this often, in milliseconds. */
const blockPause = 15_000;
/** And those of products at most this often: their stamps name the block they were read at. */
const productPause = 60_000;

/**
 * Applies server-sent events to the cache: a transaction refreshes its wallet and its product, `identity` the account,
 * `readings` updates last values in place, `anchor` refreshes what depends on batches, `reset` everything on screen. A
 * block also wakes whoever waits for one.
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
      queries.setQueryData<Network>(queryKeys.network, (known) =>
        known
          ? {
              ...known,
              chains: known.chains.map((chain) =>
                chain.chain_id === chain_id ? { ...chain, head: { block, time, stale: false } } : chain,
              ),
            }
          : known,
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
    // Only signals that something of the account has changed: its identity check, or the record of its wallet on a
    // chain.
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

const longestWait = 30_000;

/**
 * The browser's EventSource sends no headers, but only a stream with the session's token carries account events. The
 * token is read at each attempt; a refused token logs out, as with every other call.
 */
function openStream(address: string | null): EventSource {
  return new EventSource(`/api/v2/events${address ? `?address=${address}` : ""}`, {
    fetch: (url, init) => {
      const token = connection.getToken?.();
      const authorization = token ? { authorization: `Bearer ${token}` } : {};
      // Its own, once it has one, is as new. A stream of another wallet or session goes on where the last one ended.
      const seen = lastSeenEvent();
      const after = seen === null ? {} : { "Last-Event-ID": seen };
      const headers = { ...after, ...init.headers, ...authorization };
      // It never ends: at the priority of other calls a page would seem to load for as long as it is open.
      return (connection.fetch ?? fetch)(url, { ...init, headers, priority: "low" });
    },
  });
}

/**
 * Keeps an event stream open while the page lives. It reconnects by itself; a refused stream is opened again after a
 * delay.
 */
export function useLiveUpdates(address: string | null) {
  const queries = useQueryClient();
  const loggedIn = useLoggedIn();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a stream belongs to the session it was opened with.
  useEffect(() => {
    let source: EventSource | null = null;
    let stop = () => {};
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let missed = false;
    let lost = false;

    function open() {
      source = openStream(address);
      stop = followEvents(source, queries, address);
      source.onopen = () => {
        failures = 0;
        // A new stream does not replay what happened while none was open.
        if (missed) queries.invalidateQueries();
        // After the browser's own reconnect the server replays everything except readings.
        else if (lost) queries.invalidateQueries({ queryKey: readingKeys.all });
        missed = false;
        lost = false;
      };
      source.onerror = () => {
        lost = true;
        // CLOSED means that the browser has stopped retrying (an error status); otherwise it reconnects with
        // Last-Event-ID.
        if (source?.readyState !== EventSource.CLOSED) return;
        stop();
        missed = true;
        failures += 1;
        timer = setTimeout(open, Math.min(1000 * 2 ** failures, longestWait));
      };
    }

    // What it changes would differ from a page that the server rendered and that is still being taken over.
    // A page of an earlier visit knows of no event until the server has answered.
    let here = true;
    const callOff = whenIdle(async () => {
      await pageAnswered();
      if (here) open();
    });
    return () => {
      here = false;
      callOff();
      clearTimeout(timer);
      stop();
      source?.close();
    };
  }, [queries, address, loggedIn]);
}
