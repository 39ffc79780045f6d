import { devices, type Page, type TestInfo } from "@playwright/test";
import { encodeFunctionResult, parseAbi } from "viem";
import { connect, demo, demoWallet, expectAddress, expectConnected } from "./support/app";
import { violations } from "./support/axe";
import { setBalance } from "./support/chain";
import { stopClock } from "./support/pages";
import { scan } from "./support/qr";
import { changeNetwork, Relay, silentRelay, walletApp } from "./support/relay";
import { expect, repeatedIf, test } from "./support/test";

const { defaultBrowserType: _1, ...iPhone } = devices["iPhone 13"];
const { defaultBrowserType: _2, ...android } = devices["Pixel 7"];

const header = (page: Page) => page.getByRole("banner");
const connectButton = (page: Page) => header(page).getByRole("button", { name: "Connect Wallet" });
const dialog = (page: Page) => page.getByRole("dialog");
const option = (page: Page, id: string) => page.getByTestId(`rk-wallet-option-${id}`);
const pairing = (page: Page) => page.getByTestId("pairing");
const code = (page: Page) => page.locator("svg", { hasText: "QR Code" });

async function fromMenu(page: Page, name: string | RegExp) {
  await header(page)
    .getByRole("button", { name: /^Wallet / })
    .click();
  await header(page).getByRole("button", { name }).click();
}

/** Closes a dialog. A new dialog reacts to keys only once it has the focus. */
async function pressEscape(page: Page) {
  await expect(page.locator("[role=dialog]:focus, [role=dialog] :focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
}

/** Saves a picture of a step in the test's output, after its animations. */
async function picture(page: Page, info: TestInfo, name: string) {
  await page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish();
  });
  await info.attach(name, { body: await page.screenshot(), contentType: "image/png" });
}

/** The wallets as the kit describes them: the link to their app, and whether there is an extension. */
const wallets = [
  { id: "trust", name: "Trust Wallet", app: "https://trustwallet.com/download", extension: true },
  { id: "metaMask", name: "MetaMask", app: "https://metamask.io/download", extension: true },
  { id: "okx", name: "OKX Wallet", app: "https://okx.com/download", extension: true },
  { id: "imToken", name: "imToken", app: "https://token.im/download", extension: false },
] as const;

for (const colorScheme of ["light", "dark"] as const) {
  const details = repeatedIf(colorScheme === "dark");
  test(
    `every wallet's code can be scanned, its app got and its steps read, ${colorScheme}`,
    details,
    async ({ page }, info) => {
      await page.emulateMedia({ colorScheme });
      const relay = new Relay();
      await relay.serve(page);
      await page.goto("/about");
      await connectButton(page).click();
      for (const { id, name, app, extension } of wallets) {
        await option(page, id).click();
        await expect(dialog(page)).toContainText(`Scan with ${name}`);
        expect(await scan(code(page))).toMatch(/wc(:|%3A)/);
        await picture(page, info, `${id} code`);
        await dialog(page).getByRole("button", { name: "GET", exact: true }).click();
        if (extension) {
          await expect(dialog(page).getByRole("link", { name: /Add to/ })).toBeVisible();
          await picture(page, info, `${id} download options`);
          await dialog(page)
            .getByRole("button", { name: new RegExp(`^Get the app|${name}`) })
            .last()
            .click();
        }
        expect(await scan(code(page))).toBe(app);
        await picture(page, info, `${id} download`);
        await dialog(page).getByRole("button", { name: "Continue" }).click();
        await expect(dialog(page).getByRole("link", { name: "Learn More" })).toBeVisible();
        await picture(page, info, `${id} app steps`);
        expect(await violations(page), `${id} app steps`).toEqual([]);
        // The button leads to the code again.
        await dialog(page).getByRole("button", { name: "Connect", exact: true }).click();
        await expect(dialog(page)).toContainText(`Scan with ${name}`);
      }
      await option(page, "walletConnect").click();
      await expect(dialog(page)).toContainText("Scan with your phone");
      expect(await scan(code(page))).toMatch(/^wc:/);
      await picture(page, info, "walletConnect code");
      relay.close();
    },
  );
}

test("a rejection in the wallet's app leads back to the wallets without a message, and a second try connects", async ({
  page,
  wallet,
  clean,
}) => {
  // The SDK logs a rejection and its code as an error on the console.
  clean.allow(/User rejected|core\/pairing|context: client/);
  const relay = new Relay();
  await relay.serve(page);
  const app = await walletApp(relay, wallet);
  await page.goto("/about");
  await connectButton(page).click();
  await option(page, "trust").click();
  app.refuse(true);
  await app.pair(await scan(code(page)));
  await expect(code(page)).toHaveCount(0);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(option(page, "trust")).toBeEnabled();
  app.refuse(false);
  await option(page, "trust").click();
  await app.pair(await scan(code(page)));
  await expectConnected(page, wallet.address);
  await app.close();
  relay.close();
});

test("an extension's steps are read without WalletConnect, and a wallet that is not here says so", async ({
  page,
}, info) => {
  await page.goto("/about");
  for (const { id, name } of wallets.filter(({ extension }) => extension)) {
    await connectButton(page).click();
    await option(page, id).click();
    const add = dialog(page).getByRole("link", { name: /Add to/ });
    await expect(add).toHaveAttribute("href", /^https:/);
    await add.evaluate((link) => link.addEventListener("click", (event) => event.preventDefault()));
    await add.click();
    await expect(dialog(page).getByRole("button", { name: "Refresh" })).toBeVisible();
    await picture(page, info, `${id} extension steps`);
    expect(await violations(page), `${name} extension steps`).toEqual([]);
    await pressEscape(page);
    await expect(dialog(page)).toHaveCount(0);
  }
});

test("the dialog is 504 px high at most, and 468 px where it is compact, 500 ms after the window was resized", async ({
  page,
}) => {
  const height = () =>
    dialog(page)
      .locator("[style*='max-height']")
      .evaluate((element) => getComputedStyle(element).maxHeight);
  await page.clock.install();
  await page.goto("/about");
  await connectButton(page).click();
  await expect.poll(height).toBe("504px");
  await stopClock(page);
  // The window already has its new width when the page gets the event that the kit handles.
  await page.evaluate(() => addEventListener("resize", () => document.body.setAttribute("data-resized", "")));
  await page.setViewportSize({ width: 700, height: 800 });
  await expect(page.locator("body[data-resized]")).toBeAttached();
  await page.clock.runFor(499);
  expect(await height()).toBe("504px");
  await page.clock.runFor(100);
  await expect.poll(height).toBe("468px");
});

test("three wallets are marked as recent, and a balance is shortened", async ({ page, wallet }) => {
  await page.addInitScript(() =>
    localStorage.setItem("rk-recent", JSON.stringify(["trust", "metaMask", "okx", "test.wallet"])),
  );
  for (const [balance, shown] of [
    [1_234n, "1,234 ETH"],
    [12_345n, "12.3k ETH"],
    [1_234_567n, "1.2m ETH"],
  ] as const) {
    await setBalance(wallet.address, balance);
    await page.goto("/about");
    if (balance === 1_234n) {
      await connectButton(page).click();
      await expect(dialog(page).getByText("Recent", { exact: true })).toHaveCount(3);
      await pressEscape(page);
      await connect(page, "test.wallet", wallet.address);
    } else await expectAddress(page, wallet.address);
    await fromMenu(page, "Balance and transactions");
    await expect(dialog(page)).toContainText(shown);
  }
});

test.describe("without the relay", () => {
  for (const [place, device] of [
    ["a desk", { viewport: { width: 1440, height: 900 } }],
    ["an iPhone", iPhone],
    ["an Android phone", android],
  ] as const) {
    test.describe(`on ${place}`, () => {
      test.use(device);

      const details = repeatedIf(device === android);
      test(
        "says at once what happens, then that nobody answered, and stays usable",
        details,
        async ({ page, clean }, info) => {
          clean.allow(/WalletConnect did not connect|core\/relayer|Subscribing to|context: client/);
          await silentRelay(page);
          await page.clock.install();
          await page.goto("/about");
          await connectButton(page).click();
          await option(page, "trust").click();
          await expect(pairing(page)).toContainText("Contacting WalletConnect…");
          await picture(page, info, "contacting");
          // The dialog waits ten seconds for an answer.
          await page.clock.fastForward(10_000);
          await expect(pairing(page).getByRole("alert")).toContainText("WalletConnect did not answer");
          await picture(page, info, "unreachable");
          expect(await violations(page)).toEqual([]);

          // Tab reaches only visible controls, and the way back leads to rows that can be pressed.
          for (let stop = 0; stop < 4; stop++) {
            await page.keyboard.press("Tab");
            await expect(pairing(page).locator(":focus")).toHaveCount(1);
          }
          await pairing(page).getByRole("button", { name: "Retry" }).click();
          await expect(pairing(page)).toContainText("Contacting WalletConnect…");
          await pairing(page).getByRole("button", { name: "All wallets" }).click();
          await expect(pairing(page)).toHaveCount(0);
          await option(page, "trust").click();
          await expect(pairing(page)).toContainText("Contacting WalletConnect…");
          await pairing(page).getByRole("button", { name: "All wallets" }).click();
          await option(page, "imToken").click();
          await expect(pairing(page)).toContainText("imToken");
          await pressEscape(page);
          await expect(dialog(page)).toHaveCount(0);
          await expect(connectButton(page)).toBeEnabled();
        },
      );
    });
  }
});

test.describe("on a phone", () => {
  test.use(iPhone);

  test("a wallet's app is asked to connect and confirm, by a link to press, with a way back", async ({
    page,
    wallet,
    clean,
  }, info) => {
    // Message of WalletConnect's client when the late answer below arrives after the page has rejected it.
    clean.allow(/Pending session not found for topic/);
    const relay = new Relay();
    await relay.serve(page);
    await page.addInitScript(() => {
      const { navigation } = window as unknown as { navigation: EventTarget };
      navigation.addEventListener("navigate", (event) => {
        const { destination } = event as Event & { destination: { url: string } };
        if (!destination.url.startsWith("http")) event.preventDefault();
      });
    });
    const app = await walletApp(relay, wallet);
    await page.goto("/about");
    await connectButton(page).click();
    await option(page, "imToken").click();
    await expect(pairing(page)).toContainText("Continue in imToken");
    await expect(pairing(page)).toContainText("Connect in the app and confirm there, then come back.");
    const link = pairing(page).getByRole("link", { name: "Open imToken" });
    await expect(link).toHaveAttribute("href", /^imtokenv2:\/\/wc\?uri=/);
    const given = new URL((await link.getAttribute("href")) ?? "").searchParams.get("uri") ?? "";
    await picture(page, info, "waiting");
    expect(await violations(page)).toEqual([]);
    await pairing(page).getByRole("button", { name: "All wallets" }).click();
    await expect(pairing(page)).toHaveCount(0);

    // A confirmation after the visitor went back connects nothing.
    await app.pair(given);
    await expect.poll(() => app.approvals).toBe(1);
    await expect.poll(() => app.sessions()).toBe(0);
    await expect(connectButton(page)).toBeAttached();

    await option(page, "walletConnect").click();
    await expect(pairing(page)).toContainText("Connect with a wallet app");
    const uri = await pairing(page).getByRole("link", { name: "Open a wallet app" }).getAttribute("href");
    expect(await scan(code(page))).toBe(uri);
    await picture(page, info, "any wallet");
    await app.pair(uri ?? "");
    await expectConnected(page, wallet.address);
    await app.close();
    relay.close();
  });

  test("the app of each wallet is got from its store", async ({ page }, info) => {
    const relay = new Relay();
    await relay.serve(page);
    await page.goto("/about");
    await connectButton(page).click();
    await dialog(page).getByRole("button", { name: "Get a Wallet" }).click();
    const links = dialog(page).getByRole("link", { name: "GET" });
    await expect(links).toHaveCount(3);
    for (const link of await links.all())
      await expect(link).toHaveAttribute("href", /^https:\/\/(apps|itunes)\.apple\.com\//);
    await picture(page, info, "get");
    await dialog(page).getByRole("button").first().click();
    await expect(option(page, "trust")).toBeVisible();
    relay.close();
  });
});

test("a crash of the wallet area is shown and reported, and another try ends it", async ({
  page,
  wallet,
  clean,
}, info) => {
  clean.allow(/the kit breaks/);
  await page.goto("/about");
  await connect(page, "test.wallet", wallet.address);
  // The kit reads the user agent whenever it draws a dialog.
  await page.evaluate(() => {
    const { userAgent } = navigator;
    Object.defineProperty(navigator, "userAgent", {
      configurable: true,
      get() {
        if (document.documentElement.dataset.broken) throw new Error("the kit breaks");
        return userAgent;
      },
    });
  });
  const breaks = (broken: boolean) =>
    page.evaluate((yes) => {
      document.documentElement.dataset.broken = yes ? "yes" : "";
    }, broken);
  const alert = page.getByRole("alert").filter({ hasText: "The wallet window has stopped working" });

  await breaks(true);
  const reported = page.waitForRequest((request) => request.url().endsWith("/client/error"));
  await fromMenu(page, "Balance and transactions");
  await expect(alert).toBeVisible();
  expect((await reported).postDataJSON()).toMatchObject({ part: "wallet", message: "the kit breaks", path: "/about" });
  await expectAddress(page, wallet.address);
  await breaks(false);
  await picture(page, info, "crash");
  expect(await violations(page)).toEqual([]);
  await alert.getByRole("button", { name: "Retry" }).click();
  await expect(alert).toHaveCount(0);
  await fromMenu(page, "Balance and transactions");
  await expect(dialog(page)).toContainText("0 ETH");
  await pressEscape(page);

  // Opening the dialog again also counts as trying again.
  await breaks(true);
  await fromMenu(page, /^Network/);
  await expect(alert).toBeVisible();
  await breaks(false);
  await fromMenu(page, "Balance and transactions");
  await expect(dialog(page)).toContainText("0 ETH");
  await expect(alert).toHaveCount(0);
});

for (const [chainId, name] of [
  [1, "Ethereum"],
  [11155111, "Sepolia"],
  [133, "the HashKey testnet"],
] as const)
  test(
    `the header says Wrong network on ${name}, which is not served`,
    repeatedIf(chainId !== 1),
    async ({ page, wallet, clean }, info) => {
      clean.allow(/The wallet did not switch/);
      await page.goto("/about");
      await connect(page, "test.wallet", wallet.address);
      await wallet.moveTo(chainId);
      const warning = header(page).getByRole("button", { name: "Wrong network" });
      await expect(warning).toBeVisible();
      await header(page)
        .getByRole("button", { name: /^Wallet / })
        .click();
      await expect(header(page).getByRole("button", { name: /^Network/ })).toHaveText(/Wrong network/);
      await header(page).getByRole("button", { name: "Balance and transactions" }).click();
      await expect(dialog(page)).toContainText("Wrong network detected, switch or disconnect to continue.");

      wallet.failing.add("wallet_switchEthereumChain");
      wallet.failing.add("wallet_addEthereumChain");
      await page.getByTestId("rk-chain-option-31337").click();
      await expect(dialog(page).getByRole("alert")).toHaveText(
        "Your wallet does not support switching networks from this app, try switching in the wallet.",
      );
      await picture(page, info, "cannot switch");
      expect(await violations(page)).toEqual([]);

      wallet.failing.clear();
      wallet.refused.add("wallet_switchEthereumChain");
      await page.getByTestId("rk-chain-option-31337").click();
      await expect(dialog(page)).toHaveCount(0);
      wallet.refused.clear();
      await warning.click();
      await expect(dialog(page).getByRole("alert")).toHaveCount(0);
      await page.getByTestId("rk-chain-option-31337").click();
      await expect(warning).toHaveCount(0);
    },
  );

test.describe("names", () => {
  interface RpcCall {
    id: number;
    method: string;
  }
  const long = "a-name-of-more-than-twenty-four-letters.eth";
  const resolver = parseAbi([
    "function reverseWithGateways(bytes,uint256,string[]) view returns (string resolvedName, address resolver, address reverseResolver)",
  ]);

  test("come from mainnet where its node is configured, and long ones are cut", async ({ page, wallet }) => {
    await changeNetwork(page, { node_chains: [1] });
    await page.route("**/rpc/1", async (route) => {
      const sent = route.request().postDataJSON() as RpcCall | RpcCall[];
      const none = `0x${"0".repeat(40)}` as const;
      const name = encodeFunctionResult({
        abi: resolver,
        functionName: "reverseWithGateways",
        result: [long, none, none],
      });
      const answer = ({ id, method }: RpcCall) => ({
        jsonrpc: "2.0",
        id,
        result: method === "eth_call" ? name : "0x1",
      });
      await route.fulfill({ json: Array.isArray(sent) ? sent.map(answer) : answer(sent) });
    });
    await page.goto("/about");
    await connect(page, "test.wallet", wallet.address);
    await fromMenu(page, "Balance and transactions");
    await expect(dialog(page)).toContainText("a-name-of-more-than-twen...");
    await dialog(page).getByRole("button", { name: "Close" }).click();
    await fromMenu(page, /^Network/);
    await expect(page.getByTestId("rk-chain-option-1"), "the node is offered to the wallet").toBeVisible();
  });

  test("come from a name service through this server, and are kept for 180 minutes", async ({ page, wallet }) => {
    await changeNetwork(page, { name_service: true });
    const asked: string[] = [];
    await page.route("**/v1/resolve-ens?*", async (route) => {
      asked.push(new URL(route.request().url()).searchParams.get("address") ?? "");
      await route.fulfill({ json: { data: "ada.eth" } });
    });
    await page.clock.install({ time: new Date("2026-11-23T10:00:00Z") });
    await page.goto("/about");
    await connect(page, "test.wallet", wallet.address);
    await fromMenu(page, "Balance and transactions");
    await expect(dialog(page)).toContainText("ada.eth");
    expect(asked).toEqual([wallet.address]);

    await page.clock.setSystemTime(new Date("2026-11-23T12:59:00Z"));
    await page.reload();
    await expectAddress(page, wallet.address);
    await fromMenu(page, "Balance and transactions");
    await expect(dialog(page)).toContainText("ada.eth");
    expect(asked).toHaveLength(1);

    await page.clock.setSystemTime(new Date("2026-11-23T13:05:00Z"));
    await page.reload();
    await expect.poll(() => asked.length).toBe(2);
  });
});

test.describe("the focus", () => {
  const focused = (page: Page) => page.locator(":focus");

  test("stays in the demo wallet's dialog above the kit's, and goes to the wallet's menu once connected", async ({
    page,
  }) => {
    await page.goto("/about");
    await connectButton(page).focus();
    await page.keyboard.press("Enter");
    await option(page, demoWallet).focus();
    await page.keyboard.press("Enter");
    const sheet = page.getByRole("dialog").filter({ has: page.getByTestId("demo-wallet-sheet") });
    await expect(sheet).toBeVisible();
    for (let stop = 0; stop < 12; stop++) {
      await page.keyboard.press("Tab");
      const outside = await page.evaluate(() => {
        const { activeElement } = document;
        return activeElement !== document.body && activeElement?.closest("[data-rk]") !== null;
      });
      expect(outside, `Tab ${stop + 1} is behind the dialog`).toBe(false);
    }
    await sheet.getByRole("button", { name: "Demo account" }).focus();
    await page.keyboard.press("Enter");
    await expectAddress(page, demo.address);
    await expect(header(page).getByRole("button", { name: /^Wallet / })).toBeFocused();
  });

  test("is in the kit's dialog at every step of Get a Wallet, and back on the button after Escape", async ({
    page,
  }) => {
    await page.goto("/about");
    await connectButton(page).focus();
    await page.keyboard.press("Enter");
    await dialog(page).getByRole("button", { name: "Get a Wallet" }).focus();
    await page.keyboard.press("Enter");
    await expect(dialog(page).locator(":focus")).toHaveCount(1);
    await dialog(page).getByRole("button", { name: "GET", exact: true }).first().focus();
    await page.keyboard.press("Enter");
    await expect(dialog(page).locator(":focus")).toHaveCount(1);
    await pressEscape(page);
    await expect(connectButton(page)).toBeFocused();
  });

  test("is on the page after Escape from a dialog that opened by itself", async ({ page, wallet }) => {
    await page.goto("/about");
    await connectButton(page).click();
    await option(page, "test.wallet").click();
    await expectAddress(page, wallet.address);
    await expect(page.getByRole("dialog", { name: "A new wallet is connected" })).toBeVisible();
    await pressEscape(page);
    await expect(dialog(page)).toHaveCount(0);
    await expect(focused(page)).toHaveCount(1);
    await page.reload();
    await expectAddress(page, wallet.address);
    await expect.poll(() => page.evaluate(() => localStorage.getItem("checkAddress"))).toBe("false");
    await expect(dialog(page), "once dismissed it does not come at every reload").toHaveCount(0);
  });

  test("goes to the wallet's place in the header after Escape from the sign-in dialog", async ({ page, wallet }) => {
    await wallet.provide();
    await page.goto("/sign-in");
    await connect(page, "test.wallet", wallet.address);
    await page
      .getByRole("main")
      .getByRole("button", { name: /^Log in with/ })
      .click();
    await expect(page.getByTestId("rk-auth-message-button")).toBeVisible();
    await pressEscape(page);
    await expect(dialog(page)).toHaveCount(0);
    await expect(focused(page)).toHaveCount(1);
  });
});
