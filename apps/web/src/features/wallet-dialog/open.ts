import { createStore, useStore } from "../../create-store.ts";

const open = createStore(false);

/** Opens the dialog for a connected wallet that is not the account's. Does nothing without a wallet. */
export function openWalletDialog() {
  open.set(true);
}

export function closeWalletDialog() {
  open.set(false);
}

export function useWalletDialogOpen(): boolean {
  return useStore(open);
}
