import { createStore, useStore } from "../../create-store.ts";

/**
 * One attempt to connect a wallet over WalletConnect, from the click on its row until it is connected or abandoned.
 * `contacting`: there is no pairing code yet. `waiting`: the wallet's owner has to confirm. `unreachable`: no code
 * arrived in time. `expired`: the wallet did not answer while the code was valid.
 */
export type PairingStage = "contacting" | "waiting" | "unreachable" | "expired";

export interface Pairing {
  walletId: string;
  walletName: string;
  stage: PairingStage;
  /** The pairing code that a wallet scans or is opened with. Null until it arrives. */
  uri: string | null;
  /** The link that opens the wallet's app on this phone with the code. Null if there is none. */
  appLink: string | null;
  retry(): void;
  /** Ends the attempt. A late answer from the wallet is rejected. */
  abandon(): void;
}

const current = createStore<Pairing | null>(null);

export const getPairing = current.get;
export const setPairing = current.set;

/** The current attempt, or null. */
export function usePairing(): Pairing | null {
  return useStore(current);
}

const refusalListeners = new Set<() => void>();

/** Notifies listeners that the wallet's owner rejected the connection. The displayed code is no longer valid then. */
export function pairingRefused() {
  for (const listener of refusalListeners) listener();
}

/** Calls `listener` at each rejection in a wallet. Returns a function that unsubscribes. */
export function onPairingRefused(listener: () => void): () => void {
  refusalListeners.add(listener);
  return () => refusalListeners.delete(listener);
}
