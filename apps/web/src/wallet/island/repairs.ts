import { t } from "../../i18n/i18n.ts";

/** Names for kit dialogs whose `aria-labelledby` points at nothing, by the id they point at. */
const dialogNames = {
  rk_account_modal_title: "wallet.dialog.account",
  rk_profile_title: "wallet.dialog.account",
  rk_chain_modal_title: "wallet.dialog.network",
  rk_connect_title: "wallet.dialog.connect",
} as const;

function isKnown(id: string): id is keyof typeof dialogNames {
  return Object.hasOwn(dialogNames, id);
}

/** Repairs one kit dialog in place: a name for the dialog, and empty alternatives for pictures beside their own text. */
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

/** How long the wallet's menu may take to come up where Connect Wallet was, in milliseconds. */
const menuWait = 10_000;

/**
 * The kit's dialog has closed and taken the focus along, since the button that opened it is another by now: it belongs to
 * the dialog of ours below, or to the wallet's place in the header. `given`: where it went; on a slow phone that button
 * too makes way, for the wallet's menu, and loses it again. Where it is elsewhere the visitor has moved it.
 */
function focusWalletArea(until = Date.now() + menuWait, given: HTMLElement | null = null) {
  if (openDialog() !== null) return;
  let holder = given;
  if (holder?.isConnected) {
    if (document.activeElement !== holder) return;
  } else {
    const above = document.activeElement?.closest("[role=dialog]");
    if (!focusIsLost() && !above) return;
    const below = [...document.querySelectorAll<HTMLElement>("[role=dialog][aria-modal=true]:not([inert])")].at(-1);
    const button = document.querySelector<HTMLElement>("button[data-wallet-area], [data-wallet-area] [aria-expanded]");
    // A dialog of ours that was above the kit's is about to close too.
    holder = above ? null : (below ?? button);
    holder?.focus({ preventScroll: true });
  }
  if (Date.now() < until) setTimeout(focusWalletArea, 50, until, holder);
}

/**
 * The kit's dialogs lack some names and alternatives (found with axe), and lose the focus with each button that makes way
 * for the next step. They are portals on the body, so they are repaired from outside as they change. Returns what ends
 * the watching.
 */
export function watchDialogs(): () => void {
  let wasOpen = false;
  const observer = new MutationObserver(() => {
    repairDialogs(document.body);
    const dialog = openDialog();
    if (dialog !== null && focusIsLost()) dialog.querySelector<HTMLElement>("[role=document]")?.focus();
    // What the kit does about the focus itself comes first.
    if (dialog === null && wasOpen) setTimeout(focusWalletArea);
    wasOpen = dialog !== null;
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}
