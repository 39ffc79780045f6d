// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {TermDeposit} from "../../src/TermDeposit.sol";
import {Receipts} from "../../src/term/Receipts.sol";
import {TermEvents} from "../../src/term/TermEvents.sol";
import {TermWorld} from "../support/TermWorld.sol";
import {Vm} from "../support/Vm.sol";

/// @dev Interest, the custodian, losses and winding down: a case per path and per error.
contract TermDepositMoneyTest is TermWorld {
    uint256 private constant PRINCIPAL = 1_000_000 * DOLLAR;

    /// @dev Alice for a week, Bob for a year.
    uint256 private soon;
    uint256 private late;

    function setUp() public {
        deployTermWorld();
        soon = openFor(alice, WEEK, PRINCIPAL);
        late = openFor(bob, YEAR, PRINCIPAL);
    }

    function refused(address caller, bytes memory call, bytes memory reason) private {
        bytes32 books = keccak256(abi.encode(term.books()));
        vm.prank(caller);
        (bool done, bytes memory answer) = address(term).call(call);
        assertTrue(!done, "refused");
        assertEq(keccak256(answer), keccak256(reason), "by name");
        assertEq(keccak256(abi.encode(term.books())), books, "accounts");
    }

    function tooHigh(uint256 amount, uint256 most) private pure returns (bytes memory) {
        return abi.encodeWithSelector(TermEvents.AmountTooHigh.selector, amount, most);
    }

    function zero() private pure returns (bytes memory) {
        return abi.encodeWithSelector(TermEvents.ZeroAmount.selector);
    }

    // ── Interest ────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_funded_interest_is_free_until_it_is_promised() public {
        uint256 free = freeInterest();
        fundTerm(treasurer, 5);
        vm.expectEmit(address(term));
        emit TermEvents.InterestFunded(5);
        vm.prank(treasurer);
        term.fundInterest(5);
        assertEq(freeInterest(), free + 5, "free");
        refused(treasurer, abi.encodeCall(term.fundInterest, (0)), zero());
    }

    function test_free_interest_goes_back_to_the_custodian_and_no_more_than_it() public {
        uint256 free = freeInterest();
        refused(treasurer, abi.encodeCall(term.withdrawInterest, (0)), zero());
        refused(treasurer, abi.encodeCall(term.withdrawInterest, (free + 1)), tooHigh(free + 1, free));
        vm.expectEmit(address(term));
        emit TermEvents.InterestWithdrawn(free);
        vm.prank(treasurer);
        term.withdrawInterest(free);
        assertEq(dollar.balanceOf(custodian), free, "received");
        assertEq(term.coverage(), WAD, "covered to the unit");
    }

    function test_free_interest_leaves_the_buffer_alone() public {
        deployFunds(1_600_000 * DOLLAR);
        repayFunds(790_000 * DOLLAR);
        vm.warp(START + 7 days);
        closeFor(alice, soon);
        TermDeposit.Books memory books = term.books();
        uint256 most = books.cash - books.reserved - 200_000 * DOLLAR;
        assertTrue(most < freeInterest(), "the buffer binds");
        refused(treasurer, abi.encodeCall(term.withdrawInterest, (most + 1)), tooHigh(most + 1, most));
        vm.prank(treasurer);
        term.withdrawInterest(most);
    }

    // ── The custodian ───────────────────────────────────────────────────────────────────────────────────────────────

    function test_principal_over_the_buffer_can_be_deployed_and_no_more() public {
        refused(treasurer, abi.encodeCall(term.deploy, (0)), zero());
        uint256 most = 1_600_000 * DOLLAR;
        refused(treasurer, abi.encodeCall(term.deploy, (most + 1)), tooHigh(most + 1, most));
        vm.expectEmit(address(term));
        emit TermEvents.Deployed(most);
        deployFunds(most);
        assertEq(dollar.balanceOf(custodian), most, "received");
        refused(treasurer, abi.encodeCall(term.deploy, (1)), tooHigh(1, 0));
        TermDeposit.Books memory books = term.books();
        assertEq(books.deployed, most, "deployed");
        assertEq(books.cash, RESERVE + 400_000 * DOLLAR, "cash");
    }

    function test_what_is_deployed_adds_up() public {
        deployFunds(100);
        deployFunds(30);
        assertEq(term.books().deployed, 130, "both");
    }

    function test_anyone_repays_and_what_is_more_than_was_deployed_is_free() public {
        uint256 free = freeInterest();
        deployFunds(100);
        fundTerm(carol, 130);
        refused(carol, abi.encodeCall(term.repay, (0)), zero());
        vm.expectEmit(address(term));
        emit TermEvents.Repaid(carol, 130);
        vm.prank(carol);
        term.repay(130);
        assertEq(term.books().deployed, 0, "deployed");
        assertEq(freeInterest(), free + 30, "free");
    }

    function test_without_cash_a_payment_waits_and_early_exits_leave_half_the_buffer() public {
        deployFunds(1_600_000 * DOLLAR);
        uint256 interest = dueOf(soon) - PRINCIPAL;
        // Early: 100 000 of the principal left, half of its buffer, and the interest of Bob stay.
        TermDeposit.Books memory books = term.books();
        uint256 available = books.cash - (books.reserved - interest) - 100_000 * DOLLAR;
        refused(
            alice,
            abi.encodeCall(term.exitEarly, (soon, PRINCIPAL, 0)),
            abi.encodeWithSelector(TermEvents.InsufficientCash.selector, PRINCIPAL, available)
        );
        vm.warp(START + 7 days);
        available = books.cash - (books.reserved - interest);
        refused(
            alice,
            abi.encodeCall(term.close, (soon)),
            abi.encodeWithSelector(TermEvents.InsufficientCash.selector, PRINCIPAL + interest, available)
        );
        repayFunds(PRINCIPAL + interest - available);
        assertEq(closeFor(alice, soon), PRINCIPAL + interest, "paid");
    }

    function test_a_donation_changes_nothing() public {
        bytes32 books = keccak256(abi.encode(term.books()));
        uint256 coverage = term.coverage();
        dollar.mint(address(term), 1e30);
        assertEq(keccak256(abi.encode(term.books())), books, "accounts");
        assertEq(term.coverage(), coverage, "coverage");
    }

    function test_coverage_is_assets_over_liabilities() public {
        TermDeposit.Books memory books = term.books();
        assertEq(term.coverage(), (RESERVE + 2 * PRINCIPAL) * WAD / books.liabilities, "coverage");
        vm.warp(START + 366 days);
        closeFor(alice, soon);
        closeFor(bob, late);
        assertEq(term.coverage(), NEVER, "nothing is owed");
    }

    // ── Losses ──────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev Whoever sees a loss coming could stop its booking by paying a unit back.
    function test_of_a_loss_at_most_what_is_deployed_counts() public {
        refused(reporter, abi.encodeCall(term.bookLoss, (1, "evidence")), zero());
        deployFunds(100);
        refused(reporter, abi.encodeCall(term.bookLoss, (0, "evidence")), zero());
        repayFunds(1);
        vm.expectEmit(address(term));
        emit TermEvents.LossBooked(99, "evidence");
        bookLoss(100);
        assertEq(term.books().deployed, 0, "all that was deployed");
    }

    function test_a_loss_the_free_interest_bears_changes_nothing_for_depositors() public {
        deployFunds(1_600_000 * DOLLAR);
        uint256 free = freeInterest();
        vm.expectEmit(address(term));
        emit TermEvents.LossBooked(free, "evidence");
        bookLoss(free);
        assertEq(freeInterest(), 0, "borne by the free interest");
        assertEq(term.coverage(), WAD, "covered");
        repayFunds(800_000 * DOLLAR);
        vm.warp(START + 7 days);
        assertEq(closeFor(alice, soon), dueOfAlice(), "paid in full");
        refused(carol, abi.encodeCall(term.claim, (late)), notApproved(carol, late));
    }

    function dueOfAlice() private pure returns (uint256) {
        return PRINCIPAL + PRINCIPAL * 3 * 7 / 36_500;
    }

    function notApproved(address account, uint256 id) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IERC721Errors.ERC721InsufficientApproval.selector, account, id);
    }

    // ── Winding down ────────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev Half of all that is owed is lost.
    function lose() private returns (uint256 claims) {
        deployFunds(1_600_000 * DOLLAR);
        claims = term.books().liabilities;
        reportLossOfTerm(1_600_000 * DOLLAR);
        vm.expectEmit(address(term));
        emit TermEvents.WindingDown(claims, RESERVE + 400_000 * DOLLAR);
        confirmLossOfTerm();
    }

    function test_one_unit_more_than_the_free_interest_winds_the_product_down() public {
        deployFunds(1_600_000 * DOLLAR);
        bookLoss(freeInterest());
        assertEq(term.books().claims, 0, "not yet");
        bookLoss(1);
        TermDeposit.Books memory books = term.books();
        assertEq(books.claims, books.liabilities, "claims");
        assertEq(books.claims - books.reserved, 2 * PRINCIPAL, "of which these are principals");
    }

    function test_a_shortfall_pays_every_receipt_the_same_fraction_whoever_comes_first() public {
        uint256 claims = lose();
        uint256 cash = RESERVE + 400_000 * DOLLAR;
        assertEq(term.coverage(), cash * WAD / claims, "coverage");
        uint256 first = cash / 2;
        vm.expectEmit(address(term));
        emit TermEvents.Claimed(late, bob, first);
        vm.prank(bob);
        assertEq(term.claim(late), first, "bob first");
        assertEq(dollar.balanceOf(bob), first, "received");
        vm.warp(START + 7 days);
        vm.prank(alice);
        assertEq(term.claim(soon), cash / 2, "alice a week later, the same fraction");
        bytes memory nothing = abi.encodeWithSelector(TermEvents.NothingToClaim.selector, soon);
        refused(alice, abi.encodeCall(term.claim, (soon)), nothing);
        // More comes back: again the same for both, whoever has drawn.
        fundTerm(carol, 500_000 * DOLLAR);
        vm.prank(carol);
        term.repay(500_000 * DOLLAR);
        uint256 received = cash + 500_000 * DOLLAR;
        assertEq(term.claimable(soon), received / 2 - first, "alice");
        assertEq(term.claimable(late), received / 2 - first, "bob");
        (, uint256 paid) = term.receiptOf(late);
        assertEq(paid, first, "what bob has drawn");
    }

    function test_interest_is_not_paid_before_its_time_even_if_all_money_comes_back() public {
        uint256 claims = lose();
        fundTerm(carol, 3 * PRINCIPAL);
        vm.prank(carol);
        term.repay(3 * PRINCIPAL);
        assertEq(term.claimable(late), PRINCIPAL, "no interest yet");
        vm.warp(START + 73 days);
        assertEq(term.claimable(late), PRINCIPAL + PRINCIPAL * 8 / 500, "a fifth of the year's interest");
        vm.prank(bob);
        term.claim(late);
        vm.warp(START + 365 days);
        vm.prank(bob);
        term.claim(late);
        assertEq(dollar.balanceOf(bob), PRINCIPAL + PRINCIPAL * 8 / 100, "all in the end");
        assertEq(receiptOf(late).status, Receipts.SETTLED, "settled");
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, late));
        term.ownerOf(late);
        assertEq(term.claimable(late), 0, "nothing more");
        vm.prank(alice);
        term.claim(soon);
        assertEq(dollar.balanceOf(alice), dueOfAlice(), "alice too");
        TermDeposit.Books memory books = term.books();
        assertTrue(books.liabilities == 0 && books.claims == claims, "nothing is owed");
        // What was more than the claims is the operator's.
        uint256 most = books.cash;
        refused(treasurer, abi.encodeCall(term.withdrawInterest, (most + 1)), tooHigh(most + 1, most));
        vm.prank(treasurer);
        term.withdrawInterest(books.cash);
    }

    /// @dev The interest of so small a receipt is a single unit, which it has earned some minutes before its maturity.
    function test_a_receipt_paid_in_full_a_second_before_its_maturity_is_settled() public {
        vm.prank(owner);
        term.setLimits(TERM_CAP, 0);
        uint256 small = openFor(alice, WEEK, 1_739);
        deployFunds(1_600_000 * DOLLAR);
        bookLoss(1_000_000 * DOLLAR);
        fundReserve(3 * PRINCIPAL);
        vm.warp(START + 7 days - 1);
        vm.prank(alice);
        assertEq(term.claim(small), 1_740, "all of it");
        (TermDeposit.Deposit memory deposit, uint256 paid) = term.receiptOf(small);
        assertTrue(deposit.status == Receipts.SETTLED && paid == 1_740, "settled");
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, small));
        term.ownerOf(small);
    }

    function test_in_a_winding_down_the_operator_takes_nothing_the_claims_need() public {
        lose();
        refused(treasurer, abi.encodeCall(term.withdrawInterest, (1)), tooHigh(1, 0));
        bytes memory closed = abi.encodeWithSelector(TermEvents.ProductWindingDown.selector);
        refused(treasurer, abi.encodeCall(term.deploy, (1)), closed);
        fundReserve(3 * PRINCIPAL);
        TermDeposit.Books memory books = term.books();
        uint256 most = books.cash - books.liabilities;
        refused(treasurer, abi.encodeCall(term.withdrawInterest, (most + 1)), tooHigh(most + 1, most));
        vm.prank(treasurer);
        term.withdrawInterest(most);
        vm.warp(START + 366 days);
        vm.prank(bob);
        assertEq(term.claim(late), PRINCIPAL + PRINCIPAL * 8 / 100, "bob in full");
        vm.prank(alice);
        assertEq(term.claim(soon), dueOfAlice(), "alice in full");
    }

    /// @dev What is free counts money that is deployed, and may not come back.
    function test_in_a_winding_down_the_claims_come_first_also_while_money_is_deployed() public {
        deployFunds(1_600_000 * DOLLAR);
        bookLoss(1_000_000 * DOLLAR);
        fundReserve(1_200_000 * DOLLAR);
        TermDeposit.Books memory books = term.books();
        assertTrue(freeInterest() > 0 && books.cash < books.liabilities, "free, but not in cash");
        refused(treasurer, abi.encodeCall(term.withdrawInterest, (1)), tooHigh(1, 0));
    }

    function test_in_a_winding_down_there_is_no_other_way_in_or_out() public {
        lose();
        fundReserve(3 * PRINCIPAL);
        bytes memory closed = abi.encodeWithSelector(TermEvents.ProductWindingDown.selector);
        fundTerm(alice, 100 * DOLLAR);
        refused(alice, abi.encodeCall(term.open, (WEEK, 100 * DOLLAR, NEVER)), closed);
        refused(alice, abi.encodeCall(term.exitEarly, (soon, PRINCIPAL, 0)), closed);
        vm.prank(alice);
        term.setAutoRoll(soon, WEEK, 0, 1);
        vm.warp(START + 7 days);
        refused(alice, abi.encodeCall(term.close, (soon)), closed);
        refused(alice, abi.encodeCall(term.rollover, (soon, WEEK, 0, 1)), closed);
        refused(carol, abi.encodeCall(term.autoRoll, (soon)), closed);
        refused(carol, abi.encodeCall(term.demand, (soon)), closed);
    }

    function test_claims_stay_open_under_a_pause_and_to_exit_only_wallets_and_close_to_frozen_ones() public {
        lose();
        vm.prank(guardian);
        term.pause();
        revoke(alice);
        freeze(bob, true);
        vm.prank(alice);
        term.claim(soon);
        bytes memory frozen = abi.encodeWithSelector(TermEvents.ERC7943CannotSend.selector, bob);
        refused(bob, abi.encodeCall(term.claim, (late)), frozen);
        refused(alice, abi.encodeCall(term.claim, (late)), notApproved(alice, late));
        refused(
            alice,
            abi.encodeCall(term.claim, (99)),
            abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 99)
        );
    }

    function test_a_receipt_moves_with_its_share_in_a_winding_down() public {
        lose();
        vm.prank(alice);
        term.claim(soon);
        vm.prank(alice);
        term.transferFrom(alice, bob, soon);
        assertEq(term.claimable(soon), 0, "what alice has drawn is drawn");
        fundReserve(1_000 * DOLLAR);
        vm.prank(bob);
        assertTrue(term.claim(soon) > 0, "the rest is bob's");
    }

    function test_further_losses_in_a_winding_down_change_no_share() public {
        deployFunds(1_600_000 * DOLLAR);
        bookLoss(1_000_000 * DOLLAR);
        uint256 share = term.claimable(soon);
        bookLoss(600_000 * DOLLAR);
        assertEq(term.claimable(soon), share, "shares are of cash");
    }

    function test_a_further_loss_after_a_claim_leaves_the_claims_as_they_were() public {
        deployFunds(1_600_000 * DOLLAR);
        bookLoss(1_000_000 * DOLLAR);
        uint256 claims = term.books().claims;
        uint256 share = term.claimable(late);
        vm.prank(alice);
        term.claim(soon);
        bookLoss(600_000 * DOLLAR);
        assertEq(term.books().claims, claims, "claims");
        assertEq(term.claimable(late), share, "and shares of them");
    }

    function test_a_receipt_closed_before_a_winding_down_has_nothing_to_claim() public {
        vm.warp(START + 7 days);
        closeFor(alice, soon);
        deployFunds(800_000 * DOLLAR);
        bookLoss(800_000 * DOLLAR);
        assertEq(term.claimable(soon), 0, "closed");
        assertTrue(term.claimable(late) > 0, "live");
    }

    function test_outside_a_winding_down_there_is_nothing_to_claim() public {
        assertEq(term.claimable(soon), 0, "claimable");
        bytes memory nothing = abi.encodeWithSelector(TermEvents.NothingToClaim.selector, soon);
        refused(alice, abi.encodeCall(term.claim, (soon)), nothing);
    }

    // ── Demands ─────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_payment_demanded_and_missed_for_three_days_winds_the_product_down() public {
        deployFunds(1_600_000 * DOLLAR);
        vm.warp(START + 7 days);
        vm.expectEmit(address(term));
        emit TermEvents.PaymentDemanded(soon);
        vm.prank(alice);
        term.demand(soon);
        vm.warp(START + 10 days - 1);
        refused(
            carol,
            abi.encodeCall(term.demand, (soon)),
            abi.encodeWithSelector(TermEvents.DemandedAlready.selector, soon, START + 7 days)
        );
        vm.warp(START + 10 days);
        vm.prank(carol);
        term.demand(soon);
        assertTrue(term.books().claims > 0, "wound down");
        assertTrue(term.claimable(soon) > 0, "a share at once");
    }

    function test_a_demand_runs_out_after_five_days() public {
        deployFunds(1_600_000 * DOLLAR);
        vm.warp(START + 7 days);
        term.demand(soon);
        vm.warp(START + 12 days + 1);
        term.demand(soon);
        assertEq(term.books().claims, 0, "demanded anew");
        skip(5 days);
        term.demand(soon);
        assertTrue(term.books().claims > 0, "the last second of the window counts");
    }

    function test_only_a_payment_that_is_due_and_missed_can_be_demanded() public {
        bytes memory nothing = abi.encodeWithSelector(TermEvents.NothingToDemand.selector, soon);
        deployFunds(1_600_000 * DOLLAR);
        refused(alice, abi.encodeCall(term.demand, (soon)), nothing);
        vm.warp(START + 7 days);
        term.demand(soon);
        repayFunds(1_000_000 * DOLLAR);
        vm.warp(START + 10 days);
        refused(alice, abi.encodeCall(term.demand, (soon)), nothing);
        closeFor(alice, soon);
        refused(alice, abi.encodeCall(term.demand, (soon)), nothing);
        refused(
            alice, abi.encodeCall(term.demand, (99)), abi.encodeWithSelector(TermEvents.NothingToDemand.selector, 99)
        );
    }

    /// @dev Cash paid in for it by itself could be taken by others just before the second demand, which ends the product.
    function test_who_brings_a_demanded_payment_pays_it_out_in_the_same_call() public {
        deployFunds(1_600_000 * DOLLAR);
        vm.warp(START + 7 days);
        term.demand(soon);
        uint256 due = dueOf(soon);
        fundTerm(custodian, 0);
        uint256 before = term.books().cash;
        vm.prank(custodian);
        assertEq(term.repayAndClose(PRINCIPAL, soon), due, "principal and interest");
        assertEq(dollar.balanceOf(alice), due, "to its owner");
        TermDeposit.Books memory books = term.books();
        assertEq(books.cash, before + PRINCIPAL - due, "nothing of it was left to take");
        assertEq(books.deployed, 600_000 * DOLLAR, "and it came back");
        vm.warp(START + 10 days);
        bytes memory nothing = abi.encodeWithSelector(TermEvents.NothingToDemand.selector, soon);
        refused(carol, abi.encodeCall(term.demand, (soon)), nothing);
    }

    function test_anyone_closes_a_receipt_that_was_demanded_and_no_other() public {
        deployFunds(1_600_000 * DOLLAR);
        vm.warp(START + 7 days);
        refused(carol, abi.encodeCall(term.close, (soon)), notApproved(carol, soon));
        term.demand(soon);
        repayFunds(PRINCIPAL);
        uint256 due = dueOf(soon);
        vm.prank(carol);
        term.close(soon);
        assertEq(dollar.balanceOf(alice), due, "its owner is paid");
        refused(
            carol,
            abi.encodeCall(term.close, (soon)),
            abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, soon)
        );
        refused(carol, abi.encodeCall(term.close, (late)), notApproved(carol, late));
    }

    /// @dev What is brought for a payment nobody demanded stays the caller's.
    function test_nothing_is_brought_for_a_receipt_that_is_not_demanded_by_a_stranger() public {
        vm.warp(START + 7 days);
        fundTerm(carol, 1);
        refused(carol, abi.encodeCall(term.repayAndClose, (1, soon)), notApproved(carol, soon));
        assertEq(dollar.balanceOf(carol), 1, "not a unit");
    }

    /// @dev Anyone may fetch it for its owner, so it need not be kept apart.
    function test_a_demanded_receipt_that_nobody_fetches_holds_no_early_exit() public {
        deployFunds(1_600_000 * DOLLAR);
        vm.warp(START + 7 days);
        term.demand(soon);
        repayFunds(1_400_000 * DOLLAR);
        vm.prank(bob);
        assertTrue(term.exitEarly(late, PRINCIPAL, 0) > 0, "paid");
    }

    /// @dev Of one dollar lost, else, an unearned tenfold of interest would take nine tenths.
    function test_principals_rank_before_interest_in_a_winding_down() public {
        vm.prank(owner);
        uint256 rich = term.addTerm(4, 3, 0.4e18, 0, 0, TERM_CAP, true);
        fundReserve(2_000_000 * DOLLAR);
        uint256 greedy = openFor(carolBound(), rich, PRINCIPAL);
        deployFunds(2_400_000 * DOLLAR);
        // All the reserve is promised or withdrawn, so that cash is what is left of the principals and the interest.
        uint256 free = freeInterest();
        vm.prank(treasurer);
        term.withdrawInterest(free);
        bookLoss(2_400_000 * DOLLAR);
        uint256 cash = term.books().cash;
        assertTrue(cash < 3 * PRINCIPAL, "not all principals");
        assertEq(term.claimable(soon), cash / 3, "alice");
        assertEq(term.claimable(late), cash / 3, "bob");
        assertEq(term.claimable(greedy), cash / 3, "carol, whatever rate she was promised");
        // Once the principals are covered, interest has its part of what is more.
        fundTerm(address(this), 3 * PRINCIPAL - cash + 100_000 * DOLLAR);
        term.repay(3 * PRINCIPAL - cash + 100_000 * DOLLAR);
        vm.warp(START + 4 * 366 days);
        uint256 interests = term.books().reserved;
        for (uint256 id = soon; id <= greedy; ++id) {
            uint256 interest = dueOf(id) - PRINCIPAL;
            assertEq(term.claimable(id), PRINCIPAL + interest * 100_000 * DOLLAR / interests, "the same fraction");
        }
    }

    function carolBound() private returns (address) {
        if (!identities.canReceive(carol)) bindWallet(CAROL_KEY, 0xc3);
        return carol;
    }

    function test_a_term_earns_at_most_twice_the_principal() public {
        vm.prank(owner);
        term.addTerm(730, 0, 1e18, 0, 0, TERM_CAP, true);
        vm.expectRevert(TermEvents.InvalidParameters.selector);
        vm.prank(owner);
        term.addTerm(731, 0, 1e18, 0, 0, TERM_CAP, true);
        vm.prank(owner);
        term.addTerm(3650, 0, 0.2e18, 0, 0, TERM_CAP, true);
        vm.expectRevert(TermEvents.InvalidParameters.selector);
        vm.prank(owner);
        term.addTerm(3650, 0, 0.2e18 + 1, 0, 0, TERM_CAP, true);
    }

    /// @dev A payment takes the principal out of the cash that is not reserved, and the interest out of what is.
    function test_a_payment_is_missed_when_a_unit_of_the_principal_is_not_there() public {
        deployFunds(1_600_000 * DOLLAR);
        vm.warp(START + 7 days);
        TermDeposit.Books memory books = term.books();
        repayFunds(PRINCIPAL + books.reserved - books.cash);
        bytes memory nothing = abi.encodeWithSelector(TermEvents.NothingToDemand.selector, soon);
        refused(alice, abi.encodeCall(term.demand, (soon)), nothing);
        deployFunds(1);
        vm.expectEmit(address(term));
        emit TermEvents.PaymentDemanded(soon);
        term.demand(soon);
    }

    /// @dev An exit-only wallet still has a right to its payment.
    function test_the_payment_of_an_exit_only_wallet_can_be_demanded() public {
        deployFunds(1_600_000 * DOLLAR);
        vm.warp(START + 7 days);
        revoke(alice);
        term.demand(soon);
        vm.warp(START + 10 days);
        term.demand(soon);
        assertTrue(term.books().claims > 0, "wound down");
    }

    /// @dev Interest is promised out of cash: what is free only in deployed money does not count.
    function test_a_rollover_whose_interest_is_free_only_in_deployed_money_is_refused() public {
        uint256 third = openFor(alice, WEEK, 522_000 * DOLLAR);
        deployFunds((2 * PRINCIPAL + 522_000 * DOLLAR) * 8 / 10);
        vm.warp(START + 7 days);
        closeFor(alice, third);
        TermDeposit.Books memory books = term.books();
        (, uint256 interest) = term.quote(MONTH, PRINCIPAL);
        uint256 inCash = books.cash - books.reserved;
        assertTrue(freeInterest() > interest && inCash < interest, "free in all, but not in cash");
        bytes memory exhausted = abi.encodeWithSelector(TermEvents.ReserveExhausted.selector, interest, inCash);
        refused(alice, abi.encodeCall(term.rollover, (soon, MONTH, 0, 1)), exhausted);
    }

    /// @dev The last number that fits the receipts' field.
    function test_the_term_after_the_last_that_fits_is_refused() public {
        for (uint256 i = 4; i < 65_536; ++i) {
            addTerm(term, 1, 0, 0.01e18, 0, 0);
        }
        vm.expectRevert(TermEvents.InvalidParameters.selector);
        vm.prank(owner);
        term.addTerm(1, 0, 0.01e18, 0, 0, TERM_CAP, true);
    }

    function test_a_plain_transfer_says_nothing_of_an_instruction() public {
        vm.recordLogs();
        vm.prank(bob);
        term.transferFrom(bob, alice, late);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            assertTrue(logs[i].topics[0] != TermEvents.AutoRollSet.selector, "no AutoRollSet");
        }
        assertTrue(logs.length > 0, "but a Transfer");
    }

    function test_the_payment_of_a_frozen_wallet_cannot_end_the_product() public {
        deployFunds(1_600_000 * DOLLAR);
        vm.warp(START + 7 days);
        freeze(alice, true);
        bytes memory nothing = abi.encodeWithSelector(TermEvents.NothingToDemand.selector, soon);
        refused(alice, abi.encodeCall(term.demand, (soon)), nothing);
        freeze(alice, false);
        term.demand(soon);
        freeze(alice, true);
        vm.warp(START + 10 days);
        refused(carol, abi.encodeCall(term.demand, (soon)), nothing);
    }
}
