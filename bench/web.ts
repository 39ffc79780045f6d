/**
 * What a person with a slow phone waits for: a processor four times slower, 1.6 Mbit/s and 150 ms there and back. Each
 * page as the server renders it, and beside it in the same run the same page rendered by the browser, as it is where the
 * address has a query. Medians of three visits without a cache. Run: npm run bench -- web
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startWorld } from "../devnet/src/world.ts";

const root = join(import.meta.dirname, "..");
const { chromium } = createRequire(join(root, "tests/e2e/package.json"))("@playwright/test");
const PATHS = ["/", "/products", "/product/aegean-water", "/performance/aegean-water", "/transparency", "/about"];
const VISITS = 3;
/** After this nothing of a page is still on its way. */
const SETTLED_MS = 4_000;

interface Visit {
  scripts: number;
  /** Bytes of scripts as they were sent. */
  bytes: number;
  firstPaint: number;
  largestPaint: number;
  /** Milliseconds beyond 50 of each task that held the main thread. */
  blocked: number;
  shift: number;
}

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

const scratch = await mkdtemp(join(tmpdir(), "aqua-bench-"));
await chmod(scratch, 0o755);
const world = await startWorld({ dataDir: join(scratch, "world"), chainPort: 38545, httpPort: 38080 });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});

async function visit(path: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
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
  session.on("Network.responseReceived", ({ requestId, type }: { requestId: string; type: string }) => {
    if (type === "Script") isScript.add(requestId);
  });
  session.on(
    "Network.loadingFinished",
    ({ requestId, encodedDataLength }: { requestId: string; encodedDataLength: number }) =>
      sent.set(requestId, encodedDataLength),
  );
  await page.addInitScript({ content: OBSERVE });
  await page.goto(`http://localhost:38080${path}`, { waitUntil: "load" });
  await page.waitForTimeout(SETTLED_MS);
  const seen: Omit<Visit, "scripts" | "bytes"> = await page.evaluate(SEEN);
  await context.close();
  const scripts = [...isScript].map((id) => sent.get(id) ?? 0);
  return { ...seen, scripts: scripts.length, bytes: scripts.reduce((sum, size) => sum + size, 0) };
}

async function median(path: string): Promise<Visit> {
  const visits: Visit[] = [];
  for (let time = 0; time < VISITS; time++) visits.push(await visit(path));
  const middle = (name: keyof Visit) =>
    visits.map((each) => each[name]).sort((one, other) => one - other)[1] ?? Number.NaN;
  return {
    scripts: middle("scripts"),
    bytes: middle("bytes"),
    firstPaint: middle("firstPaint"),
    largestPaint: middle("largestPaint"),
    blocked: middle("blocked"),
    shift: middle("shift"),
  };
}

try {
  console.log("| page | rendered by | scripts | kB | first paint | largest paint | main thread held | shift |");
  console.log("|---|---|---|---|---|---|---|---|");
  for (const path of PATHS) {
    const rows = { server: await median(path), browser: await median(`${path}?`) };
    for (const [by, { scripts, bytes, firstPaint, largestPaint, blocked, shift }] of Object.entries(rows)) {
      const times = [firstPaint, largestPaint, blocked].map((time) => `${Math.round(time)} ms`).join(" | ");
      console.log(`| ${path} | ${by} | ${scripts} | ${(bytes / 1000).toFixed(0)} | ${times} | ${shift.toFixed(3)} |`);
    }
    const ratio = rows.browser.largestPaint / rows.server.largestPaint;
    console.log(`| ${path} | ratio | | | | ${ratio.toFixed(1)} × | | |`);
  }
} finally {
  await browser.close();
  await world.stop();
  await rm(scratch, { recursive: true, force: true });
}
