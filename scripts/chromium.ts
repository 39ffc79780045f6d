import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Debian's names. The shell is the same engine without the parts of a window, which tests do not need. */
const packages = ["chromium-headless-shell", "chromium"];

const candidates = [
  ...packages.map((name) => `/usr/bin/${name}`),
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/opt/google/chrome/chrome",
];

/**
 * Returns the path of the browser for the end-to-end tests: `CHROMIUM_PATH`, an installed one, or Debian's package,
 * which is installed when permitted. Otherwise throws with instructions: tests are never skipped for lack of a browser.
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
