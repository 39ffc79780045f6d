import { createStore, useStore } from "../create-store.ts";
import { loadTexts, t } from "../i18n/i18n.ts";
import { reportFault } from "../report-error.ts";
import { afterPaint } from "../ui/after-paint.ts";
import { toast } from "../ui/toast.tsx";
import { isIslandReady, openConnect, prefetchIsland, restoreIsland } from "../wallet/lazy/island.tsx";
import { hasRecentWallet } from "../wallet/store.ts";

/**
 * Runs a wallet action after its texts are loaded. The wallet's code loads on first use, so this may fail if the
 * network does.
 */
export async function withWallet(action: () => Promise<void>): Promise<void> {
  try {
    await loadTexts("wallet");
    await action();
  } catch (error) {
    showUnreachable(error);
  }
}

function showUnreachable(error: unknown) {
  reportFault("wallet", error);
  toast({ title: t("shell.wallet.unreachable"), look: "error" });
}

/** A press on Connect Wallet that waits for the wallet's code. Null while no press waits. */
const pendingPress = createStore<object | null>(null);

/** True while a frame replaces the connect dialog, whose code is still loading. */
export function useWaitsForWallet(): boolean {
  return useStore(pendingPress) !== null;
}

/** Opens the kit's connect dialog. Resolves once it is open, has failed or is no longer wanted. Never throws. */
export async function connectWallet(): Promise<void> {
  if (pendingPress.get()) return;
  const press = {};
  // A dialog that can open at once needs no frame.
  const ready = isIslandReady();
  if (!ready) {
    pendingPress.set(press);
    await new Promise<void>(afterPaint);
  }
  await withWallet(() =>
    openConnect(() => {
      const wanted = ready || pendingPress.get() === press;
      pendingPress.set(null);
      return wanted;
    }),
  );
  if (pendingPress.get() === press) pendingPress.set(null);
}

/** Called when the visitor closes the frame. The dialog then stays closed when its code arrives. */
export function stopConnecting() {
  pendingPress.set(null);
}

/** Loads the wallet's code and texts on pointer enter or focus of a control that opens the wallet. Never throws. */
export function prefetchWallet() {
  // A tap causes pointer enter and press together, and the press must be answered first. Failures are ignored here: the
  // press loads the code again and reports its failure.
  afterPaint(() => {
    loadTexts("wallet").catch(() => undefined);
    prefetchIsland();
  });
}

/** Restores a returning visitor's wallet, even if its texts do not load. */
export function restoreWallet() {
  if (!hasRecentWallet()) return;
  const restore = () => restoreIsland(showUnreachable);
  loadTexts("wallet").then(restore, restore);
}
