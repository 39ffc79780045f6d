import { setTimeout as sleep } from "node:timers/promises";
import { webSocket } from "viem";

export interface Heads {
  /** Whether the node publishes its blocks now; while it does not, it has to be polled. */
  isTold(): boolean;
  stop(): Promise<void>;
}

/** A node that has gone is back after seconds; one that offers no WebSocket is asked again once a minute. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
const KEEP_ALIVE_MS = 15_000;

/**
 * Subscribes to a node's new blocks (eth_subscribe "newHeads") and calls `onHead` with each, and whenever it begins
 * anew, since blocks may have been missed. A failed subscription is no error: the follower polls the node too.
 * @param url of the node's WebSocket
 */
export function watchHeads(url: string, onHead: () => void): Heads {
  const stopping = new AbortController();
  const { signal } = stopping;
  let told = false;

  /** Resolves when the subscription has ended, which may be before it began. */
  async function subscribeOnce(): Promise<void> {
    // It reconnects by itself only a few times, and says nothing when it has: each connection is a new one here.
    const { value } = webSocket(url, { reconnect: false, keepAlive: { interval: KEEP_ALIVE_MS } })({});
    if (value === undefined) return;
    const node = await value.getRpcClient();
    try {
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener("abort", () => resolve(), { once: true });
        value
          .subscribe({ params: ["newHeads"], onData: onHead, onError: reject })
          .then(() => {
            told = true;
            onHead();
          })
          .catch(reject);
      });
    } finally {
      told = false;
      node.close();
    }
  }

  async function run(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const begun = Date.now();
      // The indexer asks the node as well and reports when it cannot be reached.
      await subscribeOnce().catch(() => {});
      pause = Date.now() - begun > LONGEST_PAUSE_MS ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS);
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    isTold: () => told,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
