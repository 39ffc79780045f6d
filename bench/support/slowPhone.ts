import type { Browser } from "@playwright/test";
import type { Figure } from "./goals.ts";
import { medianOfEach } from "./median.ts";

const PATHS = ["/", "/products", "/product/aegean-water", "/performance/aegean-water", "/transparency", "/about"];
const VISITS = 3;
/** After this nothing of a page is still on its way. */
const SETTLED_MS = 4_000;

type Visit = Record<
  | "scripts"
  /** Bytes of the scripts as they were sent. */
  | "bytes"
  | "firstPaint"
  | "largestPaint"
  /** Milliseconds beyond 50 of each task that held the main thread. */
  | "blocked"
  | "shift",
  number
>;

/** Runs in the page. */
const OBSERVE = `
  const seen = (window.seen = { largestPaint: 0, blocked: 0, shift: 0 });
  const observe = (type, each) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  observe("largest-contentful-paint", ({ startTime }) => (seen.largestPaint = startTime));
  observe("longtask", ({ duration }) => (seen.blocked += Math.max(0, duration - 50)));
  observe("layout-shift", ({ value }) => (seen.shift += value));
`;
const SEEN = `({ ...seen, firstPaint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN })`;

/** `again`: a visit after another, which is not measured. */
async function visit(browser: Browser, url: string, again: boolean): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  if (again) {
    const first = await context.newPage();
    await first.goto(url, { waitUntil: "load" });
    await first.waitForTimeout(SETTLED_MS);
    await first.close();
  }
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 90_000,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const sent = new Map<string, number>();
  const isScript = new Set<string>();
  session.on("Network.responseReceived", ({ requestId, type }) => {
    if (type === "Script") isScript.add(requestId);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => sent.set(requestId, encodedDataLength));
  await page.addInitScript({ content: OBSERVE });
  await page.goto(url, { waitUntil: "load" });
  await page.waitForTimeout(SETTLED_MS);
  const seen: Omit<Visit, "scripts" | "bytes"> = await page.evaluate(SEEN);
  await context.close();
  const scripts = [...isScript].map((id) => sent.get(id) ?? 0);
  return { ...seen, scripts: scripts.length, bytes: scripts.reduce((sum, size) => sum + size, 0) };
}

async function median(browser: Browser, url: string, again = false): Promise<Visit> {
  const visits: Visit[] = [];
  for (let time = 0; time < VISITS; time++) visits.push(await visit(browser, url, again));
  return medianOfEach(visits);
}

/**
 * Prints what a person with a slow phone waits for, and returns the largest paint of each page as the server renders it: a processor four times slower, 1.6 Mbit/s and 150 ms there and back.
 * Each page as the server renders it, the same page at a second visit, and beside them the page rendered by the browser,
 * as it is where the address has a query. Medians of three visits, without a cache but for the second ones.
 */
export async function judgeSlowPhone(browser: Browser, origin: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  console.log("\n| page | rendered by | scripts | kB | first paint | largest paint | main thread held | shift |");
  console.log("|---|---|---|---|---|---|---|---|");
  for (const path of PATHS) {
    const rows = {
      server: await median(browser, origin + path),
      "server, second visit": await median(browser, origin + path, true),
      browser: await median(browser, `${origin}${path}?`),
    };
    for (const [by, { scripts, bytes, firstPaint, largestPaint, blocked, shift }] of Object.entries(rows)) {
      const times = [firstPaint, largestPaint, blocked].map((time) => `${Math.round(time)} ms`).join(" | ");
      console.log(`| ${path} | ${by} | ${scripts} | ${(bytes / 1000).toFixed(0)} | ${times} | ${shift.toFixed(3)} |`);
    }
    const ratio = rows.browser.largestPaint / rows.server.largestPaint;
    console.log(`| ${path} | ratio | | | | ${ratio.toFixed(1)} × | | |`);
    const measured = rows.server.largestPaint;
    figures.push({ what: "largest paint, slow phone", where: path, measured, goal: 1_300, unit: "ms" });
  }
  return figures;
}
