// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TelemetryAnchor} from "../../src/TelemetryAnchor.sol";
import {AnchorWorld} from "../support/AnchorWorld.sol";

/// @dev The tree of cases of device keys.
///
/// registerP256Key, registerSecp256k1Key
/// ├── no point of the curve, 0 · a moment not to come, too far ahead · a key used before → refused
/// ├── first key · rotation · after a revocation → holds from its moment on, the one before until then
/// └── while another has not begun → takes its place, be it earlier or later, the same key included
/// revokeKey
/// ├── unknown device, nothing left → NoKey
/// └── a key that holds · one that has not begun → none from the next second on, also when one is registered at once
/// keyAt: before the first, first and last second of each, between, after, none
/// isSignedBy: P-256, secp256k1: right · other key, time, digest, device, length, upper half · no key → false
contract DeviceKeysTest is AnchorWorld {
    uint256 private constant ONE = 0x0111;
    uint256 private constant TWO = 0x0222;
    uint256 private constant THREE = 0x0333;
    uint64 private constant NEVER = type(uint64).max;

    function setUp() public {
        deployAnchor();
    }

    function assertKey(uint64 when, TelemetryAnchor.KeyKind kind, uint256 key, uint64 from, uint64 until) private view {
        (TelemetryAnchor.KeyKind k, bytes32 x, bytes32 y, uint64 validFrom, uint64 validUntil) =
            anchors.keyAt(DEVICE, when);
        assertEq(uint256(k), uint256(kind), "kind");
        bytes32 wantedX;
        bytes32 wantedY;
        if (kind == TelemetryAnchor.KeyKind.P256) (wantedX, wantedY) = p256Key(key);
        if (kind == TelemetryAnchor.KeyKind.Secp256k1) wantedX = bytes32(uint256(uint160(vm.addr(key))));
        assertEq(x, wantedX, "x");
        assertEq(y, wantedY, "y");
        assertEq(validFrom, from, "validFrom");
        assertEq(validUntil, until, "validUntil");
    }

    function assertP256(uint64 when, uint256 key, uint64 from, uint64 until) private view {
        assertKey(when, TelemetryAnchor.KeyKind.P256, key, from, until);
    }

    function assertNone(uint64 when) private view {
        assertKey(when, TelemetryAnchor.KeyKind.None, 0, 0, 0);
    }

    // ── Registering ─────────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_key_holds_from_its_moment_on_and_says_so() public {
        assertNone(START);
        (bytes32 x, bytes32 y) = p256Key(ONE);
        vm.expectEmit(address(anchors));
        emit TelemetryAnchor.KeyRegistered(DEVICE, 1, x, y, START + 10);
        registerP256(DEVICE, ONE, START + 10);
        assertNone(START + 9);
        assertP256(START + 10, ONE, START + 10, NEVER);
        assertP256(NEVER, ONE, START + 10, NEVER);
    }

    function test_a_secp256k1_key_is_known_by_its_address() public {
        vm.expectEmit(address(anchors));
        emit TelemetryAnchor.KeyRegistered(DEVICE, 2, bytes32(uint256(uint160(vm.addr(ONE)))), 0, START + 1);
        registerSecp256k1(DEVICE, ONE, START + 1);
        assertKey(START + 1, TelemetryAnchor.KeyKind.Secp256k1, ONE, START + 1, NEVER);
    }

    function test_rotation_appends_and_the_key_before_keeps_its_time() public {
        registerP256(DEVICE, ONE, START + 1);
        skip(1 hours);
        registerSecp256k1(DEVICE, TWO, START + 2 hours);
        skip(4 hours);
        registerP256(DEVICE, THREE, START + 6 hours);
        assertNone(START);
        assertP256(START + 1, ONE, START + 1, START + 2 hours - 1);
        assertP256(START + 2 hours - 1, ONE, START + 1, START + 2 hours - 1);
        assertKey(START + 2 hours, TelemetryAnchor.KeyKind.Secp256k1, TWO, START + 2 hours, START + 6 hours - 1);
        assertP256(START + 6 hours, THREE, START + 6 hours, NEVER);
    }

    function test_a_key_begins_in_the_future_and_at_most_30_days_ahead() public {
        (bytes32 x, bytes32 y) = p256Key(ONE);
        uint64[4] memory wrong = [0, START - 1, START, START + 30 days + 1];
        for (uint256 i = 0; i < wrong.length; ++i) {
            bytes memory reason = abi.encodeWithSelector(TelemetryAnchor.InvalidKeyTime.selector, wrong[i]);
            vm.expectRevert(reason);
            vm.prank(registrar);
            anchors.registerP256Key(DEVICE, x, y, wrong[i]);
            vm.expectRevert(reason);
            vm.prank(registrar);
            anchors.registerSecp256k1Key(DEVICE, alice, wrong[i]);
        }
        registerP256(DEVICE, ONE, START + 30 days);
        assertP256(START + 30 days, ONE, START + 30 days, NEVER);
    }

    function test_a_key_that_is_none_is_refused() public {
        (bytes32 x, bytes32 y) = p256Key(ONE);
        bytes memory reason = abi.encodeWithSelector(TelemetryAnchor.InvalidKey.selector);
        vm.expectRevert(reason);
        vm.prank(registrar);
        anchors.registerP256Key(DEVICE, 0, 0, START + 1);
        vm.expectRevert(reason);
        vm.prank(registrar);
        anchors.registerP256Key(DEVICE, y, x, START + 1);
        vm.expectRevert(reason);
        vm.prank(registrar);
        anchors.registerP256Key(DEVICE, bytes32(type(uint256).max), y, START + 1);
        vm.expectRevert(reason);
        vm.prank(registrar);
        anchors.registerSecp256k1Key(DEVICE, address(0), START + 1);
    }

    function refusesUsed(bytes32 device, uint256 key, uint64 validFrom) private {
        (bytes32 x, bytes32 y) = p256Key(key);
        vm.expectRevert(abi.encodeWithSelector(TelemetryAnchor.KeyAlreadyUsed.selector, x, y));
        vm.prank(registrar);
        anchors.registerP256Key(device, x, y, validFrom);
    }

    function test_a_key_stands_for_one_device_and_once() public {
        registerP256(DEVICE, ONE, START + 1);
        refusesUsed("pump-18", ONE, START + 1);
        skip(10);
        refusesUsed(DEVICE, ONE, START + 11);
        registerP256(DEVICE, TWO, START + 11);
        skip(10);
        refusesUsed(DEVICE, ONE, START + 21);
        revokeKeyOf(DEVICE);
        skip(10);
        refusesUsed(DEVICE, TWO, START + 31);
        registerSecp256k1("pump-19", ONE, START + 31);
        address signer = vm.addr(ONE);
        vm.expectRevert(
            abi.encodeWithSelector(TelemetryAnchor.KeyAlreadyUsed.selector, uint256(uint160(signer)), 0)
        );
        vm.prank(registrar);
        anchors.registerSecp256k1Key(DEVICE, signer, START + 31);
    }

    function test_a_key_takes_the_place_of_one_that_has_not_begun_be_it_earlier_or_later() public {
        registerP256(DEVICE, ONE, START + 1);
        skip(10);
        registerP256(DEVICE, TWO, START + 5 days);
        (bytes32 x, bytes32 y) = p256Key(TWO);
        vm.expectEmit(address(anchors));
        emit TelemetryAnchor.KeyDropped(DEVICE, 1, x, y, START + 5 days);
        registerSecp256k1(DEVICE, THREE, START + 9 days);
        assertP256(START + 9 days - 1, ONE, START + 1, START + 9 days - 1);
        bytes32 third = bytes32(uint256(uint160(vm.addr(THREE))));
        vm.expectEmit(address(anchors));
        emit TelemetryAnchor.KeyDropped(DEVICE, 2, third, 0, START + 9 days);
        registerP256(DEVICE, TWO, START + 2 days);
        assertP256(START + 2 days - 1, ONE, START + 1, START + 2 days - 1);
        assertP256(START + 9 days, TWO, START + 2 days, NEVER);
    }

    function test_a_key_is_not_dropped_in_the_second_in_which_it_begins() public {
        registerP256(DEVICE, ONE, START + 10);
        vm.warp(START + 10);
        registerP256(DEVICE, TWO, START + 20);
        assertP256(START + 19, ONE, START + 10, START + 19);
        assertP256(START + 20, TWO, START + 20, NEVER);
    }

    function test_a_key_that_has_not_begun_can_be_put_off_or_brought_forward() public {
        registerP256(DEVICE, ONE, START + 5 days);
        registerP256(DEVICE, ONE, START + 7 days);
        assertNone(START + 7 days - 1);
        assertP256(START + 7 days, ONE, START + 7 days, NEVER);
        registerP256(DEVICE, ONE, START + 1 days);
        assertP256(START + 1 days, ONE, START + 1 days, NEVER);
    }

    // ── Revoking ────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_revoked_key_ends_with_this_second_and_keeps_what_it_signed_before() public {
        registerP256(DEVICE, ONE, START + 1);
        skip(1 days);
        vm.expectEmit(address(anchors));
        emit TelemetryAnchor.KeyRevoked(DEVICE, START + 1 days + 1);
        revokeKeyOf(DEVICE);
        assertP256(START + 1, ONE, START + 1, START + 1 days);
        assertP256(START + 1 days, ONE, START + 1, START + 1 days);
        assertNone(START + 1 days + 1);
        bytes memory signed = p256Sign(ONE, "reading");
        assertTrue(anchors.isSignedBy(DEVICE, START + 1 days, "reading", signed), "before");
        assertTrue(!anchors.isSignedBy(DEVICE, START + 1 days + 1, "reading", signed), "after");
    }

    function test_revoking_drops_the_keys_to_come() public {
        registerP256(DEVICE, ONE, START + 1);
        skip(10);
        registerP256(DEVICE, TWO, START + 5 days);
        revokeKeyOf(DEVICE);
        assertNone(START + 5 days);
        skip(10);
        registerP256(DEVICE, TWO, START + 21);
        assertP256(START + 10, ONE, START + 1, START + 10);
        assertNone(START + 20);
        assertP256(START + 21, TWO, START + 21, NEVER);
    }

    function test_a_key_that_has_not_begun_can_be_revoked() public {
        registerP256(DEVICE, ONE, START + 5 days);
        revokeKeyOf(DEVICE);
        assertNone(START + 5 days);
        vm.expectRevert(abi.encodeWithSelector(TelemetryAnchor.NoKey.selector, DEVICE));
        revokeKeyOf(DEVICE);
    }

    function test_a_key_may_follow_a_revocation_in_the_same_second() public {
        registerP256(DEVICE, ONE, START + 1);
        skip(10);
        revokeKeyOf(DEVICE);
        registerP256(DEVICE, TWO, START + 11);
        assertP256(START + 10, ONE, START + 1, START + 10);
        assertP256(START + 11, TWO, START + 11, NEVER);
    }

    function test_a_revocation_stands_when_a_later_key_is_registered_in_the_same_second() public {
        registerP256(DEVICE, ONE, START + 1);
        skip(10);
        registerP256(DEVICE, TWO, START + 2 days);
        revokeKeyOf(DEVICE);
        registerP256(DEVICE, TWO, START + 1 days);
        registerP256(DEVICE, TWO, START + 3 days);
        assertP256(START + 10, ONE, START + 1, START + 10);
        assertNone(START + 11);
        assertNone(START + 3 days - 1);
        assertP256(START + 3 days, TWO, START + 3 days, NEVER);
    }

    function test_a_revocation_stands_when_the_key_registered_with_it_is_put_off() public {
        registerP256(DEVICE, ONE, START + 1);
        skip(10);
        revokeKeyOf(DEVICE);
        registerP256(DEVICE, TWO, START + 11);
        registerP256(DEVICE, TWO, START + 1 days);
        assertP256(START + 10, ONE, START + 1, START + 10);
        assertNone(START + 11);
        assertP256(START + 1 days, TWO, START + 1 days, NEVER);
    }

    function test_there_is_nothing_to_revoke_of_an_unknown_or_revoked_device() public {
        bytes memory reason = abi.encodeWithSelector(TelemetryAnchor.NoKey.selector, DEVICE);
        vm.expectRevert(reason);
        revokeKeyOf(DEVICE);
        registerP256(DEVICE, ONE, START + 1);
        skip(10);
        revokeKeyOf(DEVICE);
        vm.expectRevert(reason);
        revokeKeyOf(DEVICE);
    }

    // ── Signatures ──────────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_p256_signature_holds_for_its_key_time_digest_and_device_only() public {
        registerP256(DEVICE, ONE, START + 1);
        skip(10);
        registerP256(DEVICE, TWO, START + 11);
        registerP256("pump-18", THREE, START + 11);
        bytes memory signed = p256Sign(ONE, "reading");
        assertTrue(anchors.isSignedBy(DEVICE, START + 10, "reading", signed), "right");
        assertTrue(!anchors.isSignedBy(DEVICE, START, "reading", signed), "before it holds");
        assertTrue(!anchors.isSignedBy(DEVICE, START + 11, "reading", signed), "after it held");
        assertTrue(!anchors.isSignedBy(DEVICE, START + 10, "other", signed), "digest");
        assertTrue(!anchors.isSignedBy("pump-18", START + 11, "reading", signed), "device");
        assertTrue(!anchors.isSignedBy("nobody", START + 10, "reading", signed), "no device");
        assertTrue(!anchors.isSignedBy(DEVICE, START + 10, "reading", p256SignHigh(ONE, "reading")), "upper half");
        assertTrue(!anchors.isSignedBy(DEVICE, START + 10, "reading", bytes.concat(signed, hex"1b")), "65 bytes");
        assertTrue(!anchors.isSignedBy(DEVICE, START + 10, "reading", ""), "empty");
        assertTrue(anchors.isSignedBy(DEVICE, START + 11, "reading", p256Sign(TWO, "reading")), "the next key");
    }

    function test_a_secp256k1_signature_holds_for_its_key_time_digest_and_device_only() public {
        registerSecp256k1(DEVICE, ONE, START + 1);
        bytes memory signed = secp256k1Sign(ONE, "reading");
        assertTrue(anchors.isSignedBy(DEVICE, START + 1, "reading", signed), "right");
        assertTrue(!anchors.isSignedBy(DEVICE, START, "reading", signed), "before it holds");
        assertTrue(!anchors.isSignedBy(DEVICE, START + 1, "other", signed), "digest");
        assertTrue(!anchors.isSignedBy(DEVICE, START + 1, "reading", secp256k1Sign(TWO, "reading")), "key");
        assertTrue(!anchors.isSignedBy(DEVICE, START + 1, "reading", p256Sign(ONE, "reading")), "curve");
        assertTrue(!anchors.isSignedBy(DEVICE, START + 1, "reading", new bytes(65)), "zeros");
        assertTrue(!anchors.isSignedBy("nobody", START + 1, "reading", new bytes(65)), "zeros for no device");
        assertTrue(!anchors.isSignedBy("nobody", START + 1, "reading", signed), "no device");
    }
}
