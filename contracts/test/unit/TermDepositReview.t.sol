// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessManaged} from "@openzeppelin/contracts/access/manager/IAccessManaged.sol";
import {TermEvents} from "../../src/term/TermEvents.sol";
import {TermWorld} from "../support/TermWorld.sol";

/// @dev A loss that would wind a time deposit down waits a day for the confirmer.
contract TermDepositReviewTest is TermWorld {
    uint256 private constant LOST = 600_000 * DOLLAR;
    uint256 private due;
    uint256 private running;

    function setUp() public {
        deployTermWorld();
        due = openFor(alice, WEEK, 1_000_000 * DOLLAR);
        running = openFor(bob, YEAR, 1_000_000 * DOLLAR);
        deployFunds(1_600_000 * DOLLAR);
    }

    function refused(address caller, bytes memory call, bytes memory reason) private {
        vm.prank(caller);
        (bool done, bytes memory answer) = address(term).call(call);
        assertTrue(!done, "refused");
        assertEq(keccak256(answer), keccak256(reason), "by name");
    }

    function report() private returns (uint64 until) {
        until = time() + 1 days;
        vm.expectEmit(address(term));
        emit TermEvents.LossReviewed(LOST, until, "evidence");
        reportLossOfTerm(LOST);
    }

    function underReview(uint64 until) private pure returns (bytes memory) {
        return abi.encodeWithSelector(TermEvents.LossUnderReview.selector, until);
    }

    function none() private pure returns (bytes memory) {
        return abi.encodeWithSelector(TermEvents.NoLossUnderReview.selector);
    }

    function pausedUntil() private view returns (uint256 until) {
        (,, until) = term.limits();
    }

    function test_a_loss_under_review_changes_no_account_and_holds_all_but_payments_at_maturity() public {
        bytes memory books = abi.encode(term.books());
        uint64 until = report();
        assertEq(keccak256(abi.encode(term.books())), keccak256(books), "the accounts");
        (uint256 amount, uint256 until_) = term.reviewedLoss();
        assertTrue(amount == LOST && until_ == until, "the loss and its day");
        assertEq(pausedUntil(), until, "whoever reads the limits sees the pause");
        refused(bob, abi.encodeCall(term.exitEarly, (running, 1_000_000 * DOLLAR, 0)), underReview(until));
        refused(reporter, abi.encodeCall(term.bookLoss, (1, "evidence")), underReview(until));
        refused(treasurer, abi.encodeCall(term.deploy, (1)), underReview(until));
        refused(treasurer, abi.encodeCall(term.withdrawInterest, (1)), underReview(until));
        refused(owner, abi.encodeCall(term.unpause, ()), underReview(until));
        fundTerm(carol, 1_000 * DOLLAR);
        refused(carol, abi.encodeCall(term.open, (WEEK, 1_000 * DOLLAR, NEVER)), underReview(until));
        repayFunds(1_600_000 * DOLLAR);
        assertTrue(term.books().deployed == 0, "money comes back");
    }

    function test_a_payment_at_maturity_does_not_wait_for_a_review() public {
        repayFunds(1_000_000 * DOLLAR);
        vm.warp(START + 7 days);
        report();
        assertTrue(closeFor(alice, due) > 1_000_000 * DOLLAR, "in full");
    }

    function test_the_confirmer_takes_a_loss_back_and_the_product_goes_on() public {
        uint64 until = report();
        vm.expectEmit(address(term));
        emit TermEvents.LossTakenBack(LOST);
        vm.prank(confirmer);
        term.takeBackLoss();
        assertEq(term.books().claims, 0, "no winding down");
        assertEq(pausedUntil(), 0, "nothing waits");
        repayFunds(1_600_000 * DOLLAR);
        vm.prank(bob);
        assertTrue(term.exitEarly(running, 1_000_000 * DOLLAR, 0) > 0, "early exits are open");
        refused(confirmer, abi.encodeCall(term.takeBackLoss, ()), none());
        vm.warp(until);
        refused(alice, abi.encodeCall(term.settleLoss, ()), none());
    }

    function test_a_review_leaves_a_pause_of_before_as_it_was() public {
        vm.prank(guardian);
        term.pause();
        uint256 until = pausedUntil();
        report();
        assertEq(pausedUntil(), until, "the longer one");
        vm.prank(confirmer);
        term.takeBackLoss();
        assertEq(pausedUntil(), until, "as it was");
    }

    /// @dev Else the reporter alone could hold early exits day after day.
    function test_after_a_take_back_the_next_loss_needs_the_confirmer_for_seven_days() public {
        report();
        vm.prank(confirmer);
        term.takeBackLoss();
        uint64 from = time() + 7 days;
        bytes memory needs = abi.encodeWithSelector(TermEvents.LossNeedsConfirmer.selector, from);
        refused(reporter, abi.encodeCall(term.bookLoss, (LOST, "evidence")), needs);
        reportLossOfTerm(1);
        assertEq(term.books().deployed, 1_600_000 * DOLLAR - 1, "what the free interest bears is booked");
        uint256 snapshot = vm.snapshotState();
        confirmLossOfTerm();
        report();
        vm.revertToState(snapshot);
        vm.warp(from - 1);
        refused(reporter, abi.encodeCall(term.bookLoss, (LOST, "evidence")), needs);
        skip(1);
        report();
    }

    function test_a_loss_that_is_not_taken_back_stands_and_anyone_books_it_after_its_day() public {
        uint64 until = report();
        vm.warp(until - 1);
        refused(alice, abi.encodeCall(term.settleLoss, ()), underReview(until));
        skip(1);
        refused(confirmer, abi.encodeCall(term.takeBackLoss, ()), none());
        refused(bob, abi.encodeCall(term.exitEarly, (running, 1_000_000 * DOLLAR, 0)), underReview(until));
        uint256 claims = term.books().liabilities;
        vm.expectEmit(address(term));
        emit TermEvents.LossBooked(LOST, "evidence");
        vm.prank(alice);
        term.settleLoss();
        assertEq(term.books().claims, claims, "wound down");
    }

    function test_money_paid_back_during_the_review_is_not_lost() public {
        uint64 until = report();
        repayFunds(1_600_000 * DOLLAR - 1);
        vm.warp(until);
        vm.expectEmit(address(term));
        emit TermEvents.LossBooked(1, "evidence");
        term.settleLoss();
        assertEq(term.books().claims, 0, "the free interest bears what is left");
        assertEq(pausedUntil(), 0, "nothing waits");
    }

    function test_nobody_but_the_confirmer_decides() public {
        report();
        address[4] memory others = [owner, reporter, guardian, alice];
        for (uint256 i = 0; i < 4; ++i) {
            bytes memory not = abi.encodeWithSelector(IAccessManaged.AccessManagedUnauthorized.selector, others[i]);
            refused(others[i], abi.encodeCall(term.confirmLoss, ()), not);
            refused(others[i], abi.encodeCall(term.takeBackLoss, ()), not);
        }
        confirmLossOfTerm();
        assertTrue(term.books().claims > 0, "wound down at once");
        refused(confirmer, abi.encodeCall(term.confirmLoss, ()), none());
    }
}
