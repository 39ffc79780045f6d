/**
 * Starts the worlds of the browser tests, one per browser, and reports when all can be used. The year is played once: the
 * other worlds begin as copies of the first, made while it is stopped.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { productsFolder } from "../../devnet/src/documents.ts";
import { blockTime, portsOf, productsOf, worlds } from "./support/ports.ts";

const root = join(import.meta.dirname, "../..");
const data = process.env.AQUA_E2E_DATA;
if (data === undefined) throw new Error("AQUA_E2E_DATA names no folder for the worlds.");
const folderOf = (index: number) => join(data, `world${index}`);
for (let index = 0; index < worlds; index++) cpSync(productsFolder, productsOf(index), { recursive: true });
const running = new Set<ChildProcess>();
const stopping = new Set<ChildProcess>();

/** Resolves when the world and its demo account can be used. Rejects if it ends before. */
function start(index: number): Promise<ChildProcess> {
  const { http, chain, mqtt } = portsOf(index);
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/start.ts"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      PORT: String(http),
      CHAIN_PORT: String(chain),
      MQTT_PORT: String(mqtt),
      // Tests wait until readings are anchored.
      ANCHOR_EVERY: "20",
      // The tests mostly wait for blocks.
      BLOCK_TIME: String(blockTime),
      DATA_DIR: folderOf(index),
      DEVNET_PRODUCTS_DIR: productsOf(index),
    },
  });
  running.add(child);
  child.once("exit", () => {
    running.delete(child);
    if (!stopping.has(child)) console.error(`World ${index} ended by itself.`);
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => reject(new Error(`World ${index} ended: ${signal ?? `exit code ${code}`}.`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      console.log(`world ${index}: ${line}`);
      if (line.includes("Aqua is ready")) resolve(child);
    });
  });
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  stopping.add(child);
  child.kill("SIGTERM");
  await ended;
}

async function stopAll(exitCode: number): Promise<void> {
  await Promise.all([...running].map(stop));
  process.exit(exitCode);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stopAll(0));

try {
  if (!existsSync(folderOf(0))) {
    await stop(await start(0));
    for (let index = 1; index < worlds; index++) {
      // Copies owners too, because PostgreSQL starts only on a folder of its own user. Node's cpSync does not copy
      // them.
      execFileSync("cp", ["-a", folderOf(0), folderOf(index)]);
    }
  }
  await Promise.all(Array.from({ length: worlds }, (_, index) => start(index)));
  console.log("All worlds are ready.");
} catch (error) {
  // Playwright waits while one of the worlds has its end of the pipe open.
  console.error(error);
  await stopAll(1);
}
