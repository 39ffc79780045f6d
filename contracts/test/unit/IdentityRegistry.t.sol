// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessManaged} from "@openzeppelin/contracts/access/manager/IAccessManaged.sol";
import {IdentityRegistry} from "../../src/IdentityRegistry.sol";
import {ContractWallet, IdentityWorld} from "../support/IdentityWorld.sol";

contract IdentityRegistryTest is IdentityWorld {
    uint64 private constant UNTIL = START + 365 days;
    uint128 private constant SUBJECT = 0xc3;

    function setUp() public {
        deployWorld();
    }

    function bindCarol(uint128 subject, uint64 until, bytes memory signed) private {
        vm.prank(attester);
        identities.bind(carol, subject, until, 410, 2, MESSAGE, signed);
    }

    function test_an_unknown_wallet_has_no_record_and_may_do_nothing() public view {
        assertStatus(carol, IdentityRegistry.Status.None, "status");
        assertTrue(!identities.canSend(carol), "cannot send");
        assertTrue(!identities.canReceive(carol), "cannot receive");
        assertEq(identities.recordOf(carol).subject, 0, "subject");
    }

    function test_binding_stores_the_record_and_says_so() public {
        bytes memory signed = signature(CAROL_KEY, SUBJECT);
        vm.expectEmit(address(identities));
        emit IdentityRegistry.Bound(carol, SUBJECT, UNTIL, 410, 2);
        bindCarol(SUBJECT, UNTIL, signed);
        IdentityRegistry.Record memory record = identities.recordOf(carol);
        assertEq(record.subject, SUBJECT, "subject");
        assertEq(record.validUntil, UNTIL, "validUntil");
        assertEq(record.country, 410, "country");
        assertEq(record.tier, 2, "tier");
        assertEq(record.flags, 0, "flags");
        assertStatus(carol, IdentityRegistry.Status.Verified, "status");
        assertTrue(identities.canSend(carol), "can send");
        assertTrue(identities.canReceive(carol), "can receive");
    }

    function test_the_request_line_is_the_subject_in_32_lowercase_hex_digits() public view {
        bytes memory line = identities.requestLine(0xABCDEF0123456789);
        assertEq(keccak256(line), keccak256("\nRequest ID: 0x0000000000000000abcdef0123456789"), "line");
    }

    function test_a_contract_wallet_binds_by_its_own_check() public {
        address wallet = address(new ContractWallet(carol));
        bytes memory signed = signature(CAROL_KEY, SUBJECT);
        vm.prank(attester);
        identities.bind(wallet, SUBJECT, UNTIL, 0, 1, MESSAGE, signed);
        assertStatus(wallet, IdentityRegistry.Status.Verified, "status");
    }

    function test_a_contract_wallet_refuses_a_foreign_key() public {
        address wallet = address(new ContractWallet(carol));
        bytes memory signed = signature(BOB_KEY, SUBJECT);
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.InvalidWalletSignature.selector, wallet));
        vm.prank(attester);
        identities.bind(wallet, SUBJECT, UNTIL, 0, 1, MESSAGE, signed);
    }

    function test_a_signature_for_another_subject_does_not_bind() public {
        bytes memory signed = signature(CAROL_KEY, SUBJECT + 1);
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.InvalidWalletSignature.selector, carol));
        bindCarol(SUBJECT, UNTIL, signed);
    }

    function test_a_signature_of_another_message_does_not_bind() public {
        bytes memory signed = signature(CAROL_KEY, SUBJECT);
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.InvalidWalletSignature.selector, carol));
        vm.prank(attester);
        identities.bind(carol, SUBJECT, UNTIL, 0, 1, "another message", signed);
    }

    function test_an_empty_or_broken_signature_does_not_bind() public {
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.InvalidWalletSignature.selector, carol));
        bindCarol(SUBJECT, UNTIL, "");
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.InvalidWalletSignature.selector, carol));
        bindCarol(SUBJECT, UNTIL, new bytes(65));
    }

    function test_the_zero_address_cannot_be_bound() public {
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.InvalidWalletSignature.selector, address(0)));
        vm.prank(attester);
        identities.bind(address(0), SUBJECT, UNTIL, 0, 1, MESSAGE, new bytes(65));
    }

    function test_the_subject_zero_is_refused() public {
        bytes memory signed = signature(CAROL_KEY, 0);
        vm.expectRevert(IdentityRegistry.InvalidSubject.selector);
        bindCarol(0, UNTIL, signed);
    }

    function test_a_validity_in_the_past_is_refused() public {
        bytes memory signed = signature(CAROL_KEY, SUBJECT);
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.InvalidValidity.selector, START - 1));
        bindCarol(SUBJECT, START - 1, signed);
    }

    function test_a_wallet_never_changes_its_subject_not_even_after_it_was_revoked() public {
        bindCarol(SUBJECT, UNTIL, signature(CAROL_KEY, SUBJECT));
        bytes memory signed = signature(CAROL_KEY, SUBJECT + 1);
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.WalletBoundToAnotherSubject.selector, carol));
        bindCarol(SUBJECT + 1, UNTIL, signed);
        revoke(carol);
        skip(1000 days);
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.WalletBoundToAnotherSubject.selector, carol));
        bindCarol(SUBJECT + 1, UNTIL + 2000 days, signed);
    }

    function test_several_wallets_may_stand_for_one_subject() public {
        bindCarol(0xa1, UNTIL, signature(CAROL_KEY, 0xa1));
        assertEq(identities.recordOf(carol).subject, identities.recordOf(alice).subject, "subject");
    }

    function test_a_record_is_verified_through_its_last_second_and_exit_only_after() public {
        bindCarol(SUBJECT, UNTIL, signature(CAROL_KEY, SUBJECT));
        vm.warp(UNTIL);
        assertStatus(carol, IdentityRegistry.Status.Verified, "last second");
        vm.warp(UNTIL + 1);
        assertStatus(carol, IdentityRegistry.Status.ExitOnly, "one second later");
        assertTrue(identities.canSend(carol), "may still leave");
        assertTrue(!identities.canReceive(carol), "may not receive");
        assertTrue(!identities.canTransfer(carol, alice), "may not transfer");
        assertTrue(!identities.canTransfer(alice, carol), "may not be transferred to");
    }

    function test_renewing_brings_an_expired_record_back() public {
        bindCarol(SUBJECT, UNTIL, signature(CAROL_KEY, SUBJECT));
        vm.warp(UNTIL + 10);
        vm.expectEmit(address(identities));
        emit IdentityRegistry.Renewed(carol, UNTIL + 100);
        vm.prank(attester);
        identities.renew(carol, UNTIL + 100);
        assertStatus(carol, IdentityRegistry.Status.Verified, "status");
    }

    function test_renewing_refuses_the_past_the_unknown_and_the_revoked() public {
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.InvalidValidity.selector, START - 1));
        vm.prank(attester);
        identities.renew(alice, START - 1);
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.UnknownWallet.selector, carol));
        vm.prank(attester);
        identities.renew(carol, UNTIL);
        revoke(alice);
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.WalletRevoked.selector, alice));
        vm.prank(attester);
        identities.renew(alice, UNTIL);
    }

    function test_revoking_makes_a_wallet_exit_only_until_it_signs_again() public {
        vm.expectEmit(address(identities));
        emit IdentityRegistry.Revoked(alice);
        revoke(alice);
        assertStatus(alice, IdentityRegistry.Status.ExitOnly, "revoked");
        bindWallet(ALICE_KEY, 0xa1);
        assertStatus(alice, IdentityRegistry.Status.Verified, "bound anew");
    }

    function test_a_signature_that_bound_never_binds_again() public {
        bytes memory signed = signature(CAROL_KEY, SUBJECT);
        bindCarol(SUBJECT, UNTIL, signed);
        refuses(IdentityRegistry.SignatureUsed.selector, carol);
        bindCarol(SUBJECT, UNTIL, signed);
        revoke(carol);
        refuses(IdentityRegistry.SignatureUsed.selector, carol);
        bindCarol(SUBJECT, UNTIL, signed);
        assertStatus(carol, IdentityRegistry.Status.ExitOnly, "still revoked");
    }

    function test_a_signature_that_was_refused_can_still_bind() public {
        bytes memory signed = signature(CAROL_KEY, SUBJECT);
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.InvalidValidity.selector, START - 1));
        bindCarol(SUBJECT, START - 1, signed);
        bindCarol(SUBJECT, UNTIL, signed);
        assertStatus(carol, IdentityRegistry.Status.Verified, "bound");
    }

    function test_the_same_text_of_two_wallets_binds_each_once() public {
        address wallet = address(new ContractWallet(carol));
        bytes memory signed = signature(CAROL_KEY, SUBJECT);
        bindCarol(SUBJECT, UNTIL, signed);
        vm.prank(attester);
        identities.bind(wallet, SUBJECT, UNTIL, 0, 1, MESSAGE, signed);
        assertStatus(wallet, IdentityRegistry.Status.Verified, "bound");
        refuses(IdentityRegistry.SignatureUsed.selector, wallet);
        vm.prank(attester);
        identities.bind(wallet, SUBJECT, UNTIL, 0, 1, MESSAGE, signed);
    }

    function test_revoking_twice_or_an_unknown_wallet_is_refused() public {
        revoke(alice);
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.WalletRevoked.selector, alice));
        revoke(alice);
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.UnknownWallet.selector, carol));
        revoke(carol);
    }

    function test_freezing_stops_a_wallet_and_lifting_restores_its_state() public {
        vm.expectEmit(address(identities));
        emit IdentityRegistry.FrozenSet(alice, true);
        freeze(alice, true);
        assertStatus(alice, IdentityRegistry.Status.Frozen, "frozen");
        assertTrue(!identities.canSend(alice), "cannot send");
        assertTrue(!identities.canReceive(alice), "cannot receive");
        freeze(alice, false);
        assertStatus(alice, IdentityRegistry.Status.Verified, "lifted");
        revoke(alice);
        freeze(alice, true);
        assertStatus(alice, IdentityRegistry.Status.Frozen, "frozen over revoked");
        freeze(alice, false);
        assertStatus(alice, IdentityRegistry.Status.ExitOnly, "revoked again");
    }

    function test_revoking_does_not_lift_a_freeze() public {
        freeze(alice, true);
        revoke(alice);
        assertStatus(alice, IdentityRegistry.Status.Frozen, "frozen");
        freeze(alice, false);
        assertStatus(alice, IdentityRegistry.Status.ExitOnly, "revoked");
    }

    function test_binding_again_does_not_lift_a_freeze() public {
        freeze(alice, true);
        bindWallet(ALICE_KEY, 0xa1);
        assertStatus(alice, IdentityRegistry.Status.Frozen, "frozen");
    }

    function test_freezing_an_unknown_wallet_is_refused() public {
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.UnknownWallet.selector, carol));
        freeze(carol, true);
    }

    function refusesCaller(address caller) private {
        vm.expectRevert(abi.encodeWithSelector(IAccessManaged.AccessManagedUnauthorized.selector, caller));
        vm.prank(caller);
    }

    function test_each_role_has_its_own_calls_and_no_other() public {
        address[4] memory notAttester = [alice, guardian, owner, reporter];
        for (uint256 i = 0; i < 4; ++i) {
            refusesCaller(notAttester[i]);
            identities.bind(alice, 1, UNTIL, 0, 0, MESSAGE, "");
            refusesCaller(notAttester[i]);
            identities.renew(alice, UNTIL);
            refusesCaller(notAttester[i]);
            identities.revoke(bob);
            refusesCaller(notAttester[i]);
            identities.proposeRecovery(bob, alice, "", "", "");
            refusesCaller(notAttester[i]);
            identities.cancelRecovery(bob);
        }
        address[4] memory notGuardian = [alice, attester, owner, reporter];
        for (uint256 i = 0; i < 4; ++i) {
            refusesCaller(notGuardian[i]);
            identities.freeze(bob);
        }
        address[4] memory notOwner = [alice, attester, guardian, reporter];
        for (uint256 i = 0; i < 4; ++i) {
            refusesCaller(notOwner[i]);
            identities.unfreeze(bob);
        }
    }

    function test_freezing_twice_and_lifting_what_is_not_frozen_change_nothing() public {
        freeze(alice, false);
        assertStatus(alice, IdentityRegistry.Status.Verified, "not frozen");
        freeze(alice, true);
        freeze(alice, true);
        freeze(alice, false);
        assertStatus(alice, IdentityRegistry.Status.Verified, "lifted at once");
    }

    function test_lifting_the_freeze_of_an_unknown_wallet_is_refused() public {
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.UnknownWallet.selector, carol));
        freeze(carol, false);
    }
}
