import type { Page } from "@playwright/test";
import { connect, expectConnected } from "./support/app";
import { widths } from "./support/pages";
import { origin } from "./support/ports";
import { expect, repeatedIf, test } from "./support/test";

const header = (page: Page) => page.getByRole("banner");
const connectButton = (page: Page) => header(page).getByRole("button", { name: "Connect Wallet" });
const toasts = (page: Page) => page.getByRole("region", { name: /^Notifications/ }).getByRole("listitem");
const shorten = (address: string, lead: number) => `${address.slice(0, lead)}…${address.slice(-4)}`;

/** The wallet's menu, once it is open. */
const menu = (page: Page) => header(page).locator(".panel");

function never(): never {
  throw new Error("The wallet has no account");
}

async function openMenu(page: Page, address: string) {
  await header(page)
    .getByRole("button", { name: `Wallet ${shorten(address, 5)}` })
    .click();
}

for (const width of widths) {
  test.describe(`at ${width} px`, repeatedIf(width !== 360), () => {
    test.use({ viewport: { width, height: 800 }, permissions: ["clipboard-read", "clipboard-write"] });

    test("a wallet connects, shows its short address, copies it and disconnects", async ({ page, wallet }) => {
      await page.goto("/about");
      await connect(page, "test.wallet", wallet.address);
      const button = header(page).getByRole("button", { name: `Wallet ${shorten(wallet.address, 5)}` });
      await expect(button).toHaveText(shorten(wallet.address, 5));
      await expect(button).toBeInViewport({ ratio: 1 });
      await expect(connectButton(page)).toHaveCount(0);

      await openMenu(page, wallet.address);
      const item = (name: string, role: "button" | "link" = "button") => menu(page).getByRole(role, { name });
      await expect(item("Log in", "link")).toHaveAttribute("href", "/sign-in");
      await expect(item("My Assets", "link")).toHaveAttribute("href", "/portfolios");
      await expect(item("Account Details", "link")).toHaveCount(0);
      await expect(item("Log out")).toHaveCount(0);
      await expect(item("Disconnect")).toBeInViewport({ ratio: 1 });

      await item("Copy Address").click();
      await expect(toasts(page)).toHaveText("Copy Success");
      await expect(toasts(page)).toBeInViewport({ ratio: 1 });
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(wallet.address);

      await openMenu(page, wallet.address);
      await item("My Assets", "link").click();
      await expect(page).toHaveURL("/portfolios");
      await expect(page.getByRole("main")).toContainText("Your wallet");

      await openMenu(page, wallet.address);
      await item("Disconnect").click();
      await expect(connectButton(page)).toBeVisible();
      await page.reload();
      await expect(connectButton(page)).toBeEnabled();
      await expect(page.getByRole("main")).toContainText("No wallet connected");
    });
  });
}

test.describe("toasts", () => {
  test.use({ permissions: ["clipboard-read", "clipboard-write"] });

  test("are one at a time, last 5000 ms, take focus on F8 and give it back", async ({ page, wallet }) => {
    await page.clock.install();
    await page.goto("/about");
    await connect(page, "test.wallet", wallet.address);
    const copy = async () => {
      await openMenu(page, wallet.address);
      await header(page).getByRole("button", { name: "Copy Address" }).click();
      await expect(toasts(page)).toHaveText("Copy Success");
    };
    // The first toast also loads the code of the toast area. From the second on, only time matters.
    await copy();
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 2_000));
    await copy();
    await page.clock.runFor(3_000);
    // A newer toast replaces the older one and lasts for its own 5000 ms.
    await copy();
    await expect(toasts(page)).toHaveCount(1);
    await page.mouse.move(5, 700);
    await page.clock.runFor(4_900);
    await expect(toasts(page)).toHaveCount(1);
    await page.clock.runFor(200);
    await expect(toasts(page)).toHaveCount(0);

    await copy();
    const before = header(page).getByRole("button", { name: /^Wallet/ });
    await expect(before).toBeFocused();
    await page.keyboard.press("F8");
    await expect(page.getByRole("region", { name: /^Notifications/ }).locator(":focus")).toHaveCount(1);
    await page.keyboard.press("Tab");
    await expect(toasts(page)).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(toasts(page)).toHaveCount(0);
    await expect(before).toBeFocused();
  });

  test("are dismissed by a swipe of 50 pixels and return after a shorter one", async ({ page, wallet }) => {
    await page.goto("/about");
    await connect(page, "test.wallet", wallet.address);
    await openMenu(page, wallet.address);
    await header(page).getByRole("button", { name: "Copy Address" }).click();
    await expect(toasts(page)).toHaveText("Copy Success");
    await toasts(page).evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
    const swipe = async (by: number) => {
      const box = await toasts(page).boundingBox();
      if (!box) throw new Error("The toast is gone.");
      const [x, y] = [box.x + 60, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + by / 2, y, { steps: 5 });
      await page.mouse.move(x + by, y, { steps: 5 });
      await page.mouse.up();
    };
    await swipe(40);
    await expect(toasts(page)).toHaveAttribute("data-swipe", "cancel");
    await expect(toasts(page)).toHaveText("Copy Success");
    await swipe(70);
    await expect(toasts(page)).toHaveCount(0);
  });
});

test("the menu of a logged-in visitor has account details and log out, which deletes the log-in and reloads", async ({
  page,
  wallet,
}) => {
  await wallet.provide();
  await page.goto("/about");
  await connect(page, "test.wallet", wallet.address);
  await page.evaluate(({ token, email }) => {
    localStorage.setItem("token", token);
    localStorage.setItem("email", email);
    localStorage.setItem("app-theme", "dark");
  }, wallet.session ?? never());
  await page.reload();
  await expectConnected(page, wallet.address);
  await openMenu(page, wallet.address);
  await expect(menu(page).getByRole("link", { name: "Account Details" })).toHaveAttribute("href", "/account");
  await expect(header(page).getByRole("link", { name: "Log in" })).toHaveCount(0);
  const reloaded = page.waitForEvent("load");
  await menu(page).getByRole("button", { name: "Log out" }).click();
  await reloaded;
  await expectConnected(page, wallet.address);
  const stored = await page.evaluate(() => ["token", "email", "app-theme"].map((key) => localStorage.getItem(key)));
  expect(stored).toEqual([null, null, "dark"]);
  const dead = await fetch(`${origin}/api/v2/account/info`, {
    headers: { authorization: `Bearer ${wallet.session?.token}` },
  });
  expect(dead.status).toBe(401);
});

test("a change of language leaves the wallet connected", async ({ page, wallet }) => {
  await page.goto("/about");
  await connect(page, "test.wallet", wallet.address);
  await header(page).getByRole("button", { name: "Language: English" }).click();
  await header(page).getByRole("button", { name: "Français" }).click();
  await expect(header(page).getByRole("link", { name: "Produits" })).toBeVisible();
  await header(page)
    .getByRole("button", { name: `Portefeuille ${shorten(wallet.address, 5)}` })
    .click();
  // The wallet kit itself is still connected: its dialog shows the account.
  await menu(page).getByRole("button", { name: "Solde et transactions" }).click();
  await expect(page.getByTestId("rk-disconnect-button")).toBeVisible();
});
