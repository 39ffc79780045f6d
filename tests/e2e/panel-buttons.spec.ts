import type { List } from "@aqua/sdk/api/envelope";
import type { Holding } from "@aqua/sdk/api/portfolio";
import type { Locator, Page } from "@playwright/test";
import type { PrivateKeyAccount } from "viem/accounts";
import { DEPOSITOR_COUNT, depositor } from "../../devnet/src/accounts.ts";
import { api, connect } from "./support/app";
import { deposit, type Invested, openReceipts } from "./support/invest";
import { expect, test } from "./support/test";
import { textsOf } from "./support/texts";
import type { TestWallet } from "./support/wallet";

/** The screens at which the button of a panel is in view without scrolling; French has the longest texts. */
const sizes = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
  { width: 1280, height: 720 },
  { width: 1366, height: 768 },
  { width: 1440, height: 900 },
];
/** What is left of a phone's screen above its keyboard. */
const withKeyboard = { width: 360, height: 330 };
const desk = { width: 1440, height: 900 };
const wideFrom = 1024;
const languages = ["en-US", "fr-FR"] as const;
/** A product of the seeded year from which nothing can be withdrawn at once. */
const queued = "sahel-solar";
const term = "amman-mains";
test.use({ viewport: desk });

const panelOf = (page: Page) => page.getByTestId("action-panel");
const submitOf = (page: Page) => panelOf(page).locator("form button[type=submit]");
const fieldOf = (page: Page) => panelOf(page).locator("form input[inputmode=decimal]");

/** All of it is within the window and nothing lies over it. */
async function isInView(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const inWindow = top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
    const corners = [top + 3, bottom - 3].map((y) => document.elementFromPoint((left + right) / 2, y));
    return inWindow && corners.every((there) => there !== null && (element.contains(there) || there.contains(element)));
  });
}

/** Opens the product at a size, on a phone with the sheet that holds the panel. */
async function openPanel(page: Page, shortId: string, size: (typeof sizes)[number]) {
  await page.setViewportSize(size);
  await page.goto(`/product/${shortId}`);
  if (size.width < wideFrom) await page.locator("button#deposit").click();
  await expect(panelOf(page).getByRole("tab").first()).toBeVisible();
}

/** Chooses a language for the next documents. */
async function speak(page: Page, language: string) {
  await page.evaluate((tag) => localStorage.setItem("app-language", tag), language);
}

async function logIn(page: Page, wallet: TestWallet, shortId: string): Promise<Invested> {
  await wallet.provide();
  await page.goto(`/product/${shortId}`);
  await connect(page, "test.wallet", wallet.address);
  return api<Invested>(`product/${shortId}`);
}

/** Expects the button in view at every size in every language, after `prepare` has brought the panel to its state. */
async function expectButtonInView(
  page: Page,
  shortId: string,
  prepare: (t: ReturnType<typeof textsOf>) => Promise<void>,
) {
  for (const language of languages) {
    await speak(page, language);
    for (const size of sizes) {
      await openPanel(page, shortId, size);
      await prepare(textsOf(language));
      await expect(submitOf(page)).toBeVisible();
      await expect
        .poll(() => isInView(submitOf(page)), { message: `${language} at ${size.width} × ${size.height}` })
        .toBe(true);
    }
    await openPanel(page, shortId, withKeyboard);
    await prepare(textsOf(language));
    const field = fieldOf(page);
    if ((await field.count()) > 0) {
      await field.focus();
      await expect.poll(() => isInView(field), { message: `${language}: amount above the keyboard` }).toBe(true);
    }
    await expect.poll(() => isInView(submitOf(page)), { message: `${language}: button above the keyboard` }).toBe(true);
  }
}

test("a visitor without a wallet has the button in view at every size", async ({ page }) => {
  await page.goto("/about");
  for (const language of languages) {
    await speak(page, language);
    for (const size of sizes)
      for (const shortId of [queued, term]) {
        await openPanel(page, shortId, size);
        const button = panelOf(page).getByRole("button", { name: textsOf(language)("transact.connect"), exact: true });
        await expect
          .poll(() => isInView(button), { message: `${language}, ${shortId} at ${size.width} × ${size.height}` })
          .toBe(true);
      }
  }
});

test("a wallet without an account has its next step in view at every size", async ({ page, wallet }) => {
  await page.goto(`/product/${queued}`);
  await connect(page, "test.wallet", wallet.address);
  for (const language of languages) {
    await speak(page, language);
    for (const size of sizes) {
      await openPanel(page, queued, size);
      const step = panelOf(page).getByRole("link", {
        name: textsOf(language)("transact.account.register"),
        exact: true,
      });
      await expect.poll(() => isInView(step), { message: `${language} at ${size.width} × ${size.height}` }).toBe(true);
    }
  }
});

test("a demand deposit has its button in view at every size", async ({ page, wallet }) => {
  await logIn(page, wallet, queued);
  await expectButtonInView(page, queued, async () => {
    await fieldOf(page).fill("1000");
  });
});

test("a withdrawal through the queue has its button in view at every size", async ({ page, wallet }) => {
  const product = await logIn(page, wallet, queued);
  await deposit(wallet.account, product, 1_000_000_000n);
  await expectButtonInView(page, queued, async (t) => {
    await panelOf(page).getByRole("tab").nth(1).click();
    await fieldOf(page).fill("400");
    await expect(panelOf(page).getByText(t("transact.queue.final"))).toBeVisible();
  });
});

test("a time deposit has its button in view at every size", async ({ page, wallet }) => {
  await logIn(page, wallet, term);
  await expectButtonInView(page, term, async () => {
    await fieldOf(page).fill("1000");
  });
});

/** Each form of a receipt, with whose wallet it is tried: a seeded depositor has one that has matured. */
const receiptForms = [
  { choice: "exit", title: "an early withdrawal" },
  { choice: "instruct", title: "an instruction" },
  { choice: "rollover", title: "a rollover" },
  { choice: "close", title: "the payment of a matured receipt" },
] as const;

for (const { choice, title } of receiptForms)
  test(`${title} has its button in view at every size`, async ({ page, wallet }) => {
    let shortId: string = term;
    if (choice === "rollover" || choice === "close") {
      const receipt = await maturedReceipt();
      wallet.become(receipt.owner);
      shortId = receipt.shortId;
      await page.goto(`/product/${shortId}`);
      await connect(page, "test.wallet", wallet.address);
    } else {
      const product = await logIn(page, wallet, term);
      await openReceipts({ account: wallet.account, product, assets: 100_000_000n });
    }
    await expectButtonInView(page, shortId, async (t) => {
      await panelOf(page).getByRole("tab").nth(1).click();
      await panelOf(page)
        .getByRole("button", { name: new RegExp(`^${t(`transact.receipt.${choice}`)}, `) })
        .first()
        .click();
      if (choice === "instruct") await panelOf(page).getByRole("radio").nth(2).check();
    });
  });

test("money set aside by the queue has the button that collects it in view at every size", async ({ page, wallet }) => {
  wallet.become(await ownerOfSetAside());
  await page.goto(`/product/${queued}`);
  await connect(page, "test.wallet", wallet.address);
  for (const language of languages) {
    await speak(page, language);
    for (const size of sizes) {
      await openPanel(page, queued, size);
      const button = panelOf(page).getByTestId("queue-claim").getByRole("button").first();
      await expect
        .poll(() => isInView(button), { message: `${language} at ${size.width} × ${size.height}` })
        .toBe(true);
    }
  }
});

/** A depositor of the seeded world for whom the queue has set money aside. */
async function ownerOfSetAside(): Promise<PrivateKeyAccount> {
  for (let index = 0; index < DEPOSITOR_COUNT; index++) {
    const owner = depositor(index);
    const { items } = await api<List<Holding>>(`account/hold/${owner.address}?type=demand_deposit&page_size=100`);
    if (items.some(({ short_id, claimable }) => short_id === queued && Number(claimable ?? "0") > 0)) return owner;
  }
  throw new Error("nothing is set aside");
}

/** Whose receipt of the seeded world has matured and waits to be collected, and in which product. */
async function maturedReceipt(): Promise<{ owner: PrivateKeyAccount; shortId: string }> {
  for (let index = 0; index < DEPOSITOR_COUNT; index++) {
    const owner = depositor(index);
    const { items } = await api<List<Holding>>(`account/hold/${owner.address}?type=time_deposit&page_size=100`);
    const found = items.find(({ receipt }) => receipt?.matured && !receipt.winding_down && receipt.roll === "none");
    if (found) return { owner, shortId: found.short_id };
  }
  throw new Error("no receipt has matured");
}
