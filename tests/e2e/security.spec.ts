import type { Page } from "@playwright/test";
import { expectSound, logInAs, password } from "./support/account";
import { api } from "./support/app";
import { addAuthenticator } from "./support/authenticator";
import { expect, test } from "./support/test";

const security = (page: Page) => page.getByRole("region", { name: "Security" });

async function logOut(page: Page) {
  await page.goto("/account");
  const reloaded = page.waitForEvent("load");
  await page.getByRole("main").getByRole("button", { name: "Log out", exact: true }).first().click();
  await reloaded;
}

test("a passkey is made, logs in without the password, is lost, and a recovery code takes its place", async ({
  page,
  clean,
}) => {
  clean.allow(/status of 40[013]/);
  const devices = await page.context().newCDPSession(page);
  const device = await addAuthenticator(devices);
  const { email } = await logInAs(page);
  await page.goto("/account");
  await expect(security(page).getByRole("button", { name: "Add a passkey" })).toBeVisible();
  await expectSound(page, "the security of an account");

  await security(page).getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Name of the passkey").fill("Phone");
  await page.keyboard.press("Enter");
  const codes = page.getByRole("dialog", { name: "Your recovery codes" });
  await expect(codes.getByRole("listitem")).toHaveCount(8);
  await expectSound(page, "recovery codes", "[role=dialog]");
  const code = (await codes.getByRole("listitem").first().textContent()) ?? "";
  await codes.getByRole("button", { name: "Done" }).click();
  await expect(security(page).getByText("Phone", { exact: true })).toBeVisible();
  await expect(security(page).getByText("Passkey added")).toBeVisible();

  // Logs in without the password.
  await device.present(false);
  await logOut(page);
  await page.goto("/sign-in?next=%2Fabout");
  await expect(page.getByLabel("E-mail")).toHaveAttribute("autocomplete", "username webauthn");
  const button = page.getByRole("button", { name: "Use a passkey" });
  await expect(button).toBeVisible();
  await device.present(true);
  // The e-mail field's autofill may be answered first, and then the form has disappeared.
  const logged = page.waitForURL(/\/about$/);
  await Promise.race([logged, button.click().then(() => logged)]);
  await expect(page).toHaveURL(/\/about$/);
  expect(await page.evaluate(() => localStorage.getItem("email"))).toBe(email);

  // After the loss of the device, the password alone does not suffice, but a recovery code helps.
  await logOut(page);
  await devices.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId: device.id });
  await page.goto("/sign-in?next=%2Faccount");
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("main").getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Second factor" })).toBeVisible();
  await expectSound(page, "the second factor");
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill(code);
  await page.keyboard.press("Enter");
  await security(page).getByRole("button", { name: "Remove Phone" }).click();
  await expect(security(page).getByRole("button", { name: "Remove Phone" })).toHaveCount(0);

  // Every step was reported to the owner by mail.
  const subjects = async () =>
    (await api<{ subject: string }[]>(`dev/outbox?to=${encodeURIComponent(email)}`)).map(({ subject }) => subject);
  await expect
    .poll(subjects)
    .toEqual(
      expect.arrayContaining([
        "A new way to confirm was added to your Aqua account",
        "A recovery code of your Aqua account was used",
        "A way to confirm was removed from your Aqua account",
      ]),
    );
});
