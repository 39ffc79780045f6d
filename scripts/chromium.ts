import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Debian's names; the shell is the same engine without a window's parts, which a test has no use for. */
const packages = ["chromium-headless-shell", "chromium"];

const candidates = [
  ...packages.map((name) => `/usr/bin/${name}`),
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/opt/google/chrome/chrome",
];

/**
 * Path of the browser the end-to-end tests drive: `CHROMIUM_PATH`, an installed one, or Debian's package, installed here
 * when we may. Throws with what to do otherwise; tests are never left out for want of a browser.
 */
export async function findChromium(): Promise<string> {
  const configured = process.env.CHROMIUM_PATH;
  if (configured) {
    if (!existsSync(configured)) throw new Error(`CHROMIUM_PATH names ${configured}, which does not exist.`);
    return configured;
  }
  const installed = candidates.find((path) => existsSync(path));
  if (installed) return installed;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.log("Installing Chromium for the browser tests …");
    apt("update", "-qq");
    for (const name of packages) {
      apt("install", "-y", "-qq", name);
      if (existsSync(`/usr/bin/${name}`)) return `/usr/bin/${name}`;
    }
  }
  throw new Error("No Chromium found. Install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.");
}

function apt(...args: string[]): void {
  spawnSync("apt-get", args, { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
}
