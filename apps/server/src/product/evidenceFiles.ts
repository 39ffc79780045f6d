import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { evidenceTypes, MAX_EVIDENCE_BYTES } from "@aqua/sdk/api/document";
import { type Hex, keccak256 } from "viem";

export interface EvidenceFile {
  content: Uint8Array;
  type: string;
}

export interface EvidenceFiles {
  /** Returns the file whose bytes have this keccak-256, or null if the folder has none. */
  read(hash: Hex): Promise<EvidenceFile | null>;
}

/** A missing folder or file is a valid answer. The operator has to repair any other failure. */
function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

/**
 * Opens the folder of the documents that evidence names. The folder may change while the server runs. Files
 * above the size limit are ignored.
 */
export function openEvidenceFiles(folder: string): EvidenceFiles {
  /** State of each file when it was hashed, and its hash. */
  const known = new Map<string, { like: string; hash: Hex }>();

  async function hashOf(path: string): Promise<Hex | null> {
    const found = await stat(path).catch(nullIfMissing);
    if (found === null || !found.isFile() || found.size > MAX_EVIDENCE_BYTES) return null;
    const like = `${found.mtimeMs} ${found.size}`;
    const before = known.get(path);
    if (before?.like === like) return before.hash;
    const hash = keccak256(await readFile(path));
    known.set(path, { like, hash });
    return hash;
  }

  return {
    async read(hash) {
      // Without the folder there are no documents, so the result is null.
      const names = await readdir(folder).catch(nullIfMissing);
      for (const name of names ?? []) {
        const type = evidenceTypes[extname(name)];
        const path = join(folder, name);
        if (type === undefined || (await hashOf(path)) !== hash) continue;
        const content = await readFile(path);
        if (keccak256(content) === hash) return { content, type };
      }
      return null;
    },
  };
}
