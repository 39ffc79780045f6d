// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessManaged} from "@openzeppelin/contracts/access/manager/IAccessManaged.sol";
import {IDemandVault} from "../../src/vault/IDemandVault.sol";
import {World} from "../support/World.sol";

/// @dev A large loss, which waits a day for the confirmer, and money paid back just before one.
contract DemandVaultReviewTest is World {
    uint256 private constant ALL = 100_000 * DOLLAR;

    function setUp() public {
        deployWorld();
        depositFor(alice, ALL);
        depositFor(bob, ALL);
        skip(1 hours);
        deployMoney(150_000 * DOLLAR);
    }

    function refuse(bytes memory call_, bytes memory reason, address caller) private {
        vm.prank(caller);
        (bool done, bytes memory answer) = address(vault).call(call_);
        assertTrue(!done, "refused");
        assertEq(keccak256(answer), keccak256(reason), "for this reason");
    }

    function test_a_loss_above_a_hundredth_is_reviewed_for_a_day_in_which_all_that_needs_a_price_waits() public {
        request(alice, 1_000e12);
        skip(1 hours);
        reportGain(0);
        uint64 until = time() + 1 hours + 1 days;
        skip(1 hours);
        vm.expectEmit(address(vault));
        emit IDemandVault.LossReviewed(until);
        reportLoss(2_000 * DOLLAR);
        request(bob, 1_000e12);
        (uint256 loss, uint64 until_) = vault.reviewedLoss();
        assertEq(loss, 2_000 * DOLLAR, "the loss");
        assertEq(until_, until, "a day");
        vm.warp(until - 1);
        assertEq(vault.maxDeposit(alice), 0, "no deposits");
        assertEq(vault.maxWithdraw(alice), 0, "no instant exits");
        assertEq(vault.maxDeploy(), 0, "nothing is deployed");
        bytes memory waits = abi.encodeWithSelector(IDemandVault.LossUnderReview.selector, until);
        uint64 asOf = time();
        refuse(abi.encodeCall(vault.report, (0, asOf, "evidence")), waits, reporter);
        assertEq(claim(alice), 1_000 * DOLLAR, "what was paid before it is claimed");
        vm.warp(until);
        assertEq(vault.totalAssets(), 2 * ALL - 3_000 * DOLLAR, "it stands");
        assertTrue(vault.maxWithdraw(alice) > 0, "exits are open");
        assertTrue(vault.maxDeposit(alice) > 0, "deposits too");
        skip(1);
        reportGain(0);
        queue.process();
        assertTrue(claim(bob) < 1_000 * DOLLAR, "and borne");
    }

    function test_processing_waits_for_the_review() public {
        request(alice, 1_000e12);
        skip(1 hours);
        reportLoss(2_010 * DOLLAR);
        (, uint64 until) = vault.reviewedLoss();
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.LossUnderReview.selector, until));
        queue.process();
        vm.warp(until);
        queue.process();
        assertEq(claim(alice), 989_950_000, "with the loss");
    }

    function test_the_confirmer_takes_a_loss_back_and_everything_is_as_before() public {
        reportGain(4 * DOLLAR);
        skip(VESTING / 4);
        uint256 before = vault.totalAssets();
        reportLoss(3_000 * DOLLAR);
        assertEq(vault.totalAssets(), before - 2_997 * DOLLAR, "the stream bears 3");
        skip(1 hours);
        vm.expectEmit(address(vault));
        emit IDemandVault.LossTakenBack(
            3_000 * DOLLAR, int256(before), 3 * DOLLAR, time(), time() + VESTING, 0
        );
        vm.prank(confirmer);
        vault.takeBackLoss();
        assertEq(vault.totalAssets(), before, "the price of before");
        assertEq(vault.desk().deployed, 150_000 * DOLLAR, "with the custodian again");
        assertEq(vault.desk().lossUntil, 0, "no fresh loss");
        assertTrue(vault.maxDeposit(alice) > 0, "deposits are open");
        assertTrue(vault.maxWithdraw(alice) > 0, "exits too");
        skip(VESTING);
        assertEq(vault.totalAssets(), 2 * ALL + 4 * DOLLAR, "what was streamed too");
    }

    function test_a_take_back_leaves_deposits_closed_by_an_earlier_loss() public {
        reportLoss(1_000 * DOLLAR);
        uint64 earlier = time() + 1 days;
        skip(6 hours);
        reportLoss(3_000 * DOLLAR);
        assertEq(vault.desk().lossUntil, earlier + 6 hours, "by the later loss");
        vm.prank(confirmer);
        vault.takeBackLoss();
        assertEq(vault.desk().lossUntil, earlier, "by the earlier one, which stands");
        assertEq(vault.maxDeposit(alice), 0, "deposits wait");
        vm.warp(earlier);
        assertTrue(vault.maxDeposit(alice) > 0, "for the rest of its day");
    }

    /// @dev Its moment, which no later act moves, came while the income was not in the price.
    function test_a_request_made_payable_by_a_loss_is_paid_the_price_of_its_processing_after_the_loss_is_taken_back()
        public
    {
        request(alice, 1_000e12);
        reportGain(4 * DOLLAR);
        uint64 moment = queue.payableFrom(alice);
        skip(VESTING / 4);
        request(bob, 1_000e12);
        skip(1);
        reportLoss(3_000 * DOLLAR);
        assertEq(queue.payableFrom(bob), moment, "bob is behind alice, and has no stream to wait for");
        vm.prank(confirmer);
        vault.takeBackLoss();
        assertEq(queue.payableFrom(alice), moment, "the moment stays");
        vm.warp(moment);
        uint256 worth = vault.previewRedeem(2_000e12);
        assertTrue(vault.totalAssets() < 2 * ALL + 4 * DOLLAR, "a part is streamed later");
        queue.process();
        assertEq(claim(alice) + claim(bob), worth, "the price of now");
    }

    function test_the_confirmer_confirms_a_loss_and_exits_open_at_once() public {
        reportLoss(3_000 * DOLLAR);
        uint64 until = time() + 1 days;
        vm.expectEmit(address(vault));
        emit IDemandVault.LossConfirmed();
        vm.prank(confirmer);
        vault.confirmLoss();
        assertEq(vault.totalAssets(), 2 * ALL - 3_000 * DOLLAR, "it stands");
        assertTrue(vault.maxWithdraw(alice) > 0, "exits are open");
        assertEq(vault.desk().lossUntil, until, "nobody buys into it before its day is over");
        assertEq(vault.maxDeposit(alice), 0, "deposits wait");
        (, uint64 ended) = vault.reviewedLoss();
        assertEq(ended, time(), "its review is over");
        refuse(reportAgain(3_000 * DOLLAR), needsConfirmer(ended + 7 days), reporter);
        uint256 snapshot = vm.snapshotState();
        vm.warp(until);
        assertTrue(vault.maxDeposit(alice) > 0, "then they are open");
        vm.revertToState(snapshot);
        bytes memory over = abi.encodeWithSelector(IDemandVault.NoLossUnderReview.selector);
        refuse(abi.encodeCall(vault.takeBackLoss, ()), over, confirmer);
        vm.warp(ended + 7 days);
        refuse(abi.encodeCall(vault.confirmLoss, ()), over, confirmer);
    }

    function test_nobody_but_the_confirmer_decides_and_not_after_its_day() public {
        reportLoss(3_000 * DOLLAR);
        address[4] memory others = [owner, reporter, guardian, alice];
        for (uint256 i = 0; i < 4; ++i) {
            bytes memory not = abi.encodeWithSelector(IAccessManaged.AccessManagedUnauthorized.selector, others[i]);
            refuse(abi.encodeCall(vault.confirmLoss, ()), not, others[i]);
            refuse(abi.encodeCall(vault.takeBackLoss, ()), not, others[i]);
        }
        skip(1 days);
        bytes memory over = abi.encodeWithSelector(IDemandVault.NoLossUnderReview.selector);
        refuse(abi.encodeCall(vault.takeBackLoss, ()), over, confirmer);
    }

    /// @dev A false loss that nobody took back within its day.
    function test_the_confirmer_restores_a_loss_that_stands_and_it_is_streamed() public {
        reportLoss(3_000 * DOLLAR);
        skip(1 days);
        assertEq(vault.standingLoss(), 3_000 * DOLLAR, "it stands");
        uint256 before = vault.totalAssets();
        vm.expectEmit(address(vault));
        emit IDemandVault.LossRestored(
            2_000 * DOLLAR, int256(before), 2_000 * DOLLAR, time(), time() + VESTING
        );
        vm.prank(confirmer);
        vault.restore(2_000 * DOLLAR);
        assertEq(vault.standingLoss(), 1_000 * DOLLAR, "the rest stands");
        assertEq(vault.desk().deployed, 149_000 * DOLLAR, "with the custodian again");
        assertEq(vault.totalAssets(), before, "nobody gains by a deposit just before");
        skip(VESTING);
        assertEq(vault.totalAssets(), before + 2_000 * DOLLAR, "all of it is streamed");
        repayMoney(149_000 * DOLLAR);
        assertEq(vault.maxWithdraw(alice) + vault.maxWithdraw(bob), 2 * ALL - 1_000 * DOLLAR, "and can be paid");
    }

    function test_the_confirmer_alone_restores_and_at_most_what_stands() public {
        reportLoss(1_000 * DOLLAR);
        address[4] memory others = [owner, reporter, guardian, alice];
        for (uint256 i = 0; i < 4; ++i) {
            bytes memory not = abi.encodeWithSelector(IAccessManaged.AccessManagedUnauthorized.selector, others[i]);
            refuse(abi.encodeCall(vault.restore, (1)), not, others[i]);
        }
        refuse(abi.encodeCall(vault.restore, (0)), abi.encodeWithSelector(IDemandVault.ZeroAmount.selector), confirmer);
        skip(1);
        reportLoss(3_000 * DOLLAR);
        (, uint64 until) = vault.reviewedLoss();
        bytes memory waits = abi.encodeWithSelector(IDemandVault.LossUnderReview.selector, until);
        refuse(abi.encodeCall(vault.restore, (1)), waits, confirmer);
        vm.prank(confirmer);
        vault.takeBackLoss();
        uint256 standing = 1_000 * DOLLAR;
        bytes memory tooMuch =
            abi.encodeWithSelector(IDemandVault.ExceedsStandingLoss.selector, standing + 1, standing);
        refuse(abi.encodeCall(vault.restore, (standing + 1)), tooMuch, confirmer);
        vm.prank(confirmer);
        vault.restore(standing);
        assertEq(vault.desk().deployed, 150_000 * DOLLAR, "all that was deployed");
        refuse(
            abi.encodeCall(vault.restore, (1)),
            abi.encodeWithSelector(IDemandVault.ExceedsStandingLoss.selector, 1, 0),
            confirmer
        );
    }

    function reportAgain(uint256 loss) private returns (bytes memory) {
        skip(1);
        return abi.encodeCall(vault.report, (-int256(loss), time(), "evidence"));
    }

    function needsConfirmer(uint64 until) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IDemandVault.LossNeedsConfirmer.selector, until);
    }

    /// @dev Else it would count a second later, unreviewed.
    function test_a_loss_that_was_taken_back_is_not_reported_again_without_the_confirmer() public {
        reportLoss(3_000 * DOLLAR);
        vm.prank(confirmer);
        vault.takeBackLoss();
        uint64 until = time() + 7 days;
        refuse(reportAgain(3_000 * DOLLAR), needsConfirmer(until), reporter);
        vm.warp(until - 2);
        refuse(reportAgain(3_000 * DOLLAR), needsConfirmer(until), reporter);
        assertEq(vault.totalAssets(), 2 * ALL, "nothing is lost");
        skip(1);
        reportLoss(3_000 * DOLLAR);
        (, uint64 next) = vault.reviewedLoss();
        assertEq(next, until + 1 days, "after them it is reviewed again");
    }

    /// @dev A true loss of a little more than a hundredth, and then everything.
    function test_a_loss_after_one_that_stands_needs_the_confirmer_too() public {
        reportLoss(2_001 * DOLLAR);
        (, uint64 stands) = vault.reviewedLoss();
        vm.warp(stands);
        refuse(reportAgain(147_000 * DOLLAR), needsConfirmer(stands + 7 days), reporter);
        reportGain(0);
        assertTrue(vault.maxWithdraw(alice) > 0, "other reports are taken and exits stay open");
        vm.expectEmit(address(vault));
        emit IDemandVault.LossConfirmed();
        vm.prank(confirmer);
        vault.confirmLoss();
        (, uint64 forgotten) = vault.reviewedLoss();
        assertEq(forgotten, 0, "the last review no longer counts");
        skip(1);
        reportLoss(147_000 * DOLLAR);
        (uint256 loss, uint64 until) = vault.reviewedLoss();
        assertEq(until, time() + 1 days, "it is reviewed");
        vm.prank(confirmer);
        vault.takeBackLoss();
        assertEq(loss, 147_000 * DOLLAR, "and can be taken back");
        assertEq(vault.totalAssets(), 2 * ALL - 2_001 * DOLLAR, "all of it");
    }

    /// @dev Many small ones were never reviewed.
    function test_losses_less_than_seven_days_apart_are_added_up() public {
        reportLoss(1_000 * DOLLAR);
        skip(7 days - 1);
        reportLoss(900 * DOLLAR);
        (, uint64 until) = vault.reviewedLoss();
        assertEq(until, 0, "not yet a hundredth");
        skip(1);
        reportLoss(80 * DOLLAR);
        (, until) = vault.reviewedLoss();
        assertEq(until, 0, "1 980 of 198 100");
        skip(1);
        reportLoss(10 * DOLLAR);
        (uint256 loss, uint64 until_) = vault.reviewedLoss();
        assertEq(until_, time() + 1 days, "1 990");
        assertEq(loss, 10 * DOLLAR, "of which the last can be taken back");
    }

    function test_seven_days_without_a_loss_begin_a_new_sum() public {
        reportLoss(1_900 * DOLLAR);
        skip(7 days);
        reportLoss(1_900 * DOLLAR);
        (, uint64 until) = vault.reviewedLoss();
        assertEq(until, 0, "each by itself");
    }

    /// @dev What a review looked at is not counted a second time.
    function test_a_reviewed_loss_is_not_in_the_next_sum() public {
        reportLoss(3_000 * DOLLAR);
        (, uint64 until) = vault.reviewedLoss();
        vm.warp(until);
        reportLoss(1_970 * DOLLAR);
        (, uint64 still) = vault.reviewedLoss();
        assertEq(still, until, "a hundredth, not reviewed");
        refuse(reportAgain(100 * DOLLAR), needsConfirmer(until + 7 days), reporter);
    }

    function test_a_loss_up_to_a_hundredth_is_not_reviewed() public {
        reportLoss(2_000 * DOLLAR);
        (, uint64 until) = vault.reviewedLoss();
        assertEq(until, 0, "a hundredth");
        assertTrue(vault.maxWithdraw(alice) > 0, "exits stay open");
    }

    /// @dev Whoever sees the report of a loss coming could stop it by paying a unit back.
    function test_money_paid_back_just_before_does_not_stop_the_report_of_a_loss() public {
        repayMoney(1);
        vm.expectEmit(address(vault));
        emit IDemandVault.Reported(
            -int256(150_000 * DOLLAR - 1), time(), "evidence", int256(50_000 * DOLLAR + 1), 0, time(), START + VESTING
        );
        reportLoss(150_000 * DOLLAR);
        assertEq(vault.desk().deployed, 0, "all that was deployed");
    }
}
