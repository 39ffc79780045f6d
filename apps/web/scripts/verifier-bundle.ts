import { join } from "node:path";
import { build, type Rolldown } from "vite";

const proofs = join(import.meta.dirname, "../../../packages/sdk/src/proofs");
const ENTRY = "virtual:verifier";

/** All that a page loads to verify readings and batch files, bundled as the app is: for its test and its benchmark. */
export async function verifierBundle(): Promise<Rolldown.OutputChunk[]> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    root: proofs,
    build: {
      write: false,
      target: "es2023",
      modulePreload: false,
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
