import type { Page } from "@playwright/test";
import { expectAddress } from "./support/app";
import { violations } from "./support/axe";
import { overflow, widths } from "./support/pages";
import { expect, repeatedIf, test } from "./support/test";

const other = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const dialog = (page: Page) => page.getByRole("dialog");
const toasts = (page: Page) => page.getByRole("region", { name: /^Notifications/ }).getByRole("listitem");
const status = (page: Page) =>
  page.evaluate(() => ({ token: localStorage.getItem("token"), checkAddress: localStorage.getItem("checkAddress") }));

interface AccountState {
  identity_status: string;
  wallets: { address: string; create_time: number; current: boolean; bindings: [] }[];
}

/** Simulates a logged-in visitor. The calls of the account are answered here, in the page. */
async function logIn(page: Page, told: AccountState) {
  const account = {
    email: "ada.lovelace@analytical.example",
    country: "GB",
    language: "en-US",
    create_time: 1_700_000_000_000,
    ...told,
  };
  await page.addInitScript(() => {
    if (sessionStorage.getItem("begun")) return;
    sessionStorage.setItem("begun", "yes");
    localStorage.setItem("token", "a-token");
    localStorage.setItem("email", "ada.lovelace@analytical.example");
  });
  await page.route("**/api/v2/account/info", (route) => route.fulfill({ json: { data: account } }));
  const identity = {
    status: told.identity_status,
    provider: "manual",
    submitted_at: null,
    decided_at: null,
    valid_until: null,
    reason: null,
    sandbox_names: [],
  };
  await page.route("**/api/v2/account/identity", (route) => route.fulfill({ json: { data: identity } }));
  const notifications = { language: "en-US", kinds: [] };
  await page.route("**/api/v2/account/notifications", (route) => route.fulfill({ json: { data: notifications } }));
  await page.route("**/api/v2/account/sessions", (route) => route.fulfill({ json: { data: [] } }));
  const security = {
    confirmed_until: null,
    second_factor: false,
    passkeys_possible: true,
    passkeys: [],
    totp: null,
    recovery_codes: 0,
    pending_switch: null,
  };
  await page.route("**/api/v2/account/security", (route) => route.fulfill({ json: { data: security } }));
  const events = { items: [], total: 0, page: 1, page_size: 10 };
  await page.route("**/api/v2/account/events*", (route) => route.fulfill({ json: { data: events } }));
  // The server does not know this session and would end it, so the stream is opened without it.
  await page.route("**/api/v2/events*", (route) => {
    const { authorization, ...headers } = route.request().headers();
    return route.continue({ headers });
  });
  await page.route("**/api/v2/account/getSignMessage", (route) =>
    route.fulfill({
      json: { data: { message: "aqua.example wants you to sign", nonce: "12345678", expires_at: Date.now() + 60_000 } },
    }),
  );
}

async function connect(page: Page) {
  await page.getByRole("banner").getByRole("button", { name: "Connect Wallet" }).click();
  await page.getByTestId("rk-wallet-option-test.wallet").click();
}

const linked = (address: string) => ({ address, create_time: 1_700_000_000_000, current: true, bindings: [] as [] });
const verified: AccountState = { identity_status: "verified", wallets: [] };
const bound: AccountState = { identity_status: "verified", wallets: [linked(other)] };

for (const width of widths) {
  test.describe(`the wallet dialog at ${width} px`, repeatedIf(width !== 360), () => {
    test.use({ viewport: { width, height: 800 } });

    /** Checks that the dialog fits, that axe finds nothing, and that the focus is inside. */
    async function expectSound(page: Page, name: string) {
      await expect(dialog(page)).toHaveAccessibleName(name);
      await expect(dialog(page)).toBeInViewport({ ratio: 1 });
      expect(await overflow(page)).toBe(0);
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press("Tab");
      await expect(dialog(page).locator(":focus")).toHaveCount(1);
    }

    test("offers a visitor to register or to log in", async ({ page, wallet }) => {
      await page.goto("/about");
      await connect(page);
      await expectSound(page, "A new wallet is connected");
      expect((await status(page)).checkAddress).toBe("false");
      await expect(dialog(page).getByRole("link", { name: "Log in" })).toHaveAttribute("href", "/sign-in");
      await dialog(page).getByRole("link", { name: "Sign up" }).click();
      await expect(page).toHaveURL("/sign-up");
      await expect(dialog(page)).toHaveCount(0);
      await expectAddress(page, wallet.address);
    });

    test("leads an unverified visitor to the account page, where it does not open", async ({ page, wallet }) => {
      await logIn(page, { identity_status: "unverified", wallets: [] });
      await page.goto("/about");
      await connect(page);
      await expectSound(page, "Verify your account");
      await dialog(page).getByRole("link", { name: "Go to Verify" }).click();
      await expect(page).toHaveURL("/account");
      await page.evaluate(() => localStorage.removeItem("checkAddress"));
      await page.reload();
      await expectAddress(page, wallet.address);
      await expect.poll(async () => (await status(page)).checkAddress).toBe("false");
      await expect(dialog(page)).toHaveCount(0);
    });

    test("offers a verified visitor to switch, with the account and its first bound wallet", async ({
      page,
      wallet,
    }) => {
      await logIn(page, bound);
      await page.goto("/about");
      await connect(page);
      await expectSound(page, "Switch the linked wallet?");
      await expect(dialog(page)).toContainText("ada.lovelace@analyti…");
      await expect(dialog(page)).toContainText("0x3C4…93BC");
      await dialog(page).getByRole("button", { name: "Cancel" }).click();
      await expect(dialog(page)).toHaveCount(0);
      await expectAddress(page, wallet.address);
    });
  });
}

test("no dialog opens for a linked wallet", async ({ page, wallet }) => {
  await page.route("**/api/v2/account/checkAddress/*", (route) => route.fulfill({ json: { data: true } }));
  await page.goto("/about");
  await connect(page);
  await expectAddress(page, wallet.address);
  await expect.poll(async () => (await status(page)).checkAddress).toBe("true");
  await expect(dialog(page)).toHaveCount(0);
});

test("a check that fails is tried again three times and opens nothing", async ({ page, wallet, clean }) => {
  clean.allow(/checkAddress/);
  let asked = 0;
  await page.route("**/api/v2/account/checkAddress/*", (route) => {
    asked += 1;
    return route.abort();
  });
  await page.goto("/about");
  await connect(page);
  await expectAddress(page, wallet.address);
  await expect.poll(async () => (await status(page)).checkAddress).toBe("false");
  expect(asked).toBe(4);
  await expect(dialog(page)).toHaveCount(0);
});

test.describe("the sign-in dialog of the kit", () => {
  const sign = (page: Page) => page.getByTestId("rk-auth-message-button");

  test.beforeEach(({ page }) => logIn(page, verified));

  /** Opens the dialog for a verified account without a wallet. */
  async function open(page: Page) {
    await page.goto("/about");
    await connect(page);
    await dialog(page).getByRole("button", { name: "Link Wallet" }).click();
    await expect(sign(page)).toBeEnabled();
    await expect(dialog(page)).toContainText("Verify your account");
  }

  async function accept(page: Page, { wallets }: { wallets: string[] }) {
    await page.route("**/api/v2/account/authenticate", (route) =>
      route.fulfill({ json: { data: { ...verified, email: "", wallets: wallets.map(linked) } } }),
    );
  }

  test("signs the server's text as it is and closes once the server has accepted it", async ({ page, wallet }) => {
    await accept(page, { wallets: [wallet.address] });
    await open(page);
    expect(await violations(page)).toEqual([]);
    const sent = page.waitForRequest("**/api/v2/account/authenticate");
    await sign(page).click();
    const { message, signature } = (await sent).postDataJSON();
    expect(message).toBe("aqua.example wants you to sign");
    expect(signature).toBe(await wallet.account.signMessage({ message }));
    await expect(toasts(page)).toHaveText("Wallet linked to your account");
    await expect(dialog(page)).toHaveCount(0);
    await expectAddress(page, wallet.address);
    expect((await status(page)).checkAddress).toBe("true");
  });

  test("returns to idle without a word when the signature is refused, and then works", async ({ page, wallet }) => {
    await accept(page, { wallets: [wallet.address] });
    await open(page);
    const label = (await sign(page).textContent()) ?? "";
    const before = await dialog(page).textContent();
    wallet.refused.add("personal_sign");
    await sign(page).click();
    await expect.poll(() => wallet.calls.includes("personal_sign")).toBe(true);
    await expect(sign(page)).toHaveText(label);
    await expect(sign(page)).toBeEnabled();
    expect(await dialog(page).textContent()).toBe(before);
    wallet.refused.clear();
    await sign(page).click();
    await expect(toasts(page)).toHaveText("Wallet linked to your account");
  });

  test("says which step failed, in the words of the specification, and lets each be tried again", async ({
    page,
    wallet,
    clean,
  }) => {
    clean.allow(/getSignMessage|authenticate/);
    await open(page);
    await page.route("**/api/v2/account/getSignMessage", (route) => route.abort(), { times: 1 });
    await sign(page).click();
    await expect(dialog(page)).toContainText("Error preparing message, please retry!");

    wallet.failing.add("personal_sign");
    await sign(page).click();
    await expect(dialog(page)).toContainText("Error signing message, please retry!");
    wallet.failing.clear();

    await page.route("**/api/v2/account/authenticate", (route) =>
      route.fulfill({
        status: 401,
        json: { error_code: "signature_invalid", message: "The signature is wrong", request_id: "1" },
      }),
    );
    await sign(page).click();
    await expect(dialog(page)).toContainText("Error verifying signature, please retry!");
    expect(await violations(page)).toEqual([]);

    await page.unroute("**/api/v2/account/authenticate");
    await accept(page, { wallets: [wallet.address] });
    await sign(page).click();
    await expect(toasts(page)).toHaveText("Wallet linked to your account");
  });

  test("says why a wallet of another account is refused", async ({ page, wallet: _wallet, clean }) => {
    clean.allow(/authenticate/);
    await open(page);
    await page.route("**/api/v2/account/authenticate", (route) =>
      route.fulfill({ status: 409, json: { error_code: "conflict", message: "Linked elsewhere", request_id: "1" } }),
    );
    await sign(page).click();
    await expect(dialog(page)).toContainText("Error verifying signature, please retry!");
    const reason = toasts(page).getByText("This wallet is linked to another account.");
    await expect(reason).toBeInViewport({ ratio: 1 });
    // Nothing covers the text.
    await reason.click({ trial: true });
  });

  test("shows the specification's text when it cannot be opened", async ({ page, wallet }) => {
    await page.goto("/about");
    await connect(page);
    await expect(dialog(page).getByRole("button", { name: "Link Wallet" })).toBeVisible();
    wallet.failing.add("wallet_switchEthereumChain");
    await wallet.moveTo(5);
    await dialog(page).getByRole("button", { name: "Link Wallet" }).click();
    await expect(toasts(page)).toHaveText("Oops, something went wrong!");
  });

  test("disconnects the wallet when it is closed unsigned", async ({ page, wallet }) => {
    for (const close of [
      () => page.keyboard.press("Escape"),
      () => dialog(page).getByText("Cancel", { exact: true }).click(),
    ]) {
      await open(page);
      await close();
      await expect(dialog(page)).toHaveCount(0);
      await expect(page.getByRole("banner").getByRole("button", { name: "Connect Wallet" })).toBeEnabled();
      expect(wallet.calls).not.toContain("personal_sign");
    }
    // The account stays logged in, because the log-in does not depend on the wallet.
    expect((await status(page)).token).toBe("a-token");
  });

  test("switches at the server first, and disconnects the wallet afterwards", async ({ page, wallet }) => {
    await accept(page, { wallets: [wallet.address, other] });
    await logIn(page, bound);
    await page.goto("/about");
    await connect(page);
    await dialog(page).getByRole("button", { name: "Confirm Switch" }).click();
    await expectAddress(page, wallet.address);
    await sign(page).click();
    await expect(toasts(page)).toContainText("Your account is now linked to 0x");
    await expect(page.getByRole("banner").getByRole("button", { name: "Connect Wallet" })).toBeEnabled();
    await expect(dialog(page)).toHaveCount(0);
  });
});

test("a connected wallet is still connected after a reload, never asked to connect again", async ({ page, wallet }) => {
  await page.route("**/api/v2/account/checkAddress/*", (route) => route.fulfill({ json: { data: true } }));
  await page.goto("/about");
  await connect(page);
  await expectAddress(page, wallet.address);
  // Records everything that the header shows while it loads.
  await page.addInitScript(() => {
    const seen = new Set<string>();
    (window as unknown as { seen: Set<string> }).seen = seen;
    new MutationObserver(() => {
      const button = document.querySelector("header")?.textContent ?? "";
      if (button.includes("Connect Wallet")) {
        const busy = [...document.querySelectorAll("header button")].find(
          (one) => one.textContent === "Connect Wallet",
        );
        // In the server's page for a visitor, it is hidden.
        if (document.documentElement.dataset.returning !== undefined) return;
        seen.add(busy?.getAttribute("aria-busy") === "true" ? "waiting" : "asked to connect");
      }
    }).observe(document, { childList: true, subtree: true, characterData: true, attributes: true });
  });
  await page.reload();
  await expectAddress(page, wallet.address);
  expect(await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen])).not.toContain(
    "asked to connect",
  );
  await expect(dialog(page)).toHaveCount(0);
});
