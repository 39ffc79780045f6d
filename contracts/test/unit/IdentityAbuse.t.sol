// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessManaged} from "@openzeppelin/contracts/access/manager/IAccessManaged.sol";
import {IdentityRegistry} from "../../src/IdentityRegistry.sol";
import {IdentityWorld} from "../support/IdentityWorld.sol";

/// @dev What a rogue attester, a thief with a key, a guardian or a stranger tries with switches and recoveries, and how
/// far each gets. The threat model in docs/contracts.md names these tests' outcomes.
contract IdentityAbuseTest is IdentityWorld {
    uint256 private constant ROGUE_KEY = 0x40606E;
    address private immutable _rogue = vm.addr(ROGUE_KEY);

    function setUp() public {
        deployWorld();
        depositFor(alice, 1_000 * DOLLAR);
    }

    /// @dev The most an attester can do on its own: bind a wallet of its own to the victim's subject and propose it.
    function takeOver() private {
        bindWallet(ROGUE_KEY, ALICE);
        propose(alice, ROGUE_KEY);
    }

    // ── A rogue attester ────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_rogue_attester_waits_72_hours_in_public_while_the_victim_can_leave() public {
        takeOver();
        (address successor, uint64 executableAt,) = identities.recoveryOf(alice);
        assertEq(successor, _rogue, "everyone can see to whom");
        assertEq(executableAt, time() + 72 hours, "and when");
        skip(72 hours - 1);
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.RecoveryTooEarly.selector, alice, executableAt));
        identities.executeRecovery(alice);
        uint256 shares = vault.balanceOf(alice);
        vm.prank(alice);
        vault.redeem(shares, alice, alice);
        assertEq(vault.balanceOf(alice), 0, "all out");
    }

    function test_a_rogue_attester_is_stopped_by_a_veto_even_after_the_72_hours() public {
        takeOver();
        skip(80 hours);
        veto(alice);
        refuses(IdentityRegistry.NoRecovery.selector, alice);
        identities.executeRecovery(alice);
    }

    function test_revoking_the_victim_first_does_not_silence_its_veto() public {
        revoke(alice);
        takeOver();
        veto(alice);
        assertStatus(alice, IdentityRegistry.Status.ExitOnly, "it can still leave");
    }

    function test_a_frozen_victim_can_still_veto() public {
        freeze(alice, true);
        takeOver();
        veto(alice);
        skip(72 hours);
        refuses(IdentityRegistry.NoRecovery.selector, alice);
        identities.executeRecovery(alice);
    }

    function test_a_rogue_attester_is_held_up_by_the_guardian_freezing_who_would_gain() public {
        takeOver();
        freeze(_rogue, true);
        skip(72 hours);
        refuses(IdentityRegistry.WalletFrozen.selector, _rogue);
        identities.executeRecovery(alice);
        refuses(IdentityRegistry.WalletFrozen.selector, _rogue);
        vm.prank(_rogue);
        identities.switchWallet(fresh, "", "", "");
    }

    function test_the_next_attester_takes_back_what_a_dismissed_one_proposed() public {
        takeOver();
        manager.revokeRole(ATTESTER_ROLE, attester);
        manager.grantRole(ATTESTER_ROLE, carol, 0);
        vm.expectRevert(abi.encodeWithSelector(IAccessManaged.AccessManagedUnauthorized.selector, attester));
        cancel(alice);
        vm.prank(carol);
        identities.cancelRecovery(alice);
        skip(72 hours);
        refuses(IdentityRegistry.NoRecovery.selector, alice);
        identities.executeRecovery(alice);
    }

    function test_a_rogue_attester_cannot_shorten_the_wait_by_proposing_again() public {
        takeOver();
        skip(71 hours);
        cancel(alice);
        propose(alice, ROGUE_KEY);
        (, uint64 executableAt,) = identities.recoveryOf(alice);
        assertEq(executableAt, time() + 72 hours, "it starts anew");
    }

    function test_a_rogue_attester_cannot_exchange_the_successor_during_the_wait() public {
        bindWallet(SPARE_KEY, ALICE);
        propose(alice, SPARE_KEY);
        bindWallet(ROGUE_KEY, ALICE);
        (,, uint64 expiresAt) = identities.recoveryOf(alice);
        bytes memory signed = recoverySignature(ROGUE_KEY, alice, ALICE);
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.RecoveryPending.selector, alice, expiresAt));
        proposeSigned(alice, _rogue, signed);
    }

    function test_a_rogue_attester_cannot_move_one_subjects_wallet_to_another_subject() public {
        bindWallet(ROGUE_KEY, BOB);
        bytes memory signed = recoverySignature(ROGUE_KEY, alice, ALICE);
        refuses(IdentityRegistry.WalletBoundToAnotherSubject.selector, _rogue);
        proposeSigned(alice, _rogue, signed);
        signed = recoverySignature(ROGUE_KEY, alice, BOB);
        refuses(IdentityRegistry.WalletBoundToAnotherSubject.selector, _rogue);
        proposeSigned(alice, _rogue, signed);
    }

    function test_a_link_of_a_second_wallet_cannot_be_turned_into_a_recovery() public {
        bytes memory linked = signature(SPARE_KEY, ALICE);
        vm.prank(attester);
        identities.bind(spare, ALICE, START + 9 days, 0, 1, MESSAGE, linked);
        bytes memory split = bytes.concat(MESSAGE, identities.requestLine(ALICE));
        refuses(IdentityRegistry.InvalidWalletSignature.selector, spare);
        vm.prank(attester);
        identities.proposeRecovery(alice, spare, MESSAGE, "", linked);
        refuses(IdentityRegistry.InvalidWalletSignature.selector, spare);
        vm.prank(attester);
        identities.proposeRecovery(alice, spare, "", split, linked);
    }

    function test_recovery_is_no_way_round_a_freeze() public {
        freeze(alice, true);
        takeOver();
        skip(72 hours);
        identities.executeRecovery(alice);
        assertStatus(_rogue, IdentityRegistry.Status.Frozen, "frozen as the victim was");
        assertTrue(!identities.canSend(_rogue), "nothing can leave");
    }

    // ── A thief with the old key ────────────────────────────────────────────────────────────────────────────────────

    function test_a_thief_of_a_frozen_wallet_can_veto_but_neither_switch_nor_redeem() public {
        freeze(alice, true);
        bindWallet(SPARE_KEY, ALICE);
        for (uint256 i = 0; i < 3; ++i) {
            propose(alice, SPARE_KEY);
            skip(71 hours);
            veto(alice);
        }
        bytes memory signed = switchSignature(ROGUE_KEY, alice, ALICE);
        refuses(IdentityRegistry.WalletFrozen.selector, alice);
        vm.prank(alice);
        identities.switchWallet(_rogue, BEFORE, AFTERWARDS, signed);
        assertEq(vault.maxRedeem(alice), 0, "nothing leaves");
    }

    function test_a_thief_cannot_switch_to_a_wallet_the_attester_did_not_bind_to_the_same_subject() public {
        bytes memory signed = switchSignature(ROGUE_KEY, alice, ALICE);
        refuses(IdentityRegistry.UnknownWallet.selector, _rogue);
        vm.prank(alice);
        identities.switchWallet(_rogue, BEFORE, AFTERWARDS, signed);
        bindWallet(ROGUE_KEY, BOB);
        refuses(IdentityRegistry.WalletBoundToAnotherSubject.selector, _rogue);
        vm.prank(alice);
        identities.switchWallet(_rogue, BEFORE, AFTERWARDS, signed);
    }

    function test_a_thief_who_missed_the_veto_is_left_with_nothing() public {
        proposeAndWait(alice);
        identities.executeRecovery(alice);
        assertRetired(alice, spare);
        refuses(IdentityRegistry.NoRecovery.selector, alice);
        veto(alice);
        bytes memory signed = switchSignature(ROGUE_KEY, alice, ALICE);
        refuses(IdentityRegistry.WalletRetired.selector, alice);
        vm.prank(alice);
        identities.switchWallet(_rogue, BEFORE, AFTERWARDS, signed);
        uint256 shares = vault.balanceOf(alice);
        vm.expectRevert(abi.encodeWithSignature("ERC7943CannotSend(address)", alice));
        vm.prank(alice);
        vault.redeem(shares, alice, alice);
    }

    // ── Strangers ───────────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_stranger_cannot_veto_for_another() public {
        bindWallet(SPARE_KEY, ALICE);
        propose(alice, SPARE_KEY);
        address[4] memory others = [bob, carol, spare, attester];
        for (uint256 i = 0; i < others.length; ++i) {
            refuses(IdentityRegistry.NoRecovery.selector, others[i]);
            veto(others[i]);
        }
        (address successor,,) = identities.recoveryOf(alice);
        assertEq(successor, spare, "still proposed");
    }

    function test_a_stranger_cannot_use_the_signature_of_a_switch_meant_for_another() public {
        bytes memory signed = switchSignature(FRESH_KEY, alice, ALICE);
        bindWallet(FRESH_KEY, BOB);
        refuses(IdentityRegistry.InvalidWalletSignature.selector, fresh);
        vm.prank(bob);
        identities.switchWallet(fresh, BEFORE, AFTERWARDS, signed);
    }

    function test_closing_the_registry_in_the_access_manager_stops_neither_veto_nor_execution_nor_switch() public {
        bindWallet(SPARE_KEY, ALICE);
        bindWallet(FRESH_KEY, BOB);
        propose(alice, SPARE_KEY);
        propose(bob, FRESH_KEY);
        manager.setTargetClosed(address(identities), true);
        skip(72 hours);
        veto(alice);
        identities.executeRecovery(bob);
        assertRetired(bob, fresh);
        switchTo(alice, SPARE_KEY);
        assertRetired(alice, spare);
    }

    function test_a_proposal_outlives_neither_the_switch_of_its_wallet_nor_its_own_use() public {
        bindWallet(SPARE_KEY, ALICE);
        propose(alice, SPARE_KEY);
        switchTo(alice, FRESH_KEY);
        skip(72 hours);
        refuses(IdentityRegistry.NoRecovery.selector, alice);
        identities.executeRecovery(alice);
        refuses(IdentityRegistry.NoRecovery.selector, alice);
        cancel(alice);
        assertEq(identities.successorOf(alice), fresh, "the switch stands");
    }
}
