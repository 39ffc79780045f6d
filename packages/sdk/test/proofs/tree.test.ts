import { keccak_256 } from "@noble/hashes/sha3";
import { StandardMerkleTree } from "@openzeppelin/merkle-tree";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex, leafOf, toHex } from "../../src/proofs/reading.ts";
import { buildTree, rootFrom } from "../../src/proofs/tree.ts";

/** OpenZeppelin's leaf of a word is keccak(keccak(word)), while the leaf of a reading's hash is keccak(hash). */
const word = fc.uint8Array({ minLength: 32, maxLength: 32 });
const ours = (words: readonly Uint8Array[]) => words.map((value) => leafOf(keccak_256(value)));

describe("the tree of a batch", () => {
  it("equals OpenZeppelin's standard tree: the same root, and the same proof for every leaf", () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), (words) => {
        const theirs = StandardMerkleTree.of(
          words.map((value) => [toHex(value)]),
          ["bytes32"],
        );
        const tree = buildTree(ours(words));
        expect(toHex(tree.root)).toBe(theirs.root);
        words.forEach((_, index) => {
          expect(tree.proofOf(index).map(toHex)).toEqual(theirs.getProof(index));
        });
      }),
    );
  });

  it("has a path from every leaf to the root, and from a changed leaf or path to another root", () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 40 }), fc.nat(), fc.nat(255), (words, pick, byte) => {
        const leaves = ours(words);
        const { root, proofOf } = buildTree(leaves);
        const index = pick % leaves.length;
        const leaf = leaves[index] as Uint8Array;
        expect(rootFrom(leaf, proofOf(index))).toEqual(root);
        const changed = leaf.map((value, place) => (place === byte % 32 ? value ^ 1 : value));
        expect(rootFrom(changed, proofOf(index))).not.toEqual(root);
        expect(rootFrom(leaf, proofOf(index).slice(1))).not.toEqual(root);
      }),
    );
  });

  it("does not depend on the order of its leaves", () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
        expect(buildTree(ours(words.toReversed())).root).toEqual(buildTree(ours(words)).root);
      }),
    );
  });

  it("has a path for each of several equal leaves", () => {
    const leaf = fromHex(`0x${"ab".repeat(32)}`);
    const { root, proofOf } = buildTree([leaf, leaf, leaf]);
    for (const index of [0, 1, 2]) expect(rootFrom(leaf, proofOf(index))).toEqual(root);
  });

  it("refuses an empty list, leaves of another length and indices out of range", () => {
    expect(() => buildTree([])).toThrow(RangeError);
    expect(() => buildTree([new Uint8Array(31)])).toThrow(RangeError);
    expect(() => buildTree([new Uint8Array(32)]).proofOf(1)).toThrow(RangeError);
    expect(() => buildTree([new Uint8Array(32)]).proofOf(-1)).toThrow(RangeError);
    expect(() => rootFrom(new Uint8Array(32), [new Uint8Array(64)])).toThrow(RangeError);
  });
});
