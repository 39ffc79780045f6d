import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { Plugin } from "vite";

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Smaller files gain nothing, in bytes; the server's own limit. */
const least = 1_024;

/**
 * Writes `.br` and `.gz` beside each script, style sheet and picture of `folder`, which the server
 * sends. With the highest settings they are a seventh smaller than what it would compress at each request.
 */
export function compressedFiles(folder: string): Plugin {
  return {
    name: "aqua:compressed-files",
    apply: "build",
    async closeBundle(error) {
      if (error) return;
      const files = await readdir(folder, { recursive: true });
      const texts = files.filter((file) => !file.startsWith(".") && /\.(js|css|svg|webmanifest)$/.test(file));
      await Promise.all(texts.map((file) => compress(join(folder, file))));
    },
  };
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < least) return;
  const forms = [
    ["br", await brotli(content)],
    ["gz", await gzipped(content, { level: 9 })],
  ] as const;
  await Promise.all(forms.map(([ending, bytes]) => writeFile(`${file}.${ending}`, bytes)));
}
