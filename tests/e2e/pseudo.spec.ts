import type { Page } from "@playwright/test";
import { codeFor, newEmail, password } from "./support/account";
import { api } from "./support/app";
import { expect, test } from "./support/test";

/** Words that are equal in every language, and the browser's own words for dates, ages and countries. */
const names =
  /^(Aqua|AQUA|MIND|English|Français|Local|Telegram|tUSD|aq[A-Z]+|USD|ETH|UTC|APY|CSV|JSON|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|January|February|March|April|June|July|August|September|October|November|December|ago|now|sec|min|hour|hours|day|days|yesterday|today|month|months|year|years|Greece|Senegal|Switzerland|United|States)$/;

/** Every string in the API's responses, longest first: texts of operators and contracts are not translated. */
async function operatorTexts(): Promise<string[]> {
  const { items } = await api<{ items: { short_id: string }[] }>("product/list");
  const answers: unknown[] = [items, await api("network")];
  for (const { short_id } of items)
    answers.push(
      await api(`product/${short_id}`),
      await api(`product/${short_id}/devices`),
      await api(`product/${short_id}/income?range=all`),
    );
  const texts = new Set<string>();
  const walk = (value: unknown) => {
    if (typeof value === "string" && /[A-Za-z]{3}/.test(value)) texts.add(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(walk);
  };
  walk(answers);
  return [...texts].sort((a, b) => b.length - a.length);
}

/** Visible texts and the names read to screen readers. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      // The names of all countries are the browser's.
      if (element?.closest("select[autocomplete=country]")) continue;
      if (element && !["SCRIPT", "STYLE", "NOSCRIPT"].includes(element.tagName) && element.checkVisibility())
        texts.push(node.textContent ?? "");
    }
    for (const element of document.body.querySelectorAll("*"))
      for (const name of ["aria-label", "placeholder", "alt", "title", "aria-roledescription"])
        texts.push(element.getAttribute(name) ?? "");
    texts.push(document.title);
    return texts.map((text) => text.replaceAll(/\s+/g, " ").trim()).filter((text) => text !== "");
  });
}

/** Waits until the page has stopped growing and nothing is busy, because lazy parts arrive one after the other. */
async function settled(page: Page) {
  let length = -1;
  await expect(async () => {
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    const before = length;
    length = await page.evaluate(() => document.body.textContent?.length ?? 0);
    expect(length).toBe(before);
  }).toPass({ intervals: [500] });
}

/** Texts with Latin words that are neither accented by the catalog nor contained in `theirs`. */
async function untranslatedTexts(page: Page, theirs: readonly string[]): Promise<string[]> {
  return (await textsOf(page)).filter((text) => {
    const ours = theirs.reduce((rest, known) => rest.replaceAll(known, " "), text.replaceAll(/0x[0-9a-fA-F…]+/g, " "));
    return (ours.match(/[A-Za-z]{3,}/g) ?? []).some((word) => !names.test(word));
  });
}

/** Texts and their separate sentences, because an overview shows only the first sentences. */
function withSentences(texts: readonly string[]): string[] {
  const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
  const sentences = texts.flatMap((text) => [...segmenter.segment(text)].map(({ segment }) => segment.trim()));
  return [...texts, ...sentences.filter((sentence) => sentence.length > 20)];
}

test("no page shows a text that is not in the catalogs", async ({ page }) => {
  const theirs = withSentences(await operatorTexts());
  await page.addInitScript(() => localStorage.setItem("app-language", "en-XA"));
  const untranslated: string[] = [];
  const paths = [
    ...["/", "/products", "/products?q=99", "/product/alps-hydro", "/liquidity/alps-hydro", "/performance/alps-hydro"],
    ...["/portfolios", "/portfolios?address=0x09DB0a93B389bEF724429898f539AEB7ac2Dd55f", "/portfolios?address=wrong"],
    ...["/transparency", "/about", "/sign-in", "/sign-up", "/forgot-password", "/account", "/unsubscribe", "/404"],
  ];
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await settled(page);
    for (const text of await untranslatedTexts(page, theirs)) untranslated.push(`${path}: ${text}`);
  }
  expect([...new Set(untranslated)]).toEqual([]);
});

test("no step towards an account and no part of one shows a text that is not in the catalogs", async ({ page }) => {
  const theirs = await operatorTexts();
  await page.addInitScript(() => {
    // A mail's frame has no storage.
    if (window === window.top) localStorage.setItem("app-language", "en-XA");
  });
  const untranslated: string[] = [];
  const email = newEmail();
  const look = async (state: string) => {
    await settled(page);
    // Names of persons and browsers are not translated, nor are the names by which the sandbox decides.
    const known = [...theirs, email, "nobody@example.com", "Safari, Linux", "Chrome, Linux"];
    const found = (await untranslatedTexts(page, known)).filter((text) => !/^Test [A-Z][a-z]+$/.test(text));
    for (const text of found) untranslated.push(`${state}: ${text}`);
  };
  const main = page.getByRole("main");
  await page.goto("/sign-up");
  await main.locator("[autocomplete=username]").fill("ada");
  await page.keyboard.press("Enter");
  await look("a wrong e-mail");
  await main.locator("[autocomplete=username]").fill(email);
  await page.keyboard.press("Enter");
  await main.locator("[autocomplete=one-time-code]").fill("12");
  await page.keyboard.press("Enter");
  await look("the code");
  await main.locator("[autocomplete=one-time-code]").fill(await codeFor(email));
  await main.locator("[autocomplete=new-password]").fill("aqua");
  await page.keyboard.press("Enter");
  await look("the password");
  await main.locator("[autocomplete=new-password]").fill(password);
  await main.locator("[autocomplete=country]").selectOption("SN");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 2 })).toBeFocused();
  await look("the new account");
  await page.goto("/account");
  await main.locator("[type=file]").waitFor();
  await main.locator("form [type=submit]").click();
  await look("the account");
  await page.goto(`/dev/outbox?to=${email}`);
  await expect(main.locator("iframe")).toBeVisible();
  await main.locator("input[type=search]").fill("nobody@example.com");
  await look("an empty outbox");
  expect([...new Set(untranslated)]).toEqual([]);
});
