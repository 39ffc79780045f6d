import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDocument } from "@aqua/sdk/api/documentFile";
import { type Hex, keccak256 } from "viem";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createKeys } from "../../../server/src/keys.ts";
import { documentIn, openDocuments } from "../../../server/src/product/documents.ts";
import { openEvidenceFiles } from "../../../server/src/product/evidenceFiles.ts";
import { createLogWriter } from "../../../server/src/publicLog/writer.ts";
import { openTestDatabase } from "../../../server/test/support/databases.ts";
import { runAqua } from "../support/aqua.ts";

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aqua-new-product-"));
  file = join(folder, "sahel-solar.yaml");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const product = (args: readonly string[], environment: Record<string, string> = {}) =>
  runAqua(["product", ...args], environment);

describe("aqua product init", () => {
  it("writes an example of either type, whose document a server accepts", async () => {
    for (const type of ["demand", "term"]) {
      const path = join(folder, type, "sahel-solar.yaml");
      const written = await product(["init", path, "--type", type]);
      expect([written.error, written.code]).toEqual(["", 0]);
      const out = join(folder, type, "products");
      expect((await product(["document", path, "--out", out])).code).toBe(0);
      const { document, faults } = readDocument(await readFile(join(out, "sahel-solar.json"), "utf8"));
      expect([faults, document?.short_id]).toEqual([[], "sahel-solar"]);
    }
  });

  it("refuses a name that no page can have, another type and a file that exists, and writes nothing", async () => {
    await writeFile(file, "mine");
    const other = join(folder, "Sahel.yaml");
    for (const [args, words] of [
      [["init", file], `${file} exists already; no file is overwritten`],
      [["init", other], '"Sahel" cannot be a short_id'],
      [["init", other, "--short-id", "s".repeat(32)], "which has 1 to 31 characters"],
      [["init", other, "--short-id", "sahel", "--type", "savings"], "--type must be demand or term"],
    ] as const) {
      const { error, code } = await product(args);
      expect([error, code]).toEqual([expect.stringContaining(words), 1]);
    }
    expect(await readFile(file, "utf8")).toBe("mine");
    await expect(access(other)).rejects.toThrow("ENOENT");
  });
});

describe("aqua product document", () => {
  it("writes the document with the files that it names, by its option or setting, and prints its hash", async () => {
    await product(["init", file]);
    await writeFile(join(folder, "sahel-solar.svg"), "<svg/>");
    const out = join(folder, "products");
    const { out: text } = await product(["document", file], { PRODUCTS_DIR: out });
    const hash = keccak256(await readFile(join(out, "sahel-solar.json")));
    expect(text).toMatch(new RegExp(`^Written: .*\\nHash {5}${hash}\\n$`));
    await access(join(out, "documents", "sahel-solar-inspection.txt"));
    expect(await readFile(join(out, "sahel-solar.svg"), "utf8")).toBe("<svg/>");
    expect((await product(["document", file])).error).toContain("--out or PRODUCTS_DIR must be");
  });

  it("writes what a server shows once the registry has the hash", async () => {
    await product(["init", file]);
    const out = join(folder, "products");
    const { out: text } = await product(["document", file, "--out", out]);
    const [, hash] = /Hash +(0x\w{64})/.exec(text) ?? [];
    const db = await openTestDatabase();
    const warnings: string[] = [];
    const served = await openDocuments({
      db,
      folder: out,
      writer: createLogWriter(createKeys(new Uint8Array(32))),
      log: { warn: (_fields, message) => warnings.push(message) },
    });
    onTestFinished(async () => {
      served.stop();
      await db.close();
    });
    const shown = served.documents.get(hash as Hex);
    expect([shown?.name, warnings]).toEqual(["Example product", []]);
    expect(documentIn(shown, "fr-FR")?.name).toBe("Produit d’exemple");
    const evidence = await openEvidenceFiles(join(out, "documents")).read(shown?.evidence[0]?.hash as Hex);
    expect(Buffer.from(evidence?.content ?? []).toString()).toContain("EXAMPLE.");
  });

  it("writes nothing of a file with a fault", async () => {
    await product(["init", file]);
    await writeFile(file, (await readFile(file, "utf8")).replace("cap: 1000000", "cap: much"));
    const out = join(folder, "products");
    expect((await product(["document", file, "--out", out])).error).toMatch(
      /sahel-solar\.yaml, line \d+, cap: must be/,
    );
    await expect(access(out)).rejects.toThrow("ENOENT");
  });
});
