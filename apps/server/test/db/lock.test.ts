import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DataFolderLocked, lockFolder } from "../../src/db/lock.ts";

const serverFolder = fileURLToPath(new URL("../..", import.meta.url));
const holderScript = `
  import { lockFolder } from "./src/db/lock.ts";
  await lockFolder(process.argv[1]);
  console.log("held");
  setInterval(() => {}, 1000);
`;
let folder: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aqua-lock-"));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

async function holder(): Promise<ChildProcess & { pid: number }> {
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", holderScript, folder], {
    cwd: serverFolder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  if (child.stdout) await once(child.stdout, "data");
  return child as ChildProcess & { pid: number };
}

it("refuses a folder that a living process holds, naming its pid", async () => {
  const child = await holder();
  const refusal = await lockFolder(folder).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(DataFolderLocked);
  expect((refusal as Error).message).toContain(`process ${child.pid};`);
});

it("takes over from a process that was killed", async () => {
  const child = await holder();
  child.kill("SIGKILL");
  await once(child, "exit");
  const lock = await lockFolder(folder);
  await lock.release();
});

it("refuses a second claim of the same process and grants it after a release", async () => {
  const lock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(`process ${process.pid}`);
  await lock.release();
  const again = await lockFolder(folder);
  await again.release();
});

it("lets exactly one of many claimants succeed a dead holder", async () => {
  const child = await holder();
  child.kill("SIGKILL");
  await once(child, "exit");
  const claims = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder)));
  const granted = claims.filter((claim) => claim.status === "fulfilled");
  expect(granted).toHaveLength(1);
  for (const claim of granted) await claim.value.release();
});

it("tells a reused pid from the holder it belonged to", async () => {
  await claim({ pid: process.pid, started: "1" });
  const lock = await lockFolder(folder);
  await lock.release();
});

it("believes a holder it cannot look up while its heartbeat is fresh, and not after", async () => {
  const file = await claim({ pid: 1, space: "elsewhere", host: "ship" });
  await expect(lockFolder(folder)).rejects.toThrow("process 1 on ship");
  const past = new Date(Date.now() - 60_000);
  await utimes(file, past, past);
  const lock = await lockFolder(folder);
  await lock.release();
});

it("does not let its files grow in number", async () => {
  for (let round = 0; round < 6; round += 1) await (await lockFolder(folder)).release();
  expect(await readdir(join(folder, "db.lock"))).toHaveLength(2);
});

/** Writes a claim by hand: what this process would write, with `change` on top. */
async function claim(change: object): Promise<string> {
  const lock = await lockFolder(folder);
  await lock.release();
  const file = join(folder, "db.lock", "1");
  const own = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...own, released: false, ...change }));
  return file;
}
