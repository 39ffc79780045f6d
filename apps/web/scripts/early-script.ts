import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "vite";

const name = "early.js";

/**
 * Gives public/early.js a hash in its name. Nothing is painted before it has run, and under a name that lasts a browser
 * would ask for it again at each visit. `source` is the folder it stands in, `folder` that of the build.
 */
export function earlyScript(source: string, folder: string): Plugin {
  let file = "";
  return {
    name: "aqua:early-script",
    apply: "build",
    async buildStart() {
      const code = await readFile(join(source, name));
      file = `assets/early-${createHash("sha256").update(code).digest("base64url").slice(0, 8)}.js`;
      this.emitFile({ type: "asset", fileName: file, source: code });
    },
    transformIndexHtml: {
      order: "post",
      handler(html) {
        if (!html.includes(`src="/${name}"`)) throw new Error(`index.html has no ${name}`);
        return html.replace(`src="/${name}"`, `src="/${file}"`);
      },
    },
    closeBundle: () => rm(join(folder, name), { force: true }),
  };
}
