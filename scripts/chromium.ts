import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const candidates = [
  "/usr/bin/chromium",
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
    if (!existsSync(configured)) throw new Error(`CHROMIUM_PATH names ${configured}, which is not there.`);
    return configured;
  }
  const installed = candidates.find((path) => existsSync(path));
  if (installed) return installed;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.log("Installing Chromium for the browser tests …");
    for (const args of [
      ["update", "-qq"],
      ["install", "-y", "-qq", "chromium"],
    ]) {
      spawnSync("apt-get", args, { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
    }
    if (existsSync("/usr/bin/chromium")) return "/usr/bin/chromium";
  }
  throw new Error("No Chromium found. Install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.");
}
