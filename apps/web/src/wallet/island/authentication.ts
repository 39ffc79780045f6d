import { type AuthenticationStatus, createAuthenticationAdapter } from "@rainbow-me/rainbowkit";
import { type Dispatch, type SetStateAction, useState } from "react";
import { flushSync } from "react-dom";
import { hasRecentWallet } from "../store.ts";

/** A text of the server that the connected wallet signs to prove ownership. */
export interface ProofTask {
  /** The exact text for this wallet on this chain. Throws if the server returns none. */
  prepare(address: `0x${string}`, chainId: number): Promise<string>;
  /** Sends the signed text to the server. Throws if the server does not accept it. */
  verify(message: string, signature: `0x${string}`): Promise<void>;
}

/**
 * The kit's authentication status, and the functions that request and end proofs. A connected wallet needs no sign-in
 * here, so the status is `authenticated` unless a proof is requested. For a returning visitor it starts at `loading`,
 * because at `unauthenticated` the kit would offer to connect a wallet that is about to be restored.
 */
export function useAuthentication() {
  const [status, setStatus] = useState<AuthenticationStatus>(() => (hasRecentWallet() ? "loading" : "authenticated"));
  const [proofs] = useState(() => createProofs(setStatus));
  return { status, ...proofs };
}

export type Authentication = ReturnType<typeof useAuthentication>;

function createProofs(setStatus: Dispatch<SetStateAction<AuthenticationStatus>>) {
  let request: { task: ProofTask; end: (verified: boolean) => void } | null = null;

  function task(): ProofTask {
    if (request === null) throw new Error("No proof is asked for");
    return request.task;
  }

  /** Ends the current request for a proof. */
  function endProof(verified: boolean) {
    const before = request;
    request = null;
    setStatus((status) => (status === "unauthenticated" ? "authenticated" : status));
    before?.end(verified);
  }

  return {
    endProof,
    /** Requests a proof and abandons an earlier request. Resolves to true if the server accepted the proof. */
    askForProof(task: ProofTask): Promise<boolean> {
      endProof(false);
      return new Promise((resolve) => {
        request = { task, end: resolve };
        // Synchronous, because the kit's dialog is opened next and depends on the status.
        flushSync(() => setStatus("unauthenticated"));
      });
    },
    /** Call this when the wallet used last is connected again or turns out to be unavailable. */
    restored() {
      flushSync(() => setStatus((status) => (status === "loading" ? "authenticated" : status)));
    },
    /** Connects the kit's sign-in dialog to our own calls. Their errors become the specification's error texts. */
    adapter: createAuthenticationAdapter<string>({
      // The kit requests a nonce once, when its dialog opens, and offers no retry. Our nonce is part of the message,
      // which is requested at each press of the button, so it is fresh and the visitor can retry after a failure.
      getNonce: async () => "with the message",
      createMessage: ({ address, chainId }) => task().prepare(address, chainId),
      verify: async ({ message, signature }) => {
        await task().verify(message, signature as `0x${string}`);
        endProof(true);
        return true;
      },
      // The kit calls this when the wallet disconnects or another account is chosen. The log-in continues, because it
      // does not depend on the wallet.
      signOut: async () => endProof(false),
    }),
  };
}
