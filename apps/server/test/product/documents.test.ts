import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keccak256, stringToHex } from "viem";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { versionReader } from "../../src/indexer/stamp.ts";
import { createKeys } from "../../src/keys.ts";
import { documentBytes } from "../../src/product/documentStore.ts";
import { openDocuments } from "../../src/product/documents.ts";
import { productDocument } from "../../src/product/schema.ts";
import { createLogWriter } from "../../src/publicLog/writer.ts";
import { openTestDatabase } from "../support/databases.ts";
import { document } from "./sahel.ts";

const named = (name: string) => JSON.stringify({ ...document, name });
/** An interval that is longer than any of these tests. */
const NEVER = 3_600_000;

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db?.close());

/** A server's folder of documents, which does not exist at first. */
async function newFolder() {
  const folder = join(await mkdtemp(join(tmpdir(), "aqua-documents-")), "products");
  onTestFinished(() => rm(join(folder, ".."), { recursive: true }));
  /** Writes atomically, like a careful editor: half a file would count as another invalid one. */
  async function put(name: string, text: string) {
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}/.new`, text);
    await rename(`${folder}/.new`, join(folder, name));
  }
  return { folder, put };
}

async function watched(folder: string, everyMs: number) {
  const warnings: string[] = [];
  const warn = (fields: { file?: string; faults?: string[] }, message: string) =>
    warnings.push([`${fields.file ?? "folder"}: ${message}`, ...(fields.faults ?? [])].join("; "));
  const { documents, stop, ...reads } = await openDocuments({
    db,
    folder,
    writer: createLogWriter(createKeys(new Uint8Array(32))),
    log: { warn },
    everyMs,
  });
  onTestFinished(stop);
  return {
    warnings,
    ...reads,
    stop,
    nameUnder: (text: string) => documents.get(keccak256(stringToHex(text)))?.name,
  };
}

it("the document store has an edited document and its earlier version, because the chain may commit to either", async () => {
  const { folder, put } = await newFolder();
  const { warnings, nameUnder } = await watched(folder, 10);
  expect(warnings).toEqual(["folder: the folder of product documents cannot be read"]);
  await put("sahel.json", named("Sahel Solar"));
  await expect.poll(() => nameUnder(named("Sahel Solar"))).toBe("Sahel Solar");
  await put("sahel.json", named("Sahel Sun"));
  await expect.poll(() => nameUnder(named("Sahel Sun"))).toBe("Sahel Sun");
  expect(nameUnder(named("Sahel Solar"))).toBe("Sahel Solar");
  expect(warnings).toHaveLength(1);
});

it("the document store logs each state of a broken file once, and reads it after it is fixed", async () => {
  const { folder, put } = await newFolder();
  const { warnings, nameUnder } = await watched(folder, 10);
  await put("sahel.json", '{\n "short_id": 1\n}');
  await expect
    .poll(() => warnings.slice(1))
    .toEqual([
      expect.stringMatching(/^sahel\.json: a product document is not valid and is not shown; line 2, short_id: /),
    ]);
  await put("other.json", named("Other"));
  await expect.poll(() => nameUnder(named("Other"))).toBe("Other");
  await put("sahel.json", named("Sahel Solar"));
  await expect.poll(() => nameUnder(named("Sahel Solar"))).toBe("Sahel Solar");
  expect(warnings).toHaveLength(2);
});

it("the document store has every stored version after a restart, even if its folder now has another version", async () => {
  const { folder, put } = await newFolder();
  await put("sahel.json", named("Sahel before"));
  (await watched(folder, NEVER)).stop();
  await put("sahel.json", named("Sahel after"));
  const { nameUnder } = await watched(folder, NEVER);
  expect([nameUnder(named("Sahel before")), nameUnder(named("Sahel after"))]).toEqual(["Sahel before", "Sahel after"]);
});

it("the document store has a document of another server from the snapshot in which it is stored", async () => {
  const [here, there] = [await newFolder(), await newFolder()];
  const one = await watched(here.folder, NEVER);
  await there.put("sahel.json", named("Sahel of another"));
  await watched(there.folder, NEVER);
  expect(one.nameUnder(named("Sahel of another"))).toBeUndefined();
  await db.transaction((tx) => one.refresh(tx), "repeatable read");
  expect(one.nameUnder(named("Sahel of another"))).toBe("Sahel of another");
});

it("the document store has a document of another server before the version of the tables that counts it", async () => {
  const [here, there] = [await newFolder(), await newFolder()];
  const one = await watched(here.folder, NEVER);
  const version = versionReader(db, [], one.refreshTo);
  await there.put("sahel.json", named("Sahel of a third"));
  await watched(there.folder, NEVER);
  await db.transaction((tx) => version(tx), "repeatable read");
  expect(one.nameUnder(named("Sahel of a third"))).toBeUndefined();
  await version();
  expect(one.nameUnder(named("Sahel of a third"))).toBe("Sahel of a third");
});

it("the document store reports once that a stored document can no longer be read", async () => {
  const content = Buffer.from('{ "short_id": "gone" }');
  await db.orm.insert(productDocument).values({ hash: keccak256(content), content, stored: 1 });
  onTestFinished(async () => {
    await db.orm.delete(productDocument);
  });
  const { folder } = await newFolder();
  const { warnings, refresh } = await watched(folder, NEVER);
  await refresh();
  expect(warnings.filter((text) => text.includes("stored"))).toEqual([
    expect.stringMatching(/^folder: a stored document is not valid; line 1, name: /),
  ]);
});

it("the document store refuses bytes that are not those of their hash, until the file is read again", async () => {
  const { folder, put } = await newFolder();
  const text = named("Sahel Refused");
  const hash = keccak256(stringToHex(text));
  const content = Buffer.from(named("Sahel Forged"));
  await db.orm.insert(productDocument).values({ hash, content, stored: 1 });
  const { warnings, nameUnder, refresh } = await watched(folder, NEVER);
  await refresh();
  expect(nameUnder(text)).toBeUndefined();
  expect(await documentBytes(db.orm, hash)).toBeNull();
  expect(warnings.filter((one) => one.includes("not the one that its hash names"))).toHaveLength(1);
  await put("sahel.json", text);
  const restarted = await watched(folder, NEVER);
  expect(restarted.nameUnder(text)).toBe("Sahel Refused");
  expect(await documentBytes(db.orm, hash)).toEqual(Buffer.from(text));
});
