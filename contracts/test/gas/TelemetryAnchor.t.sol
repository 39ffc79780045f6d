// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TelemetryAnchor} from "../../src/TelemetryAnchor.sol";
import {AnchorWorld} from "../support/AnchorWorld.sol";

/// @dev Gas of whole transactions, with roots and hashes of 32 bytes that are not zero.
contract TelemetryAnchorGas is AnchorWorld {
    bytes32 private constant ROOT = keccak256("root");
    bytes32 private constant DATA = keccak256("data");
    bytes32 private constant HASHED_STREAM = keccak256("stream");

    function setUp() public {
        deployAnchor();
        vm.prank(anchorer);
        anchors.anchor(HASHED_STREAM, ROOT, START - 3599, START, 3600, DATA);
        skip(1 hours);
    }

    function test_anchor() public {
        vm.prank(anchorer);
        anchors.anchor(HASHED_STREAM, ROOT, START + 1, START + 3600, 3600, DATA);
        vm.snapshotGasLastCall("gas", "TelemetryAnchor anchor");
    }

    function test_first_anchor_of_a_stream() public {
        vm.prank(anchorer);
        anchors.anchor("another", ROOT, START + 1, START + 3600, 3600, DATA);
        vm.snapshotGasLastCall("gas", "TelemetryAnchor anchor, first of a stream");
    }

    function test_keep_head() public {
        anchors.keepHead(HASHED_STREAM);
        vm.snapshotGasLastCall("gas", "TelemetryAnchor keepHead");
    }

    function test_register() public {
        registerP256(DEVICE, 1, START + 2 hours);
        vm.snapshotGasLastCall("gas", "TelemetryAnchor registerP256Key");
    }

    function test_p256_signature_without_a_precompile() public {
        registerP256(DEVICE, 1, START + 2 hours);
        anchors.isSignedBy(DEVICE, START + 3 hours, DATA, p256Sign(1, DATA));
        vm.snapshotGasLastCall("gas", "TelemetryAnchor isSignedBy P-256");
    }
}
