// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {TermDeposit} from "../../src/TermDeposit.sol";
import {Receipts} from "../../src/term/Receipts.sol";
import {TermEvents} from "../../src/term/TermEvents.sol";
import {TermWorld} from "../support/TermWorld.sol";

/// @dev Closing, early exits, rolling over, transfers and recovery: a case per path and per error.
contract TermDepositLeavingTest is TermWorld {
    uint256 private id;

    function setUp() public {
        deployTermWorld();
        id = openFor(alice, QUARTER, 1_000 * DOLLAR);
    }

    function statusError(uint256 from, uint256 to) private pure returns (bytes memory) {
        return abi.encodeWithSelector(Receipts.StatusNotAllowed.selector, from, to);
    }

    /// @dev A call of `caller` fails with `reason` and changes nothing.
    function refused(address caller, bytes memory call, bytes memory reason) private {
        bytes32 books = keccak256(abi.encode(term.books()));
        uint256 before = dollar.balanceOf(caller);
        vm.prank(caller);
        (bool done, bytes memory answer) = address(term).call(call);
        assertTrue(!done, "refused");
        assertEq(keccak256(answer), keccak256(reason), "by name");
        assertEq(keccak256(abi.encode(term.books())), books, "accounts");
        assertEq(dollar.balanceOf(caller), before, "money");
    }

    // ── Closing ─────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_closing_pays_principal_and_interest_once() public {
        vm.warp(START + 90 days);
        vm.expectEmit(address(term));
        emit TermEvents.Closed(id, alice, 1_014_794_520);
        assertEq(closeFor(alice, id), 1_014_794_520, "paid");
        assertEq(dollar.balanceOf(alice), 1_014_794_520, "received");
        assertEq(receiptOf(id).status, Receipts.CLOSED, "status");
        TermDeposit.Books memory books = term.books();
        assertTrue(books.liabilities == 0 && books.reserved == 0, "nothing is owed");
        assertEq(term.termOf(QUARTER).principal, 0, "principal of the term");
        refused(
            alice,
            abi.encodeCall(term.close, (id)),
            abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, id)
        );
    }

    function test_closing_a_second_too_early_is_refused_and_years_late_pays_no_more() public {
        vm.warp(START + 90 days - 1);
        refused(alice, abi.encodeCall(term.close, (id)), statusError(Receipts.ACTIVE, Receipts.CLOSED));
        vm.warp(START + 900 days);
        assertEq(term.quoteExit(id, START + 800 days), 1_014_794_520, "interest stops at maturity");
        assertEq(closeFor(alice, id), 1_014_794_520, "paid");
    }

    function test_closing_an_unknown_or_foreign_receipt_is_refused() public {
        vm.warp(START + 90 days);
        refused(
            alice,
            abi.encodeCall(term.close, (99)),
            abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 99)
        );
        refused(
            bob,
            abi.encodeCall(term.close, (id)),
            abi.encodeWithSelector(IERC721Errors.ERC721InsufficientApproval.selector, bob, id)
        );
    }

    function test_whom_the_owner_approved_may_close_and_the_owner_is_paid() public {
        vm.warp(START + 90 days);
        vm.prank(alice);
        term.approve(carol, id);
        vm.prank(carol);
        term.close(id);
        assertEq(dollar.balanceOf(alice), 1_014_794_520, "the owner is paid");
    }

    function test_neither_pause_nor_closed_product_nor_full_cap_stops_closing() public {
        vm.prank(guardian);
        term.pause();
        vm.warp(START + 90 days);
        vm.prank(guardian);
        term.pause();
        closeProduct("solar-term");
        vm.prank(owner);
        term.setLimits(0, 0);
        vm.prank(owner);
        term.setTerm(QUARTER, 0, false);
        assertEq(closeFor(alice, id), 1_014_794_520, "paid");
    }

    function test_an_exit_only_wallet_closes_to_itself_and_a_frozen_one_waits() public {
        vm.warp(START + 90 days);
        revoke(alice);
        freeze(alice, true);
        bytes memory frozen = abi.encodeWithSelector(TermEvents.ERC7943CannotSend.selector, alice);
        refused(alice, abi.encodeCall(term.close, (id)), frozen);
        freeze(alice, false);
        assertEq(closeFor(alice, id), 1_014_794_520, "paid");
    }

    // ── Early exits ─────────────────────────────────────────────────────────────────────────────────────────────────

    function test_an_early_exit_pays_the_break_rate_and_frees_the_rest() public {
        uint256 free = freeInterest();
        vm.warp(START + 30 days);
        vm.expectEmit(address(term));
        emit TermEvents.ExitedEarly(id, alice, 1_000 * DOLLAR, 1_001_643_835);
        vm.prank(alice);
        assertEq(term.exitEarly(id, 1_000 * DOLLAR, 1_001_643_835), 1_001_643_835, "paid");
        assertEq(dollar.balanceOf(alice), 1_001_643_835, "received");
        assertEq(receiptOf(id).status, Receipts.EXITED_EARLY, "status");
        assertEq(freeInterest(), free + 14_794_520 - 1_643_835, "free again");
    }

    function test_the_penalty_is_rounded_up_and_the_principal_pays_no_more_than_it() public {
        uint256 principal = 1_000 * DOLLAR + 1;
        uint256 other = openFor(alice, YEAR, principal);
        uint256 penalty = 10 * DOLLAR + 1;
        assertEq(term.quoteExit(other, START), principal - penalty, "at once");
        vm.prank(alice);
        assertEq(term.exitEarly(other, principal, 0), principal - penalty, "paid");
    }

    function test_an_early_exit_below_the_callers_limit_is_refused() public {
        vm.warp(START + 30 days);
        refused(
            alice,
            abi.encodeCall(term.exitEarly, (id, 1_000 * DOLLAR, 1_001_643_836)),
            abi.encodeWithSelector(TermEvents.SlippageExceeded.selector, 1_001_643_835, 1_001_643_836)
        );
    }

    function test_an_early_exit_ends_a_second_before_maturity() public {
        vm.warp(START + 90 days);
        refused(
            alice, abi.encodeCall(term.exitEarly, (id, 1_000 * DOLLAR, 0)), statusError(Receipts.MATURED, Receipts.EXITED_EARLY)
        );
        vm.warp(START + 90 days - 1);
        vm.prank(alice);
        term.exitEarly(id, 1_000 * DOLLAR, 0);
        refused(
            alice,
            abi.encodeCall(term.exitEarly, (id, 1_000 * DOLLAR, 0)),
            abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, id)
        );
    }

    function test_an_early_exit_of_a_foreign_receipt_is_refused() public {
        refused(
            bob,
            abi.encodeCall(term.exitEarly, (id, 1_000 * DOLLAR, 0)),
            abi.encodeWithSelector(IERC721Errors.ERC721InsufficientApproval.selector, bob, id)
        );
    }

    function test_an_early_exit_that_would_pay_nothing_is_refused() public {
        vm.prank(owner);
        term.setLimits(TERM_CAP, 0);
        uint256 tenth = addTerm(term, 1, 3, WAD, 0, 0.1e18);
        uint256 dust = openFor(alice, tenth, 1);
        refused(
            alice, abi.encodeCall(term.exitEarly, (dust, 1, 0)), abi.encodeWithSelector(TermEvents.ZeroAmount.selector)
        );
    }

    function test_a_pause_stops_early_exits_for_seven_days() public {
        vm.prank(guardian);
        term.pause();
        vm.warp(START + 7 days - 1);
        refused(
            alice,
            abi.encodeCall(term.exitEarly, (id, 1_000 * DOLLAR, 0)),
            abi.encodeWithSelector(TermEvents.PausedLately.selector, START + 7 days)
        );
        vm.warp(START + 7 days);
        vm.prank(alice);
        term.exitEarly(id, 1_000 * DOLLAR, 0);
    }

    function test_a_pause_ended_by_the_owner_is_not_renewed_for_seven_days() public {
        vm.prank(guardian);
        term.pause();
        skip(1 hours);
        vm.prank(owner);
        term.unpause();
        vm.prank(alice);
        term.exitEarly(id, 1_000 * DOLLAR, 0);
        (,, uint256 until) = term.limits();
        assertEq(until, block.timestamp, "ended now");
        vm.expectRevert(abi.encodeWithSelector(TermEvents.PausedLately.selector, until));
        vm.prank(guardian);
        term.pause();
        vm.warp(until + 7 days);
        vm.prank(guardian);
        term.pause();
    }

    function test_an_exit_only_wallet_exits_early_and_a_frozen_one_waits() public {
        revoke(alice);
        freeze(alice, true);
        refused(
            alice,
            abi.encodeCall(term.exitEarly, (id, 1_000 * DOLLAR, 0)),
            abi.encodeWithSelector(TermEvents.ERC7943CannotSend.selector, alice)
        );
        freeze(alice, false);
        vm.prank(alice);
        assertEq(term.exitEarly(id, 1_000 * DOLLAR, 0), 1_000 * DOLLAR, "paid");
    }

    function test_quoting_an_exit_before_the_opening_or_of_no_receipt_is_refused() public {
        vm.expectRevert(abi.encodeWithSelector(TermEvents.InvalidTime.selector, START - 1));
        term.quoteExit(id, START - 1);
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 99));
        term.quoteExit(99, START);
    }

    // ── Rolling over ────────────────────────────────────────────────────────────────────────────────────────────────

    function test_rolling_over_the_principal_pays_the_interest() public {
        vm.warp(START + 100 days);
        vm.expectEmit(address(term));
        emit TermEvents.Opened(2, alice, WEEK, 1_000 * DOLLAR, 575_342, time(), time() + 7 days);
        vm.expectEmit(address(term));
        emit TermEvents.RolledOver(id, 2, 14_794_520);
        vm.prank(alice);
        assertEq(term.rollover(id, WEEK, 0.03e18, 1), 2, "the new receipt");
        assertEq(dollar.balanceOf(alice), 14_794_520, "received");
        assertEq(receiptOf(id).status, Receipts.ROLLED_OVER, "the old one");
        assertEq(receiptOf(2).principal, 1_000 * DOLLAR, "principal");
        assertEq(term.ownerOf(2), alice, "owner");
        assertEq(term.books().liabilities, 1_000_575_342, "liabilities");
    }

    function test_rolling_over_the_principal_pays_interest_of_a_single_unit() public {
        vm.prank(owner);
        term.setLimits(TERM_CAP, 0);
        uint256 id = openFor(alice, WEEK, 2_000);
        assertEq(dueOf(id), 2_001, "a unit");
        skip(7 days);
        uint256 had = dollar.balanceOf(alice);
        vm.prank(alice);
        term.rollover(id, WEEK, 0, 1);
        assertEq(dollar.balanceOf(alice) - had, 1, "paid");
    }

    function test_rolling_over_all_pays_nothing_and_compounds() public {
        vm.warp(START + 90 days);
        vm.prank(alice);
        uint256 rolled = term.rollover(id, QUARTER, 0, 2);
        assertEq(dollar.balanceOf(alice), 0, "nothing is paid");
        assertEq(receiptOf(rolled).principal, 1_014_794_520, "principal");
        assertEq(dueOf(rolled), 1_014_794_520 + 15_013_398, "due");
        TermDeposit.Books memory books = term.books();
        assertEq(books.cash, RESERVE + 1_000 * DOLLAR, "cash");
        assertEq(books.reserved, 15_013_398, "reserved");
        assertEq(term.termOf(QUARTER).principal, 1_014_794_520, "principal of the term");
    }

    function test_rolling_over_is_refused_where_it_must_be() public {
        bytes memory call = abi.encodeCall(term.rollover, (id, WEEK, 0, 1));
        refused(alice, call, statusError(Receipts.ACTIVE, Receipts.ROLLED_OVER));
        vm.warp(START + 90 days);
        refused(bob, call, abi.encodeWithSelector(IERC721Errors.ERC721InsufficientApproval.selector, bob, id));
        refused(
            alice,
            abi.encodeCall(term.rollover, (id, WEEK, 0.03e18 + 1, 1)),
            abi.encodeWithSelector(TermEvents.RateBelowMinimum.selector, 0.03e18, 0.03e18 + 1)
        );
        for (uint256 what = 0; what <= 3; what += 3) {
            refused(
                alice,
                abi.encodeCall(term.rollover, (id, WEEK, 0, what)),
                abi.encodeWithSelector(TermEvents.InvalidRoll.selector, what)
            );
        }
        vm.prank(guardian);
        term.pause();
        refused(alice, call, abi.encodeWithSelector(TermEvents.PausedLately.selector, time() + 7 days));
        vm.prank(owner);
        term.unpause();
        closeProduct("solar-term");
        refused(alice, call, abi.encodeWithSelector(TermEvents.ProductNotOpen.selector));
        openProduct("solar-term");
        revoke(alice);
        refused(alice, call, abi.encodeWithSelector(TermEvents.ERC7943CannotReceive.selector, alice));
        bindWallet(ALICE_KEY, 0xa1);
        vm.prank(alice);
        term.rollover(id, WEEK, 0.03e18, 1);
        refused(alice, call, abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, id));
    }

    function test_rolling_over_needs_funded_interest_too() public {
        vm.warp(START + 90 days);
        uint256 free = freeInterest();
        vm.prank(treasurer);
        term.withdrawInterest(free);
        refused(
            alice,
            abi.encodeCall(term.rollover, (id, WEEK, 0, 1)),
            abi.encodeWithSelector(TermEvents.ReserveExhausted.selector, 575_342, 0)
        );
        assertEq(closeFor(alice, id), 1_014_794_520, "stays claimable");
    }

    // ── Instructions to roll over ───────────────────────────────────────────────────────────────────────────────────

    function instruct(uint256 termId, uint256 what) private {
        vm.prank(alice);
        term.setAutoRoll(id, termId, 0, what);
    }

    function test_anyone_carries_out_an_instruction_once_within_three_days() public {
        vm.expectEmit(address(term));
        emit TermEvents.AutoRollSet(id, MONTH, 2);
        instruct(MONTH, 2);
        assertTrue(receiptOf(id).roll == 2 && receiptOf(id).rollTermId == MONTH, "instruction");
        refused(carol, abi.encodeCall(term.autoRoll, (id)), statusError(Receipts.ACTIVE, Receipts.ROLLED_OVER));
        vm.warp(START + 93 days);
        vm.prank(carol);
        uint256 rolled = term.autoRoll(id);
        assertEq(term.ownerOf(rolled), alice, "the owner's");
        assertEq(receiptOf(rolled).principal, 1_014_794_520, "all of it");
        assertEq(receiptOf(rolled).openedAt, START + 93 days, "begins when it is carried out");
        assertEq(receiptOf(rolled).roll, 0, "no instruction of its own");
        bytes memory done = statusError(Receipts.ROLLED_OVER, Receipts.ROLLED_OVER);
        refused(carol, abi.encodeCall(term.autoRoll, (id)), done);
    }

    function test_an_instruction_for_the_principal_pays_the_interest_to_the_owner() public {
        instruct(WEEK, 1);
        vm.warp(START + 90 days);
        vm.prank(carol);
        term.autoRoll(id);
        assertEq(dollar.balanceOf(alice), 14_794_520, "received");
    }

    function test_after_three_days_a_receipt_with_an_instruction_stays_claimable() public {
        instruct(WEEK, 1);
        vm.warp(START + 93 days + 1);
        refused(
            carol,
            abi.encodeCall(term.autoRoll, (id)),
            abi.encodeWithSelector(TermEvents.AutoRollTooLate.selector, id, START + 93 days)
        );
        assertEq(closeFor(alice, id), 1_014_794_520, "paid");
    }

    function test_an_instruction_can_be_taken_back_and_without_one_nothing_rolls() public {
        bytes memory none = abi.encodeWithSelector(TermEvents.NoAutoRoll.selector, id);
        vm.warp(START + 90 days);
        refused(carol, abi.encodeCall(term.autoRoll, (id)), none);
        instruct(WEEK, 1);
        instruct(WEEK, 0);
        refused(carol, abi.encodeCall(term.autoRoll, (id)), none);
    }

    function test_an_instruction_is_refused_where_it_must_be() public {
        refused(
            bob,
            abi.encodeCall(term.setAutoRoll, (id, WEEK, 0, 1)),
            abi.encodeWithSelector(IERC721Errors.ERC721InsufficientApproval.selector, bob, id)
        );
        refused(
            alice,
            abi.encodeCall(term.setAutoRoll, (id, WEEK, 0.03e18 + 1, 1)),
            abi.encodeWithSelector(TermEvents.RateBelowMinimum.selector, 0.03e18, 0.03e18 + 1)
        );
        refused(
            alice,
            abi.encodeCall(term.setAutoRoll, (id, WEEK, 0, 3)),
            abi.encodeWithSelector(TermEvents.InvalidRoll.selector, 3)
        );
        refused(
            alice,
            abi.encodeCall(term.setAutoRoll, (99, WEEK, 0, 1)),
            abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 99)
        );
    }

    function test_an_instruction_that_became_impossible_leaves_the_receipt_claimable() public {
        instruct(WEEK, 2);
        vm.warp(START + 90 days);
        vm.prank(owner);
        term.setTerm(WEEK, TERM_CAP, false);
        bytes memory call = abi.encodeCall(term.autoRoll, (id));
        refused(carol, call, abi.encodeWithSelector(TermEvents.TermNotOpen.selector, WEEK));
        revoke(alice);
        refused(carol, call, abi.encodeWithSelector(TermEvents.ERC7943CannotReceive.selector, alice));
        freeze(alice, true);
        refused(carol, call, abi.encodeWithSelector(TermEvents.ERC7943CannotSend.selector, alice));
        freeze(alice, false);
        assertEq(closeFor(alice, id), 1_014_794_520, "paid");
    }

    function test_an_instruction_ends_when_the_receipt_changes_hands() public {
        instruct(YEAR, 2);
        vm.expectEmit(address(term));
        emit TermEvents.AutoRollSet(id, 0, 0);
        vm.prank(alice);
        term.transferFrom(alice, bob, id);
        vm.warp(START + 90 days);
        bytes memory none = abi.encodeWithSelector(TermEvents.NoAutoRoll.selector, id);
        refused(carol, abi.encodeCall(term.autoRoll, (id)), none);
        assertEq(closeFor(bob, id), 1_014_794_520, "bob is paid");
    }

    // ── Transfers ───────────────────────────────────────────────────────────────────────────────────────────────────

    function test_receipts_move_between_verified_wallets_only() public {
        bytes memory call = abi.encodeCall(term.transferFrom, (alice, carol, id));
        refused(alice, call, abi.encodeWithSelector(TermEvents.ERC7943CannotTransfer.selector, alice, carol, id));
        call = abi.encodeCall(term.transferFrom, (alice, bob, id));
        bytes memory gate = abi.encodeWithSelector(TermEvents.ERC7943CannotTransfer.selector, alice, bob, id);
        revoke(bob);
        refused(alice, call, gate);
        bindWallet(BOB_KEY, 0xb2);
        revoke(alice);
        refused(alice, call, gate);
        bindWallet(ALICE_KEY, 0xa1);
        refused(bob, call, abi.encodeWithSelector(IERC721Errors.ERC721InsufficientApproval.selector, bob, id));
        vm.prank(alice);
        term.transferFrom(alice, bob, id);
        assertEq(term.ownerOf(id), bob, "moved");
        refused(alice, call, abi.encodeWithSelector(IERC721Errors.ERC721InsufficientApproval.selector, alice, id));
        vm.prank(bob);
        term.safeTransferFrom(bob, alice, id);
        assertEq(term.ownerOf(id), alice, "and back");
    }

    function test_a_receipt_cannot_be_burnt_or_conjured_by_a_transfer() public {
        refused(
            alice,
            abi.encodeCall(term.transferFrom, (alice, address(0), id)),
            abi.encodeWithSelector(IERC721Errors.ERC721InvalidReceiver.selector, address(0))
        );
        refused(
            alice,
            abi.encodeCall(term.transferFrom, (address(0), alice, 99)),
            abi.encodeWithSelector(TermEvents.ERC7943CannotTransfer.selector, address(0), alice, 99)
        );
    }

    // ── Recovery ────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev Alice's two receipts.
    function two() private returns (uint256[] memory ids) {
        ids = new uint256[](2);
        (ids[0], ids[1]) = (id, openFor(alice, WEEK, 2_000 * DOLLAR));
    }

    function test_anyone_moves_the_receipts_of_a_replaced_wallet_to_its_successor() public {
        uint256[] memory ids = two();
        instruct(WEEK, 1);
        vm.prank(alice);
        term.approve(carol, id);
        switchTo(alice, FRESH_KEY);
        bytes32 books = keccak256(abi.encode(term.books()));
        bytes memory retired = abi.encodeWithSelector(TermEvents.ERC7943CannotSend.selector, alice);
        refused(alice, abi.encodeCall(term.exitEarly, (id, 1_000 * DOLLAR, 0)), retired);
        vm.expectEmit(address(term));
        emit TermEvents.Recovered(id, alice, fresh);
        vm.prank(carol);
        term.recover(alice, ids);
        assertEq(term.balanceOf(fresh), 2, "both have moved");
        assertEq(term.balanceOf(alice), 0, "none is left");
        assertEq(receiptOf(id).roll, 0, "the instruction has ended");
        assertEq(term.getApproved(id), address(0), "the approval has ended");
        assertEq(keccak256(abi.encode(term.books())), books, "the accounts do not notice");
        vm.warp(START + 90 days);
        assertEq(closeFor(fresh, id), 1_014_794_520, "paid");
    }

    function test_a_recovered_wallets_receipts_move_whatever_the_state_of_the_successor() public {
        uint256[] memory ids = two();
        proposeAndWait(alice);
        identities.executeRecovery(alice);
        revoke(spare);
        term.recover(alice, ids);
        assertEq(term.ownerOf(id), spare, "moved");
        vm.warp(START + 90 days);
        assertEq(closeFor(spare, id), 1_014_794_520, "and out to itself");
    }

    function test_recovery_follows_a_chain_of_wallets_and_pauses_do_not_stop_it() public {
        uint256[] memory ids = two();
        vm.prank(guardian);
        term.pause();
        closeProduct("solar-term");
        switchTo(alice, FRESH_KEY);
        switchTo(fresh, SPARE_KEY);
        term.recover(alice, ids);
        assertEq(term.balanceOf(spare), 2, "at the end of the chain");
    }

    function test_recovery_is_refused_where_it_must_be() public {
        uint256[] memory ids = two();
        bytes memory none = abi.encodeWithSelector(TermEvents.NoSuccessor.selector, alice);
        refused(carol, abi.encodeCall(term.recover, (alice, ids)), none);
        switchTo(bob, FRESH_KEY);
        bytes memory foreign = abi.encodeWithSelector(IERC721Errors.ERC721IncorrectOwner.selector, bob, id, alice);
        refused(carol, abi.encodeCall(term.recover, (bob, ids)), foreign);
        ids[0] = 99;
        bytes memory unknown =
            abi.encodeWithSelector(IERC721Errors.ERC721IncorrectOwner.selector, bob, 99, address(0));
        refused(carol, abi.encodeCall(term.recover, (bob, ids)), unknown);
        assertEq(term.balanceOf(fresh), 0, "nothing was conjured");
        switchTo(alice, SPARE_KEY);
        (ids[0], ids[1]) = (id, id);
        bytes memory twice = abi.encodeWithSelector(IERC721Errors.ERC721IncorrectOwner.selector, alice, id, spare);
        refused(carol, abi.encodeCall(term.recover, (alice, ids)), twice);
    }
}
