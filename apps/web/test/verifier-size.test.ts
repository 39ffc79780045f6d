import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";
import { expect, it } from "vitest";

const proofs = join(import.meta.dirname, "../../../packages/sdk/src/proofs");
const ENTRY = "virtual:verifier";

/** All that a page loads to verify readings and batch files, as the app is bundled. */
async function bundled(): Promise<Rolldown.OutputChunk[]> {
  const result = await build({
    ...{ configFile: false, logLevel: "silent", root: proofs },
    build: {
      ...{ write: false, target: "es2023", modulePreload: false },
      rolldownOptions: { input: ENTRY, preserveEntrySignatures: "strict" },
    },
    plugins: [
      {
        name: "verifier",
        resolveId: (id) => (id === ENTRY ? id : null),
        load: (id) =>
          id === ENTRY
            ? ["verify", "verifyFile"].map((name) => `export * from "${proofs}/${name}.ts";`).join("")
            : null,
      },
    ],
  });
  return (result as Rolldown.RolldownOutput).output.filter((output) => output.type === "chunk");
}

it("the verifier, with its curves and hashes, is at most 25 kB compressed, without zod or viem", async () => {
  const chunks = await bundled();
  expect(chunks.flatMap((chunk) => chunk.exports)).toEqual(expect.arrayContaining(["verifyProof", "verifyBatchFile"]));
  const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules));
  expect(modules.some((id) => id.includes("/@noble/curves/"))).toBe(true);
  expect(modules.filter((id) => /node_modules\/(?!@noble\/)/.test(id))).toEqual([]);
  const size = chunks.reduce((sum, { code }) => sum + gzipSync(code).length, 0);
  expect(size).toBeGreaterThan(10_000);
  expect(size).toBeLessThanOrEqual(25_000);
}, 60_000);
