import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { demoWallet } from "./support/app";
import { origin } from "./support/ports";
import { expect, moving, test } from "./support/test";
import { textsOf } from "./support/texts";

test.use(moving);

/** One grey pixel. */
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mOsr6//DwAFBQKA7ceG4wAAAABJRU5ErkJggg==",
  "base64",
);

/** The code of the newest mail to an address, from the demo's outbox. */
async function codeOf(email: string): Promise<string> {
  let code: string | undefined;
  await expect
    .poll(async () => {
      const response = await fetch(`${origin}/api/v2/dev/outbox?to=${encodeURIComponent(email)}`);
      const { data } = (await response.json()) as { data: { text: string }[] };
      code = /\b\d{6}\b/.exec(data[0]?.text ?? "")?.[0];
      return code;
    })
    .toBeDefined();
  return code ?? "";
}

const toasts = (page: Page) => page.locator("li[data-state=open]");

/**
 * Imitates page translators: moves every new text into a font element at once. React then finds its texts in other
 * places.
 */
async function translateThroughout(page: Page) {
  await page.addInitScript(() => {
    const wrap = (text: Node) => {
      const parent = text.parentElement;
      if (parent === null || parent.closest("script, style, textarea, title, font, [translate=no]")) return;
      if (text.textContent?.trim() === "") return;
      const font = document.createElement("font");
      parent.replaceChild(font, text);
      font.append(text);
    };
    const wrapAll = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Node[] = root.nodeType === Node.TEXT_NODE ? [root] : [];
      while (walker.nextNode()) texts.push(walker.currentNode);
      texts.forEach(wrap);
    };
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) addedNodes.forEach(wrapAll);
    }).observe(document, { childList: true, subtree: true });
  });
}

for (const [language, reader] of [
  ["en-US", "whose browser translates the page"],
  ["zh-CN", "who reads Chinese"],
] as const) {
  test(`a visitor ${reader} registers, is verified, links a wallet, deposits, switches the wallet and logs out`, async ({
    page,
    wallet,
  }) => {
    if (language === "en-US") await translateThroughout(page);
    const t = textsOf(language);
    const email = `journey-${randomUUID()}@aqua.example`;
    const header = page.getByRole("banner");
    const main = page.getByRole("main");
    const button = (key: string) => page.getByRole("button", { name: t(key), exact: true });
    const connect = () => header.getByRole("button", { name: t("shell.wallet.connect") });
    await page.addInitScript((tag) => {
      if (localStorage.getItem("app-language") === null) localStorage.setItem("app-language", tag);
    }, language);

    // A visitor registers with a code from a mail.
    await page.goto("/about");
    await header.getByRole("link", { name: t("shell.signUp") }).click();
    await main.getByLabel(t("forms.email")).fill(email);
    await button("account.sendCode").click();
    // Six digits submit the form by themselves.
    await main.getByLabel(t("register.code"), { exact: true }).fill(await codeOf(email));
    await main.getByLabel(t("register.password.new"), { exact: true }).fill("four words of a river");
    await main.getByLabel(t("register.country")).selectOption("FR");
    await button("register.submit").click();
    await expect(main.getByRole("heading", { name: t("register.done") })).toBeVisible();
    await expect(header.getByRole("link", { name: t("shell.signUp") })).toHaveCount(0);

    // The sandbox verifies anyone who submits a document.
    await main.getByRole("link", { name: t("register.next.identity") }).click();
    await main.getByLabel(t("profile.form.name")).fill("Ada Lovelace");
    await main.getByLabel(t("profile.form.birthDate")).fill("1990-12-10");
    await main.getByLabel(t("profile.form.kind")).selectOption("passport");
    await main.locator("input[type=file]").setInputFiles({ name: "p.png", mimeType: "image/png", buffer: picture });
    await button("profile.form.submit").click();
    await expect(main.getByText(t("profile.identity.is.verified"), { exact: true })).toBeVisible();

    // A wallet of this browser is connected, which opens no dialog here, and is linked with one signature.
    const sheet = page.getByTestId("demo-wallet-sheet");
    await connect().click();
    await page.getByTestId(`rk-wallet-option-${demoWallet}`).click();
    await sheet.getByRole("button", { name: t("wallet.demo.choose.own") }).click();
    await main.getByRole("button", { name: t("profile.link"), exact: true }).click();
    await page.getByTestId("rk-auth-message-button").click();
    await expect(sheet).toContainText(t("wallet.demo.link.title"));
    await expect(sheet).toContainText(new URL(origin).host);
    await sheet.getByRole("button", { name: t("wallet.demo.sign"), exact: true }).click();
    await expect(toasts(page)).toContainText(t("dialog.linked"));
    await expect(main.getByText(t("profile.record.bound"))).toBeVisible();

    // The faucet fills it, and it deposits.
    await page.goto("/portfolios");
    await button("transact.faucet.money").click();
    await expect(main.getByText(/tUSD.*ETH/)).toBeVisible();
    await page.goto("/product/aegean-water");
    const panel = page.getByTestId("action-panel");
    await panel.getByRole("textbox").first().fill("100");
    await panel.getByRole("button", { name: /100/ }).last().click();
    await sheet.getByRole("button", { name: t("wallet.demo.sign"), exact: true }).click();
    await sheet.getByRole("button", { name: t("wallet.demo.send"), exact: true }).click();
    await expect(panel.getByText(/100.*tUSD/).first()).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);

    // Another wallet replaces it, for which the first one is disconnected.
    await header.getByRole("button", { name: t("menu.wallet", { address: "" }).trim() }).click();
    await header.getByRole("button", { name: t("menu.disconnect"), exact: true }).click();
    await connect().click();
    await page.getByTestId("rk-wallet-option-test.wallet").click();
    const offer = page.getByRole("dialog", { name: t("dialog.switch.title") });
    await expect(offer).toContainText(`${email.slice(0, 20)}…`);
    await offer.getByRole("button", { name: t("dialog.switch.confirm") }).click();
    await page.getByTestId("rk-auth-message-button").click();
    await expect(toasts(page)).toContainText(t("dialog.switchedNext"));
    await expect(connect()).toBeEnabled();

    // When it is connected again, it belongs to the account, so no question appears.
    await connect().click();
    await page.getByTestId("rk-wallet-option-test.wallet").click();
    await expect(header.getByText(`${wallet.address.slice(0, 5)}…${wallet.address.slice(-4)}`)).toBeVisible();
    await expect.poll(() => page.evaluate(() => localStorage.getItem("checkAddress"))).toBe("true");
    await expect(page.getByRole("dialog")).toHaveCount(0);

    // After the log-out, nothing of the account is left.
    await header.getByRole("button", { name: t("menu.account", { email }) }).click();
    const reloaded = page.waitForEvent("load");
    await header.getByRole("button", { name: t("menu.logOut"), exact: true }).click();
    await reloaded;
    await expect(header.getByRole("link", { name: t("shell.signUp") })).toBeVisible();
    expect(await page.evaluate(() => [localStorage.getItem("token"), localStorage.getItem("email")])).toEqual([
      null,
      null,
    ]);
  });
}
