import { devices, type Page } from "@playwright/test";
import { demo, demoWallet, expectAddress } from "./support/app";
import { scan } from "./support/qr";
import { Relay, walletApp } from "./support/relay";
import { expect, repeatedIf, test } from "./support/test";

const { defaultBrowserType: _1, ...iPhone } = devices["iPhone 13"];
const { defaultBrowserType: _2, ...android } = devices["Pixel 7"];
const places = [
  { place: "a desk", phone: false, device: { viewport: { width: 1440, height: 900 } } },
  { place: "an iPhone", phone: true, device: iPhone },
  { place: "an Android phone", phone: true, device: android },
] as const;

/** The wallets of the specification, by the kit's names. */
const wallets = ["trust", "walletConnect", "metaMask", "okx", "imToken"] as const;

const header = (page: Page) => page.getByRole("banner");
const option = (page: Page, id: string) => page.getByTestId(`rk-wallet-option-${id}`);
const sheet = (page: Page) => page.getByTestId("demo-wallet-sheet");
const pairing = (page: Page) => page.getByTestId("pairing");

/** The pairing code in a wallet's link or QR code. */
function codeIn(text: string): string {
  return text.startsWith("wc:") ? text : (new URL(text).searchParams.get("uri") ?? "");
}

async function choose(page: Page, id: string) {
  await header(page).getByRole("button", { name: "Connect Wallet" }).click();
  await option(page, id).click();
}

/** Approves the wallet's request to its owner. Does nothing for a wallet outside this page. */
type Agree = (page: Page, what: "sign" | "send") => Promise<void>;
const agreeInSheet: Agree = (page, what) =>
  sheet(page)
    .getByRole("button", { name: what === "sign" ? "Sign" : "Send", exact: true })
    .click();
const agreeElsewhere: Agree = async () => undefined;

/** Runs in the page: prevents the browser's question about the wallet's app, which is not on this machine. */
function stayInBrowser() {
  const { navigation } = window as unknown as { navigation: EventTarget };
  navigation.addEventListener("navigate", (event) => {
    const { destination } = event as Event & { destination: { url: string } };
    if (!destination.url.startsWith("http")) event.preventDefault();
  });
}

/** Starts with a connected wallet: signs in, deposits after a reload, disconnects. */
async function liveThrough(page: Page, { phone, address, agree }: { phone: boolean; address: string; agree: Agree }) {
  await expectAddress(page, address);
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Log in with/ })
    .click();
  await page.getByTestId("rk-auth-message-button").click();
  await agree(page, "sign");
  await expect.poll(() => page.evaluate(() => localStorage.getItem("token"))).not.toBeNull();

  await page.goto("/product/alps-hydro");
  await expectAddress(page, address);
  if (phone) await page.getByRole("button", { name: "Deposit or withdraw" }).click();
  const panel = page.getByTestId("action-panel");
  await panel.getByLabel("Amount to deposit").fill("100");
  await panel.getByRole("button", { name: "Deposit 100" }).click();
  await agree(page, "sign");
  await agree(page, "send");
  await expect(panel.getByText("You deposited 100.00 tUSD.")).toBeVisible();
  if (phone) await page.keyboard.press("Escape");

  await header(page)
    .getByRole("button", { name: /^Wallet / })
    .click();
  await header(page).getByRole("button", { name: "Disconnect" }).click();
  await expect(header(page).getByRole("button", { name: "Connect Wallet" })).toBeVisible();
}

/** Chooses a wallet outside the page. Its owner scans the code or opens the app by its link. */
async function pair({
  page,
  id,
  phone,
  app,
}: {
  page: Page;
  id: string;
  phone: boolean;
  app: { pair(uri: string): Promise<unknown> };
}) {
  await choose(page, id);
  const link = pairing(page).getByRole("link");
  const shown = phone
    ? ((await link.getAttribute("href")) ?? "")
    : await scan(
        page
          .getByRole("dialog")
          .locator("svg[aria-label], svg")
          .filter({ has: page.locator("path") })
          .last(),
      );
  await app.pair(codeIn(shown));
}

test.describe.configure({ mode: "parallel" });

for (const [at, { place, phone, device }] of places.entries()) {
  test.describe(`on ${place}`, () => {
    test.use(device);

    for (const [which, id] of wallets.entries()) {
      const details = repeatedIf(which !== at);
      test(
        `${id} connects over WalletConnect, signs in, deposits and disconnects`,
        details,
        async ({ page, wallet, clean }) => {
          // The SDK logs unsupported features of a wallet, such as bundled calls, and duplicate answers.
          clean.allow(/context: (client|core)/);
          await page.addInitScript(stayInBrowser);
          const relay = new Relay();
          await relay.serve(page);
          await wallet.provide();
          const app = await walletApp(relay, wallet);
          await page.goto("/sign-in");
          await pair({ page, id, phone, app });
          await liveThrough(page, { phone, address: wallet.address, agree: agreeElsewhere });
          await expect.poll(() => app.sessions(), "the wallet knows that it was disconnected").toBe(0);
          await app.close();
          relay.close();
        },
      );
    }

    const demoDetails = repeatedIf(place !== "an Android phone");
    test("the demo wallet connects, signs in, deposits and disconnects", demoDetails, async ({ page }) => {
      await page.goto("/sign-in");
      await choose(page, demoWallet);
      const account = sheet(page).getByRole("button", { name: "Demo account" });
      await account.click();
      await liveThrough(page, { phone, address: demo.address, agree: agreeInSheet });
    });

    const injectedDetails = repeatedIf(place === "an Android phone");
    test(
      "a wallet in the browser connects, signs in, deposits and disconnects",
      injectedDetails,
      async ({ page, wallet }) => {
        await wallet.provide();
        // On phones, the wallet is the browser around the page. The kit lists no announced wallets there.
        if (phone) await wallet.injectAs("isMetaMask");
        await page.goto("/sign-in");
        await choose(page, phone ? "metaMask" : "test.wallet");
        await liveThrough(page, { phone, address: wallet.address, agree: agreeElsewhere });
      },
    );
  });
}
