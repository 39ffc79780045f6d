// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TelemetryAnchor} from "../../src/TelemetryAnchor.sol";
import {AnchorWorld} from "../support/AnchorWorld.sol";
import {MerkleTree} from "../support/MerkleTree.sol";

contract TelemetryAnchorFuzz is AnchorWorld {
    function setUp() public {
        deployAnchor();
    }

    function leafOf(uint256 seed, uint256 i) private pure returns (bytes32) {
        return keccak256(bytes.concat(keccak256(abi.encode(seed, i))));
    }

    function testFuzz_every_leaf_of_a_tree_of_any_size_is_proved_and_nothing_else_is(
        uint256 seed,
        uint256 size,
        uint256 pick,
        bytes32 stranger
    ) public {
        size = within(size, 1, 70);
        bytes32[] memory leaves = new bytes32[](size);
        for (uint256 i = 0; i < size; ++i) {
            leaves[i] = leafOf(seed, i);
        }
        bytes32[] memory tree = MerkleTree.build(leaves);
        TelemetryAnchor.Batch memory batch = batchOf(1, tree[0], START - 9, START);
        anchorBatch(STREAM, batch);
        uint256 index = tree.length - 1 - pick % size;
        bytes32[] memory proof = MerkleTree.proofOf(tree, index);
        assertTrue(anchors.verify(STREAM, batch, tree[index], proof), "its leaf");
        assertTrue(!anchors.verify(STREAM, batch, stranger, proof), "a stranger");
        if (proof.length > 0) {
            proof[pick % proof.length] = stranger;
            assertTrue(!anchors.verify(STREAM, batch, tree[index], proof), "a wrong proof");
        }
    }

    function testFuzz_a_batch_is_taken_when_it_comes_after_the_last_and_not_later_than_now(uint64 from, uint64 to)
        public
    {
        anchorBatch(STREAM, batchOf(1, "a", START - 99, START - 50));
        // Half of the tries near the borders, where it matters.
        if (from % 2 == 0) {
            from = START - 60 + from % 80;
            to = START - 60 + to % 80;
        }
        vm.prank(anchorer);
        (bool done,) = address(anchors).call(abi.encodeCall(anchors.anchor, (STREAM, "b", from, to, 1, 0)));
        assertTrue(done == (from > START - 50 && from <= to && to <= START), "taken or not");
    }

    function testFuzz_any_batch_of_a_stream_is_proved_through_those_after_it(uint256 length, uint256 pick, uint256 kept)
        public
    {
        length = within(length, 1, 30);
        pick %= length;
        kept = within(kept, pick, length - 1);
        bytes32[] memory digests = new bytes32[](length);
        TelemetryAnchor.Batch memory picked;
        for (uint64 i = 0; i < length; ++i) {
            TelemetryAnchor.Batch memory batch =
                batchOf(i + 1, keccak256(abi.encode(i)), START - 1000 + 10 * i, START - 991 + 10 * i);
            digests[i] = digestOf(STREAM, batch);
            if (i == pick) {
                picked = batch;
                picked.previousHead = headOf(STREAM);
            }
            anchorBatch(STREAM, batch);
            if (i == kept) anchors.keepHead(STREAM);
        }
        for (uint256 end = pick; end < length; ++end) {
            picked.later = new bytes32[](end - pick);
            for (uint256 i = 0; i < picked.later.length; ++i) {
                picked.later[i] = digests[pick + 1 + i];
            }
            bool known = end == kept || end == length - 1;
            assertTrue(anchors.isAnchored(STREAM, picked) == known, "anchored");
        }
    }

    function testFuzz_a_signature_is_that_of_the_key_at_its_time(uint256 key, bytes32 digest, uint64 wait, bool p256)
        public
    {
        key = within(key, 1, 1e70);
        wait = uint64(within(wait, 1, 30 days));
        if (p256) registerP256(DEVICE, key, START + wait);
        else registerSecp256k1(DEVICE, key, START + wait);
        bytes memory signed = p256 ? p256Sign(key, digest) : secp256k1Sign(key, digest);
        assertTrue(anchors.isSignedBy(DEVICE, START + wait, digest, signed), "from its moment on");
        assertTrue(!anchors.isSignedBy(DEVICE, START + wait - 1, digest, signed), "not before");
        signed[digest[0] == 0 ? 7 : uint256(uint8(digest[0])) % 64] ^= 0x01;
        assertTrue(!anchors.isSignedBy(DEVICE, START + wait, digest, signed), "not when a bit is changed");
    }
}
