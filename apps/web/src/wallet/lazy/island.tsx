import type { ComponentProps } from "react";
import { createStore, useStore } from "../../create-store.ts";
import type { ProofTask } from "../island/authentication.ts";
import type { IslandControls } from "../island/controls.tsx";
import { clearWallet } from "../store.ts";

type Island = typeof import("../island/entry.tsx").Island;

interface RequestedIsland {
  Island: Island;
  setup: ComponentProps<Island>["setup"];
  /** Null until its first effect, and after a crash. */
  controls: IslandControls | null;
  /** Mounts it again after a crash; null when it has not crashed. */
  revive: (() => void) | null;
}

/** Null until the island is first requested. */
const island = createStore<RequestedIsland | null>(null);

function update(parts: Pick<RequestedIsland, "controls" | "revive">) {
  const requested = island.get();
  if (requested !== null) island.set({ ...requested, ...parts });
}
const onReady = (controls: IslandControls) => update({ controls, revive: null });
const onCrash = (revive: () => void) => update({ controls: null, revive });

/** Mounted once by the shell as a sibling of the router, so that loading the island remounts no page. */
export function WalletIslandRoot() {
  const requested = useStore(island);
  return requested && <requested.Island setup={requested.setup} onReady={onReady} onCrash={onCrash} />;
}

export function isIslandReady(): boolean {
  return Boolean(island.get()?.controls);
}

/** Loads and prepares the island without mounting it. A failed attempt can be repeated. */
async function loadIsland(): Promise<RequestedIsland> {
  const { Island, prepare } = await import("../island/entry.tsx");
  return { Island, setup: await prepare(), controls: null, revive: null };
}

/**
 * Loads, prepares and mounts the island, also after a crash; resolves when it is ready. Rejects when the code or the
 * server is unreachable.
 */
export async function islandControls(): Promise<IslandControls> {
  if (island.get() === null) {
    const loaded = await loadIsland();
    // Another request may have been faster.
    island.set(island.get() ?? loaded);
  }
  island.get()?.revive?.();
  return new Promise((resolve) => {
    const look = () => {
      const controls = island.get()?.controls;
      if (!controls) return;
      stop();
      resolve(controls);
    };
    const stop = island.subscribe(look);
    look();
  });
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
  loadIsland().catch(() => undefined);
}

/**
 * Restores the wallet of a returning visitor when idle. Calls `onFailure` when the code or the server is unreachable; the
 * visitor then has no wallet.
 */
export function restoreIsland(onFailure: (error: unknown) => void): void {
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
