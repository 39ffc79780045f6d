import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { whileAlone } from "./lock.ts";
import { repositoryRoot } from "./settings.ts";

const require = createRequire(import.meta.url);
const web = join(repositoryRoot, "apps", "web");
const skipped = new Set(["node_modules", "dist", "test", "test-results", ".vite"]);

/** The two builds of the web app: `demo` includes the local chain and the demo wallet, `production` does not. */
export type WebMode = "demo" | "production";

export function webFolder(mode: WebMode): string {
  return join(web, "dist", mode);
}

/** Compiles the contracts when their sources changed. Rejects with the compiler's message. */
export async function buildContracts(signal?: AbortSignal): Promise<void> {
  await run({
    args: [join(repositoryRoot, "contracts", "scripts", "build.mjs")],
    cwd: repositoryRoot,
    failure: "The contracts do not compile",
    signal,
  });
}

/**
 * Builds the web app when any of its sources changed. Waits for another process that is building it. Returns whether it
 * built.
 */
export function buildWeb(mode: WebMode, signal?: AbortSignal): Promise<boolean> {
  return whileAlone(join(web, "dist"), () => buildChangedWeb(mode, signal), signal);
}

async function buildChangedWeb(mode: WebMode, signal?: AbortSignal): Promise<boolean> {
  const stamp = join(web, "dist", `${mode}.sha256`);
  const fingerprint = await fingerprintOfWeb();
  const fresh = existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint;
  if (fresh && existsSync(join(webFolder(mode), "index.html"))) return false;
  // An interrupted build must not count as finished.
  await rm(stamp, { force: true });
  const vite = join(dirname(require.resolve("vite/package.json", { paths: [web] })), "bin", "vite.js");
  // The second build renders pages on the server. The first one empties the folder of both.
  for (const part of [[], ["--ssr", "src/server.tsx"]])
    await run({
      args: [vite, "build", ...part, "--mode", mode, "--logLevel", "warn"],
      cwd: web,
      failure: "The web app does not build",
      signal,
    });
  await mkdir(dirname(stamp), { recursive: true });
  await writeFile(stamp, fingerprint);
  return true;
}

/** Returns a hash over the names and bytes of all sources of the web app. */
async function fingerprintOfWeb(): Promise<string> {
  const files = [join(repositoryRoot, "package-lock.json"), join(repositoryRoot, "tsconfig.base.json")];
  await collect(web, files);
  await collect(join(repositoryRoot, "packages", "sdk"), files);
  const hash = createHash("sha256");
  for (const file of files.sort()) {
    const content = await readFile(file);
    hash.update(`${relative(repositoryRoot, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

async function collect(folder: string, files: string[]): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (skipped.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await collect(path, files);
    else if (entry.isFile() && !entry.name.endsWith(".tsbuildinfo")) files.push(path);
  }
}

function run({
  args,
  cwd,
  failure,
  signal,
}: {
  args: readonly string[];
  cwd: string;
  failure: string;
  signal?: AbortSignal | undefined;
}): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      ...(signal ? { signal } : {}),
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text.toString()));
    child.on("error", reject);
    child.on("exit", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${failure} (exit code ${code}):\n${output.trim()}`));
    });
  });
}
