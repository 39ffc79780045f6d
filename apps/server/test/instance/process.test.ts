import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeDataFolder, removeDataFolder } from "../support/dataFolder.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const serverFolder = fileURLToPath(new URL("../..", import.meta.url));
let folder: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await makeDataFolder();
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await removeDataFolder(folder);
});

interface Server {
  child: ChildProcess & { pid: number };
  url: string;
  /** Exit code of the process, null when a signal ended it. */
  exit: Promise<number | null>;
}

function launch(environment: Record<string, string>) {
  const child = spawn(process.execPath, ["--import", "tsx", main], {
    cwd: serverFolder,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: {
      PATH: process.env.PATH ?? "",
      PORT: "0",
      MQTT_PORT: "off",
      DATA_DIR: folder,
      PRODUCTS_DIR: folder,
      DEPLOYMENTS_DIR: folder,
      ...environment,
    },
  }) as ChildProcess & { pid: number };
  children.push(child);
  const said = { out: "", error: "" };
  child.stdout?.on("data", (chunk: Buffer) => {
    said.out += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    said.error += chunk.toString();
  });
  const exit = once(child, "exit").then(([code]) => code as number | null);
  return { child, exit, said };
}

async function start(environment: Record<string, string> = {}): Promise<Server> {
  const { child, exit, said } = launch(environment);
  await expect.poll(() => /"url":"([^"]+)"/.exec(said.out)?.[1] ?? said.error).toMatch(/^http/);
  return { child, exit, url: /"url":"([^"]+)"/.exec(said.out)?.[1] ?? "" };
}

it("the server locks its folder, releases it when killed, and ends gracefully on SIGTERM", async () => {
  const first = await start();
  const second = launch({});
  expect(await second.exit).toBe(1);
  expect(second.said.error).toBe(
    `aqua: ${folder} is in use by process ${first.child.pid}; stop it first or set another DATA_DIR\n`,
  );
  expect((await fetch(`${first.url}/ready`)).status).toBe(200);
  first.child.kill("SIGKILL");
  await first.exit;

  let answer = () => {};
  let asked = () => {};
  const waiting = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const node = createServer((_request, response) => {
    answer = () => response.end('{"jsonrpc":"2.0","id":0,"result":"0x7a69"}');
    asked();
  });
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
  const third = await start({ RPC_URL_1: `http://127.0.0.1:${(node.address() as AddressInfo).port}` });
  const stream = await fetch(`${third.url}/api/v2/events`);
  const call = fetch(`${third.url}/rpc/1`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}',
  });
  await waiting;
  third.child.kill("SIGTERM");
  third.child.kill("SIGINT");
  expect(await stream.text()).toContain("retry:");
  answer();
  expect(await (await call).json()).toMatchObject({ result: "0x7a69" });
  expect(await third.exit).toBe(0);
  await expect(fetch(`${third.url}/health`)).rejects.toThrow();
  node.close();
});

it("the server answers for SHUTDOWN_DELAY after SIGTERM, with 503 at /ready", async () => {
  const { child, url, exit } = await start({ SHUTDOWN_DELAY: "2" });
  child.kill("SIGTERM");
  await expect.poll(async () => (await fetch(`${url}/ready`)).status).toBe(503);
  expect((await fetch(`${url}/api/v2/network`)).status).toBe(200);
  expect(await exit).toBe(0);
});

it("the server stops if the process that started it is gone, and releases the folder", async () => {
  const { child, exit } = await start();
  child.disconnect();
  expect(await exit).toBe(0);
  expect(existsSync(join(folder, "postgres/data/PG_VERSION"))).toBe(true);
  expect(existsSync(join(folder, "postgres/data/postmaster.pid"))).toBe(false);
});

it("the server ends if its parent process ended before the server started to watch it", async () => {
  const { child, exit } = launch({});
  child.disconnect();
  expect(await exit).toBe(0);
});

it("the server names an invalid setting or an occupied port in one line, and exits with code 1", async () => {
  const wrong = launch({ PORT: "http" });
  expect(await wrong.exit).toBe(1);
  expect(wrong.said).toEqual({ out: "", error: "aqua: PORT must be a whole number from 0 to 65535\n" });

  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  const taken = launch({ PORT: String(port) });
  expect(await taken.exit).toBe(1);
  expect(taken.said.error).toBe(`aqua: PORT ${port} on 127.0.0.1 is taken\n`);
  other.close();
});
