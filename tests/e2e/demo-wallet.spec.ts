import { privateKeyToAccount } from "viem/accounts";
import { connect, demo, expectAddress, expectConnected, offer, demoWallet as rdns } from "./support/app";
import { violations } from "./support/axe";
import { expect, moving, test } from "./support/test";

test.use(moving);

test("the demo wallet deposits and withdraws by mouse", async ({ page }) => {
  await page.goto("/product/aegean-water");
  await connect(page, rdns, demo.address);
  const panel = page.getByRole("region", { name: "Deposit or withdraw" });

  await panel.getByLabel("Amount to deposit").fill("300");
  await panel.getByRole("button", { name: "Deposit 300" }).click();
  const sheet = page.getByRole("dialog", { name: "Aqua Demo Wallet" });
  await expect(sheet).toContainText("300");
  await sheet.getByRole("button", { name: "Sign" }).click();
  await sheet.getByRole("button", { name: "Send" }).click();
  await expect(panel.getByText("You deposited 300.00 tUSD.")).toBeVisible();

  await panel.getByRole("tab", { name: "Withdraw" }).click();
  await panel.getByLabel("Amount to withdraw").fill("100");
  await panel.getByRole("button", { name: "Withdraw 100" }).click();
  await sheet.getByRole("button", { name: "Reject" }).click();
  await expect(panel.getByRole("button", { name: "Withdraw 100" })).toBeEnabled();
  await panel.getByRole("button", { name: "Withdraw 100" }).click();
  await sheet.getByRole("button", { name: "Send" }).click();
  await expect(panel.getByText("You withdrew 100.00 tUSD.")).toBeVisible();
});

test("the demo wallet connects, deposits and disconnects by keyboard alone", async ({ page }) => {
  await page.goto("/product/aegean-water");
  const press = (key: string) => page.keyboard.press(key);
  /** Tabs until the focused element has this accessible name. */
  const tabTo = async (name: RegExp) => {
    for (let step = 0; step < 80; step++) {
      await press("Tab");
      const text = await page.evaluate(() => {
        const focused = document.activeElement;
        // Skips a dialog that has just received the focus: its text contains the names of everything in it.
        if (!focused?.matches("a, button, input")) return "";
        const labels = [...((focused as HTMLInputElement).labels ?? [])].map((label) => label.textContent);
        return [focused.getAttribute("aria-label"), focused.textContent, ...labels].join(" ");
      });
      if (name.test(text)) return;
    }
    throw new Error(`Nothing named ${name} can be reached with the Tab key.`);
  };

  await tabTo(/Connect Wallet/);
  await press("Enter");
  await expect(page.getByTestId(`rk-wallet-option-${rdns}`)).toBeVisible();
  await tabTo(/Aqua Demo Wallet/);
  await press("Enter");
  await expect(page.getByTestId("demo-wallet-sheet")).toBeVisible();
  await tabTo(/Demo account/);
  await press("Enter");
  await expectConnected(page, demo.address);

  await tabTo(/Amount to deposit/);
  await page.keyboard.type("50");
  await press("Enter");
  const sheet = page.getByRole("dialog", { name: "Aqua Demo Wallet" });
  for (const name of ["Sign", "Send"]) {
    // The button must not be enabled before the request is shown.
    await expect(sheet.getByRole("button", { name, exact: true })).toBeEnabled();
    await tabTo(new RegExp(`^\\s*${name}\\s*$`));
    await press("Enter");
  }
  await expect(page.getByText("You deposited 50.00 tUSD.")).toBeVisible();
});

test("an account of this browser is created on choice, survives a reload and a new connection, and another can be chosen", async ({
  page,
}) => {
  await page.goto("/about");
  const choose = async (name: string) => {
    // The identity check of the former wallet does not apply to this one.
    await page.evaluate(() => localStorage.removeItem("checkAddress"));
    await page.getByRole("banner").getByRole("button", { name: "Connect Wallet" }).click();
    await page.getByTestId(`rk-wallet-option-${rdns}`).click();
    await page.getByRole("button", { name }).click();
  };
  const key = () => page.evaluate(() => localStorage.getItem("aqua-demo-wallet.key"));
  const shown = () => page.getByRole("banner").getByRole("button", { name: /^Wallet/ });
  await choose("A new wallet in this browser");
  await expect(offer(page)).toBeVisible();
  await page.keyboard.press("Escape");
  const own = privateKeyToAccount((await key()) as `0x${string}`).address;
  await expectAddress(page, own);

  await page.reload();
  await expectConnected(page, own);
  await shown().click();
  await page.getByRole("banner").getByRole("button", { name: "Disconnect" }).click();
  await choose("Demo account");
  await expectConnected(page, demo.address);
  await shown().click();
  await page.getByRole("banner").getByRole("button", { name: "Disconnect" }).click();
  await choose("A new wallet in this browser");
  await expectAddress(page, own);
});

test("Escape rejects a request of the demo wallet and leaves the kit's dialog below unchanged", async ({ page }) => {
  await page.goto("/about");
  await page.getByRole("banner").getByRole("button", { name: "Connect Wallet" }).click();
  await page.getByTestId(`rk-wallet-option-${rdns}`).click();
  const sheet = page.getByTestId("demo-wallet-sheet");
  await expect(sheet).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await expect(page.getByRole("dialog", { name: "Connect a Wallet" })).toBeVisible();
  await expect(page.getByRole("banner").getByRole("button", { name: "Connect Wallet" })).toBeAttached();
});
