import type { List } from "@aqua/sdk/api/envelope";
import type { Holding } from "@aqua/sdk/api/portfolio";
import type { Locator, Page } from "@playwright/test";
import type { PrivateKeyAccount } from "viem/accounts";
import { DEPOSITOR_COUNT, depositor } from "../../devnet/src/accounts.ts";
import { api, connect } from "./support/app";
import { deposit, type Invested, openReceipts } from "./support/invest";
import { expect, longCampaign, repeatedIf, test } from "./support/test";
import { textsOf } from "./support/texts";
import type { TestWallet } from "./support/wallet";

/** The screens on which a panel's button must be visible without scrolling. */
const phones = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
] as const;
const desks = [
  { width: 1280, height: 720 },
  { width: 1366, height: 768 },
  { width: 1440, height: 900 },
] as const;
/** The part of a phone's screen above its keyboard. */
const withKeyboard = [{ width: 360, height: 330 }] as const;
const wideFrom = 1024;
const desk = { width: 1440, height: 900 };
/** French has the longest texts. `npm run test:long` tries English too. */
const languages = longCampaign ? (["fr-FR", "en-US"] as const) : (["fr-FR"] as const);
/** A product of the seeded year from which nothing can be withdrawn at once. */
const queued = "sahel-solar";
const term = "amman-mains";
test.use({ viewport: desk });

type Texts = ReturnType<typeof textsOf>;
type Size = { width: number; height: number };

const panelOf = (page: Page) => page.getByTestId("action-panel");
const submitOf = (page: Page) => panelOf(page).locator("form button[type=submit]");
const fieldOf = (page: Page) => panelOf(page).locator("form input[inputmode=decimal]");

/** True if all of the element is inside the window and nothing covers it. */
async function isInView(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const inWindow = top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
    const corners = [top + 3, bottom - 3].map((y) => document.elementFromPoint((left + right) / 2, y));
    return inWindow && corners.every((there) => there !== null && (element.contains(there) || there.contains(element)));
  });
}

/** Waits until the page has been drawn at the new size, so that nothing is measured at the previous one. */
async function resize(page: Page, size: Size) {
  await page.setViewportSize(size);
  await page.waitForFunction(({ width, height }) => innerWidth === width && innerHeight === height, size);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/**
 * Opens the product in each language at the first size of each group of screens, on a phone with the sheet that contains
 * the panel. The group's other sizes are reached by resizing. `prepare` brings the panel into its state; `look` is called
 * at each size.
 */
async function atEverySize(
  page: Page,
  shortId: string,
  look: (where: string, t: Texts) => Promise<void>,
  {
    prepare = async () => undefined,
    groups = [phones, desks],
  }: { prepare?: (t: Texts) => Promise<void>; groups?: readonly (readonly [Size, ...Size[]])[] } = {},
) {
  for (const language of languages) {
    const t = textsOf(language);
    await speak(page, language);
    for (const sizes of groups) {
      await page.setViewportSize(sizes[0]);
      await page.goto(`/product/${shortId}`);
      if (sizes[0].width < wideFrom) await page.locator("button#deposit").click();
      await expect(panelOf(page).getByRole("tab").first()).toBeVisible();
      await prepare(t);
      for (const size of sizes) {
        await resize(page, size);
        await look(`${language} at ${size.width} × ${size.height}`, t);
      }
    }
  }
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

/** Expects the button in view at every size in every language, and on a phone above the keyboard with the amount. */
async function expectButtonInView(page: Page, shortId: string, prepare: (t: Texts) => Promise<void>) {
  const look = async (where: string) => {
    await expect(submitOf(page)).toBeVisible();
    await expect.poll(() => isInView(submitOf(page)), { message: where }).toBe(true);
  };
  await atEverySize(page, shortId, look, { prepare });
  const lookAboveKeyboard = async (where: string) => {
    const field = fieldOf(page);
    if ((await field.count()) > 0) {
      await field.focus();
      await expect.poll(() => isInView(field), { message: `${where}: amount` }).toBe(true);
    }
    await look(where);
  };
  await atEverySize(page, shortId, lookAboveKeyboard, { prepare, groups: [withKeyboard] });
}

test("a visitor without a wallet has the button in view at every size", async ({ page }) => {
  await page.goto("/about");
  for (const shortId of [queued, term])
    await atEverySize(page, shortId, async (where, t) => {
      const button = panelOf(page).getByRole("button", { name: t("transact.connect"), exact: true });
      await expect.poll(() => isInView(button), { message: `${shortId}, ${where}` }).toBe(true);
    });
});

test("a wallet without an account has its next step in view at every size", async ({ page, wallet }) => {
  await page.goto(`/product/${queued}`);
  await connect(page, "test.wallet", wallet.address);
  await atEverySize(page, queued, async (where, t) => {
    const step = panelOf(page).getByRole("link", { name: t("transact.account.register"), exact: true });
    await expect.poll(() => isInView(step), { message: where }).toBe(true);
  });
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
    await expect(panelOf(page).getByText(t("transact.queue.final"), { exact: true })).toBeVisible();
  });
});

test("a time deposit has its button in view at every size", async ({ page, wallet }) => {
  await logIn(page, wallet, term);
  await expectButtonInView(page, term, async () => {
    await fieldOf(page).fill("1000");
  });
});

/** Each form for a receipt, with the wallet to test it: a seeded depositor has a matured receipt. */
const receiptForms = [
  { choice: "exit", title: "an early withdrawal" },
  { choice: "instruct", title: "an instruction" },
  { choice: "rollover", title: "a rollover" },
  { choice: "close", title: "the payment of a matured receipt" },
] as const;

for (const { choice, title } of receiptForms)
  test(`${title} has its button in view at every size`, repeatedIf(choice !== "exit"), async ({ page, wallet }) => {
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
  const button = panelOf(page).getByTestId("queue-claim").getByRole("button").first();
  await atEverySize(page, queued, async (where) => {
    await expect.poll(() => isInView(button), { message: where }).toBe(true);
  });
});

/** A depositor of the seeded world with claimable money in a queue. */
async function ownerOfSetAside(): Promise<PrivateKeyAccount> {
  for (let index = 0; index < DEPOSITOR_COUNT; index++) {
    const owner = depositor(index);
    const { items } = await api<List<Holding>>(`account/hold/${owner.address}?type=demand_deposit&page_size=100`);
    if (items.some(({ short_id, claimable }) => short_id === queued && Number(claimable ?? "0") > 0)) return owner;
  }
  throw new Error("nothing is set aside");
}

/** Returns the owner and product of a receipt in the seeded world that has matured and waits to be collected. */
async function maturedReceipt(): Promise<{ owner: PrivateKeyAccount; shortId: string }> {
  for (let index = 0; index < DEPOSITOR_COUNT; index++) {
    const owner = depositor(index);
    const { items } = await api<List<Holding>>(`account/hold/${owner.address}?type=time_deposit&page_size=100`);
    const found = items.find(({ receipt }) => receipt?.matured && !receipt.winding_down && receipt.roll === "none");
    if (found) return { owner, shortId: found.short_id };
  }
  throw new Error("no receipt has matured");
}
