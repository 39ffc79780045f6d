// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IdentityRegistry} from "../../src/IdentityRegistry.sol";
import {ContractWallet, IdentityWorld} from "../support/IdentityWorld.sol";

/// @dev The tree of cases of recovery; what enemies try is in IdentityAbuse.t.sol.
///
/// proposeRecovery
/// ├── old wallet: unknown · retired → refused; verified, expired, revoked, frozen → proposed
/// ├── new wallet: the old one · unknown · another subject's · frozen · revoked · retired → refused; expired → proposed
/// ├── signature: of a link · of a switch · of another wallet, subject or key → InvalidWalletSignature
/// └── already proposed: live → RecoveryPending; vetoed, cancelled or expired → proposed anew
/// executeRecovery: nothing proposed · vetoed · cancelled · executed → NoRecovery; too early, first and last second, expired;
///   new wallet meanwhile frozen, revoked, retired → refused; old wallet meanwhile frozen → the freeze goes over
/// vetoRecovery, cancelRecovery: nothing proposed, expired → NoRecovery; else the proposal is gone
/// recoveryOf: none, live, expired
contract IdentityRecoveryTest is IdentityWorld {
    uint64 private constant UNTIL = START + 3650 days;
    uint64 private constant READY = START + 72 hours;
    uint64 private constant EXPIRES = READY + 14 days;

    function setUp() public {
        deployWorld();
        bindWallet(SPARE_KEY, ALICE);
    }

    function assertRecovery(address successor, uint64 executableAt, uint64 expiresAt) private view {
        (address next, uint64 from, uint64 to) = identities.recoveryOf(alice);
        assertEq(next, successor, "successor");
        assertEq(from, executableAt, "executableAt");
        assertEq(to, expiresAt, "expiresAt");
    }

    // ── proposeRecovery ─────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_proposal_says_who_succeeds_and_when_and_changes_no_state_yet() public {
        assertRecovery(address(0), 0, 0);
        bytes memory signed = recoverySignature(SPARE_KEY, alice, ALICE);
        vm.expectEmit(address(identities));
        emit IdentityRegistry.RecoveryProposed(alice, spare, READY, EXPIRES);
        proposeSigned(alice, spare, signed);
        assertRecovery(spare, READY, EXPIRES);
        assertStatus(alice, IdentityRegistry.Status.Verified, "the old wallet goes on");
        assertEq(identities.successorOf(alice), address(0), "no successor yet");
    }

    function test_a_wallet_in_any_state_but_unknown_and_retired_can_be_recovered() public {
        bytes memory signed = recoverySignature(SPARE_KEY, carol, ALICE);
        refuses(IdentityRegistry.UnknownWallet.selector, carol);
        proposeSigned(carol, spare, signed);

        freeze(alice, true);
        propose(alice, SPARE_KEY);
        cancel(alice);
        freeze(alice, false);
        revoke(alice);
        propose(alice, SPARE_KEY);
        cancel(alice);
        vm.warp(UNTIL + 1);
        propose(alice, SPARE_KEY);
        assertRecovery(spare, UNTIL + 1 + 72 hours, UNTIL + 1 + 72 hours + 14 days);
    }

    function test_the_new_wallet_is_bound_to_the_same_subject_and_neither_frozen_revoked_retired_nor_the_old_one() public {
        bytes memory signed = recoverySignature(FRESH_KEY, alice, ALICE);
        refuses(IdentityRegistry.UnknownWallet.selector, fresh);
        proposeSigned(alice, fresh, signed);
        signed = recoverySignature(BOB_KEY, alice, ALICE);
        refuses(IdentityRegistry.WalletBoundToAnotherSubject.selector, bob);
        proposeSigned(alice, bob, signed);
        signed = recoverySignature(ALICE_KEY, alice, ALICE);
        refuses(IdentityRegistry.InvalidSuccessor.selector, alice);
        proposeSigned(alice, alice, signed);

        signed = recoverySignature(SPARE_KEY, alice, ALICE);
        freeze(spare, true);
        refuses(IdentityRegistry.WalletFrozen.selector, spare);
        proposeSigned(alice, spare, signed);
        freeze(spare, false);
        revoke(spare);
        refuses(IdentityRegistry.WalletRevoked.selector, spare);
        proposeSigned(alice, spare, signed);
        bindWallet(SPARE_KEY, ALICE);
        switchTo(spare, FRESH_KEY);
        refuses(IdentityRegistry.WalletRetired.selector, spare);
        proposeSigned(alice, spare, signed);
    }

    function test_the_signature_must_be_the_new_wallets_over_a_recovery_from_this_wallet_for_this_subject() public {
        bytes[7] memory wrong = [
            signature(SPARE_KEY, ALICE),
            switchSignature(SPARE_KEY, alice, ALICE),
            recoverySignature(SPARE_KEY, bob, ALICE),
            recoverySignature(SPARE_KEY, alice, BOB),
            recoverySignature(FRESH_KEY, alice, ALICE),
            recoverySignature(ALICE_KEY, alice, ALICE),
            bytes("")
        ];
        for (uint256 i = 0; i < wrong.length; ++i) {
            refuses(IdentityRegistry.InvalidWalletSignature.selector, spare);
            proposeSigned(alice, spare, wrong[i]);
        }
    }

    function test_a_contract_wallet_can_be_proposed() public {
        address wallet = address(new ContractWallet(fresh));
        bytes memory bound = signature(FRESH_KEY, ALICE);
        vm.prank(attester);
        identities.bind(wallet, ALICE, UNTIL, 0, 1, MESSAGE, bound);
        bytes memory wrong = recoverySignature(SPARE_KEY, alice, ALICE);
        refuses(IdentityRegistry.InvalidWalletSignature.selector, wallet);
        proposeSigned(alice, wallet, wrong);
        proposeSigned(alice, wallet, recoverySignature(FRESH_KEY, alice, ALICE));
        skip(72 hours);
        identities.executeRecovery(alice);
        assertRetired(alice, wallet);
    }

    function test_one_live_proposal_a_wallet_and_a_new_one_once_it_is_vetoed_cancelled_or_expired() public {
        propose(alice, SPARE_KEY);
        bytes memory signed = recoverySignature(SPARE_KEY, alice, ALICE);
        bytes memory pending = abi.encodeWithSelector(IdentityRegistry.RecoveryPending.selector, alice, EXPIRES);
        vm.expectRevert(pending);
        proposeSigned(alice, spare, signed);
        veto(alice);
        propose(alice, SPARE_KEY);
        cancel(alice);
        propose(alice, SPARE_KEY);
        vm.warp(EXPIRES);
        vm.expectRevert(pending);
        proposeSigned(alice, spare, signed);
        vm.warp(EXPIRES + 1);
        propose(alice, SPARE_KEY);
        assertRecovery(spare, EXPIRES + 1 + 72 hours, EXPIRES + 1 + 72 hours + 14 days);
    }

    function test_a_signature_that_proposed_or_bound_is_not_accepted_for_a_proposal_again() public {
        bytes memory signed = recoverySignature(SPARE_KEY, alice, ALICE);
        proposeSigned(alice, spare, signed);
        veto(alice);
        refuses(IdentityRegistry.SignatureUsed.selector, spare);
        proposeSigned(alice, spare, signed);
        revoke(spare);
        bytes memory message = bytes.concat(BEFORE, identities.recoveryLine(alice), AFTERWARDS);
        refuses(IdentityRegistry.SignatureUsed.selector, spare);
        vm.prank(attester);
        identities.bind(spare, ALICE, UNTIL, 250, 1, message, signed);

        signed = recoverySignature(FRESH_KEY, alice, ALICE);
        vm.prank(attester);
        identities.bind(fresh, ALICE, UNTIL, 250, 1, message, signed);
        refuses(IdentityRegistry.SignatureUsed.selector, fresh);
        proposeSigned(alice, fresh, signed);
    }

    function test_two_wallets_of_a_subject_can_be_recovered_to_the_same_one() public {
        bindWallet(FRESH_KEY, ALICE);
        propose(alice, SPARE_KEY);
        propose(fresh, SPARE_KEY);
        skip(72 hours);
        identities.executeRecovery(alice);
        identities.executeRecovery(fresh);
        assertRetired(alice, spare);
        assertRetired(fresh, spare);
    }

    // ── executeRecovery ─────────────────────────────────────────────────────────────────────────────────────────────

    function test_anyone_executes_from_the_first_second_after_72_hours() public {
        propose(alice, SPARE_KEY);
        vm.warp(READY - 1);
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.RecoveryTooEarly.selector, alice, READY));
        identities.executeRecovery(alice);
        vm.warp(READY);
        vm.expectEmit(address(identities));
        emit IdentityRegistry.Retired(alice, spare, ALICE, true);
        vm.prank(carol);
        identities.executeRecovery(alice);
        assertRetired(alice, spare);
        assertStatus(spare, IdentityRegistry.Status.Verified, "the new one is as it was");
        assertRecovery(address(0), 0, 0);
    }

    function test_a_proposal_can_be_executed_until_its_last_second_and_not_after() public {
        propose(alice, SPARE_KEY);
        vm.warp(EXPIRES + 1);
        assertRecovery(address(0), 0, 0);
        refuses(IdentityRegistry.NoRecovery.selector, alice);
        identities.executeRecovery(alice);
        vm.warp(EXPIRES);
        assertRecovery(spare, READY, EXPIRES);
        identities.executeRecovery(alice);
        assertRetired(alice, spare);
    }

    function test_what_was_never_proposed_vetoed_cancelled_or_executed_cannot_be_executed() public {
        refuses(IdentityRegistry.NoRecovery.selector, alice);
        identities.executeRecovery(alice);
        propose(alice, SPARE_KEY);
        veto(alice);
        skip(72 hours);
        refuses(IdentityRegistry.NoRecovery.selector, alice);
        identities.executeRecovery(alice);
        propose(alice, SPARE_KEY);
        cancel(alice);
        skip(72 hours);
        refuses(IdentityRegistry.NoRecovery.selector, alice);
        identities.executeRecovery(alice);
        propose(alice, SPARE_KEY);
        skip(72 hours);
        identities.executeRecovery(alice);
        refuses(IdentityRegistry.NoRecovery.selector, alice);
        identities.executeRecovery(alice);
    }

    function test_a_new_wallet_frozen_revoked_or_retired_meanwhile_does_not_succeed() public {
        proposeAndWait(alice);
        freeze(spare, true);
        refuses(IdentityRegistry.WalletFrozen.selector, spare);
        identities.executeRecovery(alice);
        freeze(spare, false);
        revoke(spare);
        refuses(IdentityRegistry.WalletRevoked.selector, spare);
        identities.executeRecovery(alice);
        bindWallet(SPARE_KEY, ALICE);
        switchTo(spare, FRESH_KEY);
        refuses(IdentityRegistry.WalletRetired.selector, spare);
        identities.executeRecovery(alice);
        assertStatus(alice, IdentityRegistry.Status.Verified, "the old wallet is as it was");
    }

    function test_records_that_run_out_meanwhile_do_not_stop_a_recovery_and_are_not_prolonged_by_it() public {
        vm.warp(UNTIL - 1 days);
        propose(alice, SPARE_KEY);
        skip(72 hours);
        identities.executeRecovery(alice);
        assertRetired(alice, spare);
        assertStatus(spare, IdentityRegistry.Status.ExitOnly, "may leave, no more");
        assertTrue(identities.canSend(spare), "may redeem what it pulls");
    }

    function test_a_revoked_old_wallet_is_recovered_to_one_the_attester_verified() public {
        propose(alice, SPARE_KEY);
        revoke(alice);
        skip(72 hours);
        identities.executeRecovery(alice);
        assertRetired(alice, spare);
        assertStatus(spare, IdentityRegistry.Status.Verified, "verified in its own right");
    }

    function test_a_freeze_goes_over_to_the_new_wallet() public {
        propose(alice, SPARE_KEY);
        freeze(alice, true);
        skip(72 hours);
        vm.expectEmit(address(identities));
        emit IdentityRegistry.FrozenSet(spare, true);
        vm.expectEmit(address(identities));
        emit IdentityRegistry.Retired(alice, spare, ALICE, true);
        identities.executeRecovery(alice);
        assertRetired(alice, spare);
        assertStatus(spare, IdentityRegistry.Status.Frozen, "frozen as the old one was");
        freeze(spare, false);
        assertStatus(spare, IdentityRegistry.Status.Verified, "until the owner lifts it");
    }

    function test_recoveries_chain_and_mix_with_switches() public {
        proposeAndWait(alice);
        identities.executeRecovery(alice);
        switchTo(spare, FRESH_KEY);
        bindWallet(CAROL_KEY, ALICE);
        propose(fresh, CAROL_KEY);
        skip(72 hours);
        identities.executeRecovery(fresh);
        assertEq(identities.successorOf(alice), carol, "of the first");
        assertEq(identities.successorOf(spare), carol, "of the second");
        assertEq(identities.successorOf(fresh), carol, "of the third");
    }

    // ── vetoRecovery and cancelRecovery ─────────────────────────────────────────────────────────────────────────────

    function test_a_veto_ends_the_proposal_and_says_so() public {
        propose(alice, SPARE_KEY);
        vm.expectEmit(address(identities));
        emit IdentityRegistry.RecoveryVetoed(alice, spare);
        veto(alice);
        assertRecovery(address(0), 0, 0);
    }

    function test_the_attester_takes_a_proposal_back_and_says_so() public {
        propose(alice, SPARE_KEY);
        vm.expectEmit(address(identities));
        emit IdentityRegistry.RecoveryCancelled(alice, spare);
        cancel(alice);
        assertRecovery(address(0), 0, 0);
    }

    function test_there_is_nothing_to_veto_or_cancel_without_a_live_proposal() public {
        refuses(IdentityRegistry.NoRecovery.selector, alice);
        veto(alice);
        refuses(IdentityRegistry.NoRecovery.selector, alice);
        cancel(alice);
        propose(alice, SPARE_KEY);
        vm.warp(EXPIRES + 1);
        refuses(IdentityRegistry.NoRecovery.selector, alice);
        veto(alice);
        refuses(IdentityRegistry.NoRecovery.selector, alice);
        cancel(alice);
    }
}
