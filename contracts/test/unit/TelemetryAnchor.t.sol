// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessManaged} from "@openzeppelin/contracts/access/manager/IAccessManaged.sol";
import {TelemetryAnchor} from "../../src/TelemetryAnchor.sol";
import {AnchorWorld} from "../support/AnchorWorld.sol";
import {MerkleTree} from "../support/MerkleTree.sol";

/// @dev The tree of cases of batches and their proofs.
///
/// anchor
/// ├── caller without the role → refused
/// ├── root 0 · count 0 · from after to · to in the future → refused
/// ├── from not later than the last to (overlap, gap 0, out of order, again) → BatchOverlaps
/// └── first of a stream · next, touching or after a gap · one second long · another stream → anchored
/// keepHead: empty stream → refused; kept · kept twice · the next one too
/// verify, isAnchored
/// ├── the last batch · an earlier one through those after it · one before a kept head, however long the stream
/// └── any figure changed · another stream · too few, too many, other digests · another leaf or proof → false
contract TelemetryAnchorTest is AnchorWorld {
    function setUp() public {
        deployAnchor();
    }

    function refusesBatch(bytes memory reason, TelemetryAnchor.Batch memory batch) private {
        vm.expectRevert(reason);
        anchorBatch(STREAM, batch);
    }

    // ── anchor ──────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_the_first_batch_begins_a_stream_and_says_so() public {
        TelemetryAnchor.Batch memory batch = batchOf(1, "root", START - 59, START);
        bytes32 head = keccak256(bytes.concat(bytes32(0), digestOf(STREAM, batch)));
        vm.expectEmit(address(anchors));
        emit TelemetryAnchor.Anchored(STREAM, 1, "root", START - 59, START, 60, "data", head);
        anchorBatch(STREAM, batch);
        (bytes32 known, uint64 batches, uint64 to, uint128 readings) = anchors.streamOf(STREAM);
        assertEq(known, head, "head");
        assertEq(batches, 1, "batches");
        assertEq(to, START, "to");
        assertEq(readings, 60, "readings");
    }

    function test_each_batch_moves_the_head_on() public {
        TelemetryAnchor.Batch memory first = batchOf(1, "a", START - 99, START - 50);
        TelemetryAnchor.Batch memory second = batchOf(2, "b", START - 49, START);
        anchorBatch(STREAM, first);
        bytes32 head = headOf(STREAM);
        anchorBatch(STREAM, second);
        assertEq(headOf(STREAM), keccak256(bytes.concat(head, digestOf(STREAM, second))), "head");
        assertEq(anchors.batchDigest(STREAM, 2, "b", START - 49, START, 60, "data"), digestOf(STREAM, second), "digest");
        (, uint64 batches,, uint128 readings) = anchors.streamOf(STREAM);
        assertEq(batches, 2, "batches");
        assertEq(readings, 120, "readings");
    }

    function test_an_unknown_stream_is_empty() public view {
        (bytes32 head, uint64 batches, uint64 to, uint128 readings) = anchors.streamOf("nowhere");
        assertTrue(head == 0 && batches == 0 && to == 0 && readings == 0, "all zero");
        assertEq(anchors.headAt("nowhere", 0), 0, "head");
    }

    function test_a_batch_begins_after_the_last_one_ended() public {
        anchorBatch(STREAM, batchOf(1, "a", START - 99, START - 50));
        bytes4 overlaps = TelemetryAnchor.BatchOverlaps.selector;
        uint64[4] memory starts = [START - 200, START - 99, START - 51, START - 50];
        for (uint256 i = 0; i < starts.length; ++i) {
            bytes memory reason = abi.encodeWithSelector(overlaps, starts[i], START - 50);
            refusesBatch(reason, batchOf(2, "b", starts[i], START));
        }
        anchorBatch(STREAM, batchOf(2, "b", START - 49, START - 49));
        anchorBatch(STREAM, batchOf(3, "c", START - 10, START));
        (, uint64 batches,,) = anchors.streamOf(STREAM);
        assertEq(batches, 3, "touching, one second long, and after a gap");
    }

    function test_a_batch_that_reaches_the_end_of_time_of_its_stream_cannot_be_anchored_again() public {
        anchorBatch(STREAM, batchOf(1, "a", START, START));
        refusesBatch(
            abi.encodeWithSelector(TelemetryAnchor.BatchOverlaps.selector, START, START), batchOf(2, "a", START, START)
        );
    }

    function test_streams_do_not_touch_each_other() public {
        anchorBatch(STREAM, batchOf(1, "a", START - 9, START));
        anchorBatch("other", batchOf(1, "a", START - 9, START));
        assertTrue(headOf(STREAM) != headOf("other"), "the same batch gives another head");
    }

    function test_a_root_of_zero_no_readings_and_impossible_times_are_refused() public {
        refusesBatch(abi.encodeWithSelector(TelemetryAnchor.InvalidRoot.selector), batchOf(1, 0, START - 9, START));
        TelemetryAnchor.Batch memory empty = batchOf(1, "a", START - 9, START);
        empty.count = 0;
        refusesBatch(abi.encodeWithSelector(TelemetryAnchor.InvalidCount.selector), empty);
        bytes4 wrong = TelemetryAnchor.InvalidTime.selector;
        refusesBatch(abi.encodeWithSelector(wrong, START, START - 1), batchOf(1, "a", START, START - 1));
        refusesBatch(abi.encodeWithSelector(wrong, START, START + 1), batchOf(1, "a", START, START + 1));
        refusesBatch(abi.encodeWithSelector(TelemetryAnchor.BatchOverlaps.selector, 0, 0), batchOf(1, "a", 0, START));
    }

    function test_only_the_anchorer_anchors_and_only_the_registrar_registers() public {
        address[4] memory notAnchorer = [alice, registrar, owner, guardian];
        for (uint256 i = 0; i < 4; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IAccessManaged.AccessManagedUnauthorized.selector, notAnchorer[i]));
            vm.prank(notAnchorer[i]);
            anchors.anchor(STREAM, "a", START, START, 1, 0);
        }
        address[4] memory notRegistrar = [alice, anchorer, owner, guardian];
        for (uint256 i = 0; i < 4; ++i) {
            bytes memory reason =
                abi.encodeWithSelector(IAccessManaged.AccessManagedUnauthorized.selector, notRegistrar[i]);
            vm.expectRevert(reason);
            vm.prank(notRegistrar[i]);
            anchors.registerP256Key(DEVICE, "x", "y", START + 1);
            vm.expectRevert(reason);
            vm.prank(notRegistrar[i]);
            anchors.registerSecp256k1Key(DEVICE, alice, START + 1);
            vm.expectRevert(reason);
            vm.prank(notRegistrar[i]);
            anchors.revokeKey(DEVICE);
        }
    }

    // ── keepHead ────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_anyone_keeps_a_head_which_then_stays_as_the_stream_goes_on() public {
        anchorBatch(STREAM, batchOf(1, "a", START - 99, START - 50));
        bytes32 head = headOf(STREAM);
        assertEq(anchors.headAt(STREAM, 1), head, "while it is the last");
        vm.expectEmit(address(anchors));
        emit TelemetryAnchor.HeadKept(STREAM, 1, head);
        vm.prank(carol);
        assertEq(anchors.keepHead(STREAM), 1, "batch");
        anchorBatch(STREAM, batchOf(2, "b", START - 49, START - 20));
        anchorBatch(STREAM, batchOf(3, "c", START - 19, START));
        assertEq(anchors.headAt(STREAM, 1), head, "kept");
        assertEq(anchors.headAt(STREAM, 2), 0, "not kept");
        assertEq(anchors.headAt(STREAM, 3), headOf(STREAM), "the last");
    }

    function test_keeping_a_head_again_changes_and_says_nothing() public {
        anchorBatch(STREAM, batchOf(1, "a", START - 99, START - 50));
        anchors.keepHead(STREAM);
        vm.recordLogs();
        assertEq(anchors.keepHead(STREAM), 1, "batch");
        assertEq(vm.getRecordedLogs().length, 0, "no event");
    }

    function test_an_empty_stream_has_no_head_to_keep() public {
        vm.expectRevert(abi.encodeWithSelector(TelemetryAnchor.EmptyStream.selector, STREAM));
        anchors.keepHead(STREAM);
    }

    // ── verify ──────────────────────────────────────────────────────────────────────────────────────────────────────

    function standardLeaf(address account, uint256 amount) private pure returns (bytes32) {
        return keccak256(bytes.concat(keccak256(abi.encode(account, amount))));
    }

    /// @dev Root and proof are those the merkle-tree library's own documentation gives for these two values.
    function test_proofs_of_the_merkle_tree_library_hold() public {
        bytes32 root = 0xd4dee0beab2d53f2cc83e567171bd2820e49898130a22622b10ead383e90bd77;
        TelemetryAnchor.Batch memory batch = batchOf(1, root, START - 9, START);
        anchorBatch(STREAM, batch);
        bytes32[] memory proof = new bytes32[](1);
        proof[0] = 0xb92c48e9d7abe27fd8dfd6b5dfdbfb1c9a463f80c712b66f3a5180a090cccafc;
        bytes32 leaf = standardLeaf(0x1111111111111111111111111111111111111111, 5e18);
        assertTrue(anchors.verify(STREAM, batch, leaf, proof), "as the library proves it");
        assertTrue(!anchors.verify(STREAM, batch, standardLeaf(address(1), 5e18), proof), "another leaf");
        proof[0] = "other";
        assertTrue(!anchors.verify(STREAM, batch, leaf, proof), "another proof");
        assertTrue(!anchors.verify(STREAM, batch, leaf, new bytes32[](0)), "no proof");
    }

    function test_a_batch_of_one_reading_is_its_own_root() public {
        bytes32 leaf = standardLeaf(alice, 1);
        anchorBatch(STREAM, batchOf(1, leaf, START - 9, START));
        assertTrue(anchors.verify(STREAM, batchOf(1, leaf, START - 9, START), leaf, new bytes32[](0)), "leaf is root");
    }

    /// @dev Five batches of which the second is to be proved.
    function fiveBatches() private returns (TelemetryAnchor.Batch memory second, bytes32[] memory digests) {
        digests = new bytes32[](5);
        for (uint64 i = 0; i < 5; ++i) {
            TelemetryAnchor.Batch memory batch = batchOf(i + 1, bytes32(uint256(i + 1)), START - 99 + 10 * i, START - 90 + 10 * i);
            digests[i] = digestOf(STREAM, batch);
            if (i == 1) {
                second = batch;
                second.previousHead = headOf(STREAM);
            }
            anchorBatch(STREAM, batch);
            if (i == 2) anchors.keepHead(STREAM);
        }
    }

    function slice(bytes32[] memory all, uint256 from, uint256 to) private pure returns (bytes32[] memory part) {
        part = new bytes32[](to - from);
        for (uint256 i = from; i < to; ++i) {
            part[i - from] = all[i];
        }
    }

    function test_an_earlier_batch_is_proved_through_those_after_it_or_by_a_kept_head() public {
        (TelemetryAnchor.Batch memory second, bytes32[] memory digests) = fiveBatches();
        second.later = slice(digests, 2, 5);
        assertTrue(anchors.isAnchored(STREAM, second), "to the stream's head");
        second.later = slice(digests, 2, 3);
        assertTrue(anchors.isAnchored(STREAM, second), "to the kept head");
        second.later = slice(digests, 2, 4);
        assertTrue(!anchors.isAnchored(STREAM, second), "to a head nobody kept");
        second.later = new bytes32[](0);
        assertTrue(!anchors.isAnchored(STREAM, second), "to nowhere");
        anchorBatch(STREAM, batchOf(6, "f", START, START));
        second.later = slice(digests, 2, 3);
        assertTrue(anchors.isAnchored(STREAM, second), "a kept head does not grow stale");
    }

    function test_a_batch_with_any_figure_changed_was_not_anchored() public {
        (TelemetryAnchor.Batch memory second, bytes32[] memory digests) = fiveBatches();
        second.later = slice(digests, 2, 5);
        bytes memory right = abi.encode(second);
        assertTrue(!anchors.isAnchored("other", second), "stream");
        second.number = 3;
        assertTrue(!anchors.isAnchored(STREAM, second), "number");
        second = abi.decode(right, (TelemetryAnchor.Batch));
        second.previousHead = 0;
        assertTrue(!anchors.isAnchored(STREAM, second), "previousHead");
        second = abi.decode(right, (TelemetryAnchor.Batch));
        second.root = "forged";
        assertTrue(!anchors.isAnchored(STREAM, second), "root");
        second = abi.decode(right, (TelemetryAnchor.Batch));
        second.from -= 1;
        assertTrue(!anchors.isAnchored(STREAM, second), "from");
        second = abi.decode(right, (TelemetryAnchor.Batch));
        second.to += 1;
        assertTrue(!anchors.isAnchored(STREAM, second), "to");
        second = abi.decode(right, (TelemetryAnchor.Batch));
        second.count += 1;
        assertTrue(!anchors.isAnchored(STREAM, second), "count");
        second = abi.decode(right, (TelemetryAnchor.Batch));
        second.dataHash = "forged";
        assertTrue(!anchors.isAnchored(STREAM, second), "dataHash");
        second = abi.decode(right, (TelemetryAnchor.Batch));
        second.later[1] = "forged";
        assertTrue(!anchors.isAnchored(STREAM, second), "a later digest");
        second = abi.decode(right, (TelemetryAnchor.Batch));
        assertTrue(anchors.isAnchored(STREAM, second), "and nothing changed");
    }

    function test_nothing_is_anchored_in_an_empty_stream() public view {
        TelemetryAnchor.Batch memory batch;
        assertTrue(!anchors.isAnchored(STREAM, batch), "number 0");
        batch.number = 1;
        assertTrue(!anchors.isAnchored(STREAM, batch), "number 1");
        assertTrue(!anchors.verify(STREAM, batch, 0, new bytes32[](0)), "verify");
    }

    function test_an_inner_node_is_no_leaf_of_a_reading() public {
        bytes32[] memory leaves = new bytes32[](4);
        for (uint256 i = 0; i < 4; ++i) {
            leaves[i] = standardLeaf(alice, i);
        }
        bytes32[] memory tree = MerkleTree.build(leaves);
        TelemetryAnchor.Batch memory batch = batchOf(1, tree[0], START - 9, START);
        anchorBatch(STREAM, batch);
        // Whoever forges must find values that hash, twice, to an inner node; its preimage of 64 bytes hashes to the
        // node in one step, and to something else in two.
        bytes memory preimage = bytes.concat(tree[3], tree[4]);
        bytes32 forged = keccak256(bytes.concat(keccak256(preimage)));
        assertTrue(!anchors.verify(STREAM, batch, forged, MerkleTree.proofOf(tree, 1)), "not a leaf");
    }
}
