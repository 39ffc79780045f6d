import { type AuthenticationStatus, createAuthenticationAdapter } from "@rainbow-me/rainbowkit";
import { useSyncExternalStore } from "react";
import type { ProofTask } from "../handover.ts";
import { hasRecentWallet } from "../store.ts";

/**
 * Whether the kit may take the connected wallet for signed in. Being merely connected is a normal state here, so it is
 * `authenticated` unless somebody asked for a proof. It starts at `loading` for a returning visitor: at `unauthenticated`
 * the kit would offer to connect a wallet that is about to be restored.
 */
let status: AuthenticationStatus = hasRecentWallet() ? "loading" : "authenticated";
let asked: { task: ProofTask; end: (verified: boolean) => void } | null = null;
const listeners = new Set<() => void>();

function set(next: AuthenticationStatus) {
  if (next === status) return;
  status = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function getAuthentication(): AuthenticationStatus {
  return status;
}

export function useAuthentication(): AuthenticationStatus {
  return useSyncExternalStore(subscribe, getAuthentication);
}

export const subscribeAuthentication = subscribe;

/** The wallet used last is connected again, or known to be gone. */
export function restored() {
  if (status === "loading") set("authenticated");
}

/** Asks for a proof from now on; a proof asked for before is given up. Resolves with whether the server accepted it. */
export function askForProof(task: ProofTask): Promise<boolean> {
  endProof(false);
  return new Promise((resolve) => {
    asked = { task, end: resolve };
    set("unauthenticated");
  });
}

/** No proof is asked for any more. */
export function endProof(verified: boolean) {
  const before = asked;
  asked = null;
  if (status === "unauthenticated") set("authenticated");
  before?.end(verified);
}

function task(): ProofTask {
  if (asked === null) throw new Error("No proof is asked for");
  return asked.task;
}

/** The kit's sign-in dialog over our own calls. What these throw becomes the error texts of the specification. */
export const authenticationAdapter = createAuthenticationAdapter<string>({
  // The kit asks for a nonce once, when its dialog opens, and offers no second try. Ours comes with the message, which is
  // asked for at every press of the button: it is fresh, and a failure can be retried.
  getNonce: async () => "with the message",
  createMessage: ({ address, chainId }) => task().prepare(address, chainId),
  verify: async ({ message, signature }) => {
    await task().verify(message, signature as `0x${string}`);
    endProof(true);
    return true;
  },
  // The kit calls this when the wallet is gone or another account is chosen. It ends no log-in: that is not the wallet's.
  signOut: async () => endProof(false),
});
