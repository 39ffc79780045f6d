// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {TermDeposit} from "../../src/TermDeposit.sol";
import {Receipts} from "../../src/term/Receipts.sol";
import {TermEvents} from "../../src/term/TermEvents.sol";
import {TermWorld} from "../support/TermWorld.sol";
import {Vm} from "../support/Vm.sol";

/// @dev An early exit of a part of the principal: a case per path and per error.
contract TermDepositPartsTest is TermWorld {
    uint256 private constant WHOLE = 1_000 * DOLLAR;
    uint256 private constant PART = 400 * DOLLAR;
    uint256 private constant REST = WHOLE - PART;
    uint256 private constant INTEREST = 14_794_520;
    uint256 private constant INTEREST_OF_REST = 8_876_712;
    /// @dev The part and its interest at the break rate after 30 days.
    uint256 private constant PAID = PART + 657_534;

    uint256 private id;

    function setUp() public {
        deployTermWorld();
        id = openFor(alice, QUARTER, WHOLE);
    }

    function takeOut(address caller, uint256 principal) private returns (uint256) {
        vm.prank(caller);
        return term.exitEarly(id, principal, 0);
    }

    /// @dev An exit with `principal` by `caller` fails with `reason` and changes nothing.
    function refused(address caller, uint256 principal, bytes memory reason) private {
        refused(caller, abi.encodeCall(term.exitEarly, (id, principal, 0)), reason);
    }

    function refused(address caller, bytes memory call, bytes memory reason) private {
        bytes32 before = state();
        vm.prank(caller);
        (bool done, bytes memory answer) = address(term).call(call);
        assertTrue(!done, "refused");
        assertEq(keccak256(answer), keccak256(reason), "by name");
        assertEq(state(), before, "nothing changes");
    }

    function state() private view returns (bytes32) {
        return keccak256(abi.encode(term.books(), receiptOf(id), term.termOf(QUARTER), dollar.balanceOf(alice)));
    }

    function tooHigh(uint256 amount, uint256 most) private pure returns (bytes memory) {
        return abi.encodeWithSelector(TermEvents.AmountTooHigh.selector, amount, most);
    }

    // ── What leaves and what stays ──────────────────────────────────────────────────────────────────────────────────

    function test_a_part_is_paid_at_the_break_rate_and_the_rest_keeps_its_term() public {
        TermDeposit.Deposit memory before = receiptOf(id);
        vm.warp(START + 30 days);
        assertEq(takeOut(alice, PART), PAID, "paid");
        assertEq(dollar.balanceOf(alice), PAID, "received");
        TermDeposit.Deposit memory deposit = receiptOf(id);
        assertEq(deposit.principal, REST, "the rest");
        before.principal = REST;
        assertEq(keccak256(abi.encode(deposit)), keccak256(abi.encode(before)), "nothing else of the receipt");
        assertEq(term.ownerOf(id), alice, "its owner");
        assertEq(term.quoteExit(id, START + 90 days), REST + INTEREST_OF_REST, "due at maturity");
        vm.warp(START + 90 days);
        assertEq(closeFor(alice, id), REST + INTEREST_OF_REST, "paid at maturity");
    }

    function test_a_part_frees_its_interest_and_its_room() public {
        uint256 free = freeInterest();
        vm.warp(START + 30 days);
        takeOut(alice, PART);
        TermDeposit.Books memory books = term.books();
        assertEq(books.cash, RESERVE + WHOLE - PAID, "cash");
        assertEq(books.reserved, INTEREST_OF_REST, "reserved");
        assertEq(books.liabilities, REST + INTEREST_OF_REST, "liabilities");
        assertEq(term.termOf(QUARTER).principal, REST, "principal of the term");
        assertEq(freeInterest(), free + INTEREST - INTEREST_OF_REST - (PAID - PART), "free again");
    }

    function test_the_rest_leaves_early_too_in_parts_or_whole() public {
        vm.warp(START + 30 days);
        takeOut(alice, PART);
        vm.warp(START + 60 days);
        assertEq(takeOut(alice, PART), PART + 1_315_068, "a second part, at the interest of its own time");
        assertEq(takeOut(alice, 200 * DOLLAR), 200 * DOLLAR + 657_534, "the rest");
        assertEq(receiptOf(id).status, Receipts.EXITED_EARLY, "status");
        TermDeposit.Books memory books = term.books();
        assertTrue(books.liabilities == 0 && books.reserved == 0, "nothing is owed");
        assertEq(term.termOf(QUARTER).principal, 0, "principal of the term");
    }

    function test_the_whole_principal_leaves_the_receipt_as_it_was() public {
        vm.warp(START + 30 days);
        uint256 quoted = term.quoteExit(id, time());
        assertEq(takeOut(alice, WHOLE), quoted, "as quoted");
        TermDeposit.Deposit memory deposit = receiptOf(id);
        assertEq(deposit.principal, WHOLE, "the principal that it had");
        assertEq(deposit.status, Receipts.EXITED_EARLY, "status");
        bytes memory gone = abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, id);
        vm.expectRevert(gone);
        term.ownerOf(id);
        refused(alice, PART, gone);
    }

    function test_the_penalty_of_a_part_is_rounded_up() public {
        id = openFor(alice, YEAR, WHOLE);
        assertEq(takeOut(alice, PART + 1), PART + 1 - (4 * DOLLAR + 1), "paid");
    }

    function test_an_instruction_to_roll_over_stays_with_the_rest() public {
        vm.prank(alice);
        term.setAutoRoll(id, WEEK, 0, 2);
        takeOut(alice, PART);
        assertTrue(receiptOf(id).roll == 2 && receiptOf(id).rollTermId == WEEK, "the instruction");
        vm.warp(START + 90 days);
        uint256 rolled = term.autoRoll(id);
        assertEq(receiptOf(rolled).principal, REST + INTEREST_OF_REST, "the rest and its interest");
        assertEq(term.ownerOf(rolled), alice, "the owner's");
    }

    function test_the_picture_shows_the_rest() public {
        takeOut(alice, PART);
        string memory json = jsonOf(term.tokenURI(id));
        assertEq(vm.parseJsonString(json, ".attributes[0].value"), "600 tUSD", "principal");
        assertEq(vm.parseJsonString(json, ".attributes[5].value"), "Running", "state");
    }

    function jsonOf(string memory uri) private pure returns (string memory) {
        bytes memory whole = bytes(uri);
        bytes memory rest = new bytes(whole.length - bytes("data:application/json;base64,").length);
        for (uint256 i = 0; i < rest.length; ++i) {
            rest[i] = whole[whole.length - rest.length + i];
        }
        return string(Base64.decode(string(rest)));
    }

    // ── Events ──────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_part_tells_what_left_and_that_the_receipt_changed() public {
        vm.warp(START + 30 days);
        vm.expectEmit(address(term));
        emit TermEvents.ExitedEarly(id, alice, PART, PAID);
        vm.expectEmit(address(term));
        emit TermEvents.MetadataUpdate(id);
        takeOut(alice, PART);
    }

    function test_a_whole_exit_changes_no_metadata() public {
        vm.recordLogs();
        takeOut(alice, WHOLE);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        bool told;
        for (uint256 i = 0; i < logs.length; ++i) {
            assertTrue(logs[i].topics[0] != TermEvents.MetadataUpdate.selector, "the receipt is gone");
            if (logs[i].topics[0] != TermEvents.ExitedEarly.selector) continue;
            assertEq(keccak256(logs[i].data), keccak256(abi.encode(WHOLE, WHOLE)), "principal and payment");
            told = true;
        }
        assertTrue(told, "ExitedEarly");
    }

    // ── Bounds ──────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_nothing_and_more_than_the_principal_are_refused() public {
        refused(alice, 0, abi.encodeWithSelector(TermEvents.ZeroAmount.selector));
        refused(alice, WHOLE + 1, tooHigh(WHOLE + 1, WHOLE));
        refused(alice, type(uint256).max, tooHigh(type(uint256).max, WHOLE));
        takeOut(alice, PART);
        refused(alice, WHOLE, tooHigh(WHOLE, REST));
    }

    function test_the_rest_is_at_least_the_minimum_deposit() public {
        refused(
            alice,
            WHOLE - TERM_MIN + 1,
            abi.encodeWithSelector(TermEvents.BelowMinimumDeposit.selector, TERM_MIN - 1, TERM_MIN)
        );
        refused(
            alice, WHOLE - 1, abi.encodeWithSelector(TermEvents.BelowMinimumDeposit.selector, 1, TERM_MIN)
        );
        takeOut(alice, WHOLE - TERM_MIN);
        assertEq(receiptOf(id).principal, TERM_MIN, "the least");
    }

    function test_a_minimum_raised_since_leaves_the_whole_exit_alone() public {
        vm.prank(owner);
        term.setLimits(TERM_CAP, 2 * WHOLE);
        refused(
            alice, 1, abi.encodeWithSelector(TermEvents.BelowMinimumDeposit.selector, WHOLE - 1, 2 * WHOLE)
        );
        assertEq(takeOut(alice, WHOLE), WHOLE, "paid");
    }

    function test_a_rest_that_would_earn_nothing_is_refused() public {
        vm.prank(owner);
        term.setLimits(TERM_CAP, 0);
        // A unit of interest on 1 739 at 3 % for a week.
        id = openFor(alice, WEEK, 2_000);
        refused(alice, 262, abi.encodeWithSelector(TermEvents.EarnsNothing.selector, 1_738));
        takeOut(alice, 261);
        assertEq(dueOf(id), 1_740, "a unit");
        refused(alice, 1, abi.encodeWithSelector(TermEvents.EarnsNothing.selector, 1_738));
        assertEq(takeOut(alice, 1_739), 1_739, "whole");
    }

    function test_a_part_that_would_pay_nothing_is_refused() public {
        vm.prank(owner);
        term.setLimits(TERM_CAP, 0);
        id = openFor(alice, YEAR, WHOLE);
        refused(alice, 1, abi.encodeWithSelector(TermEvents.ZeroAmount.selector));
        assertEq(takeOut(alice, 2), 1, "two units less the penalty of one");
    }

    function test_a_part_below_the_callers_limit_is_refused() public {
        vm.warp(START + 30 days);
        refused(
            alice,
            abi.encodeCall(term.exitEarly, (id, PART, PAID + 1)),
            abi.encodeWithSelector(TermEvents.SlippageExceeded.selector, PAID, PAID + 1)
        );
        vm.prank(alice);
        assertEq(term.exitEarly(id, PART, PAID), PAID, "at the limit");
    }

    function test_no_part_leaves_from_maturity_on() public {
        vm.warp(START + 90 days);
        refused(
            alice,
            PART,
            abi.encodeWithSelector(Receipts.StatusNotAllowed.selector, Receipts.MATURED, Receipts.EXITED_EARLY)
        );
        vm.warp(START + 90 days - 1);
        takeOut(alice, PART);
        vm.warp(START + 90 days);
        assertEq(closeFor(alice, id), REST + INTEREST_OF_REST, "the rest is paid");
    }

    // ── Who may ─────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_part_of_a_foreign_receipt_is_refused() public {
        refused(bob, PART, abi.encodeWithSelector(IERC721Errors.ERC721InsufficientApproval.selector, bob, id));
    }

    function test_whom_the_owner_approved_takes_parts_out_and_the_owner_is_paid() public {
        vm.prank(alice);
        term.approve(carol, id);
        takeOut(carol, PART);
        assertEq(term.getApproved(id), carol, "the approval goes on");
        takeOut(carol, 100 * DOLLAR);
        vm.prank(alice);
        term.approve(address(0), id);
        refused(carol, PART, abi.encodeWithSelector(IERC721Errors.ERC721InsufficientApproval.selector, carol, id));
        vm.prank(alice);
        term.setApprovalForAll(carol, true);
        takeOut(carol, 100 * DOLLAR);
        assertEq(dollar.balanceOf(alice), 600 * DOLLAR, "the owner is paid");
        assertEq(dollar.balanceOf(carol), 0, "nobody else");
    }

    function test_an_exit_only_wallet_takes_a_part_out_and_a_frozen_one_waits() public {
        revoke(alice);
        freeze(alice, true);
        refused(alice, PART, abi.encodeWithSelector(TermEvents.ERC7943CannotSend.selector, alice));
        freeze(alice, false);
        assertEq(takeOut(alice, PART), PART, "paid");
    }

    // ── When it waits ───────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_pause_stops_parts() public {
        vm.prank(guardian);
        term.pause();
        refused(alice, PART, abi.encodeWithSelector(TermEvents.PausedLately.selector, START + 7 days));
        vm.warp(START + 7 days);
        takeOut(alice, PART);
    }

    /// @dev 2 000 of principal, 1 600 of it deployed, and no free interest.
    function runShort() private {
        openFor(bob, QUARTER, WHOLE);
        uint256 free = freeInterest();
        vm.prank(treasurer);
        term.withdrawInterest(free);
        deployFunds(1_600 * DOLLAR);
    }

    function test_a_part_leaves_the_reserved_interest_and_half_the_buffer_of_what_stays() public {
        runShort();
        refused(
            alice, 500 * DOLLAR, abi.encodeWithSelector(TermEvents.InsufficientCash.selector, 500 * DOLLAR, 257_397_260)
        );
        refused(
            alice, 250 * DOLLAR, abi.encodeWithSelector(TermEvents.InsufficientCash.selector, 250 * DOLLAR, 228_698_630)
        );
        takeOut(alice, 220 * DOLLAR);
    }

    function test_a_loss_under_review_and_a_winding_down_stop_parts() public {
        runShort();
        reportLossOfTerm(600 * DOLLAR);
        refused(alice, PART, abi.encodeWithSelector(TermEvents.LossUnderReview.selector, START + 1 days));
        confirmLossOfTerm();
        refused(alice, PART, abi.encodeWithSelector(TermEvents.ProductWindingDown.selector));
    }

    function test_a_winding_down_counts_the_rest_of_a_receipt_only() public {
        openFor(bob, QUARTER, REST);
        takeOut(alice, PART);
        uint256 free = freeInterest();
        vm.prank(treasurer);
        term.withdrawInterest(free);
        deployFunds(960 * DOLLAR);
        bookLoss(600 * DOLLAR);
        uint256 share = term.claimable(id);
        assertTrue(share > 0 && share == term.claimable(2), "the same as another receipt of that principal");
        vm.prank(alice);
        assertEq(term.claim(id), share, "drawn");
    }
}
