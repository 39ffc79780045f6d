import { useSyncExternalStore } from "react";

/**
 * One attempt to reach a wallet over WalletConnect, from the press on its row until it is connected or given up.
 * `contacting`: no pairing code yet. `waiting`: the wallet's owner has to confirm. `unreachable`: no code came in time.
 * `expired`: the wallet did not answer while the code was valid.
 */
export type PairingStage = "contacting" | "waiting" | "unreachable" | "expired";

export interface Pairing {
  walletId: string;
  walletName: string;
  stage: PairingStage;
  /** What a wallet scans or is opened with; null before it is there. */
  uri: string | null;
  /** Opens the wallet's app on this phone with the code; null before there is one. */
  appLink: string | null;
  retry(): void;
  /** Ends the attempt; a late answer of the wallet is turned away. */
  abandon(): void;
}

let current: Pairing | null = null;
const listeners = new Set<() => void>();

export function getPairing(): Pairing | null {
  return current;
}

export function setPairing(next: Pairing | null) {
  current = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The attempt under way, or null. */
export function usePairing(): Pairing | null {
  return useSyncExternalStore(subscribe, getPairing);
}

const refusalListeners = new Set<() => void>();

/** The wallet's owner said no: the code that is still on the screen is worth nothing any more. */
export function pairingRefused() {
  for (const listener of refusalListeners) listener();
}

/** Calls `listener` at each refusal in a wallet. Returns what ends that. */
export function onPairingRefused(listener: () => void): () => void {
  refusalListeners.add(listener);
  return () => refusalListeners.delete(listener);
}
