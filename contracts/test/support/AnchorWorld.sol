// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TelemetryAnchor} from "../../src/TelemetryAnchor.sol";
import {World} from "./World.sol";

/// @dev The world with a telemetry anchor, its roles, and what batches and keys are made of.
abstract contract AnchorWorld is World {
    uint64 internal constant ANCHORER_ROLE = 6;
    uint64 internal constant REGISTRAR_ROLE = 7;
    bytes32 internal constant STREAM = "sahel-solar/pumps";
    bytes32 internal constant DEVICE = "pump-17";
    uint256 private constant _P256_HALF_ORDER =
        0x7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8;
    uint256 private constant _P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551;

    address internal immutable anchorer = vm.addr(0xA7C404E4);
    address internal immutable registrar = vm.addr(0x4E6157);

    TelemetryAnchor internal anchors;

    function deployAnchor() internal {
        deployWorld();
        anchors = TelemetryAnchor(deploy("TelemetryAnchor", abi.encode(address(manager))));
        grant(ANCHORER_ROLE, anchorer);
        grant(REGISTRAR_ROLE, registrar);
        allow(address(anchors), TelemetryAnchor.anchor.selector, ANCHORER_ROLE);
        allow(address(anchors), TelemetryAnchor.registerP256Key.selector, REGISTRAR_ROLE);
        allow(address(anchors), TelemetryAnchor.registerSecp256k1Key.selector, REGISTRAR_ROLE);
        allow(address(anchors), TelemetryAnchor.revokeKey.selector, REGISTRAR_ROLE);
    }

    // ── Batches ─────────────────────────────────────────────────────────────────────────────────────────────────────

    function batchOf(uint64 number, bytes32 root, uint64 from, uint64 to)
        internal
        pure
        returns (TelemetryAnchor.Batch memory batch)
    {
        batch.number = number;
        batch.root = root;
        batch.from = from;
        batch.to = to;
        batch.count = 60;
        batch.dataHash = "data";
    }

    function anchorBatch(bytes32 stream, TelemetryAnchor.Batch memory batch) internal {
        vm.prank(anchorer);
        anchors.anchor(stream, batch.root, batch.from, batch.to, batch.count, batch.dataHash);
    }

    function digestOf(bytes32 stream, TelemetryAnchor.Batch memory b) internal pure returns (bytes32) {
        return keccak256(abi.encode(stream, b.number, b.root, b.from, b.to, b.count, b.dataHash));
    }

    function headOf(bytes32 stream) internal view returns (bytes32 head) {
        (head,,,) = anchors.streamOf(stream);
    }

    // ── Keys ────────────────────────────────────────────────────────────────────────────────────────────────────────

    function p256Key(uint256 key) internal pure returns (bytes32 x, bytes32 y) {
        (uint256 a, uint256 b) = vm.publicKeyP256(key);
        return (bytes32(a), bytes32(b));
    }

    /// @dev As a device must: with `s` in the lower half of its range.
    function p256Sign(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (bytes32 r, bytes32 s) = vm.signP256(key, digest);
        if (uint256(s) > _P256_HALF_ORDER) s = bytes32(_P256_ORDER - uint256(s));
        return bytes.concat(r, s);
    }

    /// @dev The other signature that fits the same key and digest, with `s` in the upper half.
    function p256SignHigh(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (bytes32 r, bytes32 s) = vm.signP256(key, digest);
        if (uint256(s) <= _P256_HALF_ORDER) s = bytes32(_P256_ORDER - uint256(s));
        return bytes.concat(r, s);
    }

    function secp256k1Sign(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    function registerP256(bytes32 device, uint256 key, uint64 validFrom) internal {
        (bytes32 x, bytes32 y) = p256Key(key);
        vm.prank(registrar);
        anchors.registerP256Key(device, x, y, validFrom);
    }

    function registerSecp256k1(bytes32 device, uint256 key, uint64 validFrom) internal {
        vm.prank(registrar);
        anchors.registerSecp256k1Key(device, vm.addr(key), validFrom);
    }

    function revokeKeyOf(bytes32 device) internal {
        vm.prank(registrar);
        anchors.revokeKey(device);
    }

    /// @dev The first word of the key the device has at a time, 0 when there is none.
    function keyXAt(bytes32 device, uint64 when) internal view returns (bytes32 x) {
        (, x,,,) = anchors.keyAt(device, when);
    }
}
