/**
 * Measures the web app as a person experiences it, over HTTP/2 with TLS as behind a proxy in production: Lighthouse
 * beside a page with only RainbowKit's button in the same run, files and presses, and the waiting times of a slow
 * phone. Each goal is printed with its figure; a missed one is not a failure. Run: npm run bench -- web, or with names
 * of parts after it.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserType } from "@playwright/test";
import { demoWallet } from "../devnet/src/accounts.ts";
import { buildWeb, webFolder } from "../devnet/src/build.ts";
import { startWorld } from "../devnet/src/world.ts";
import { findChromium } from "../scripts/chromium.ts";
import { weighPages } from "./support/files.ts";
import { type Figure, printGoals, withUnit } from "./support/goals.ts";
import { installLighthouse, judge, type Opinion } from "./support/lighthouse.ts";
import { startPeer } from "./support/peer.ts";
import { changeRoutes, pressConnect, pressOnSlowPhone } from "./support/presses.ts";
import { makeCertificate, startSecureProxy } from "./support/secureProxy.ts";
import { judgeSlowPhone } from "./support/slowPhone.ts";

const root = join(import.meta.dirname, "..");
const require = createRequire(join(root, "tests/e2e/package.json"));
const { chromium } = require("@playwright/test") as { chromium: BrowserType };
const PATHS = ["/", "/products", "/product/aegean-water", "/portfolios"];
const RUNS = 3;

const PARTS = ["lighthouse", "files", "presses", "phone"] as const;

const parts = process.argv.slice(3);
const runs = (part: (typeof PARTS)[number]) => parts.length === 0 || parts.includes(part);
if (!PARTS.some(runs)) {
  console.error(`Which part? ${PARTS.join(", ")}`);
  process.exit(2);
}

const scratch = await mkdtemp(join(tmpdir(), "aqua-bench-"));
await chmod(scratch, 0o755);
const certificate = await makeCertificate(scratch);
const browserToDrive = {
  path: await findChromium(),
  args: ["--no-sandbox", "--disable-gpu", `--ignore-certificate-errors-spki-list=${certificate.fingerprint}`],
};
const running: { stop(): Promise<unknown> }[] = [];
const started = <Part extends { stop(): Promise<unknown> }>(part: Part): Part => {
  running.unshift(part);
  return part;
};

function goalsOf(where: string, opinion: Opinion, peer: Opinion): Figure[] {
  const { performance, accessibility, bestPractices, seo, blocked, shift } = opinion;
  return [
    { what: "performance", where, measured: performance, goal: 98, unit: "points", least: true },
    { what: "accessibility", where, measured: accessibility, goal: 100, unit: "points", least: true },
    { what: "best practices", where, measured: bestPractices, goal: 100, unit: "points", least: true },
    { what: "SEO", where, measured: seo, goal: 95, unit: "points", least: true },
    { what: "main thread held, beside the peer", where, measured: blocked / peer.blocked, goal: 0.5, unit: "×" },
    { what: "layout shift", where, measured: shift, goal: 0, unit: "" },
  ];
}

function printOpinion(name: string, opinion: Opinion): void {
  const points = [opinion.performance, opinion.accessibility, opinion.bestPractices, opinion.seo].join(" | ");
  const times = [opinion.firstPaint, opinion.largestPaint, opinion.blocked].map((time) => withUnit(time, "ms"));
  const sizes = [opinion.scriptBytes, opinion.bytes].map((bytes) => (bytes / 1000).toFixed(0)).join(" | ");
  console.log(
    `| ${name} | ${points} | ${times.join(" | ")} | ${opinion.shift.toFixed(3)} | ${opinion.scripts} | ${sizes} |`,
  );
}

async function askLighthouse(origin: string, peer: string): Promise<Figure[]> {
  await installLighthouse();
  const points = "performance | accessibility | best practices | SEO";
  const rest = "first paint | largest paint | main thread held | shift | scripts | their kB | all kB";
  console.log(`\n| page | ${points} | ${rest} |\n|${"---|".repeat(12)}`);
  const figures: Figure[] = [];
  const faults: string[] = [];
  const alone = await judge(peer, RUNS, browserToDrive);
  printOpinion("RainbowKit alone", alone);
  for (const path of PATHS) {
    const opinion = await judge(origin + path, RUNS, browserToDrive);
    printOpinion(path, opinion);
    figures.push(...goalsOf(path, opinion, alone));
    faults.push(...opinion.faults.map((fault) => `${path}: ${fault}`));
  }
  if (faults.length > 0) console.log(`\nNot passed:\n${faults.map((fault) => `- ${fault}`).join("\n")}`);
  return figures;
}

try {
  await buildWeb("production");
  const proxy = started(await startSecureProxy(38443, 38080, certificate));
  started(
    await startWorld({
      dataDir: join(scratch, "world"),
      chainPort: 38545,
      httpPort: 38080,
      publicUrl: proxy.url,
      // Uses the production build, as strangers receive it: the demo's build contains a wallet of its own.
      serverEnvironment: { TRUST_PROXY: "1", WEB_DIR: webFolder("production") },
    }),
  );
  const figures: Figure[] = [];
  if (runs("lighthouse")) {
    started(await startPeer(38081, join(scratch, "peer")));
    const peer = started(await startSecureProxy(38444, 38081, certificate));
    figures.push(...(await askLighthouse(proxy.url, peer.url)));
  }
  const browser = await chromium.launch({ executablePath: browserToDrive.path, args: [...browserToDrive.args] });
  started({ stop: () => browser.close() });
  if (runs("files")) figures.push(...(await weighPages(browser, proxy.url, PATHS)));
  if (runs("presses")) {
    figures.push(...(await pressOnSlowPhone(browser, proxy.url, demoWallet().address)));
    figures.push(...(await pressConnect(browser, proxy.url)));
    figures.push(...(await changeRoutes(browser, proxy.url)));
  }
  if (runs("phone")) figures.push(...(await judgeSlowPhone(browser, proxy.url)));
  if (figures.length > 0) printGoals(figures);
} finally {
  for (const part of running) await part.stop();
  await rm(scratch, { recursive: true, force: true });
}
