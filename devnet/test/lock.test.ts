import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { whileAlone } from "../src/lock.ts";
import { sleep } from "../src/processes.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "aqua-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => join(folder, "at-work.json");

it("the lock runs one holder after the other, and leaves nothing behind", async () => {
  let working = 0;
  let most = 0;
  const work = async (result: number) => {
    working += 1;
    most = Math.max(most, working);
    await sleep(20);
    working -= 1;
    return result;
  };
  expect(await Promise.all([1, 2, 3].map((result) => whileAlone(folder, () => work(result))))).toEqual([1, 2, 3]);
  expect(most).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

it("the lock lets the next holder work after one that failed", async () => {
  await expect(whileAlone(folder, () => Promise.reject(new Error("no space")))).rejects.toThrow("no space");
  expect(await whileAlone(folder, async () => "done")).toBe("done");
});

it.each([
  ["of a process that was killed", JSON.stringify({ pid: process.pid, identity: "another one with this id" })],
  ["that is not readable", "{"],
])("the lock takes over an entry that is left %s", async (_, left) => {
  writeFileSync(file(), left);
  expect(await whileAlone(folder, async () => existsSync(file()))).toBe(true);
});

it("the lock stops waiting when the start is cancelled", async () => {
  const stop = new AbortController();
  let end = () => {};
  const first = whileAlone(folder, () => new Promise<void>((resolve) => (end = resolve)));
  const second = whileAlone(folder, () => Promise.reject(new Error("was not to work")), stop.signal);
  stop.abort(new Error("stopped"));
  await expect(second).rejects.toThrow("stopped");
  end();
  await first;
});
