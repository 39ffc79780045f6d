import { local } from "../browser-storage.ts";
import { createStore, useStore } from "../create-store.ts";

/**
 * The five states of the specification. `unauthenticated`: the wallet is connected, and the kit's sign-in dialog
 * requests a proof. A connected wallet without an account is `connected`.
 */
export type WalletStatus = "disconnected" | "connecting" | "reconnecting" | "connected" | "unauthenticated";

/**
 * The shell's state of the visitor's wallet. `address` and `chainId` are null unless a wallet is connected or
 * unauthenticated.
 */
export interface Wallet {
  status: WalletStatus;
  address: `0x${string}` | null;
  /** The wallet's own chain, which this app may not support. */
  chainId: number | null;
}

const none: Wallet = { status: "disconnected", address: null, chainId: null };

/**
 * wagmi stores this key on connect and the island removes it on disconnect. It identifies a returning visitor before
 * wagmi is loaded.
 */
const recentConnectorKey = "wagmi.recentConnectorId";

/** True if a wallet was connected at the end of the last visit. */
export function hasRecentWallet(): boolean {
  return local.get(recentConnectorKey) !== null;
}

// A returning visitor starts at "reconnecting"; otherwise the header would flash "Connect Wallet" while the island
// loads.
const current = createStore<Wallet>(hasRecentWallet() ? { ...none, status: "reconnecting" } : none, none);

/** Sets the state. Only the island calls this. */
export function setWallet(next: Wallet): void {
  const { status, address, chainId } = current.get();
  if (next.status !== status || next.address !== address || next.chainId !== chainId) current.set(next);
}

/** Resets the state to no wallet, for example after the island could not be loaded. */
export function clearWallet(): void {
  setWallet(none);
}

export function useWallet(): Wallet {
  return useStore(current);
}
