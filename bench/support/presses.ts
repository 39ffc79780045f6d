import type { Browser, Locator, Page } from "@playwright/test";
import { kilobytes, watchFiles } from "./files.ts";
import type { Figure } from "./goals.ts";
import { medianOfEach } from "./median.ts";

const TIMES = 3;
/** Time that a pointer rests on an element before pressing it. */
const HOVER_MS = 1_000;
/** A wallet's transactions, of which the app shows so many at once and never more. */
const ACTIVITY = { rows: 5_000, atOnce: 20 };

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const desktop = { viewport: { width: 1280, height: 900 } };

/** Runs in the page: how long each press took until the next paint. Below 16 ms a browser does not say. */
const OBSERVE_PRESSES = `
  window.pressed = [];
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId) pressed.push(duration);
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
`;

/** Runs in the page: milliseconds from the next click until a frame in which \`is\` holds has been painted. */
const untilPainted = (is: string) => `
  window.painted = new Promise((resolve) =>
    addEventListener("click", ({ timeStamp }) => {
      const look = () => {
        if (!(${is})) return requestAnimationFrame(look);
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - timeStamp);
        port2.postMessage(null);
      };
      requestAnimationFrame(look);
    }, { capture: true, once: true }));
  null`;
const DIALOG_IS_OPEN = "document.querySelector('[role=dialog], dialog[open]')?.getBoundingClientRect().height > 0";
const WALLET_CAN_BE_PRESSED = `(() => {
  const row = document.querySelector("[data-testid^=rk-wallet-option]");
  if (!row) return false;
  const { left, top, width, height } = row.getBoundingClientRect();
  return row.contains(document.elementFromPoint(left + width / 2, top + height / 2));
})()`;

/** A page that React has taken over. */
async function open(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: "load" });
  await page.locator("html[data-taken-over]").waitFor({ state: "attached" });
  await page.waitForTimeout(2_000);
}

const connectButton = (page: Page) => page.getByRole("banner").getByRole("button", { name: "Connect Wallet" });

/** Interaction to next paint with a processor four times slower. @param wallet whose portfolio is looked at */
export async function pressOnSlowPhone(browser: Browser, origin: string, wallet: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const path of ["/product/aegean-water", "/performance/aegean-water", `/portfolios?address=${wallet}`]) {
    // For the calls that fillActivity makes.
    const context = await browser.newContext({ ...phone, ignoreHTTPSErrors: true });
    const page = await context.newPage();
    await page.addInitScript({ content: OBSERVE_PRESSES });
    await fillActivity(page);
    await open(page, origin + path);
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    const presses = await pressEverything(page);
    await context.close();
    const slowest = presses.reduce((one, other) => (other.took > one.took ? other : one));
    const where = `${path.split("?", 1)[0]}, slowest of ${presses.length}: ${slowest.name}`;
    figures.push({ what: "press to next paint, 4 × slower", where, measured: slowest.took, goal: 100, unit: "ms" });
  }
  return figures;
}

/** Answers each page of a wallet's transactions with rows of its first one, as if it had very many. */
async function fillActivity(page: Page): Promise<void> {
  await page.route("**/api/v2/account/transaction/**", async (route) => {
    const url = new URL(route.request().url());
    const number = Number(url.searchParams.get("page"));
    url.searchParams.set("page", "1");
    const answer = await route.fetch({ url: url.href });
    const { data } = await answer.json();
    const items = Array.from({ length: ACTIVITY.atOnce }, (_, row) => ({
      ...data.items[row % data.items.length],
      log_index: number * ACTIVITY.atOnce + row,
    }));
    await route.fulfill({ response: answer, json: { data: { ...data, page: number, items, total: ACTIVITY.rows } } });
  });
}

interface Press {
  name: string;
  /** Milliseconds; 0 where it was too short to be seen. */
  took: number;
}

/** Each tab and, in each, every choice and the next page of a table; then Connect Wallet. */
async function pressEverything(page: Page): Promise<Press[]> {
  const presses: Press[] = [];
  async function press(target: Locator, name: string): Promise<void> {
    await target.scrollIntoViewIfNeeded();
    await page.evaluate("pressed.length = 0");
    await target.tap();
    await page.waitForTimeout(700);
    presses.push({ name, took: await page.evaluate<number>("Math.max(0, ...pressed)") });
  }
  async function pressChoices(within: string): Promise<void> {
    const labels = page.locator("main fieldset label:visible");
    for (const [index, text] of (await labels.allInnerTexts()).entries())
      await press(labels.nth(index), `${within}, ${text}`);
    const next = page.getByRole("main").getByRole("button", { name: "Next page" });
    if ((await next.count()) > 0) for (let time = 0; time < TIMES; time++) await press(next.first(), `${within}, next`);
  }
  await pressChoices("as opened");
  const tabs = page.locator("main [role=tab]:visible, main [data-tab] a");
  // Counted anew each time: what a tab shows may have tabs of its own.
  for (let index = 0; index < (await tabs.count()); index++) {
    const name = await tabs.nth(index).innerText();
    await press(tabs.nth(index), name);
    await pressChoices(name);
  }
  await press(connectButton(page), "Connect Wallet");
  return presses;
}

/** Connect Wallet on a machine at rest: with its code fetched by a hover, and without. */
export async function pressConnect(browser: Browser, origin: string): Promise<Figure[]> {
  const visits: Record<"frame" | "usable" | "bytes", number>[] = [];
  for (let time = 0; time < TIMES; time++) {
    const context = await browser.newContext(desktop);
    const page = await context.newPage();
    await open(page, `${origin}/`);
    const files = await watchFiles(await context.newCDPSession(page));
    await connectButton(page).hover();
    await page.waitForTimeout(HOVER_MS);
    await page.evaluate(untilPainted(WALLET_CAN_BE_PRESSED));
    await connectButton(page).click();
    const usable = await page.evaluate<number>("painted");
    const hovered = { usable, bytes: kilobytes(files) };
    await context.close();

    const cold = await browser.newContext(desktop);
    const other = await cold.newPage();
    await open(other, `${origin}/`);
    await other.evaluate(untilPainted(DIALOG_IS_OPEN));
    // Without moving a pointer there first.
    await connectButton(other).dispatchEvent("click");
    visits.push({ ...hovered, frame: await other.evaluate<number>("painted") });
    await cold.close();
  }
  const { frame, usable, bytes } = medianOfEach(visits);
  const where = "Connect Wallet";
  return [
    { what: "frame of the dialog, without a hover", where, measured: frame, goal: 100, unit: "ms" },
    { what: "a wallet can be chosen, after a hover", where, measured: usable, goal: 300, unit: "ms" },
    { what: "wallet code from hover to choice, gzip", where, measured: bytes, goal: 210, unit: "kB" },
  ];
}

/** Measures the time from the press on a hovered link until the next page's heading is painted, on an idle machine. */
export async function changeRoutes(browser: Browser, origin: string): Promise<Figure[]> {
  const links = (page: Page) => page.getByRole("banner").getByRole("navigation").getByRole("link");
  const changes: { from: string; to: string; link: (page: Page) => Locator }[] = [
    { from: "/", to: "/products", link: (page) => links(page).filter({ hasText: "Products" }) },
    { from: "/products", to: "/portfolios", link: (page) => links(page).filter({ hasText: "Portfolios" }) },
    { from: "/products", to: "/about", link: (page) => links(page).filter({ hasText: "About" }) },
    { from: "/products", to: "/home", link: (page) => links(page).filter({ hasText: "Home" }) },
    { from: "/products", to: "a product", link: (page) => page.getByRole("article").first().getByRole("link").first() },
  ];
  const figures: Figure[] = [];
  for (const { from, to, link } of changes) {
    const times: { took: number }[] = [];
    for (let time = 0; time < TIMES; time++) {
      const context = await browser.newContext(desktop);
      const page = await context.newPage();
      await open(page, origin + from);
      await link(page).hover();
      await page.waitForTimeout(HOVER_MS);
      const heading = "document.querySelector('main h1')?.textContent";
      await page.evaluate(`window.before = ${heading}; ${untilPainted(`${heading} && ${heading} !== before`)}`);
      await link(page).click();
      times.push({ took: await page.evaluate<number>("painted") });
      await context.close();
    }
    const { took } = medianOfEach(times);
    figures.push({
      what: "change of page, after a hover",
      where: `${from} to ${to}`,
      measured: took,
      goal: 100,
      unit: "ms",
    });
  }
  return figures;
}
