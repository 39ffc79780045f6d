import { type AuthenticationStatus, createAuthenticationAdapter } from "@rainbow-me/rainbowkit";
import { createStore, useStore } from "../../create-store.ts";
import type { ProofTask } from "../handover.ts";
import { hasRecentWallet } from "../store.ts";

/**
 * Whether the kit should treat the connected wallet as signed in. Being merely connected is a normal state here, so it
 * is `authenticated` unless a proof is requested. For a returning visitor it starts at `loading`: at `unauthenticated`
 * the kit would offer to connect a wallet that is about to be restored.
 */
const status = createStore<AuthenticationStatus>(hasRecentWallet() ? "loading" : "authenticated");
let asked: { task: ProofTask; end: (verified: boolean) => void } | null = null;

export const getAuthentication = status.get;
export const subscribeAuthentication = status.subscribe;

export function useAuthentication(): AuthenticationStatus {
  return useStore(status);
}

/** The wallet used last is connected again, or known to be unavailable. */
export function restored() {
  if (status.get() === "loading") status.set("authenticated");
}

/** Requests a proof from now on; an earlier request is abandoned. Resolves with whether the server accepted it. */
export function askForProof(task: ProofTask): Promise<boolean> {
  endProof(false);
  return new Promise((resolve) => {
    asked = { task, end: resolve };
    status.set("unauthenticated");
  });
}

/** Ends the current request for a proof. */
export function endProof(verified: boolean) {
  const before = asked;
  asked = null;
  if (status.get() === "unauthenticated") status.set("authenticated");
  before?.end(verified);
}

function task(): ProofTask {
  if (asked === null) throw new Error("No proof is asked for");
  return asked.task;
}

/** The kit's sign-in dialog on top of our own calls. Their errors become the specification's error texts. */
export const authenticationAdapter = createAuthenticationAdapter<string>({
  // The kit requests a nonce once, when its dialog opens, and offers no retry. Ours is part of the message, which is
  // requested at every press of the button: it is always fresh, and a failure can be retried.
  getNonce: async () => "with the message",
  createMessage: ({ address, chainId }) => task().prepare(address, chainId),
  verify: async ({ message, signature }) => {
    await task().verify(message, signature as `0x${string}`);
    endProof(true);
    return true;
  },
  // The kit calls this when the wallet disconnects or another account is chosen. The log-in continues, since it does
  // not belong to the wallet.
  signOut: async () => endProof(false),
});
