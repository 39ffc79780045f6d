import type { DemandDetail } from "@aqua/sdk/api/product";
import type { Page } from "@playwright/test";
import { api, connect, expectConnected } from "./support/app";
import { overflow, wideFrom, widths } from "./support/pages";
import { expect, repeatedIf, test } from "./support/test";

/** The languages of the specification by their names in the menu, with the wallet area's text in each. */
const languages = [
  {
    tag: "en-US",
    name: "English",
    connect: "Connect Wallet",
    kit: "Connect a Wallet",
    copied: "Copy Success",
    copy: "Copy Address",
  },
  { tag: "zh-CN", name: "简体中文", connect: "连接钱包", kit: "连接钱包", copied: "复制成功", copy: "复制地址" },
  { tag: "zh-TW", name: "繁體中文", connect: "連接錢包", kit: "連接錢包", copied: "複製成功", copy: "複製地址" },
  { tag: "ko-KR", name: "한국어", connect: "지갑 연결", kit: "지갑 연결", copied: "복사되었습니다", copy: "주소 복사" },
  {
    tag: "fr-FR",
    name: "Français",
    connect: "Connecter un portefeuille",
    kit: "Connecter un portefeuille",
    copied: "Copié avec succès",
    copy: "Copier l’adresse",
  },
] as const;
const header = (page: Page) => page.getByRole("banner");
const stored = (page: Page) => page.evaluate(() => localStorage.getItem("app-language"));

/** Chooses a language where the width offers it: in the header's menu, in the drawer on small screens. */
async function choose(page: Page, width: number, name: string) {
  if (width >= wideFrom) {
    await header(page).locator("button[aria-expanded]:has(svg)[aria-label*=':']").first().click();
    await header(page).getByRole("button", { name, exact: true }).click();
  } else {
    await header(page).locator("button[aria-haspopup=dialog]").click();
    await page.getByRole("dialog").getByRole("combobox").selectOption({ label: name });
  }
}

for (const width of widths) {
  test.describe(`at ${width} px`, repeatedIf(width !== 360), () => {
    test.use({ viewport: { width, height: 800 } });

    test("five languages can be chosen; the choice is stored, restored and named in <html lang>", async ({ page }) => {
      await page.goto("/about");
      await expect(page.locator("html")).toHaveAttribute("lang", "en-US");
      const headings = new Set<string>();
      for (const { tag, name } of languages) {
        await choose(page, width, name);
        await expect(page.locator("html")).toHaveAttribute("lang", tag);
        await expect.poll(() => stored(page)).toBe(tag);
        if (width < wideFrom) await page.keyboard.press("Escape");
        headings.add((await page.getByRole("heading", { level: 1 }).textContent()) ?? "");
      }
      expect(headings.size).toBe(languages.length);
      await page.reload();
      await expect(page.locator("html")).toHaveAttribute("lang", "fr-FR");
      await expect(header(page).getByRole("button", { name: "Connect Wallet" })).toHaveCount(0);
    });
  });
}

test("a product speaks the chosen language everywhere, at once and after a reload, and is found by its English name too", async ({
  page,
}) => {
  const names = {
    English: "Alpine River Hydropower",
    简体中文: "阿尔卑斯河流水电",
    繁體中文: "阿爾卑斯河流水力發電",
    한국어: "알프스 하천 수력 발전",
    Français: "Hydroélectricité des Alpes",
  };
  const english = /run-of-river|weir|turbine houses|grid operator pays|Dry years|Natural hazard/;
  const { risks } = await api<DemandDetail>("product/alps-hydro");
  await page.goto("/product/alps-hydro");
  // The details stay open in every language.
  await page.getByText("Full description and all risks").click();
  for (const [language, name] of Object.entries(names)) {
    await choose(page, 1280, language);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
    await expect(page).toHaveTitle(new RegExp(name));
    // The risks are the last texts of the document. Until they are shown, nothing is marked as busy either.
    const risk = { has: page.getByRole("heading", { level: 3 }) };
    await expect(page.locator("main details > div li").filter(risk)).toHaveCount(risks.length);
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    const text = (await page.getByRole("main").textContent()) ?? "";
    expect(english.test(text), `${language}: English texts in ${text.slice(0, 200)}`).toBe(language === "English");
  }
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Hydroélectricité des Alpes");
  await page.goto("/products?q=hydroelectricite");
  await expect(page.getByRole("heading", { level: 2, name: "Hydroélectricité des Alpes" })).toBeVisible();
  await page.getByRole("searchbox").fill("alpine hydropower");
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(["Hydroélectricité des Alpes"]);
});

test("the header fits in every language at every width, before and after a wallet connects, on a wrong network too", async ({
  page,
  wallet,
}) => {
  await page.goto("/about");
  const fits = async (state: string) => {
    for (const { tag } of languages) {
      await page.evaluate((tag) => localStorage.setItem("app-language", tag), tag);
      await page.reload();
      await expect(page.locator("html")).toHaveAttribute("lang", tag);
      await expect(header(page).locator("[aria-busy=true]")).toHaveCount(0);
      if (state !== "disconnected") await expect(header(page).getByText("…")).toBeVisible();
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        expect(await overflow(page), `${tag} at ${width} px, ${state}`).toBe(0);
      }
    }
    await page.evaluate(() => localStorage.setItem("app-language", "en-US"));
    await page.reload();
  };
  await fits("disconnected");
  await connect(page, "test.wallet", wallet.address);
  await fits("connected");
  await expectConnected(page, wallet.address);
  await wallet.moveTo(5);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await expect(header(page).getByRole("button", { name: "Wrong network" })).toBeInViewport({ ratio: 1 });
    expect(await overflow(page), `wrong network at ${width} px`).toBe(0);
  }
});

test("the kit's dialogs, the wallet's menu and the toast speak the chosen language", async ({
  page,
  wallet,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/about");
  await page.reload();
  for (const { tag, connect: label, kit, copied, copy } of languages) {
    await page.evaluate((tag) => localStorage.setItem("app-language", tag), tag);
    await page.reload();
    await header(page).getByRole("button", { name: label }).click();
    await expect(page.getByRole("dialog", { name: kit })).toBeVisible();
    await page.getByTestId("rk-wallet-option-test.wallet").click();
    await expectConnected(page, wallet.address);
    await header(page).getByText("…").click();
    await header(page).getByRole("button", { name: copy }).click();
    await expect(page.getByRole("listitem").filter({ hasText: copied })).toBeVisible();
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith("wagmi")) localStorage.removeItem(key);
    });
  }
});
