import { setTimeout as sleep } from "node:timers/promises";
import { webSocket } from "viem";

export interface Heads {
  /** Returns whether the node currently publishes its blocks. If it does not, the follower must poll it. */
  isSubscribed(): boolean;
  stop(): Promise<void>;
}

/**
 * The first pause covers a node that returns within seconds. The last covers a node without a WebSocket, which is
 * tried once a minute.
 */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
const KEEP_ALIVE_MS = 15_000;

/**
 * Subscribes to the new blocks of a node (eth_subscribe "newHeads") and calls `onHead` for each block. It also calls
 * `onHead` after every new connection, because blocks may have been missed. A failed subscription is not an error,
 * because the follower also polls the node.
 * @param url URL of the node's WebSocket
 */
export function watchHeads(url: string, onHead: () => void): Heads {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isSubscribed = false;

  /** Resolves when the subscription has ended, possibly before it began. */
  async function subscribeOnce(): Promise<void> {
    // The client reconnects only a few times and does not report it, so each connection here is a new client.
    const { value } = webSocket(url, { reconnect: false, keepAlive: { interval: KEEP_ALIVE_MS } })({});
    if (value === undefined) return;
    const node = await value.getRpcClient();
    try {
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener("abort", () => resolve(), { once: true });
        value
          .subscribe({ params: ["newHeads"], onData: onHead, onError: reject })
          .then(() => {
            isSubscribed = true;
            onHead();
          })
          .catch(reject);
      });
    } finally {
      isSubscribed = false;
      node.close();
    }
  }

  async function run(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const begun = Date.now();
      // The indexer also polls the node and reports when it is unavailable.
      await subscribeOnce().catch(() => {});
      pause = Date.now() - begun > LONGEST_PAUSE_MS ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS);
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    isSubscribed: () => isSubscribed,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
