import { connect } from "./support/app";
import { overflow, widths } from "./support/pages";
import { expect, test } from "./support/test";

/**
 * From this width on, the header has room for a visitor's links. Below it they are in the account's menu, on phones in
 * the drawer.
 */
const linksFrom = 1280;

for (const width of widths) {
  test.describe(`the account's part of the header at ${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test("offers a visitor to log in and to sign up", async ({ page }) => {
      await page.goto("/about");
      const header = page.getByRole("banner");
      if (width < 768) await header.getByRole("button", { name: "Open menu" }).click();
      else if (width < linksFrom) await header.getByRole("button", { name: "Account" }).click();
      else await expect(header.getByRole("button", { name: "Account" })).toBeHidden();
      const place = width < 768 ? page.getByRole("dialog", { name: "Menu" }) : header;
      await expect(place.getByRole("link", { name: "Log in" })).toHaveAttribute("href", "/sign-in");
      await place.getByRole("link", { name: "Sign up" }).click();
      await expect(page).toHaveURL("/sign-up");
      expect(await overflow(page)).toBe(0);
    });

    test("offers who is logged in account, profile, settings, assets and log out, with and without a wallet", async ({
      page,
      wallet,
    }) => {
      await wallet.provide();
      await page.goto("/about");
      await page.evaluate((session) => {
        for (const [key, value] of Object.entries(session ?? {})) localStorage.setItem(key, value);
      }, wallet.session);
      await page.reload();
      const header = page.getByRole("banner");
      const open = async () => {
        if (width < 768) await header.getByRole("button", { name: "Open menu" }).click();
        else await header.getByRole("button", { name: `Account ${wallet.session?.email}` }).click();
      };
      const place = width < 768 ? page.getByRole("dialog", { name: "Menu" }) : header;
      const expectItems = async () => {
        await open();
        await expect(place.getByRole("link", { name: "My Account" })).toHaveAttribute("href", "/account");
        await expect(place.getByRole("link", { name: "My Assets" })).toHaveAttribute("href", "/portfolios");
        await expect(place.getByRole("link", { name: "Profile" })).toHaveAttribute("href", "/account#profile");
        await expect(place.getByRole("button", { name: "Log out" })).toBeAttached();
        await expect(place.getByRole("link", { name: "Log in" })).toHaveCount(0);
        expect(await overflow(page)).toBe(0);
      };
      await expectItems();
      await page.keyboard.press("Escape");
      await connect(page, "test.wallet", wallet.address);
      await expectItems();
      await place.getByRole("link", { name: "Settings" }).click();
      await expect(page).toHaveURL("/account#settings");
      await expect(page.locator("#settings")).toBeInViewport();
    });
  });
}
