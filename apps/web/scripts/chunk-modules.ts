import { relative } from "node:path";
import type { Plugin } from "vite";

/** Writes which source files and packages each chunk holds, for scripts/check-size.mjs. */
export function chunkModules(root: string): Plugin {
  return {
    name: "aqua:chunk-modules",
    apply: "build",
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
      const modules = Object.fromEntries(
        chunks.map((chunk) => [
          chunk.fileName,
          chunk.moduleIds.map((id) => (id.startsWith("\0") ? id.slice(1) : relative(root, id))),
        ]),
      );
      this.emitFile({ type: "asset", fileName: ".vite/modules.json", source: JSON.stringify(modules) });
    },
  };
}
