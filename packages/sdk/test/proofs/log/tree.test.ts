import { bytesToHex, hexToBytes } from "@noble/hashes/utils";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  LogFormatError,
  leafHash,
  type NodeReader,
  nodeHash,
  parseTilePath,
  readBundle,
  rootAt,
  rootOfLeaves,
  tilePath,
  writeBundle,
} from "../../../src/proofs/log/tree.ts";

/** The leaves of the reference tests of Certificate Transparency, and the root of the first 0, 1, … of them. */
const leaves = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
const roots = [
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

/** The definition of RFC 6962, section 2.1, without any shortcut. */
function naiveRoot(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 1) return hashes[0] as Uint8Array;
  let left = 1;
  while (left * 2 < hashes.length) left *= 2;
  return nodeHash(naiveRoot(hashes.slice(0, left)), naiveRoot(hashes.slice(left)));
}

/** The levels of a log of `size` entries, as its tiles hold them, and how many hashes were read of each. */
function tilesOf(size: number) {
  const levels = [Array.from({ length: size }, (_, index) => leafHash(Uint8Array.of(index >> 8, index & 255)))];
  for (let below = levels[0] as Uint8Array[]; below.length >= 256; below = levels.at(-1) as Uint8Array[]) {
    const full = Math.floor(below.length / 256);
    levels.push(Array.from({ length: full }, (_, tile) => naiveRoot(below.slice(tile * 256, (tile + 1) * 256))));
  }
  const counts: number[] = [];
  const read: NodeReader = (level, index, count) => {
    counts.push(count);
    return Promise.resolve(levels[level]?.slice(index, index + count) ?? []);
  };
  return { leaves: levels[0] as Uint8Array[], read, counts };
}

describe("the tree of the log", () => {
  it.each(roots.map((root, size) => ({ root, size })))(
    "has the reference root of Certificate Transparency at size $size",
    async ({ root, size }) => {
      const hashes = leaves.slice(0, size).map((leaf) => leafHash(hexToBytes(leaf)));
      expect(bytesToHex(rootOfLeaves(hashes))).toBe(root);
      const read: NodeReader = (_, index, count) => Promise.resolve(hashes.slice(index, index + count));
      expect(bytesToHex(await rootAt(size, read))).toBe(root);
    },
  );

  it("has the same root by its tiles as by all leaves, and reads at most 255 hashes of a level", async () => {
    const { leaves: all, read, counts } = tilesOf(1_100);
    const sizes = [1, 255, 256, 257, 511, 512, 513, 767, 768, 1_023, 1_024, 1_025, 1_100];
    for (const size of [...sizes, ...fc.sample(fc.integer({ min: 1, max: 1_100 }), 40)]) {
      expect(await rootAt(size, read), `size ${size}`).toEqual(naiveRoot(all.slice(0, size)));
    }
    expect(Math.max(...counts)).toBe(255);
  });

  it("joins three levels", async () => {
    const size = 65_536 + 256 * 2 + 3;
    const { leaves: all, read } = tilesOf(size);
    expect(await rootAt(size, read)).toEqual(naiveRoot(all));
  }, 30_000);

  it("has no root where hashes are missing, or at a size that is no count", async () => {
    const { read } = tilesOf(10);
    await expect(rootAt(11, read)).rejects.toThrow(LogFormatError);
    for (const size of [-1, 1.5, 2 ** 53]) await expect(rootAt(size, read)).rejects.toThrow(RangeError);
  });
});

describe("the path of a tile", () => {
  const tile = fc.record({
    level: fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constant("entries" as const)),
    n: fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 2 ** 45 - 1 })),
    width: fc.integer({ min: 1, max: 256 }),
  });

  it("is read back as it was written", () => {
    fc.assert(
      fc.property(tile, ({ level, n, width }) => {
        expect(parseTilePath(tilePath(level, n, width))).toEqual({ level, n, width });
      }),
    );
  });

  it("is read only if it is canonical", () => {
    fc.assert(
      fc.property(tile, fc.nat(), fc.constantFrom(..."0159x/.p-%e"), ({ level, n, width }, pick, character) => {
        const path = tilePath(level, n, width);
        const place = pick % path.length;
        for (const other of [path.slice(0, place) + character + path.slice(place + 1), path.slice(0, place)]) {
          const parsed = parseTilePath(other);
          if (parsed !== null) expect(tilePath(parsed.level, parsed.n, parsed.width)).toBe(other);
        }
      }),
    );
  });

  it.each([
    "tile/0/1",
    "tile/0/1234",
    "tile/0/x000/001",
    "tile/0/001/002",
    "tile/0/x001",
    "tile/00/001",
    "tile/7/001",
    "tile/-1/001",
    "tile/0/001.p/0",
    "tile/0/001.p/08",
    "tile/0/001.p/256",
    "tile/0/001/",
    "tile/0/x999/x999/x999/x999/999",
    "/tile/0/001",
    "tile/data/001",
    "",
  ])("%j is refused", (path) => expect(parseTilePath(path)).toBeNull());

  it("is not written of numbers out of their ranges", () => {
    for (const [level, n, width] of [
      [7, 0, 1],
      [0, -1, 1],
      [0, 2 ** 45, 1],
      [0, 0, 0],
      [0, 0, 257],
      [0, 0.5, 1],
    ] as const) {
      expect(() => tilePath(level, n, width)).toThrow(RangeError);
    }
  });
});

describe("a bundle of entries", () => {
  const entries = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 256 });

  it("is read back as it was written", () => {
    fc.assert(
      fc.property(entries, (list) => {
        expect(readBundle(writeBundle(list))).toEqual(list);
      }),
    );
  });

  it("that is cut within an entry is refused", () => {
    const bundle = writeBundle([Uint8Array.of(1, 2, 3), Uint8Array.of(4)]);
    for (const length of [1, 2, 3, 4, 6, 7]) {
      expect(() => readBundle(bundle.slice(0, length))).toThrow(LogFormatError);
    }
    expect(readBundle(bundle.slice(0, 5))).toHaveLength(1);
  });

  it("holds at most 256 entries of at most 65 535 bytes", () => {
    const longest = new Uint8Array(65_535);
    expect(readBundle(writeBundle([longest]))).toEqual([longest]);
    expect(() => writeBundle([new Uint8Array(65_536)])).toThrow(RangeError);
    expect(() => writeBundle(Array(257).fill(longest))).toThrow(RangeError);
    expect(() => readBundle(new Uint8Array(2 * 257))).toThrow(LogFormatError);
  });
});
