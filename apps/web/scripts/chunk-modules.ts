import { relative } from "node:path";
import type { Plugin } from "vite";

/** Writes which source files and packages each chunk holds and which it imports: `BuiltChunks` of src/server.tsx. */
export function chunkModules(root: string): Plugin {
  return {
    name: "aqua:chunk-modules",
    apply: "build",
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
      const files = Object.fromEntries(
        chunks.map((chunk) => [
          chunk.fileName,
          {
            modules: chunk.moduleIds.map((id) => (id.startsWith("\0") ? id.slice(1) : relative(root, id))),
            imports: chunk.imports,
          },
        ]),
      );
      this.emitFile({ type: "asset", fileName: ".vite/chunks.json", source: JSON.stringify(files) });
    },
  };
}
