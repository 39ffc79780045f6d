import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { type Hex, keccak256 } from "viem";

/** What may be served, by a file's ending: nothing a browser would run. */
const types: Record<string, string> = {
  ".txt": "text/plain; charset=utf-8",
  ".md": "text/plain; charset=utf-8",
  ".pdf": "application/pdf",
};
const LARGEST = 10 * 1024 * 1024;

export interface EvidenceFile {
  content: Uint8Array;
  type: string;
}

export interface EvidenceFiles {
  /** The file whose bytes have this keccak-256; null when the folder has none. */
  read(hash: Hex): Promise<EvidenceFile | null>;
}

/** A folder or file that is not there is an answer; any other failure is for the operator to mend. */
function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

/** The documents that evidence names, in a folder that may change while the server runs. Larger files are left out. */
export function openEvidenceFiles(folder: string): EvidenceFiles {
  /** What each file was like when it was hashed, and its hash. */
  const known = new Map<string, { like: string; hash: Hex }>();

  async function hashOf(path: string): Promise<Hex | null> {
    const found = await stat(path).catch(nullIfMissing);
    if (found === null || !found.isFile() || found.size > LARGEST) return null;
    const like = `${found.mtimeMs} ${found.size}`;
    const before = known.get(path);
    if (before?.like === like) return before.hash;
    const hash = keccak256(await readFile(path));
    known.set(path, { like, hash });
    return hash;
  }

  return {
    async read(hash) {
      // Without the folder there are no documents, which is what the answer says.
      const names = await readdir(folder).catch(nullIfMissing);
      for (const name of names ?? []) {
        const type = types[extname(name)];
        const path = join(folder, name);
        if (type === undefined || (await hashOf(path)) !== hash) continue;
        const content = await readFile(path);
        if (keccak256(content) === hash) return { content, type };
      }
      return null;
    },
  };
}
