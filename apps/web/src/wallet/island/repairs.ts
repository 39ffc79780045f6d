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

/**
 * The kit's dialogs lack some names and alternatives (found with axe). They are portals on the body, so they are
 * repaired from outside as they appear. Returns what ends the watching.
 */
export function watchDialogs(): () => void {
  const observer = new MutationObserver(() => repairDialogs(document.body));
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}
