import type { Browser, CDPSession } from "@playwright/test";
import type { Figure } from "./goals.ts";

/** After this nothing of a page is still on its way. */
const IDLE_MS = 5_000;
const OF_PRODUCT = /^\/(product|liquidity|performance)\//;

export interface SentFile {
  url: string;
  kind: string;
  /** Bytes as sent, including headers. */
  bytes: number;
}

/** Every file the page asks for from now on, once it is here; calls of the API are none. */
export async function watchFiles(session: CDPSession): Promise<SentFile[]> {
  const begun = new Map<string, Omit<SentFile, "bytes">>();
  const files: SentFile[] = [];
  session.on("Network.responseReceived", ({ requestId, type, response }) => {
    if (/^https?:/.test(response.url) && !new URL(response.url).pathname.startsWith("/api/"))
      begun.set(requestId, { url: response.url, kind: type });
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const file = begun.get(requestId);
    if (file !== undefined) files.push({ ...file, bytes: encodedDataLength });
  });
  await session.send("Network.enable");
  // The goals are for gzip; a browser would get Brotli.
  await session.send("Network.setExtraHTTPHeaders", { headers: { "accept-encoding": "gzip" } });
  return files;
}

export const kilobytes = (files: readonly SentFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;

/** Weighs the files that pages send until they are complete and idle. */
export async function weighPages(browser: Browser, origin: string, paths: readonly string[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const where of paths) {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    const page = await context.newPage();
    const files = await watchFiles(await context.newCDPSession(page));
    await page.goto(origin + where, { waitUntil: "load" });
    await page.waitForTimeout(IDLE_MS);
    await context.close();
    const jsGoal = OF_PRODUCT.test(where) ? 200 : 175;
    const scripts = files.filter(({ kind }) => kind === "Script");
    const of = (kind: string) => kilobytes(files.filter((file) => file.kind === kind));
    figures.push(
      { what: "scripts until idle", where, measured: scripts.length, goal: 25, unit: "" },
      { what: "JavaScript until idle, gzip", where, measured: kilobytes(scripts), goal: jsGoal, unit: "kB" },
      { what: "CSS, gzip", where, measured: of("Stylesheet"), goal: 14, unit: "kB" },
      { what: "fonts", where, measured: of("Font"), goal: 55, unit: "kB" },
    );
  }
  return figures;
}
