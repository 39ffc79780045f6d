import { lazy, Suspense, useRef } from "react";
import { useAccount } from "wagmi";
import { reportError } from "../../report-error.ts";

const retryMs = 5_000;

/** Retries until the code is loaded, because a transaction that is not followed stays pending on the screen. */
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
 * Follows transactions from the first connection of a wallet on. Without a wallet nothing is pending. It continues
 * after a disconnect, because a part of the page may still wait for an outcome.
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
