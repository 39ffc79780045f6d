import type { ComponentProps } from "react";
import { createStore, useStore } from "../../create-store.ts";
import type { ProofTask } from "../island/authentication.ts";
import type { IslandControls } from "../island/controls.tsx";
import { clearWallet } from "../store.ts";

type Island = typeof import("../island/entry.tsx").Island;

interface RequestedIsland {
  Island: Island;
  setup: ComponentProps<Island>["setup"];
  /** Null until the island's first effect, and after a crash. */
  controls: IslandControls | null;
  /** Mounts the kit again after a crash. Null if it has not crashed. */
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

/** The shell mounts this once as a sibling of the router, so that loading the island remounts no page. */
export function WalletIslandRoot() {
  const requested = useStore(island);
  return requested && <requested.Island setup={requested.setup} onReady={onReady} onCrash={onCrash} />;
}

export function isIslandReady(): boolean {
  return Boolean(island.get()?.controls);
}

/** Loads and prepares the island without mounting it. Can be called again after a failure. */
async function loadIsland(): Promise<RequestedIsland> {
  const { Island, prepare } = await import("../island/entry.tsx");
  return { Island, setup: await prepare(), controls: null, revive: null };
}

/**
 * Loads, prepares and mounts the island, also after a crash. Resolves when it is ready. Rejects if the code or the
 * server is unreachable.
 */
export async function islandControls(): Promise<IslandControls> {
  if (island.get() === null) {
    const loaded = await loadIsland();
    // A simultaneous call may have finished first.
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

/** Opens the kit's connect dialog if `isWanted` returns true once the island is ready. */
export async function openConnect(isWanted: () => boolean): Promise<void> {
  await (await islandControls()).openConnect(isWanted);
}

/** Opens the kit's account dialog. Does nothing unless a wallet is connected. */
export async function openAccount(): Promise<void> {
  (await islandControls()).openAccount();
}

/** Opens the kit's network dialog, also if the wallet is on a network that this app does not serve. */
export async function openNetwork(): Promise<void> {
  (await islandControls()).openNetwork();
}

/**
 * Asks a wallet to sign the text of `task` in the kit's sign-in dialog, and first to connect if no wallet is connected.
 * Resolves to true once the server has accepted the signature, and to false if the visitor closes a dialog, which
 * disconnects a connected wallet. Throws if the dialog cannot be opened.
 */
export async function proveWallet(task: ProofTask): Promise<boolean> {
  return (await islandControls()).signIn(task);
}

export async function disconnect(): Promise<void> {
  await (await islandControls()).disconnect();
}

/** Prepares the island when the pointer or focus reaches a control that opens it. The press shows a failure. */
export function prefetchIsland(): void {
  loadIsland().catch(() => undefined);
}

/**
 * Restores the wallet of a returning visitor once the browser is idle. If the code or the server is unreachable, the
 * visitor has no wallet and `onFailure` is called.
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
