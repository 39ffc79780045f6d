import { register } from "../../devnet/src/person.ts";
import { codeFor, expectSound, logInAs, newEmail, password } from "./support/account";
import { demo } from "./support/app";
import { interceptThroughout } from "./support/network";
import { origin } from "./support/ports";
import { expect, repeatedIf, test } from "./support/test";

for (const width of [360, 1440]) {
  test.describe(`at ${width} px`, repeatedIf(width !== 360), () => {
    test.use({ viewport: { width, height: 800 } });

    test("a visitor registers with a mailed code, logs out, and returns to the previous page at the next log-in", async ({
      page,
      context,
      clean,
    }) => {
      // A refusal of the server is an entry in the browser's console.
      clean.allow(/status of 40[01]/);
      const email = newEmail();
      const main = page.getByRole("main");
      await page.goto("/sign-up?next=%2Fproducts");
      await main.getByLabel("E-mail").fill("ada");
      await page.keyboard.press("Enter");
      await expect(main.getByLabel("E-mail")).toBeFocused();
      await expect(main.getByLabel("E-mail")).toHaveAccessibleDescription(/Enter a complete e-mail/);
      await expectSound(page, "a wrong e-mail");
      await main.getByLabel("E-mail").fill(email);
      await page.keyboard.press("Enter");

      const code = main.getByLabel("Code from the e-mail");
      await expect(code).toBeFocused();
      await expect(code).toHaveAccessibleDescription(new RegExp(email));
      const right = await codeFor(email);
      await code.fill(right === "000000" ? "000001" : "000000");
      await expect(code).toHaveAccessibleDescription(/This code is wrong/);
      await expectSound(page, "a wrong code");

      const [outbox] = await Promise.all([
        context.waitForEvent("page"),
        main.getByRole("link", { name: /Read it in the outbox/ }).click(),
      ]);
      await expect(outbox.getByRole("heading", { name: /code/ })).toBeVisible();
      await expect(outbox.getByText(right, { exact: true })).toBeVisible();
      // A frame without permissions, which the page's policy allows.
      await expect(outbox.frameLocator("iframe").getByText(right)).toBeVisible();
      await outbox.getByText("Text", { exact: true }).click();
      await expect(outbox.locator("pre")).toContainText(right);
      await expectSound(outbox, "the outbox");
      await outbox.close();

      // A reload preserves the typed text that may be stored.
      await page.reload();
      await code.fill(`${right.slice(0, 3)} ${right.slice(3)}`);
      const secret = main.getByLabel("New password");
      await expect(secret).toBeFocused();
      await secret.fill("password1");
      await expect(main.getByText("Very weak")).toBeVisible();
      await main.getByLabel("Country of residence").selectOption({ label: "Senegal" });
      await main.getByRole("button", { name: "Sign up" }).click();
      await expect(secret).toHaveAccessibleDescription(/too common/);
      await expectSound(page, "a weak password");
      await secret.fill(password);
      await page.keyboard.press("Enter");
      await expect(main.getByRole("heading", { name: "Your account is ready" })).toBeFocused();
      await expectSound(page, "the new account");
      await main.getByRole("link", { name: "Verify your identity" }).click();
      await expect(main.getByRole("heading", { name: "My Account" })).toBeVisible();

      // The page shows the log-out first, and reloads when the server has confirmed it.
      const reloaded = page.waitForEvent("load");
      await main.getByRole("button", { name: "Log out", exact: true }).click();
      await expect(main.getByRole("heading", { name: "Log in to see your account" })).toBeVisible();
      await reloaded;
      await page.goto("/sign-in?next=%2Fportfolios");
      await main.getByLabel("E-mail").fill(email);
      await main.getByLabel("Password", { exact: true }).fill("not your account’s password");
      await page.keyboard.press("Enter");
      await expect(main.getByRole("alert")).toHaveText("E-mail or password is wrong.");
      await expectSound(page, "a wrong password");
      await main.getByLabel("Password", { exact: true }).fill(password);
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL("/portfolios");
      await page.goto("/sign-in");
      await expect(main.getByRole("heading", { name: "You are logged in" })).toBeVisible();
      await expectSound(page, "somebody logged in at /sign-in");
    });

    test("a lost password is replaced with a code, and every log-in of the account ends", async ({
      page,
      browser,
      clean,
    }) => {
      // The ended session causes one more question.
      clean.allow(/status of 401/);
      const { email } = await logInAs(page);
      await page.goto("/account");
      await expect(page.getByRole("heading", { name: "Active log-ins" })).toBeVisible();

      const elsewhere = await browser.newPage({ viewport: { width, height: 800 } });
      await elsewhere.goto("/forgot-password");
      await elsewhere.getByRole("main").getByLabel("E-mail").fill(email);
      await elsewhere.keyboard.press("Enter");
      const code = elsewhere.getByLabel("Code from the e-mail");
      await expect(code).toBeFocused();
      await code.fill(await codeFor(email, 2));
      await elsewhere.getByLabel("New password").fill("a dozen grey seals on the sand");
      await elsewhere.keyboard.press("Enter");
      await expect(elsewhere.getByRole("heading", { name: "Your password is changed" })).toBeVisible();
      await expectSound(elsewhere, "the new password");
      await elsewhere.getByRole("main").getByRole("link", { name: "Log in" }).click();
      await expect(elsewhere.getByLabel("E-mail")).toHaveValue(email);
      await elsewhere.getByLabel("Password", { exact: true }).fill("a dozen grey seals on the sand");
      await elsewhere.keyboard.press("Enter");
      await expect(elsewhere).toHaveURL("/account");
      await elsewhere.close();

      await page.reload();
      await expect(page.getByRole("heading", { name: "Log in to see your account" })).toBeVisible();
      expect(await page.evaluate(() => localStorage.getItem("token"))).toBeNull();
    });
  });
}

test("the address of a wallet that can still log in stays within its notice after a new password", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 800 });
  const { email } = await register(origin, { email: newEmail(), password, country: "SN", name: "Ada Lovelace" });
  const wallets = [{ address: demo.address, current: true, create_time: Date.now(), bindings: [] }];
  await page.route("**/api/v2/account/reset-password", async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: object };
    await route.fulfill({ response, json: { data: { ...data, wallets } } });
  });
  await page.goto("/forgot-password");
  const main = page.getByRole("main");
  await main.getByLabel("E-mail").fill(email);
  await page.keyboard.press("Enter");
  await main.getByLabel("Code from the e-mail").fill(await codeFor(email, 2));
  await main.getByLabel("New password").fill("a dozen grey seals on the sand");
  await page.keyboard.press("Enter");
  const line = main.locator("p", { hasText: demo.address });
  await expect(line).toBeVisible();
  expect(await line.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
});

test("a form distinguishes a server that does not answer from one that refuses, and the next try works", async ({
  page,
  clean,
}) => {
  clean.allow(/net::ERR_FAILED|status of 429/);
  await interceptThroughout(page);
  await page.goto("/sign-in");
  const main = page.getByRole("main");
  await main.getByLabel("E-mail").fill("nobody@example.com");
  await main.getByLabel("Password", { exact: true }).fill("whatever it is");
  await page.route("**/api/v2/account/login", (route) => route.abort());
  await page.keyboard.press("Enter");
  await expect(main.getByRole("alert")).toContainText("The server did not answer. Your entries are kept");
  await page.unroute("**/api/v2/account/login");
  await page.route("**/api/v2/account/login", (route) =>
    route.fulfill({
      status: 429,
      json: {
        error_code: "too_many_requests",
        message: "There were too many attempts",
        request_id: "r-1",
        retry_after: 90,
      },
    }),
  );
  await page.keyboard.press("Enter");
  await expect(main.getByRole("alert")).toHaveText("There were too many attempts. Try again in 2 min.");
  await expect(main.getByLabel("Password", { exact: true })).toHaveValue("whatever it is");
});
