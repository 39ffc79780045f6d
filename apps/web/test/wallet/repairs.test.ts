import { afterEach, expect, test, vi } from "vitest";
import { repairDialogs, watchDialogs } from "../../src/wallet/island/repairs.ts";

afterEach(() => {
  document.body.innerHTML = "";
});

function dialog(labelledBy: string, inside: string) {
  document.body.innerHTML = `<div data-rk=""><div role="dialog" aria-labelledby="${labelledBy}">${inside}</div></div>`;
  return document.querySelector("[role=dialog]");
}

test("a dialog without an existing title gets a name, one with a title keeps it", () => {
  const nameless = dialog("rk_account_modal_title", "");
  repairDialogs(document);
  expect(nameless?.getAttribute("aria-label")).toBe("Account");
  const titled = dialog("rk_connect_title", '<h1 id="rk_connect_title">Connect a Wallet</h1>');
  repairDialogs(document);
  expect(titled?.hasAttribute("aria-label")).toBe(false);
});

test("pictures beside their own text get an empty alt text, others keep theirs", () => {
  const repaired = dialog("rk_connect_title", '<img src="x"><img src="y" alt="QR"><div role="img"></div>');
  repairDialogs(document);
  const [bare, named] = repaired?.querySelectorAll("img") ?? [];
  expect(bare?.getAttribute("alt")).toBe("");
  expect(named?.getAttribute("alt")).toBe("QR");
  expect(repaired?.querySelector("div[role=img]")?.getAttribute("aria-hidden")).toBe("true");
});

test("dialogs are repaired as they appear", async () => {
  const stop = watchDialogs();
  const appeared = dialog("rk_chain_modal_title", '<img src="x">');
  await new Promise((resolve) => setTimeout(resolve));
  expect(appeared?.getAttribute("aria-label")).toBe("Switch networks");
  stop();
});

test("the wallet's menu gets the focus even when it replaces the button that had it first", async () => {
  document.body.innerHTML = '<div data-rk><div role="dialog"><button>inside</button></div></div><header></header>';
  const header = document.querySelector("header") as HTMLElement;
  header.innerHTML = "<button data-wallet-area>Connect Wallet</button>";
  document.querySelector<HTMLElement>("[role=dialog] button")?.focus();
  const stop = watchDialogs();
  // The observer notices the dialog at the first change.
  document.body.append(document.createElement("i"));
  await new Promise((resolve) => setTimeout(resolve));
  document.querySelector("[data-rk]")?.remove();
  await vi.waitFor(() => expect(document.activeElement).toBe(header.querySelector("button")));
  header.innerHTML = "<div data-wallet-area><button aria-expanded='false'>Wallet 0x12</button></div>";
  await vi.waitFor(() => expect(document.activeElement).toBe(header.querySelector("button")));

  // Does not move the focus after the visitor has moved it.
  const other = document.createElement("button");
  document.body.append(other);
  other.focus();
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(document.activeElement).toBe(other);
  stop();
});

test("the focus waits for a dialog of ours above the kit's, which closes after it", async () => {
  document.body.innerHTML = `
    <div data-rk><div role="dialog"></div></div><div id="ours" role="dialog"><button>Approve</button></div>
    <header><button data-wallet-area>Connect Wallet</button></header>`;
  document.querySelector<HTMLElement>("#ours button")?.focus();
  const stop = watchDialogs();
  document.body.append(document.createElement("i"));
  await new Promise((resolve) => setTimeout(resolve));
  document.querySelector("[data-rk]")?.remove();
  await new Promise((resolve) => setTimeout(resolve, 20));
  document.getElementById("ours")?.remove();
  await vi.waitFor(() => expect(document.activeElement).toBe(document.querySelector("header button")));
  stop();
});
