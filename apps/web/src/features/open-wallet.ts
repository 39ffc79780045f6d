import { createStore, useStore } from "../create-store.ts";
import { loadTexts, t } from "../i18n/i18n.ts";
import { reportFault } from "../report-error.ts";
import { afterPaint } from "../ui/after-paint.ts";
import { toast } from "../ui/toast.tsx";
import { isIslandReady, openConnect, prefetchIsland, restoreIsland } from "../wallet/lazy/island.tsx";
import { hasRecentWallet } from "../wallet/store.ts";

/** Runs a wallet action once its texts are loaded. The wallet's code loads on first use, so the network may fail. */
export async function withWallet(action: () => Promise<void>): Promise<void> {
  try {
    await loadTexts("wallet");
    await action();
  } catch (error) {
    sayUnreachable(error);
  }
}

function sayUnreachable(error: unknown) {
  reportFault("wallet", error);
  toast({ title: t("shell.wallet.unreachable"), look: "error" });
}

/** A press on Connect Wallet that waits for the wallet's code; null while none does. */
const waiting = createStore<object | null>(null);

/** Whether a frame stands in for the connect dialog, whose code is on its way. */
export function useWaitsForWallet(): boolean {
  return useStore(waiting) !== null;
}

/** Opens the kit's connect dialog. Resolves once it is open, has failed or is no longer wanted; never throws. */
export async function connectWallet(): Promise<void> {
  if (waiting.get()) return;
  const press = {};
  // A dialog that opens at once needs no frame.
  const ready = isIslandReady();
  if (!ready) {
    waiting.set(press);
    await new Promise<void>(afterPaint);
  }
  await withWallet(() =>
    openConnect(() => {
      const wanted = ready || waiting.get() === press;
      waiting.set(null);
      return wanted;
    }),
  );
  if (waiting.get() === press) waiting.set(null);
}

/** The visitor closed the frame: the dialog stays closed when its code arrives. */
export function stopConnecting() {
  waiting.set(null);
}

/** For pointer enter and focus of anything that opens the wallet. Never throws. */
export function prefetchWallet() {
  // A tap is both at once, and its press is answered first. It loads again what fails here, and says so if it fails too.
  afterPaint(() => {
    loadTexts("wallet").catch(() => undefined);
    prefetchIsland();
  });
}

/** Restores a returning visitor's wallet; it works without its texts too. */
export function restoreWallet() {
  if (!hasRecentWallet()) return;
  const restore = () => restoreIsland(sayUnreachable);
  loadTexts("wallet").then(restore, restore);
}
