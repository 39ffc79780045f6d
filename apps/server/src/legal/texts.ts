import { isUtf8 } from "node:buffer";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { LegalText } from "@aqua/sdk/api/legal";
import type { LegalName } from "@aqua/sdk/api/rules";
import type { LanguageCode } from "@aqua/sdk/languages";

/** Largest file in bytes, about forty pages. */
export const LARGEST = 256 * 1024;

export interface LegalTexts {
  /**
   * The text in this language, or else in English. Null if the folder has neither.
   * @throws Error for a file that is too large or not UTF-8
   */
  read(name: LegalName, language: LanguageCode): Promise<LegalText | null>;
}

/**
 * The operator's texts in a folder, as `<name>.<language>.md`. They are read for each request, so that a change is
 * visible at once.
 */
export function openLegalTexts(folder: string | null): LegalTexts {
  return {
    async read(name, language) {
      if (folder === null) return null;
      for (const one of new Set<LanguageCode>([language, "en-US"])) {
        const text = await readText(join(folder, `${name}.${one}.md`));
        if (text !== null) return { name, language: one, text };
      }
      return null;
    },
  };
}

/** Null if there is no file or if it is empty; an empty file publishes nothing. */
async function readText(path: string): Promise<string | null> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  });
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    if (size > LARGEST) throw new Error(`${path} has ${size} bytes, more than the ${LARGEST} a text may have`);
    const bytes = await file.readFile();
    if (!isUtf8(bytes)) throw new Error(`${path} is not UTF-8`);
    const text = bytes.toString("utf8");
    return text.trim() === "" ? null : text;
  } finally {
    await file.close();
  }
}
