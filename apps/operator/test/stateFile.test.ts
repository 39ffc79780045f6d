import { mkdir, mkdtemp, open, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readState, writeState } from "../src/stateFile.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aqua-state-"));
  file = join(folder, "state.json");
});
afterEach(() => rm(folder, { recursive: true }));

const isState = (content: { block?: number }) => content.block !== undefined;

describe("the state file of a command", () => {
  it("is null before the first run, and then what the last run wrote", async () => {
    expect(await readState(file, "a test", isState)).toBeNull();
    await writeState(file, { block: 1 });
    await writeState(file, { block: 2 });
    expect(await readState(file, "a test", isState)).toEqual({ block: 2 });
    expect(await readdir(folder)).toEqual(["state.json"]);
  });

  it("is replaced at once, so that a reader never sees a part of it", async () => {
    await writeState(file, { block: 1 });
    const reader = await open(file);
    await writeState(file, { block: 2 });
    expect(await reader.readFile("utf8")).toBe('{"block":1}\n');
    await reader.close();
  });

  it("stays as it was if the new one cannot be written", async () => {
    await writeState(file, { block: 1 });
    await mkdir(`${file}.new`);
    await expect(writeState(file, { block: 2 })).rejects.toThrow(`${file} cannot be written: EISDIR`);
    expect(await readFile(file, "utf8")).toBe('{"block":1}\n');
  });
});
