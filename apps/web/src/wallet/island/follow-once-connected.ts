import type { Config } from "wagmi";
import { getWallet, subscribeWallet } from "../store.ts";

/**
 * `followTransactions`, whose code is loaded with the first connected wallet: without one nothing is pending. Returns a
 * function that stops it.
 */
export function followOnceConnected(config: Config): () => void {
  let loading = false;
  let stopped = false;
  let stop = () => {};
  const look = () => {
    if (loading || getWallet().address === null) return;
    loading = true;
    import("./follow.ts").then(
      ({ followTransactions }) => {
        if (!stopped) stop = followTransactions(config);
      },
      (error: unknown) => {
        // The next change of the wallet loads it again.
        loading = false;
        console.warn("Transactions are not followed", error);
      },
    );
  };
  const unsubscribe = subscribeWallet(look);
  look();
  return () => {
    stopped = true;
    unsubscribe();
    stop();
  };
}
