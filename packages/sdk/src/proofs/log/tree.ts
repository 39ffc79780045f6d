import { sha256 } from "@noble/hashes/sha2";
import { concatBytes } from "@noble/hashes/utils";

// The tree of the log and its files: RFC 6962, section 2.1, and C2SP tlog-tiles. A tile holds up to 256 hashes.

/** Bytes of a log that are not in its format. */
export class LogFormatError extends Error {
  override name = "LogFormatError";
}

const fullTile = 256;
/** The highest level at which a log of up to 2^53 entries has a hash. */
const maxLevel = 6;
const maxEntryLength = 0xffff;

/** The hash of an entry: SHA-256(0x00 ‖ entry). */
export function leafHash(entry: Uint8Array): Uint8Array {
  return sha256(concatBytes(Uint8Array.of(0), entry));
}

/** The hash of a node: SHA-256(0x01 ‖ left ‖ right). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(concatBytes(Uint8Array.of(1), left, right));
}

/**
 * The root of a tree whose leaves have these hashes. The root of no leaves is the SHA-256 of nothing. Of the 256 hashes
 * of a full tile it is the hash of that tile, at the next level.
 * @example rootOfLeaves([leafHash(new Uint8Array())])[0] // 110
 */
export function rootOfLeaves(hashes: readonly Uint8Array[]): Uint8Array {
  return joined(hashes, null) ?? sha256(new Uint8Array());
}

/**
 * Returns `count` hashes of a level, from the number `index` on. Level 0 holds the hashes of entries, and level L the
 * hashes of the full tiles of level L − 1.
 */
export type NodeReader = (level: number, index: number, count: number) => Promise<readonly Uint8Array[]>;

/**
 * The root of the first `size` entries. Reads at most 255 hashes of each level, in one call.
 * @throws RangeError if `size` is not a safe integer from 0 on
 * @throws LogFormatError if `read` returns another number of hashes
 */
export async function rootAt(size: number, read: NodeReader): Promise<Uint8Array> {
  if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`A log has no size of ${size}`);
  let root: Uint8Array | null = null;
  for (let level = 0, length = size; length > 0; level += 1, length = Math.floor(length / fullTile)) {
    const count = length % fullTile;
    if (count === 0) continue;
    const hashes = await read(level, length - count, count);
    if (hashes.length !== count) throw new LogFormatError(`Level ${level} has ${hashes.length} of ${count} hashes`);
    root = joined(hashes, root);
  }
  return root ?? rootOfLeaves([]);
}

/** The root of perfect trees of equal height followed by a smaller tree with the root `rest`. */
function joined(hashes: readonly Uint8Array[], rest: Uint8Array | null): Uint8Array | null {
  if (hashes.length === 0) return rest;
  // The left part is the largest power of two that leaves something to the right part.
  const length = hashes.length + (rest === null ? 0 : 1);
  if (length === 1) return hashes[0] as Uint8Array;
  let left = 1;
  while (left * 2 < length) left *= 2;
  const [first, second] = [joined(hashes.slice(0, left), null), joined(hashes.slice(left), rest)];
  return nodeHash(first as Uint8Array, second as Uint8Array);
}

/** A file of the log: a tile of hashes, or a bundle of entries. */
export interface Tile {
  level: number | "entries";
  /** Number of the tile at its level, from 0 on. */
  n: number;
  /** Number of its hashes or entries, 1 to 256. */
  width: number;
}

/**
 * The path of a file below the address of the log: the one of a `Tile` with these fields.
 * @throws RangeError if a number is out of its range
 * @example tilePath(0, 1234067, 8) // "tile/0/x001/x234/067.p/8"
 * @example tilePath("entries", 5, 256) // "tile/entries/005"
 */
export function tilePath(level: number | "entries", n: number, width: number): string {
  if (level !== "entries" && !isWithin(level, 0, maxLevel)) throw new RangeError(`There is no level ${level}`);
  if (!isWithin(n, 0, Math.floor(Number.MAX_SAFE_INTEGER / fullTile))) throw new RangeError(`There is no tile ${n}`);
  if (!isWithin(width, 1, fullTile)) throw new RangeError(`A tile has no width of ${width}`);
  const digits = String(n);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/\d{3}/g) as string[];
  const number = groups.map((group, index) => (index < groups.length - 1 ? `x${group}` : group)).join("/");
  return `tile/${level}/${number}${width < fullTile ? `.p/${width}` : ""}`;
}

/**
 * The file at a path. Null for any text that `tilePath` does not write.
 * @example parseTilePath("tile/entries/005") // { level: "entries", n: 5, width: 256 }
 * @example parseTilePath("tile/entries/5") // null
 */
export function parseTilePath(path: string): Tile | null {
  const pattern = /^tile\/(entries|\d)\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/(\d{1,3}))?$/;
  const [, level, number = "", width = String(fullTile)] = pattern.exec(path) ?? [];
  if (level === undefined) return null;
  const tile: Tile = {
    level: level === "entries" ? level : Number(level),
    n: Number(number.replaceAll(/[x/]/g, "")),
    width: Number(width),
  };
  try {
    return tilePath(tile.level, tile.n, tile.width) === path ? tile : null;
  } catch {
    // A number is out of its range.
    return null;
  }
}

const isWithin = (value: number, min: number, max: number) =>
  Number.isSafeInteger(value) && value >= min && value <= max;

/**
 * A bundle of entries: each as its length in two bytes, the higher one first, and its bytes.
 * @throws RangeError for more than 256 entries, or one of more than 65 535 bytes
 * @example writeBundle([Uint8Array.of(7, 8)]) // Uint8Array [0, 2, 7, 8]
 */
export function writeBundle(entries: readonly Uint8Array[]): Uint8Array {
  if (entries.length > fullTile) throw new RangeError(`A bundle holds at most ${fullTile} entries`);
  return concatBytes(
    ...entries.flatMap((entry) => {
      if (entry.length > maxEntryLength) throw new RangeError(`An entry has at most ${maxEntryLength} bytes`);
      return [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry];
    }),
  );
}

/**
 * The entries of a bundle.
 * @throws LogFormatError if the bundle ends within an entry, or has more than 256
 */
export function readBundle(bundle: Uint8Array): Uint8Array[] {
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bundle.length; ) {
    const [high = 0, low] = bundle.subarray(at, at + 2);
    const start = at + 2;
    const end = start + high * 256 + (low ?? 0);
    if (low === undefined || end > bundle.length) throw new LogFormatError("A bundle ends within an entry");
    if (entries.length === fullTile) throw new LogFormatError(`A bundle has more than ${fullTile} entries`);
    entries.push(bundle.slice(start, end));
    at = end;
  }
  return entries;
}
