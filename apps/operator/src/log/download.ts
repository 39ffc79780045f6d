import type { Finding } from "@aqua/sdk/audit/compare";
import { type Checkpoint, openCheckpoint } from "@aqua/sdk/proofs/log/checkpoint";
import {
  LogFormatError,
  leafHash,
  type NodeReader,
  readBundle,
  rootOfLeaves,
  tilePath,
} from "@aqua/sdk/proofs/log/tree";
import type { Site } from "../audit/site.ts";

/** Hashes of a tile, and entries of a bundle. */
export const TILE_WIDTH = 256;
const HASH_LENGTH = 32;
const MAX_TEXT_LENGTH = 10_000;

/** The site's log at one checkpoint. */
export interface DownloadedLog {
  checkpoint: Checkpoint;
  entries: readonly Uint8Array[];
  /** The root of any number of the first entries. */
  nodes: NodeReader;
}

/**
 * The text of a call of the log, such as `checkpoint`. Null if the site does not have it.
 * @throws CommandError if the site cannot be reached
 */
export async function readText(site: Site, name: "checkpoint" | "key"): Promise<string | null> {
  const { status, content } = await site.file(`log/${name}`);
  return status === 200 ? new TextDecoder().decode(content.subarray(0, MAX_TEXT_LENGTH)) : null;
}

/** The checkpoint in a text. A finding if the key did not sign it. */
export function checkpointOf(text: string, key: string): Checkpoint | Finding {
  try {
    return openCheckpoint(text, key);
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    return { path: "log/checkpoint", expected: `a checkpoint signed by ${key}`, found: error.message };
  }
}

/**
 * Downloads all entries of a checkpoint and computes every hash from them. Null if entries are missing, which is a
 * finding. The tiles of hashes that the site serves are compared as well.
 */
export async function downloadLog(
  site: Site,
  checkpoint: Checkpoint,
  report: (finding: Finding) => void,
): Promise<DownloadedLog | null> {
  const entries: Uint8Array[] = [];
  for (let n = 0; n * TILE_WIDTH < checkpoint.size; n += 1) {
    const bundle = await readEntries(site, n, Math.min(TILE_WIDTH, checkpoint.size - n * TILE_WIDTH));
    if (!Array.isArray(bundle)) {
      report(bundle);
      return null;
    }
    entries.push(...bundle);
  }
  const levels = levelsOf(entries.map(leafHash));
  for (const [level, hashes] of levels.entries()) await compareTiles({ site, level, hashes, report });
  return {
    checkpoint,
    entries,
    nodes: async (level, index, count) => levels[level]?.slice(index, index + count) ?? [],
  };
}

/** Entries of a bundle, or a finding if it holds others than it should. */
export async function readEntries(site: Site, n: number, width: number): Promise<Uint8Array[] | Finding> {
  const { path, content } = await readTile(site, { level: "entries", n, width });
  const expected = `${width} entries`;
  if (typeof content === "string") return { path, expected, found: content };
  try {
    const entries = readBundle(content);
    // A full bundle may have been served in place of a part of it.
    if (entries.length >= width) return entries.slice(0, width);
    return { path, expected, found: `${entries.length} entries` };
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    return { path, expected, found: error.message };
  }
}

/** The bytes of a tile, or why there are none. A part of a tile may be gone once the log has grown beyond the tile. */
async function readTile(
  site: Site,
  { level, n, width }: { level: number | "entries"; n: number; width: number },
): Promise<{ path: string; content: Uint8Array | string }> {
  const path = `log/${tilePath(level, n, width)}`;
  const part = await site.file(path);
  if (part.status === 200) return { path, content: part.content };
  const { status, content } = await site.file(`log/${tilePath(level, n, TILE_WIDTH)}`);
  return { path, content: status === 200 ? content : `HTTP ${part.status}` };
}

/** Level 0 holds the hashes of the leaves, and each further level those of the full tiles of the level below. */
function levelsOf(leaves: Uint8Array[]): Uint8Array[][] {
  const levels = [leaves];
  for (let below = leaves; below.length >= TILE_WIDTH; ) {
    const full = Math.floor(below.length / TILE_WIDTH);
    const tileOf = (n: number) => below.slice(n * TILE_WIDTH, (n + 1) * TILE_WIDTH);
    below = Array.from({ length: full }, (_, n) => rootOfLeaves(tileOf(n)));
    levels.push(below);
  }
  return levels;
}

async function compareTiles({
  site,
  level,
  hashes,
  report,
}: {
  site: Site;
  level: number;
  hashes: readonly Uint8Array[];
  report: (finding: Finding) => void;
}): Promise<void> {
  for (let n = 0; n * TILE_WIDTH < hashes.length; n += 1) {
    const own = Buffer.concat(hashes.slice(n * TILE_WIDTH, (n + 1) * TILE_WIDTH));
    const { path, content } = await readTile(site, { level, n, width: own.length / HASH_LENGTH });
    if (typeof content !== "string" && own.equals(content.subarray(0, own.length))) continue;
    const found = typeof content === "string" ? content : "other hashes";
    report({ path, expected: "the hashes of the entries", found });
  }
}
