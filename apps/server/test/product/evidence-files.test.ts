import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keccak256, stringToHex } from "viem";
import { expect, it, onTestFinished } from "vitest";
import { openEvidenceFiles } from "../../src/product/evidenceFiles.ts";

async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), "aqua-evidence-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}
const hashOf = (text: string) => keccak256(stringToHex(text));

it("evidence files are served by the hash of their bytes, and not in a version from before an edit", async () => {
  const folder = await newFolder();
  const files = openEvidenceFiles(folder);
  expect(await files.read(hashOf("Lease of 2024"))).toBeNull();
  await writeFile(join(folder, "lease.txt"), "Lease of 2024");
  const found = await files.read(hashOf("Lease of 2024"));
  expect(found?.type).toBe("text/plain; charset=utf-8");
  expect(Buffer.from(found?.content ?? []).toString()).toBe("Lease of 2024");
  await writeFile(join(folder, "lease.txt"), "Lease of 2025, renewed");
  expect(await files.read(hashOf("Lease of 2024"))).toBeNull();
  expect(await files.read(hashOf("Lease of 2025, renewed"))).not.toBeNull();
});

it("evidence files exclude everything that a browser could run, and folders; without a folder there are none", async () => {
  const folder = await newFolder();
  await writeFile(join(folder, "page.html"), "<script>");
  await mkdir(join(folder, "lease.txt"));
  expect(await openEvidenceFiles(folder).read(hashOf("<script>"))).toBeNull();
  expect(await openEvidenceFiles(join(folder, "none")).read(hashOf("<script>"))).toBeNull();
});

it("an unreadable folder or evidence file is reported instead of being treated as missing", async () => {
  const folder = await newFolder();
  await writeFile(join(folder, "file"), "");
  await expect(openEvidenceFiles(join(folder, "file")).read(hashOf("x"))).rejects.toThrow("ENOTDIR");
  await symlink("loop.txt", join(folder, "loop.txt"));
  await expect(openEvidenceFiles(folder).read(hashOf("x"))).rejects.toThrow("ELOOP");
});
