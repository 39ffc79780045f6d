/** The panel beside the text, or on a phone the button that opens it. */
const place = "deposit";

/** Opens the panel at its first tab, to deposit, or at its second, to withdraw. On a phone the panel opens as a sheet. */
export function openPanel(what: "deposit" | "withdraw"): void {
  const target = document.getElementById(place);
  const tabs = target?.querySelectorAll<HTMLElement>("[role=tab]");
  const button = target instanceof HTMLButtonElement ? target : tabs?.item(what === "deposit" ? 0 : 1);
  button?.click();
  button?.focus();
}
