import { keccak_256 } from "@noble/hashes/sha3";

/**
 * The Merkle tree of a batch, identical to OpenZeppelin's standard tree. Leaves are sorted by their bytes and placed
 * from the end of a complete binary tree backwards. Each node is the keccak-256 of its two children in sorted order.
 */
export interface Tree {
  root: Uint8Array;
  /** The path from the leaf's sibling up. `index` is the index of the leaf in the argument of `buildTree`. */
  proofOf(index: number): Uint8Array[];
}

const width = 32;

/**
 * Builds the tree of leaves of 32 bytes each.
 * @throws RangeError if there is no leaf, or if one is not 32 bytes
 * @example buildTree([new Uint8Array(32)]).proofOf(0) // []
 */
export function buildTree(leaves: readonly Uint8Array[]): Tree {
  const count = leaves.length;
  if (count === 0) throw new RangeError("A tree has at least one leaf");
  if (leaves.some((leaf) => leaf.length !== width)) throw new RangeError("A leaf is 32 bytes");
  // All nodes are in one buffer. The children of node i are 2i + 1 and 2i + 2.
  const length = 2 * count - 1;
  const nodes = new Uint8Array(length * width);
  const at = (node: number) => nodes.subarray(node * width, (node + 1) * width);
  const places = new Uint32Array(count);
  sorted(leaves).forEach(({ leaf, index }, position) => {
    const node = length - 1 - position;
    places[index] = node;
    nodes.set(leaf, node * width);
  });
  const pair = new Uint8Array(2 * width);
  for (let node = count - 2; node >= 0; node--) {
    nodes.set(parent(at(2 * node + 1), at(2 * node + 2), pair), node * width);
  }
  return {
    root: at(0).slice(),
    proofOf(index) {
      const place = places[index];
      if (place === undefined) throw new RangeError(`There is no leaf ${index}`);
      const proof: Uint8Array[] = [];
      for (let node = place; node > 0; node = (node - 1) >> 1) {
        proof.push(at(node % 2 === 0 ? node - 1 : node + 1).slice());
      }
      return proof;
    },
  };
}

/**
 * The root computed from `leaf` along `proof`.
 * @throws RangeError if one of them is not 32 bytes
 * @example rootFrom(new Uint8Array(32), []).length // 32
 */
export function rootFrom(leaf: Uint8Array, proof: readonly Uint8Array[]): Uint8Array {
  if (leaf.length !== width || proof.some((sibling) => sibling.length !== width)) {
    throw new RangeError("A leaf and each step of its path is 32 bytes");
  }
  const pair = new Uint8Array(2 * width);
  return proof.reduce((node, sibling) => parent(node, sibling, pair), leaf);
}

function parent(a: Uint8Array, b: Uint8Array, pair: Uint8Array): Uint8Array {
  const ordered = compareBytes(a, b) <= 0;
  pair.set(ordered ? a : b, 0);
  pair.set(ordered ? b : a, width);
  return keccak_256(pair);
}

/** Sorted by bytes. Equal leaves retain their order. */
function sorted(leaves: readonly Uint8Array[]): { leaf: Uint8Array; index: number }[] {
  return (
    leaves
      // The first four bytes as a number almost always decide, which avoids a comparison byte by byte.
      .map((leaf, index) => ({ leaf, index, prefix: new DataView(leaf.buffer, leaf.byteOffset).getUint32(0) }))
      .sort((a, b) => a.prefix - b.prefix || compareBytes(a.leaf, b.leaf))
  );
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let index = 0; index < width; index++) {
    const difference = (a[index] as number) - (b[index] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}
