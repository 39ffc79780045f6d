import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expectSound, logInAs, password, picture } from "./support/account";
import { expectAddress } from "./support/app";
import { expectLoaded } from "./support/pages";
import { origin } from "./support/ports";
import { expect, repeatedIf, test } from "./support/test";

const identity = (page: Page) => page.getByRole("region", { name: "Identity" });
const wallets = (page: Page) => page.getByRole("region", { name: "Wallets" });

/** Fills in and sends the identity form. The name determines the sandbox's decision. */
async function submit(page: Page, name: string) {
  const form = identity(page);
  await form.getByLabel("Full name").fill(name);
  await form.getByLabel("Date of birth").fill("1990-12-10");
  await form.getByLabel("Kind of document").selectOption("passport");
  await form.getByLabel(/^Photo or scan/).setInputFiles(picture);
  await form.getByRole("button", { name: "Submit for checking" }).click();
}

for (const width of [360, 1440]) {
  test.describe(`at ${width} px`, repeatedIf(width !== 360), () => {
    test.use({ viewport: { width, height: 800 } });

    test("an identity is submitted, rejected with the reason, submitted anew and verified without a reload", async ({
      page,
    }) => {
      await logInAs(page);
      await page.goto("/account");
      await expect(identity(page).getByText("3 steps to deposit")).toBeVisible();
      await expect(identity(page).getByLabel("Full name")).toBeVisible();
      await expectLoaded(page);
      await expectSound(page, "an account without anything");

      await identity(page).getByRole("button", { name: "Submit for checking" }).click();
      await expect(identity(page).getByLabel("Full name")).toBeFocused();
      await expectSound(page, "an empty submission");
      const document = identity(page).getByLabel(/^Photo or scan/);
      await document.setInputFiles({ ...picture, mimeType: "text/plain", name: "notes.txt" });
      await expect(identity(page).getByText(/^Choose a JPEG, PNG or PDF/)).toBeVisible();
      await submit(page, "Test Rejected");
      await expect(identity(page).getByText("Your documents are being checked")).toBeVisible();
      await expectSound(page, "a check under way");
      await expect(identity(page).getByText("Your documents were not accepted")).toBeVisible();
      await expect(identity(page).getByText(/^Reason: /)).toBeVisible();
      await expectSound(page, "a rejected identity");

      await submit(page, "Test Verified");
      await expect(identity(page).getByText(/^Verified until /)).toBeVisible();
      await expect(identity(page).getByText("2 steps to deposit")).toBeVisible();
      await expectSound(page, "a verified identity");
    });

    test("a wallet is linked with one signature and recorded on the chain", async ({ page, wallet }) => {
      await logInAs(page);
      await page.goto("/account");
      await identity(page).getByLabel("Full name").waitFor();
      await submit(page, "Test Verified");
      await expect(identity(page).getByText(/^Verified until /)).toBeVisible();
      // At /account, the page itself offers the actions, so no dialog opens.
      await page.getByRole("banner").getByRole("button", { name: "Connect Wallet" }).click();
      await page.getByTestId("rk-wallet-option-test.wallet").click();
      await expectAddress(page, wallet.address);
      await wallets(page).getByRole("button", { name: "Link this wallet" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Sign message" }).click();
      await expect(wallets(page).getByText("Current")).toBeVisible();
      await expect(wallets(page).getByText("recorded, can deposit")).toBeVisible();
      await expect(identity(page).getByText("This account can deposit")).toBeVisible();
      await expectSound(page, "an account with a recorded wallet");
    });

    test("log-ins are ended, the data downloaded and the account deleted", async ({ page, clean }) => {
      clean.allow(/status of 401/);
      const { email } = await logInAs(page);
      const again = await fetch(`${origin}/api/v2/account/login`, {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": "Mozilla/5.0 (X11; Linux) Firefox/128.0" },
        body: JSON.stringify({ email, password }),
      });
      expect(again.ok).toBe(true);
      await page.goto("/account");
      const logIns = page.getByRole("region", { name: "Active log-ins" });
      await expect(logIns.getByRole("listitem")).toHaveCount(2);
      await logIns.getByRole("button", { name: "Log out Firefox, Linux" }).click();
      await expect(logIns.getByRole("listitem")).toHaveCount(1);

      const data = page.getByRole("region", { name: "Your data" });
      const download = page.waitForEvent("download");
      await data.getByRole("button", { name: "Download my data" }).click();
      const file = await download;
      expect(file.suggestedFilename()).toBe("aqua-account.json");
      expect(JSON.parse(readFileSync(await file.path(), "utf8"))).toMatchObject({ account: { email, country: "SN" } });

      await data.getByRole("button", { name: "Delete account" }).click();
      const dialog = page.getByRole("dialog", { name: "Delete account" });
      await dialog.getByLabel("Type “delete” to confirm").fill("delete");
      await dialog.getByLabel("Password", { exact: true }).fill("not your account’s password");
      await page.keyboard.press("Enter");
      await expect(dialog.getByLabel("Password", { exact: true })).toHaveAccessibleDescription(/Wrong password/);
      await expectSound(page, "a deletion refused", "[role=dialog]");
      await dialog.getByLabel("Password", { exact: true }).fill(password);
      await page.keyboard.press("Enter");
      await expect(page.getByRole("heading", { name: "Log in to see your account" })).toBeVisible();
      const gone = await page.request.post("/api/v2/account/login", { data: { email, password } });
      expect(gone.status()).toBe(401);
    });
  });
}
