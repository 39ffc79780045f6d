import { mnemonicToAccount } from "viem/accounts";
import { connect, expectConnected } from "./support/app";
import { expect, test } from "./support/test";

const demo = mnemonicToAccount("test test test test test test test test test test test junk", { addressIndex: 20 });
const rdns = "org.aqua.demo";

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
  await expect(panel.getByText("Your 300 tUSD are in.")).toBeVisible();

  await panel.getByRole("tab", { name: "Withdraw" }).click();
  await panel.getByLabel("Amount to withdraw").fill("100");
  await panel.getByRole("button", { name: "Withdraw 100" }).click();
  await sheet.getByRole("button", { name: "Reject" }).click();
  await expect(panel.getByRole("button", { name: "Withdraw 100" })).toBeEnabled();
  await panel.getByRole("button", { name: "Withdraw 100" }).click();
  await sheet.getByRole("button", { name: "Send" }).click();
  await expect(panel.getByText("Your 100 tUSD are in your wallet.")).toBeVisible();
});

test("the demo wallet connects, deposits and disconnects by keyboard alone", async ({ page }) => {
  await page.goto("/product/aegean-water");
  const press = (key: string) => page.keyboard.press(key);
  /** Tabs until the focused element has this accessible name. */
  const tabTo = async (name: RegExp) => {
    for (let step = 0; step < 80; step++) {
      await press("Tab");
      const focused = page.locator(":focus");
      if ((await focused.count()) === 0) continue;
      const text = await focused.evaluate((element) =>
        [
          element.getAttribute("aria-label"),
          element.textContent,
          ...[...((element as HTMLInputElement).labels ?? [])].map((label) => label.textContent),
        ].join(" "),
      );
      if (name.test(text)) return;
    }
    throw new Error(`Nothing named ${name} can be reached with the Tab key.`);
  };

  await tabTo(/Connect Wallet/);
  await press("Enter");
  await expect(page.getByTestId(`rk-wallet-option-${rdns}`)).toBeVisible();
  await tabTo(/Aqua Demo Wallet/);
  await press("Enter");
  await expectConnected(page, demo.address);

  await tabTo(/Amount to deposit/);
  await page.keyboard.type("50");
  await press("Enter");
  const sheet = page.getByRole("dialog", { name: "Aqua Demo Wallet" });
  await expect(sheet).toBeVisible();
  await tabTo(/^\s*Sign\s*$/);
  await press("Enter");
  await expect(sheet.getByRole("button", { name: "Send" })).toBeVisible();
  await tabTo(/^\s*Send\s*$/);
  await press("Enter");
  await expect(page.getByText("Your 50 tUSD are in.")).toBeVisible();
});
