import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keccak256, stringToHex } from "viem";
import { expect, it, onTestFinished } from "vitest";
import { watchDocuments } from "../../src/product/documents.ts";
import { document } from "./sahel.ts";

const named = (name: string) => JSON.stringify({ ...document, name });

async function watched(everyMs: number) {
  const folder = join(await mkdtemp(join(tmpdir(), "aqua-documents-")), "products");
  const warnings: string[] = [];
  const warn = (fields: { file?: string }, message: string) => warnings.push(`${fields.file ?? "folder"}: ${message}`);
  const { documents, stop } = await watchDocuments(folder, { warn }, everyMs);
  onTestFinished(async () => {
    stop();
    await rm(join(folder, ".."), { recursive: true });
  });
  /** In one step, as an editor does it that is careful: half a file would be one more broken one. */
  async function put(name: string, text: string) {
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}/.new`, text);
    await rename(`${folder}/.new`, join(folder, name));
  }
  return { put, warnings, nameUnder: (text: string) => documents.get(keccak256(stringToHex(text)))?.name };
}

it("knows a document that was edited while it runs, and what it was before, as the chain may commit to either", async () => {
  const { put, warnings, nameUnder } = await watched(10);
  expect(warnings).toEqual(["folder: the folder of product documents cannot be read"]);
  await put("sahel.json", named("Sahel Solar"));
  await expect.poll(() => nameUnder(named("Sahel Solar"))).toBe("Sahel Solar");
  await put("sahel.json", named("Sahel Sun"));
  await expect.poll(() => nameUnder(named("Sahel Sun"))).toBe("Sahel Sun");
  expect(nameUnder(named("Sahel Solar"))).toBe("Sahel Solar");
  expect(warnings).toHaveLength(1);
});

it("logs each state of a broken file once, and reads it when it is mended", async () => {
  const { put, warnings, nameUnder } = await watched(10);
  await put("sahel.json", "{}");
  await expect.poll(() => warnings.slice(1)).toEqual(["sahel.json: a product document is not valid and is not shown"]);
  await put("other.json", named("Other"));
  await expect.poll(() => nameUnder(named("Other"))).toBe("Other");
  await put("sahel.json", named("Sahel Solar"));
  await expect.poll(() => nameUnder(named("Sahel Solar"))).toBe("Sahel Solar");
  expect(warnings).toHaveLength(2);
});
