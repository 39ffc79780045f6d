import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { medianOfEach } from "./median.ts";

const folder = join(import.meta.dirname, "../lighthouse");
const run = promisify(execFile);

/** Lighthouse's results for one page, as a phone with its default throttling. */
type Figures = Record<
  | "performance"
  | "accessibility"
  | "bestPractices"
  | "seo"
  /** Milliseconds. */
  | "firstPaint"
  | "largestPaint"
  /** Milliseconds beyond 50 of each task that held the main thread between first paint and the page being usable. */
  | "blocked"
  | "shift"
  | "scripts"
  /** Bytes as sent. */
  | "scriptBytes"
  | "bytes",
  number
>;

export interface Opinion extends Figures {
  /** Checks other than those of time that a page does not pass, with what they found. */
  faults: string[];
}

interface Audit {
  id: string;
  title: string;
  /** 0 to 1; null where it does not apply or only informs. */
  score: number | null;
  numericValue?: number;
  details?: { items?: Record<string, unknown>[] };
}

interface Report {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, Audit>;
}

/** Installs Lighthouse into a folder of its own: nothing of the product needs it. */
export async function installLighthouse(): Promise<void> {
  await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder });
}

interface Chromium {
  path: string;
  /** Arguments with which it is started. */
  args: readonly string[];
}

/** Medians of several runs on one page. */
export async function judge(url: string, runs: number, chromium: Chromium): Promise<Opinion> {
  const reports: Report[] = [];
  // Beside other work a browser sometimes loses its own trace; the run is then made once more.
  for (let time = 0; time < runs; time++) reports.push(await report(url, chromium).catch(() => report(url, chromium)));
  const faults = new Set(reports.flatMap(faultsIn));
  return { ...medianOfEach(reports.map(figuresOf)), faults: [...faults] };
}

async function report(url: string, chromium: Chromium): Promise<Report> {
  const flags = ["--headless=new", ...chromium.args].join(" ");
  const main = join(folder, "node_modules/lighthouse/cli/index.js");
  const args = [main, url, "--output=json", "--quiet", "--no-enable-error-reporting", `--chrome-flags=${flags}`];
  const env = { ...process.env, CHROME_PATH: chromium.path };
  const { stdout } = await run(process.execPath, args, { env, maxBuffer: 64 << 20 }).catch(({ stderr }) => {
    throw new Error(`Lighthouse could not judge ${url}: ${stderr}`);
  });
  return JSON.parse(stdout) as Report;
}

function figuresOf({ categories, audits }: Report): Figures {
  const points = (category: string) => Math.round((categories[category]?.score ?? Number.NaN) * 100);
  const value = (audit: string) => audits[audit]?.numericValue ?? Number.NaN;
  const requests = audits["network-requests"]?.details?.items ?? [];
  const scripts = requests.filter(({ resourceType }) => resourceType === "Script");
  return {
    performance: points("performance"),
    accessibility: points("accessibility"),
    bestPractices: points("best-practices"),
    seo: points("seo"),
    firstPaint: value("first-contentful-paint"),
    largestPaint: value("largest-contentful-paint"),
    blocked: value("total-blocking-time"),
    shift: value("cumulative-layout-shift"),
    scripts: scripts.length,
    scriptBytes: scripts.reduce((sum, { transferSize }) => sum + Number(transferSize), 0),
    bytes: value("total-byte-weight"),
  };
}

function faultsIn({ categories, audits }: Report): string[] {
  return ["accessibility", "best-practices", "seo"].flatMap((category) =>
    (categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const audit = audits[id];
      if (weight === 0 || audit === undefined || audit.score === null || audit.score === 1) return [];
      return [`${category}: ${id}, ${audit.title}`];
    }),
  );
}
