import type { Page } from "@playwright/test";
import { connect, expectConnected } from "./support/app";
import { violations } from "./support/axe";
import { stopClock, wideFrom, widths } from "./support/pages";
import { expect, repeatedIf, test } from "./support/test";

const header = (page: Page) => page.getByRole("banner");
const connectButton = (page: Page) => header(page).getByRole("button", { name: "Connect Wallet" });
const dialog = (page: Page) => page.getByRole("dialog");
const option = (page: Page, id: string) => page.getByTestId(`rk-wallet-option-${id}`);

async function fromMenu(page: Page, name: string | RegExp) {
  await header(page)
    .getByRole("button", { name: /^Wallet / })
    .click();
  await header(page).getByRole("button", { name }).click();
}

/** Expects every control of the open dialog inside the window, after the dialog's animations. */
async function expectInside(page: Page, width: number) {
  await expect(async () => {
    const edges = await dialog(page).evaluate((element) =>
      [...element.querySelectorAll("button")].map((button) => {
        const { left, right } = button.getBoundingClientRect();
        return { left, right };
      }),
    );
    expect(edges.length).toBeGreaterThan(0);
    expect(
      edges.filter(({ left, right }) => left < 0 || right > width),
      "a button hangs over an edge",
    ).toEqual([]);
  }).toPass();
}

/** Checks at each frame for elements beyond the page's right edge. Returns a function that returns those found. */
async function watchRightEdge(page: Page): Promise<() => Promise<string[]>> {
  const found = await page.evaluateHandle(() => {
    const texts = new Set<string>();
    const look = () => {
      for (const button of document.querySelectorAll("[role=dialog] button"))
        if (button.getBoundingClientRect().right > innerWidth) texts.add(button.textContent ?? "");
      requestAnimationFrame(look);
    };
    look();
    return texts;
  });
  return () => found.evaluate((texts) => [...texts]);
}

for (const width of widths) {
  test.describe(`at ${width} px`, repeatedIf(width !== 360), () => {
    test.use({ viewport: { width, height: 800 } });

    test("the connect dialog groups the wallets, says which are missing and why, and helps to get one", async ({
      page,
      wallet,
    }) => {
      await page.goto("/about");
      const overEdge = await watchRightEdge(page);
      await connectButton(page).click();
      await expect(dialog(page)).toContainText("Installed");
      await expect(dialog(page)).toContainText("Popular");
      await expect(option(page, "test.wallet")).toHaveText("Test Wallet");
      await expect(option(page, "org.aqua.demo")).toHaveText("Aqua Demo Wallet");
      for (const id of ["trust", "metaMask", "okx"]) await expect(option(page, id)).toBeVisible();
      // No WalletConnect project is configured in this world, so these options are missing, and the dialog says so.
      for (const id of ["walletConnect", "imToken"]) await expect(option(page, id)).toHaveCount(0);
      await expect(dialog(page)).toContainText("This site has no WalletConnect. Use a wallet in this browser.");
      await expectInside(page, width);
      // Any filter, even one without effect, makes the browser redraw the content behind it at every frame.
      const filtered = await page.evaluate(() =>
        [...document.querySelectorAll("*")]
          .filter((element) => getComputedStyle(element).backdropFilter !== "none")
          .map((element) => element.outerHTML.slice(0, 200)),
      );
      expect(filtered).toEqual([]);

      if (width < wideFrom) {
        // In the compact layout, the introduction is a separate step with a way back.
        await dialog(page).getByRole("button", { name: "Info" }).click();
      }
      await expect(dialog(page)).toContainText("A Home for your Digital Assets");
      expect(await overEdge(), "a button hung over the edge while the dialog opened").toEqual([]);
      await expect(dialog(page).getByRole("link", { name: "Learn More" })).toHaveAttribute("href", /\/about$/);
      await dialog(page).getByRole("button", { name: "Get a Wallet" }).click();
      const get = dialog(page).getByRole("button", { name: "GET", exact: true });
      await expect(get.first()).toBeVisible();
      expect(await get.count()).toBeLessThanOrEqual(3);
      await expectInside(page, width);
      await dialog(page).getByRole("button", { name: "Back" }).click();
      await expect(get).toHaveCount(0);

      await page.keyboard.press("Escape");
      await expect(dialog(page)).toHaveCount(0);
      await expect(connectButton(page)).toBeVisible();
      expect(wallet.calls, "looking at the wallets asks none of them to connect").not.toContain("eth_requestAccounts");
    });

    test("the account and network dialogs show the wallet, its last three transactions and the wrong network", async ({
      page,
      wallet,
    }) => {
      await page.addInitScript(
        ([address, hashes]) => {
          const transactions = (hashes as string[]).map((hash, index) => ({
            hash,
            description: `Transaction ${index + 1}`,
            status: "confirmed",
          }));
          localStorage.setItem("rk-transactions", JSON.stringify({ [address as string]: { 31337: transactions } }));
        },
        [wallet.address, ["1", "2", "3", "4", "5"].map((digit) => `0x${digit.repeat(64)}`)] as const,
      );
      await page.goto("/about");
      await connect(page, "test.wallet", wallet.address);
      await fromMenu(page, "Balance and transactions");
      const { address } = wallet;
      await expect(dialog(page)).toContainText(`${address.slice(0, 4)}…${address.slice(-4)}`);
      await expect(dialog(page)).toContainText("0 ETH");
      await expect(dialog(page).getByRole("button", { name: /Copy Address/ })).toBeVisible();
      await expect(dialog(page).getByText(/^Transaction \d$/)).toHaveCount(3);
      await expectInside(page, width);
      await page.keyboard.press("Escape");
      await expect(dialog(page)).toHaveCount(0);

      await fromMenu(page, /^Network/);
      await expect(page.getByTestId("rk-chain-option-31337")).toContainText("Connected");
      await expectInside(page, width);
      await page.keyboard.press("Escape");
      await expect(dialog(page)).toHaveCount(0);

      await wallet.moveTo(5);
      await header(page).getByRole("button", { name: "Wrong network" }).click();
      await expect(dialog(page)).toContainText("Wrong network detected, switch or disconnect to continue.");
      await expectInside(page, width);
      await page.getByTestId("rk-chain-option-31337").click();
      await expect(header(page).getByRole("button", { name: "Wrong network" })).toHaveCount(0);
      await expect(dialog(page)).toHaveCount(0);

      await wallet.moveTo(5);
      await header(page).getByRole("button", { name: "Wrong network" }).click();
      await dialog(page)
        .getByRole("button", { name: /Disconnect/ })
        .click();
      await expect(connectButton(page)).toBeVisible();
      await expect(dialog(page)).toHaveCount(0);
    });
  });
}

test("a page's heading is drawn only once behind a dialog", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/about");
  await connectButton(page).click();
  await expect(dialog(page)).toContainText("Installed");
  // Waits for the dialog's entrance.
  await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
  const picture = (await page.screenshot()).toString("base64");
  const darkest = await page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    if (context === null) throw new Error("no canvas");
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(1_040, 70, 200, 40);
    return Math.min(...data.filter((_, index) => index % 4 === 0));
  }, picture);
  expect(darkest).toBeGreaterThan(100);
});

test("a rejected connection leaves the visitor disconnected without a message, and a second try connects", async ({
  page,
  wallet,
}) => {
  await page.goto("/about");
  wallet.refused.add("wallet_requestPermissions");
  await connectButton(page).click();
  await option(page, "test.wallet").click();
  await expect.poll(() => wallet.calls).toContain("wallet_requestPermissions");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByRole("region", { name: /^Notifications/ }).getByRole("listitem")).toHaveCount(0);
  await expect(connectButton(page)).toBeAttached();
  wallet.refused.clear();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await connect(page, "test.wallet", wallet.address);
});

test("a failed connection shows a retry button, which connects once the wallet works again", async ({
  page,
  wallet,
}) => {
  await page.goto("/about");
  const asking = ["wallet_requestPermissions", "eth_requestAccounts"];
  for (const method of asking) wallet.failing.add(method);
  await connectButton(page).click();
  await option(page, "test.wallet").click();
  const retry = dialog(page).getByRole("button", { name: "Retry" });
  await expect(retry).toBeVisible();
  await expect(connectButton(page)).toBeAttached();
  const before = wallet.calls.length;
  await retry.click();
  await expect.poll(() => wallet.calls.length).toBeGreaterThan(before);
  await expect(retry).toBeVisible();
  wallet.failing.clear();
  await retry.click();
  await expectConnected(page, wallet.address);
  await expect(dialog(page)).toHaveCount(0);
});

test("the account dialog's copied mark stays for 1500 ms", async ({ page, wallet, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.clock.install();
  await page.goto("/about");
  await connect(page, "test.wallet", wallet.address);
  await fromMenu(page, "Balance and transactions");
  const copy = dialog(page).getByRole("button", { name: "Copy Address" });
  await expect(copy).toBeVisible();
  await stopClock(page);
  await copy.click();
  const copied = dialog(page).getByRole("button", { name: "Copied!" });
  await expect(copied).toBeVisible();
  await page.clock.runFor(1_499);
  await expect(copied).toBeVisible();
  await page.clock.runFor(1);
  await expect(copied).toHaveCount(0);
  await expect(copy).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(wallet.address);
});

test("closing the dialog while a wallet is being asked ends the attempt", async ({ page, wallet }) => {
  await page.goto("/about");
  await page.evaluate(() => {
    const { aquaTestWallet } = window as unknown as {
      aquaTestWallet: { request: (call: { method: string }) => Promise<unknown> };
    };
    const answer = aquaTestWallet.request.bind(aquaTestWallet);
    // The wallet's owner does not answer.
    aquaTestWallet.request = (call) =>
      ["eth_requestAccounts", "wallet_requestPermissions"].includes(call.method) ? new Promise(() => {}) : answer(call);
  });
  await connectButton(page).click();
  await option(page, "test.wallet").click();
  await expect(dialog(page)).toContainText("Opening Test Wallet...");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(connectButton(page)).toBeEnabled();
  await connectButton(page).click();
  await expect(option(page, "test.wallet")).toBeEnabled();
  expect(wallet.calls).not.toContain("eth_accounts");
});

test("the wallet used last is restored on load, and no other one is asked", async ({ page, wallet }) => {
  await page.goto("/about");
  await connect(page, "test.wallet", wallet.address);
  await page.reload();
  await expectConnected(page, wallet.address);
  expect(await page.evaluate(() => localStorage.getItem("wagmi.recentConnectorId"))).toBe('"test.wallet"');
  await fromMenu(page, "Disconnect");
  await connectButton(page).click();
  // The kit marks the wallet as recent.
  await expect(option(page, "test.wallet")).toContainText("Recent");
});

test("a first visitor's page loads no wallet code and asks no wallet", async ({ page, wallet }) => {
  const scripts: string[] = [];
  page.on("response", (response) => {
    if (response.url().endsWith(".js")) scripts.push(new URL(response.url()).pathname);
  });
  await page.goto("/products");
  await expect(page.getByRole("heading", { level: 1, name: "Products" })).toBeVisible();
  await expect(page.getByRole("contentinfo")).toBeVisible();
  const before = scripts.length;
  expect(wallet.calls).toEqual([]);
  await connectButton(page).click();
  await expect(dialog(page)).toBeVisible();
  await expect.poll(() => scripts.length).toBeGreaterThan(before);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing in the kit's dialogs, ${colorScheme}`, async ({ page, wallet }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto("/about");
    await connectButton(page).click();
    await expect(dialog(page)).toContainText("Installed");
    expect(await violations(page), "connect").toEqual([]);
    await dialog(page).getByRole("button", { name: "Get a Wallet" }).click();
    expect(await violations(page), "get").toEqual([]);
    await page.keyboard.press("Escape");
    await connect(page, "test.wallet", wallet.address);
    await fromMenu(page, "Balance and transactions");
    await expect(dialog(page)).toContainText("0 ETH");
    expect(await violations(page), "account").toEqual([]);
    await page.keyboard.press("Escape");
    await fromMenu(page, /^Network/);
    await expect(page.getByTestId("rk-chain-option-31337")).toBeVisible();
    expect(await violations(page), "network").toEqual([]);
    await page.keyboard.press("Escape");
    await wallet.moveTo(5);
    await header(page).getByRole("button", { name: "Wrong network" }).click();
    await expect(dialog(page)).toContainText("Wrong network detected");
    expect(await violations(page), "wrong network").toEqual([]);
  });
}
