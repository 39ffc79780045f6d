import type { Config } from "wagmi";
import { reportError } from "../../report-error.ts";
import { getWallet, subscribeWallet } from "../store.ts";

const retryMs = 5_000;

/**
 * `followTransactions`, whose code is loaded with the first connected wallet: without one nothing is pending. It is tried
 * until it is here, since a transaction that is not followed stays pending on the screen. Returns a function that stops it.
 */
export function followOnceConnected(config: Config): () => void {
  let asked = false;
  let stopped = false;
  let stop = () => {};
  const load = () => {
    if (stopped) return;
    import("./follow.ts")
      .then(({ followTransactions }) => {
        if (!stopped) stop = followTransactions(config);
      })
      .catch((error: unknown) => {
        reportError("wallet", error);
        setTimeout(load, retryMs);
      });
  };
  const look = () => {
    if (asked || getWallet().address === null) return;
    asked = true;
    load();
  };
  const unsubscribe = subscribeWallet(look);
  look();
  return () => {
    stopped = true;
    unsubscribe();
    stop();
  };
}
