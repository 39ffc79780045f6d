import { lazy, Suspense, useRef } from "react";
import { useAccount } from "wagmi";
import { reportError } from "../../report-error.ts";

const retryMs = 5_000;

/** Tried until it is here, since a transaction that is not followed stays pending on the screen. */
async function loadFollow(): Promise<typeof import("./follow.ts")> {
  for (;;) {
    try {
      return await import("./follow.ts");
    } catch (error) {
      reportError("wallet", error);
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}

const Follow = lazy(loadFollow);

/**
 * Follows transactions, once a wallet is connected: without one nothing is pending. It goes on after a disconnect, since
 * a part of the page may still wait for an outcome.
 */
export function FollowOnceConnected() {
  const { address } = useAccount();
  const wasConnected = useRef(false);
  wasConnected.current ||= address !== undefined;
  return (
    wasConnected.current && (
      <Suspense>
        <Follow />
      </Suspense>
    )
  );
}
