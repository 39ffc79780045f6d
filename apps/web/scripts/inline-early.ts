import { readFileSync } from "node:fs";
import { minifySync, type Plugin } from "vite";

const tag = '<script src="/src/early.js"></script>';
const file = new URL("../src/early.js", import.meta.url);

/**
 * Writes src/early.js into the page: it runs before the first paint, so a request of its own would hold that back. The
 * server allows it by its hash, see apps/server/src/http/security.ts.
 */
export function inlineEarly(): Plugin {
  return {
    name: "aqua:inline-early",
    apply: "build",
    transformIndexHtml: {
      order: "pre",
      handler(html) {
        if (!html.includes(tag)) throw new Error(`index.html has no ${tag}`);
        const { code, errors } = minifySync("early.js", readFileSync(file, "utf8"));
        if (errors[0]) throw new Error(`src/early.js: ${errors[0].message}`);
        return html.replace(tag, () => `<script>${code.trim()}</script>`);
      },
    },
  };
}
