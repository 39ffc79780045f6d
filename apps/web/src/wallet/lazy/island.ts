import { createStore } from "../../create-store.ts";
import { type IslandControls, type ProofTask, whenIslandReady } from "../handover.ts";
import { clearWallet, hasRecentWallet } from "../store.ts";

type IslandModule = typeof import("../island/entry.tsx");

/** Null until the island is first requested; the shell then mounts it. */
export const island = createStore<IslandModule | null>(null);
let loading: Promise<IslandModule> | null = null;
let mounted: Promise<void> | null = null;

/** Loads the island's code without mounting it. A failed load can be retried. */
export function loadIsland(): Promise<IslandModule> {
  loading ??= import("../island/entry.tsx").catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

/**
 * Loads, configures and mounts the island; resolves when it is ready. Rejects when the code or the server is
 * unreachable.
 */
export async function islandControls(): Promise<IslandControls> {
  mounted ??= mountIsland().catch((error: unknown) => {
    mounted = null;
    throw error;
  });
  await mounted;
  return whenIslandReady();
}

async function mountIsland(): Promise<void> {
  const module = await loadIsland();
  await module.prepare();
  island.set(module);
}

/** Opens the kit's connect dialog, unless `isWanted` is false by then. */
export async function openConnect(isWanted: () => boolean): Promise<void> {
  await (await islandControls()).openConnect(isWanted);
}

/** Opens the kit's account dialog; does nothing unless a wallet is connected. */
export async function openAccount(): Promise<void> {
  (await islandControls()).openAccount();
}

/** Opens the kit's network dialog, also in its wrong-network state. */
export async function openNetwork(): Promise<void> {
  (await islandControls()).openNetwork();
}

/**
 * Has a wallet sign the text of `task` in the kit's sign-in dialog, after connecting one when there is none. True once
 * the server has accepted it; false when the visitor closed a dialog, which disconnects a connected wallet. Throws when
 * the dialog cannot be opened.
 */
export async function proveWallet(task: ProofTask): Promise<boolean> {
  return (await islandControls()).signIn(task);
}

export async function disconnect(): Promise<void> {
  await (await islandControls()).disconnect();
}

/** For pointer enter and focus of anything that opens the island: all but mounting it. The press shows a failure. */
export function prefetchIsland(): void {
  loadIsland()
    .then((module) => module.prepare())
    .catch(() => undefined);
}

/**
 * Restores the wallet used last, when idle, and only for a returning visitor: a first visit loads no wallet code. Calls
 * `onFailure` when the code or the server is unreachable; the visitor then has no wallet.
 */
export function restoreIsland(onFailure: (error: unknown) => void): void {
  if (!hasRecentWallet()) return;
  const restore = () => {
    islandControls()
      .then((controls) => controls.reconnect())
      .catch((error: unknown) => {
        clearWallet();
        onFailure(error);
      });
  };
  if (typeof requestIdleCallback === "function") requestIdleCallback(restore, { timeout: 1_000 });
  else setTimeout(restore, 200);
}
