// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The tree OpenZeppelin's merkle-tree library builds from leaf hashes: a complete binary tree in an array, leaves
/// sorted and laid in from its end, pairs sorted before they are hashed. Works on memory, changes what it is given.
library MerkleTree {
    function build(bytes32[] memory leaves) internal pure returns (bytes32[] memory tree) {
        for (uint256 i = 1; i < leaves.length; ++i) {
            for (uint256 j = i; j > 0 && leaves[j - 1] > leaves[j]; --j) {
                (leaves[j - 1], leaves[j]) = (leaves[j], leaves[j - 1]);
            }
        }
        tree = new bytes32[](2 * leaves.length - 1);
        for (uint256 i = 0; i < leaves.length; ++i) {
            tree[tree.length - 1 - i] = leaves[i];
        }
        for (uint256 i = tree.length - leaves.length; i > 0; --i) {
            tree[i - 1] = pair(tree[2 * i - 1], tree[2 * i]);
        }
    }

    /// @dev The proof of the node at `index`, siblings from below.
    function proofOf(bytes32[] memory tree, uint256 index) internal pure returns (bytes32[] memory proof) {
        uint256 depth;
        for (uint256 i = index; i > 0; i = (i - 1) / 2) {
            ++depth;
        }
        proof = new bytes32[](depth);
        for (uint256 i = 0; i < depth; ++i) {
            proof[i] = tree[index % 2 == 1 ? index + 1 : index - 1];
            index = (index - 1) / 2;
        }
    }

    function pair(bytes32 a, bytes32 b) internal pure returns (bytes32) {
        return a < b ? keccak256(bytes.concat(a, b)) : keccak256(bytes.concat(b, a));
    }
}
