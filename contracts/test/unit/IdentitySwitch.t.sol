// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IdentityRegistry} from "../../src/IdentityRegistry.sol";
import {ContractWallet, IdentityWorld} from "../support/IdentityWorld.sol";
import {Vm} from "../support/Vm.sol";

/// @dev The tree of cases of `switchWallet`, `successorOf` and of what a retired wallet may do.
///
/// switchWallet
/// ├── caller: unknown · frozen · retired → refused; verified · exit-only (expired, revoked) → see the new wallet
/// ├── new wallet
/// │   ├── the caller itself → InvalidSuccessor
/// │   ├── retired → WalletRetired
/// │   ├── of another subject → WalletBoundToAnotherSubject
/// │   ├── without a record → UnknownWallet
/// │   └── of the same subject: not verified (expired, revoked, frozen) → WalletNotVerified · verified → keeps its record
/// ├── signature: of a link · of a recovery · from another wallet · for another subject · by another key
/// │   · lines moved → InvalidWalletSignature
/// └── recovery proposed for the caller → cancelled
contract IdentitySwitchTest is IdentityWorld {
    uint64 private constant UNTIL = START + 3650 days;

    function setUp() public {
        deployWorld();
    }

    function trySwitch(address wallet, address newWallet, bytes memory signed) private {
        vm.prank(wallet);
        identities.switchWallet(newWallet, BEFORE, AFTERWARDS, signed);
    }

    // ── What it does ────────────────────────────────────────────────────────────────────────────────────────────────

    function test_the_new_wallet_takes_the_place_and_the_old_one_retires() public {
        bindWallet(FRESH_KEY, ALICE);
        bytes memory signed = switchSignature(FRESH_KEY, alice, ALICE);
        vm.expectEmit(address(identities));
        emit IdentityRegistry.Retired(alice, fresh, ALICE, false);
        trySwitch(alice, fresh, signed);
        assertRetired(alice, fresh);
        assertStatus(fresh, IdentityRegistry.Status.Verified, "the new one is verified");
        assertEq(identities.recordOf(alice).subject, ALICE, "the old record keeps its subject");
    }

    function test_another_wallet_of_the_subject_keeps_its_own_record() public {
        bytes memory signed = signature(SPARE_KEY, ALICE);
        vm.prank(attester);
        identities.bind(spare, ALICE, START + 9 days, 410, 2, MESSAGE, signed);
        switchTo(alice, SPARE_KEY);
        assertRetired(alice, spare);
        IdentityRegistry.Record memory record = identities.recordOf(spare);
        assertEq(record.validUntil, START + 9 days, "validUntil");
        assertEq(record.country, 410, "country");
        assertEq(record.tier, 2, "tier");
    }

    function test_a_contract_wallet_can_take_over_and_hand_over() public {
        address wallet = address(new ContractWallet(fresh));
        bytes memory bound = signature(FRESH_KEY, ALICE);
        vm.prank(attester);
        identities.bind(wallet, ALICE, UNTIL, 250, 1, MESSAGE, bound);
        bindWallet(SPARE_KEY, ALICE);
        trySwitch(alice, wallet, switchSignature(FRESH_KEY, alice, ALICE));
        assertRetired(alice, wallet);
        trySwitch(wallet, spare, switchSignature(SPARE_KEY, wallet, ALICE));
        assertRetired(wallet, spare);
    }

    function test_the_chain_of_successors_is_followed_to_its_end_from_every_link() public {
        assertEq(identities.successorOf(alice), address(0), "none yet");
        assertEq(identities.successorOf(carol), address(0), "none of a stranger");
        switchTo(alice, SPARE_KEY);
        switchTo(spare, FRESH_KEY);
        switchTo(fresh, CAROL_KEY);
        assertEq(identities.successorOf(alice), carol, "of the first");
        assertEq(identities.successorOf(spare), carol, "of the second");
        assertEq(identities.successorOf(fresh), carol, "of the third");
        assertEq(identities.successorOf(carol), address(0), "of the last");
    }

    function test_two_wallets_of_a_subject_can_switch_to_the_same_one() public {
        bindWallet(SPARE_KEY, ALICE);
        switchTo(alice, FRESH_KEY);
        switchTo(spare, FRESH_KEY);
        assertRetired(alice, fresh);
        assertRetired(spare, fresh);
    }

    function test_a_switch_ends_a_recovery_that_was_proposed() public {
        proposeAndWait(alice);
        bindWallet(FRESH_KEY, ALICE);
        bytes memory signed = switchSignature(FRESH_KEY, alice, ALICE);
        vm.expectEmit(address(identities));
        emit IdentityRegistry.RecoveryCancelled(alice, spare);
        trySwitch(alice, fresh, signed);
        refuses(IdentityRegistry.NoRecovery.selector, alice);
        identities.executeRecovery(alice);
        assertRetired(alice, fresh);
    }

    function test_a_switch_without_a_proposed_recovery_cancels_none() public {
        bindWallet(SPARE_KEY, ALICE);
        bytes memory signed = switchSignature(SPARE_KEY, alice, ALICE);
        vm.recordLogs();
        trySwitch(alice, spare, signed);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(logs.length, 1, "one event");
        assertTrue(logs[0].topics[0] == IdentityRegistry.Retired.selector, "of the switch itself");
    }

    // ── Who may ─────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_unknown_frozen_and_retired_wallets_do_not_switch() public {
        bytes memory signed = switchSignature(FRESH_KEY, carol, 0);
        refuses(IdentityRegistry.UnknownWallet.selector, carol);
        trySwitch(carol, fresh, signed);

        signed = switchSignature(SPARE_KEY, alice, ALICE);
        bindWallet(SPARE_KEY, ALICE);
        freeze(alice, true);
        refuses(IdentityRegistry.WalletFrozen.selector, alice);
        trySwitch(alice, spare, signed);
        freeze(alice, false);
        trySwitch(alice, spare, signed);
        signed = switchSignature(FRESH_KEY, alice, ALICE);
        refuses(IdentityRegistry.WalletRetired.selector, alice);
        trySwitch(alice, fresh, signed);
    }

    function test_an_exit_only_wallet_hands_over_to_a_verified_one() public {
        bindWallet(SPARE_KEY, ALICE);
        revoke(alice);
        switchTo(alice, SPARE_KEY);
        assertRetired(alice, spare);
        assertStatus(spare, IdentityRegistry.Status.Verified, "in its own right");

        bindWallet(FRESH_KEY, BOB);
        vm.warp(UNTIL + 1);
        vm.prank(attester);
        identities.renew(fresh, UNTIL + 1);
        switchTo(bob, FRESH_KEY);
        assertRetired(bob, fresh);
    }

    function test_nothing_switches_to_a_wallet_without_a_record() public {
        bytes memory signed = switchSignature(FRESH_KEY, alice, ALICE);
        refuses(IdentityRegistry.UnknownWallet.selector, fresh);
        trySwitch(alice, fresh, signed);
        assertStatus(alice, IdentityRegistry.Status.Verified, "still in its place");
    }

    function test_a_wallet_does_not_succeed_itself() public {
        bytes memory signed = switchSignature(ALICE_KEY, alice, ALICE);
        refuses(IdentityRegistry.InvalidSuccessor.selector, alice);
        trySwitch(alice, alice, signed);
    }

    function test_nothing_switches_to_a_retired_wallet() public {
        bindWallet(SPARE_KEY, ALICE);
        switchTo(spare, FRESH_KEY);
        bytes memory signed = switchSignature(SPARE_KEY, alice, ALICE);
        refuses(IdentityRegistry.WalletRetired.selector, spare);
        trySwitch(alice, spare, signed);
    }

    function test_a_switch_never_crosses_subjects() public {
        bytes memory signed = switchSignature(BOB_KEY, alice, ALICE);
        refuses(IdentityRegistry.WalletBoundToAnotherSubject.selector, bob);
        trySwitch(alice, bob, signed);
    }

    function test_the_new_wallet_must_be_verified() public {
        bytes memory bound = signature(SPARE_KEY, ALICE);
        vm.prank(attester);
        identities.bind(spare, ALICE, START + 9 days, 410, 2, MESSAGE, bound);
        bytes memory signed = switchSignature(SPARE_KEY, alice, ALICE);
        freeze(spare, true);
        refuses(IdentityRegistry.WalletNotVerified.selector, spare);
        trySwitch(alice, spare, signed);
        freeze(spare, false);
        vm.warp(START + 9 days + 1);
        refuses(IdentityRegistry.WalletNotVerified.selector, spare);
        trySwitch(alice, spare, signed);
        vm.prank(attester);
        identities.renew(spare, UNTIL);
        revoke(spare);
        refuses(IdentityRegistry.WalletNotVerified.selector, spare);
        trySwitch(alice, spare, signed);
    }

    // ── What was signed ─────────────────────────────────────────────────────────────────────────────────────────────

    function refusesSignature(address newWallet, bytes memory signed) private {
        refuses(IdentityRegistry.InvalidWalletSignature.selector, newWallet);
        trySwitch(alice, newWallet, signed);
    }

    function test_the_signature_must_be_the_new_wallets_over_a_switch_from_this_wallet_for_this_subject() public {
        bindWallet(FRESH_KEY, ALICE);
        bytes memory request = identities.requestLine(ALICE);
        refusesSignature(fresh, personalSign(FRESH_KEY, bytes.concat(BEFORE, AFTERWARDS, request)));
        refusesSignature(fresh, signature(FRESH_KEY, ALICE));
        refusesSignature(fresh, recoverySignature(FRESH_KEY, alice, ALICE));
        refusesSignature(fresh, switchSignature(FRESH_KEY, bob, ALICE));
        refusesSignature(fresh, switchSignature(FRESH_KEY, alice, BOB));
        refusesSignature(fresh, switchSignature(SPARE_KEY, alice, ALICE));
        refusesSignature(fresh, switchSignature(ALICE_KEY, alice, ALICE));
        refusesSignature(fresh, "");
        bytes memory line = identities.switchLine(alice);
        refusesSignature(fresh, personalSign(FRESH_KEY, bytes.concat(line, BEFORE, AFTERWARDS, request)));
    }

    /// @dev The server binds the new wallet by the text of the switch, so one signature does for both.
    function test_the_signature_that_bound_the_new_wallet_also_switches_to_it() public {
        bytes memory signed = switchSignature(SPARE_KEY, alice, ALICE);
        bytes memory message = bytes.concat(BEFORE, identities.switchLine(alice), AFTERWARDS);
        vm.prank(attester);
        identities.bind(spare, ALICE, UNTIL, 250, 1, message, signed);
        trySwitch(alice, spare, signed);
        assertRetired(alice, spare);
    }

    function test_a_signature_that_switched_binds_no_more() public {
        bindWallet(SPARE_KEY, ALICE);
        bytes memory signed = switchSignature(SPARE_KEY, alice, ALICE);
        bytes memory message = bytes.concat(BEFORE, identities.switchLine(alice), AFTERWARDS);
        trySwitch(alice, spare, signed);
        revoke(spare);
        refuses(IdentityRegistry.SignatureUsed.selector, spare);
        vm.prank(attester);
        identities.bind(spare, ALICE, UNTIL, 250, 1, message, signed);
    }

    function test_a_contract_wallet_refuses_what_its_owner_did_not_sign() public {
        address wallet = address(new ContractWallet(fresh));
        bytes memory bound = signature(FRESH_KEY, ALICE);
        vm.prank(attester);
        identities.bind(wallet, ALICE, UNTIL, 250, 1, MESSAGE, bound);
        refusesSignature(wallet, switchSignature(SPARE_KEY, alice, ALICE));
    }

    function test_the_lines_say_what_is_signed_for_whom() public view {
        assertEq(
            keccak256(identities.switchLine(address(0xABCDEF))),
            keccak256("\nSwitch to this wallet from 0x0000000000000000000000000000000000abcdef."),
            "switch"
        );
        assertEq(
            keccak256(identities.recoveryLine(address(0xABCDEF))),
            keccak256("\nRecover to this wallet from 0x0000000000000000000000000000000000abcdef."),
            "recovery"
        );
    }

    // ── A retired wallet ────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_retired_wallet_is_never_used_again() public {
        bytes memory signed = signature(ALICE_KEY, ALICE);
        bytes memory recovery = recoverySignature(FRESH_KEY, alice, ALICE);
        switchTo(alice, FRESH_KEY);
        bytes4 retired = IdentityRegistry.WalletRetired.selector;
        refuses(retired, alice);
        vm.prank(attester);
        identities.bind(alice, ALICE, UNTIL, 250, 1, MESSAGE, signed);
        refuses(retired, alice);
        vm.prank(attester);
        identities.renew(alice, UNTIL);
        refuses(retired, alice);
        revoke(alice);
        refuses(retired, alice);
        freeze(alice, true);
        refuses(retired, alice);
        freeze(alice, false);
        refuses(retired, alice);
        proposeSigned(alice, fresh, recovery);
        assertRetired(alice, fresh);
    }

    function test_the_record_of_a_retired_wallet_keeps_its_other_flags() public {
        (uint8 revoked, uint8 frozen, uint8 retired) = (1, 2, 4);
        revoke(alice);
        switchTo(alice, FRESH_KEY);
        assertEq(identities.recordOf(alice).flags, revoked | retired, "revoked and retired");

        bindWallet(SPARE_KEY, BOB);
        propose(bob, SPARE_KEY);
        freeze(bob, true);
        skip(72 hours);
        identities.executeRecovery(bob);
        assertEq(identities.recordOf(bob).flags, frozen | retired, "frozen and retired");
        assertEq(identities.recordOf(spare).flags, frozen, "the freeze went over, and nothing else");
    }

    function test_a_retired_wallet_neither_redeems_nor_transfers_nor_gains_shares() public {
        uint256 shares = depositFor(alice, 100 * DOLLAR);
        depositFor(bob, 100 * DOLLAR);
        switchTo(alice, FRESH_KEY);
        assertEq(vault.maxRedeem(alice), 0, "maxRedeem");
        assertEq(vault.maxDeposit(alice), 0, "maxDeposit");
        bytes memory cannotSend = abi.encodeWithSignature("ERC7943CannotSend(address)", alice);
        vm.expectRevert(cannotSend);
        vm.prank(alice);
        vault.redeem(shares, alice, alice);
        vm.expectRevert(cannotSend);
        vm.prank(alice);
        vault.transfer(bob, shares);
        vm.expectRevert(abi.encodeWithSignature("ERC7943CannotReceive(address)", alice));
        vm.prank(bob);
        vault.transfer(alice, 1);
    }
}
