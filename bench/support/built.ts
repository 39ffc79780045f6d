import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildWeb } from "../../devnet/src/build.ts";
import { deploymentsFolder } from "../../devnet/src/deploy.ts";
import { productsFolder } from "../../devnet/src/documents.ts";
import { freePort } from "../../devnet/test/support/port.ts";
import { buildDistribution } from "../../scripts/distribution.ts";
import type { Seeded } from "./seeded.ts";

export interface Built {
  /** A folder for this measurement, which `remove` deletes. */
  folder: string;
  /** What `npm run build` makes, and its size. */
  dist: string;
  bytes: number;
  remove(): Promise<void>;
}

export async function build(): Promise<Built> {
  const folder = await mkdtemp(join(tmpdir(), "aqua-bench-"));
  await chmod(folder, 0o755);
  await buildWeb("production");
  const dist = join(folder, "dist");
  const { bytes } = await buildDistribution(dist);
  return { folder, dist, bytes, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The built server as it runs in production, once it is ready. */
export async function startBuilt(
  { dist }: Pick<Built, "dist">,
  { dataDir, databaseUrl, rpcUrl }: Pick<Seeded, "dataDir" | "databaseUrl" | "rpcUrl">,
  settings: Record<string, string> = {},
): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [join(dist, "server.js")], {
    cwd: dataDir,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      NODE_ENV: "production",
      PORT: String(port),
      MQTT_PORT: "off",
      DATABASE_URL: databaseUrl,
      SECRET_KEY: "ab".repeat(32),
      SMTP_URL: "smtp://127.0.0.1:25",
      RPC_URL_31337: rpcUrl,
      DEPLOYMENTS_DIR: deploymentsFolder(dataDir),
      PRODUCTS_DIR: productsFolder,
      RATE_LIMIT_API: "1000000",
      ...settings,
    },
  });
  const stop = async () => {
    if (child.exitCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  };
  while (!(await fetch(`${url}/ready`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error("the server ended");
    await sleep(10);
  }
  return { url, pid: child.pid ?? 0, stop };
}

/** Resolves once the tables of a server follow the chain. */
export async function untilFollowing({ url }: { url: string }): Promise<void> {
  while (/"part":"chain /.test(await (await fetch(`${url}/ready`)).text())) await sleep(50);
}

/** Bare Fastify that answers the paths of a file of `[path, body]`. */
export async function startFloor(file: string): Promise<{ url: string; pid: number; stop(): void }> {
  const port = await freePort();
  const floor = fork(join(import.meta.dirname, "floor.ts"), [file, String(port)]);
  await once(floor, "message");
  return { url: `http://127.0.0.1:${port}`, pid: floor.pid ?? 0, stop: () => floor.kill() };
}
