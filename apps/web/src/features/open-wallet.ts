import { loadTexts, t } from "../i18n/i18n.ts";
import { toast } from "../ui/toast.tsx";
import { openConnect, prefetchIsland, restoreIsland } from "../wallet/lazy/island.ts";

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
  console.warn("The wallet code could not be used", error);
  toast({ title: t("shell.wallet.unreachable"), look: "error" });
}

export function connectWallet() {
  return withWallet(openConnect);
}

/** For pointer enter and focus of anything that opens the wallet. Never throws. */
export function prefetchWallet() {
  loadTexts("wallet").catch(() => undefined);
  prefetchIsland();
}

/** Restores a returning visitor's wallet; it works without its texts too. */
export function restoreWallet() {
  const restore = () => restoreIsland(sayUnreachable);
  loadTexts("wallet").then(restore, restore);
}
