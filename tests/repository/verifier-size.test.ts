import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { verifierBundle } from "../../apps/web/scripts/verifier-bundle.ts";

it("the verifier, with its curves and hashes, is at most 25 kB compressed, without zod or viem", async () => {
  const chunks = await verifierBundle();
  expect(chunks.flatMap((chunk) => chunk.exports)).toEqual(expect.arrayContaining(["verifyProof", "verifyBatchFile"]));
  const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules));
  expect(modules.some((id) => id.includes("/@noble/curves/"))).toBe(true);
  expect(modules.filter((id) => /node_modules\/(?!@noble\/)/.test(id))).toEqual([]);
  const size = chunks.reduce((sum, { code }) => sum + gzipSync(code).length, 0);
  expect(size).toBeGreaterThan(10_000);
  expect(size).toBeLessThanOrEqual(25_000);
});
