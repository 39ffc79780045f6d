import { t } from "../../i18n/i18n.ts";

/** Names for kit dialogs, by the id in `aria-labelledby`. They are used if no element has that id. */
const dialogNames = {
  rk_account_modal_title: "wallet.dialog.account",
  rk_profile_title: "wallet.dialog.account",
  rk_chain_modal_title: "wallet.dialog.network",
  rk_connect_title: "wallet.dialog.connect",
} as const;

function isKnown(id: string): id is keyof typeof dialogNames {
  return Object.hasOwn(dialogNames, id);
}

/** Sets the missing names of the kit's dialogs, and empty alt texts for their pictures, which are beside a text. */
export function repairDialogs(root: ParentNode): void {
  for (const dialog of root.querySelectorAll("[data-rk] [role=dialog]")) {
    const id = dialog.getAttribute("aria-labelledby") ?? "";
    if (isKnown(id) && document.getElementById(id) === null) {
      const name = t(dialogNames[id]);
      if (dialog.getAttribute("aria-label") !== name) dialog.setAttribute("aria-label", name);
    } else {
      dialog.removeAttribute("aria-label");
    }
    for (const image of dialog.querySelectorAll("img:not([alt])")) image.setAttribute("alt", "");
    for (const image of dialog.querySelectorAll("[role=img]:not([aria-label])"))
      image.setAttribute("aria-hidden", "true");
  }
}

const openDialog = () => document.querySelector<HTMLElement>("[data-rk] [role=dialog]");
const focusIsLost = () => document.activeElement === null || document.activeElement === document.body;

/** Milliseconds to wait for the wallet menu to replace Connect Wallet. */
const menuWait = 10_000;

/**
 * Restores the focus after the kit's dialog has closed, because the button that opened it may have been replaced. The
 * focus moves to our dialog below, or to the wallet area in the header. It stays if the visitor has moved it elsewhere.
 * @param focused the element that an earlier run focused; on a slow phone the wallet's menu may replace it too
 */
function focusWalletArea(until = Date.now() + menuWait, focused: HTMLElement | null = null) {
  if (openDialog() !== null) return;
  let holder = focused;
  if (holder?.isConnected) {
    if (document.activeElement !== holder) return;
  } else {
    const above = document.activeElement?.closest("[role=dialog]");
    if (!focusIsLost() && !above) return;
    const below = [...document.querySelectorAll<HTMLElement>("[role=dialog][aria-modal=true]:not([inert])")].at(-1);
    const button = document.querySelector<HTMLElement>("button[data-wallet-area], [data-wallet-area] [aria-expanded]");
    // Our own dialog above the kit's is about to close too.
    holder = above ? null : (below ?? button);
    holder?.focus({ preventScroll: true });
  }
  if (Date.now() < until) setTimeout(focusWalletArea, 50, until, holder);
}

/**
 * Repairs the kit's dialogs, which lack some names and alt texts (found with axe) and lose the focus if a step replaces
 * the focused button. The dialogs are portals on the body, so changes of the body are observed. Returns a function that
 * stops this.
 */
export function watchDialogs(): () => void {
  let wasOpen = false;
  const observer = new MutationObserver(() => {
    repairDialogs(document.body);
    const dialog = openDialog();
    if (dialog !== null && focusIsLost()) dialog.querySelector<HTMLElement>("[role=document]")?.focus();
    // Runs after the kit's own focus handling.
    if (dialog === null && wasOpen) setTimeout(focusWalletArea);
    wasOpen = dialog !== null;
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}
