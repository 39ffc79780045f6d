// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {DemandVault} from "../../src/DemandVault.sol";
import {IDemandVault} from "../../src/vault/IDemandVault.sol";
import {ProductRegistry} from "../../src/ProductRegistry.sol";
import {RedemptionQueue} from "../../src/RedemptionQueue.sol";
import {QueueLine} from "../../src/queue/QueueLine.sol";
import {IERC7540Operator, IERC7540Redeem} from "../../src/interfaces/IERC7540Redeem.sol";
import {World} from "../support/World.sol";

/// @dev Stands for a vault whose shares have any number of decimals and are worth nothing.
contract SharesOfManyDecimals {
    address public immutable asset;
    address public immutable identityRegistry;
    uint64 public constant maxReportAge = 3 days;
    RedemptionQueue private _queue;

    constructor(address asset_, address identityRegistry_) {
        (asset, identityRegistry) = (asset_, identityRegistry_);
    }

    function setQueue(RedemptionQueue queue) external {
        _queue = queue;
    }

    function lineUp(address, address, uint256) external {}

    function lastReportAsOf() external view returns (uint64) {
        return uint64(block.timestamp);
    }

    function report() external {
        _queue.reported(uint64(block.timestamp), uint64(block.timestamp), 0, 0);
        _queue.reported(uint64(block.timestamp), uint64(block.timestamp), _queue.payableShares(), 0);
    }
}

/// @dev Requests, processing and claims: a case per path and per error.
contract RedemptionQueueTest is World {
    function setUp() public {
        deployWorld();
        depositFor(alice, 1_000 * DOLLAR);
        depositFor(bob, 1_000 * DOLLAR);
        skip(1 hours);
    }

    /// @dev The next report, which brings nothing, and one processing.
    function settle() private {
        skip(1 hours);
        reportGain(0);
        queue.process();
    }

    // ── Requests ────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_request_hands_the_shares_over_and_says_so() public {
        vm.expectEmit(address(queue));
        emit IERC7540Redeem.RedeemRequest(alice, alice, 0, alice, 100e12);
        vm.prank(alice);
        assertEq(queue.requestRedeem(100e12, alice, alice), 0, "one account a wallet");
        assertEq(vault.balanceOf(alice), 900e12, "handed over");
        assertEq(vault.balanceOf(address(queue)), 100e12, "to the queue");
        assertEq(queue.pendingRedeemRequest(0, alice), 100e12, "pending");
        assertEq(queue.pendingRedeemRequest(1, alice), 0, "there is no other request");
        assertEq(queue.claimableRedeemRequest(0, alice), 0, "not claimable");
        assertEq(queue.claimableRedeemRequest(1, alice), 0, "nor another");
        assertEq(queue.sharesAhead(alice), 0, "nobody before");
        request(bob, 5e12);
        assertEq(queue.sharesAhead(bob), 100e12, "alice before bob");
        assertEq(queue.sharesAhead(carol), 0, "no place");
    }

    function test_nothing_more_than_one_has_and_for_oneself_only() public {
        vm.expectRevert(RedemptionQueue.ZeroAmount.selector);
        vm.prank(alice);
        queue.requestRedeem(0, alice, alice);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, alice, 1_000e12, 1_000e12 + 1)
        );
        vm.prank(alice);
        queue.requestRedeem(1_000e12 + 1, alice, alice);
        vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.ControllerIsNotOwner.selector, bob, alice));
        vm.prank(alice);
        queue.requestRedeem(1, bob, alice);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, bob, 0, 1));
        vm.prank(bob);
        queue.requestRedeem(1, alice, alice);
    }

    function test_shares_sent_to_the_queue_by_hand_are_refused() public {
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.ERC7943CannotReceive.selector, address(queue)));
        vm.prank(alice);
        vault.transfer(address(queue), 1);
    }

    function test_an_operator_or_an_allowance_requests_for_the_owner() public {
        vm.expectEmit(address(queue));
        emit IERC7540Operator.OperatorSet(alice, bob, true);
        vm.prank(alice);
        assertTrue(queue.setOperator(bob, true), "set");
        assertTrue(queue.isOperator(alice, bob), "operator");
        vm.prank(bob);
        queue.requestRedeem(100e12, alice, alice);
        vm.prank(alice);
        queue.setOperator(bob, false);
        vm.prank(alice);
        vault.approve(bob, 50e12);
        vm.prank(bob);
        queue.requestRedeem(50e12, alice, alice);
        assertEq(vault.allowance(alice, bob), 0, "allowance used");
        assertEq(queue.pendingRedeemRequest(0, alice), 150e12, "both");
    }

    function test_an_exit_only_wallet_may_ask_and_a_frozen_one_may_not() public {
        revoke(alice);
        request(alice, 100e12);
        freeze(bob, true);
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.ERC7943CannotSend.selector, bob));
        vm.prank(bob);
        queue.requestRedeem(1, bob, bob);
    }

    function test_a_wallet_holds_at_most_sixteen_places() public {
        for (uint256 i = 0; i < 16; ++i) {
            request(alice, 1e12);
        }
        vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.TooManyPlaces.selector, 16));
        vm.prank(alice);
        queue.requestRedeem(1e12, alice, alice);
        settle();
        assertEq(claim(alice), 16 * DOLLAR, "all at once");
        request(alice, 1e12);
        assertEq(queue.pendingRedeemRequest(0, alice), 1e12, "room again");
    }

    // ── Processing ──────────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev A share unit is worth less than an asset unit; above a price of one, the shares that a single idle unit buys,
    /// rounded down, are worth nothing.
    function test_a_processing_that_idle_money_ends_pays_all_of_it() public {
        skip(1 days);
        reportGain(DOLLAR);
        skip(1 days);
        vm.prank(owner);
        vault.setCustodian(custodian, 0);
        uint256 most = vault.maxDeploy();
        vm.prank(treasurer);
        vault.deploy(most - 1);
        request(alice, 100e12);
        reportGain(0);
        (,,, uint64 end) = vault.stream();
        vm.warp(end);
        uint256 price = vault.convertToAssets(1e18);
        uint256 needed = vault.previewWithdraw(1);
        (uint256 shares, uint256 assets) = queue.process();
        assertEq(assets, 1, "all that is idle");
        assertEq(shares, needed, "for the fewest shares that are worth it");
        assertTrue(vault.convertToAssets(1e18) >= price, "and who stays loses nothing");
        vm.expectRevert(RedemptionQueue.NothingToProcess.selector);
        queue.process();
        assertEq(queue.pendingRedeemRequest(0, alice), 100e12 - shares, "the rest waits");
    }

    function test_a_request_waits_for_a_report_later_than_itself() public {
        skip(1);
        reportGain(0);
        request(alice, 100e12);
        vm.expectRevert(RedemptionQueue.NothingToProcess.selector);
        queue.process();
        skip(1);
        reportGain(0);
        vm.expectEmit(address(queue));
        emit QueueLine.Processed(1, 100e12, 100 * DOLLAR);
        vm.prank(carol);
        (uint256 shares, uint256 assets) = queue.process();
        assertEq(shares, 100e12, "shares");
        assertEq(assets, 100 * DOLLAR, "assets");
        assertEq(vault.totalAssets(), 1_900 * DOLLAR, "set aside, out of the vault");
        assertEq(vault.setAside(), 100 * DOLLAR, "and kept there");
        assertEq(queue.claimableRedeemRequest(0, alice), 100e12, "claimable");
        vm.expectRevert(RedemptionQueue.NothingToProcess.selector);
        queue.process();
    }

    function test_a_loss_reported_after_the_request_is_borne_by_it() public {
        deployMoney(1_000 * DOLLAR);
        request(alice, 500e12);
        skip(1 hours);
        reportLoss(500 * DOLLAR);
        skip(1 days);
        queue.process();
        uint256 paid = claim(alice);
        // A quarter of everything is lost.
        assertTrue(paid <= 375 * DOLLAR && paid >= 375 * DOLLAR - 1, "as everyone");
    }

    /// @dev Processed in the block of the report a request would leave all of the income it has waited for to the others.
    function test_a_request_is_payable_when_the_report_that_covers_it_is_streamed() public {
        request(alice, 500e12);
        skip(1 days);
        uint256 gain = vault.maxGain(time());
        // The report covers 25 hours, which is longer than the vesting time.
        uint64 from = time() + 25 hours;
        fund(reporter, gain);
        uint64 asOf = time();
        vm.expectEmit(address(queue));
        emit QueueLine.PayableFrom(500e12, from);
        vm.prank(reporter);
        vault.report(int256(gain), asOf, "evidence");
        assertEq(queue.payableFrom(alice), from, "at the end of its stream, in whole hours");
        vm.warp(from - 1);
        vm.expectRevert(RedemptionQueue.NothingToProcess.selector);
        queue.process();
        vm.warp(from);
        queue.process();
        uint256 paid = claim(alice);
        assertTrue(paid == 500 * DOLLAR + gain / 4 || paid == 500 * DOLLAR + gain / 4 - 1, "with its part of the income");
        assertEq(queue.payableFrom(alice), 0, "nothing is left");
    }

    function test_no_later_report_moves_the_moment_at_which_a_request_is_payable() public {
        request(alice, 500e12);
        skip(1 hours);
        reportGain(1_000);
        uint64 from = queue.payableFrom(alice);
        assertEq(from, time() + VESTING, "by the first report");
        for (uint256 i = 1; i < 24; ++i) {
            skip(1 hours);
            reportGain(i % 2 * 1_000);
            assertEq(queue.payableFrom(alice), from, "fixed");
            vm.expectRevert(RedemptionQueue.NothingToProcess.selector);
            queue.process();
        }
        vm.warp(from);
        (uint256 shares,) = queue.process();
        assertEq(shares, 500e12, "all of it");
    }

    /// @dev Who knows of a loss would leave in full by a report that counts only what was before.
    function test_a_request_made_after_the_time_of_a_report_waits_for_the_next() public {
        deployMoney(1_000 * DOLLAR);
        uint64 asOf = time();
        skip(1);
        request(alice, 500e12);
        skip(1 hours);
        vm.prank(reporter);
        vault.report(0, asOf, "evidence");
        assertEq(queue.payableFrom(alice), 0, "not covered");
        vm.expectRevert(RedemptionQueue.NothingToProcess.selector);
        queue.process();
        skip(1 hours);
        reportLoss(500 * DOLLAR);
        skip(1 days);
        queue.process();
        uint256 paid = claim(alice);
        assertTrue(paid <= 375 * DOLLAR && paid >= 375 * DOLLAR - 1, "the loss is borne");
    }

    function test_a_report_covers_what_was_requested_before_its_day_and_all_as_of_its_own_second() public {
        uint64 midnight = (time() / 1 days + 1) * 1 days;
        vm.warp(midnight - 1);
        request(alice, 10e12);
        vm.warp(midnight + 1 hours);
        request(alice, 20e12);
        vm.warp(midnight + 3 hours);
        request(bob, 40e12);
        vm.prank(reporter);
        vault.report(0, midnight + 2 hours, "evidence");
        (uint256 requested, uint256 due,,) = queue.totals();
        assertEq(due, 10e12, "what was requested on the days before");
        assertEq(requested, 70e12, "of all");
        assertEq(queue.payableFrom(alice), 0, "a part of it waits");
        vm.warp(midnight + 5 hours);
        request(bob, 80e12);
        vm.prank(reporter);
        vault.report(0, midnight + 4 hours, "evidence");
        (, due,,) = queue.totals();
        assertEq(due, 10e12, "still, whoever requests what later on");
        vm.prank(reporter);
        vault.report(0, midnight + 5 hours, "evidence");
        (, due,,) = queue.totals();
        assertEq(due, 150e12, "all there is at its own second");
    }

    function test_a_report_of_a_day_long_past_covers_what_was_requested_before_that_day() public {
        DemandVault.Parameters memory p = parameters(1);
        p.maxReportAge = 45 days;
        DemandVault old = createVault(IERC20(address(dollar)), identities, p);
        allow(address(old), old.report.selector, REPORTER_ROLE);
        RedemptionQueue line = deployQueue(old);
        vm.prank(owner);
        products.list("old", address(old), ProductRegistry.ProductType.DemandDeposit, address(dollar), "meta");
        dollar.mint(alice, 1_000 * DOLLAR);
        vm.prank(alice);
        dollar.approve(address(old), type(uint256).max);
        vm.prank(alice);
        old.deposit(1_000 * DOLLAR, alice);
        uint64 first = time();
        for (uint256 i = 0; i < 140; ++i) {
            if (i % 4 == 0) {
                vm.prank(alice);
                line.requestRedeem(1e12, alice, alice);
            }
            skip(1 days);
            if (i < 44) continue;
            uint256 day = i - 43;
            vm.prank(reporter);
            old.report(0, first + uint64(day) * 1 days, "evidence");
            (, uint256 due, uint256 processed,) = line.totals();
            assertEq(due, (day + 3) / 4 * 1e12, "what was requested on the days before its own");
            if (due == processed) continue;
            line.process();
            vm.prank(alice);
            line.claim(alice, alice);
        }
    }

    /// @dev Whoever calls and however late: a loss reported after a request was payable is not its own.
    function test_a_report_first_pays_what_is_payable() public {
        deployMoney(1_000 * DOLLAR);
        request(alice, 500e12);
        skip(1 hours);
        reportGain(0);
        skip(1 hours);
        vm.expectEmit(address(queue));
        emit QueueLine.Processed(1, 500e12, 500 * DOLLAR);
        reportLoss(500 * DOLLAR);
        assertEq(claim(alice), 500 * DOLLAR, "at the price before");
        vm.expectRevert(RedemptionQueue.NothingToProcess.selector);
        queue.process();
    }

    function test_what_waits_for_money_bears_what_is_reported_meanwhile() public {
        vm.prank(owner);
        vault.setCustodian(custodian, 0);
        vm.prank(treasurer);
        vault.deploy(1_700 * DOLLAR);
        request(alice, 500e12);
        skip(1 hours);
        reportGain(0);
        skip(1 hours);
        reportLoss(850 * DOLLAR);
        assertEq(queue.claimableRedeemRequest(0, alice), 300e12, "what the money paid before the loss");
        skip(1 days);
        repayMoney(850 * DOLLAR);
        queue.process();
        assertEq(claim(alice), 300 * DOLLAR + 100 * DOLLAR, "the rest lost half, as all of what was left");
    }

    function test_requests_are_payable_in_their_order_though_a_later_report_is_streamed_sooner() public {
        request(alice, 100e12);
        skip(2 days);
        reportGain(vault.maxGain(time()));
        uint64 from = queue.payableFrom(alice);
        assertTrue(from > time() + 2 days, "over the two days it covers");
        request(bob, 100e12);
        skip(1 hours);
        deployMoney(100 * DOLLAR);
        reportLoss(DOLLAR);
        assertTrue(queue.payableFrom(bob) >= from, "not before alice");
        vm.warp(from - 1);
        vm.expectRevert(RedemptionQueue.NothingToProcess.selector);
        queue.process();
        vm.warp(queue.payableFrom(bob));
        (uint256 shares,) = queue.process();
        assertEq(shares, 200e12, "both");
    }

    function test_when_money_lacks_the_head_is_paid_first_and_instant_exits_are_closed() public {
        deployMoney(1_500 * DOLLAR);
        request(alice, 600e12);
        request(bob, 300e12);
        assertEq(vault.instantLiquidity(), 0, "all that is here is spoken for");
        assertEq(vault.maxWithdraw(bob), 0, "nobody overtakes");
        assertEq(vault.maxRedeem(bob), 0, "in shares neither");
        settle();
        assertEq(queue.claimableRedeemRequest(0, alice), 500e12, "the head, as far as the money goes");
        assertEq(queue.pendingRedeemRequest(0, alice), 100e12, "the rest waits");
        assertEq(queue.claimableRedeemRequest(0, bob), 0, "bob is behind");
        assertEq(queue.sharesAhead(bob), 100e12, "by that much");
        assertEq(queue.sharesAhead(alice), 0, "alice is first");
        repayMoney(250 * DOLLAR);
        assertEq(vault.maxWithdraw(bob), 0, "the line comes first");
        queue.process();
        assertEq(queue.claimableRedeemRequest(0, alice), 600e12, "alice is done");
        assertEq(queue.claimableRedeemRequest(0, bob), 150e12, "bob has begun");
        assertEq(claim(alice), 600 * DOLLAR, "alice");
        assertEq(claim(bob), 150 * DOLLAR, "bob in part");
        assertEq(queue.pendingRedeemRequest(0, bob), 150e12, "bob keeps his place");
        repayMoney(1_000 * DOLLAR);
        assertEq(vault.instantLiquidity(), 850 * DOLLAR, "what bob does not wait for is free");
        queue.process();
        assertEq(claim(bob), 150 * DOLLAR, "bob is done");
        (uint256 requested, uint256 eligible, uint256 processed, uint256 paid) = queue.totals();
        assertEq(requested, 900e12, "requested");
        assertEq(eligible, 900e12, "eligible");
        assertEq(processed, 900e12, "processed");
        assertEq(paid, 900 * DOLLAR, "paid");
    }

    function test_without_any_idle_money_there_is_nothing_to_process() public {
        vm.prank(owner);
        vault.setCustodian(custodian, 0);
        vm.prank(treasurer);
        vault.deploy(2_000 * DOLLAR);
        request(alice, 1e12);
        skip(1);
        reportGain(0);
        vm.expectRevert(RedemptionQueue.NothingToProcess.selector);
        queue.process();
    }

    function test_when_reports_stay_away_for_thirty_days_more_everyone_is_paid_without_one() public {
        request(alice, 100e12);
        uint64 edge = vault.lastReportAsOf() + REPORT_AGE + 30 days;
        vm.warp(edge);
        vm.expectRevert(RedemptionQueue.NothingToProcess.selector);
        queue.process();
        vm.warp(edge + 1);
        queue.process();
        request(bob, 50e12);
        queue.process();
        assertEq(claim(alice), 100 * DOLLAR, "alice");
        assertEq(claim(bob), 50 * DOLLAR, "bob");
    }

    function test_only_the_vault_tells_of_reports() public {
        vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.NotTheVault.selector, alice));
        vm.prank(alice);
        queue.reported(1, 1, 0, 0);
    }

    // ── Claims ──────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_claims_in_parts_add_up_to_the_whole() public {
        request(alice, 100e12);
        settle();
        assertEq(queue.maxRedeem(alice), 100e12, "maxRedeem");
        assertEq(queue.maxWithdraw(alice), 100 * DOLLAR, "maxWithdraw");
        vm.expectRevert(
            abi.encodeWithSelector(RedemptionQueue.ExceedsClaimable.selector, alice, 100e12 + 1, 100e12)
        );
        vm.prank(alice);
        queue.redeem(100e12 + 1, alice, alice);
        vm.expectRevert(
            abi.encodeWithSelector(RedemptionQueue.ExceedsClaimable.selector, alice, 100 * DOLLAR + 1, 100 * DOLLAR)
        );
        vm.prank(alice);
        queue.withdraw(100 * DOLLAR + 1, alice, alice);
        vm.expectEmit(address(queue));
        emit RedemptionQueue.Withdraw(alice, bob, alice, 33 * DOLLAR, 33e12);
        vm.prank(alice);
        assertEq(queue.redeem(33e12, bob, alice), 33 * DOLLAR, "a part in shares");
        vm.prank(alice);
        assertEq(queue.withdraw(50 * DOLLAR, alice, alice), 50e12, "a part in assets");
        assertEq(queue.claimableRedeemRequest(0, alice), 17e12, "the rest");
        request(alice, 10e12);
        vm.prank(alice);
        assertEq(queue.redeem(17e12, alice, alice), 17 * DOLLAR, "drained");
        assertEq(queue.pendingRedeemRequest(0, alice), 10e12, "the new request stands");
        assertEq(vault.setAside(), 0, "to the unit");
        vm.expectRevert(RedemptionQueue.ZeroAmount.selector);
        vm.prank(alice);
        queue.claim(alice, alice);
        vm.expectRevert(RedemptionQueue.ZeroAmount.selector);
        vm.prank(alice);
        queue.withdraw(0, alice, alice);
    }

    function test_only_the_wallet_or_its_operator_claims() public {
        request(alice, 100e12);
        settle();
        vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.NotOperator.selector, alice, bob));
        vm.prank(bob);
        queue.claim(bob, alice);
        vm.prank(alice);
        queue.setOperator(bob, true);
        vm.prank(bob);
        assertEq(queue.claim(alice, alice), 100 * DOLLAR, "by the operator");
    }

    function test_a_frozen_wallet_holds_nobody_up_and_finds_its_money_set_aside() public {
        request(alice, 100e12);
        request(bob, 100e12);
        freeze(alice, true);
        settle();
        assertEq(claim(bob), 100 * DOLLAR, "bob is paid");
        assertEq(queue.maxRedeem(alice), 0, "maxRedeem");
        assertEq(queue.maxWithdraw(alice), 0, "maxWithdraw");
        vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.CannotAct.selector, alice));
        vm.prank(alice);
        queue.claim(alice, alice);
        freeze(alice, false);
        assertEq(claim(alice), 100 * DOLLAR, "alice too, later");
    }

    function test_an_exit_only_wallet_claims_to_itself_and_nowhere_else() public {
        request(alice, 100e12);
        settle();
        revoke(alice);
        vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.ExitOnlyToSelf.selector, alice, bob));
        vm.prank(alice);
        queue.claim(bob, alice);
        assertEq(claim(alice), 100 * DOLLAR, "to itself");
    }

    function test_claims_are_open_under_pause_closing_staleness_and_a_full_cap() public {
        request(alice, 100e12);
        settle();
        vm.prank(guardian);
        vault.pause();
        closeProduct("solar-irrigation");
        vm.prank(owner);
        vault.setCap(0);
        skip(REPORT_AGE + 1);
        assertEq(vault.maxWithdraw(alice), 0, "no instant exit");
        assertEq(claim(alice), 100 * DOLLAR, "but the claim");
    }

    /// @dev The only way to one share worth several units: all leave in the middle of a stream.
    function test_a_part_of_a_claim_leaves_a_share_that_holds_the_rest() public {
        skip(1 days);
        reportGain(vault.maxGain(time()));
        skip(1);
        for (uint256 i = 0; i < 2; ++i) {
            address who = i == 0 ? alice : bob;
            uint256 shares = vault.balanceOf(who);
            vm.prank(who);
            vault.redeem(shares, who, who);
        }
        vm.prank(owner);
        vault.setMinDeposit(0);
        skip(VESTING);
        reportGain(0);
        fund(alice, 1_000 * DOLLAR);
        vm.prank(alice);
        vault.mint(3, alice);
        request(alice, 3);
        settle();
        uint256 whole = queue.maxWithdraw(alice);
        assertTrue(whole > 1, "three shares worth more than a unit");
        vm.prank(alice);
        queue.withdraw(1, alice, alice);
        vm.prank(alice);
        queue.claim(alice, alice);
        assertEq(vault.setAside(), 0, "nothing is left behind");
    }

    // ── Recovery ────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_places_and_claims_of_a_retired_wallet_go_to_its_successor_in_their_order() public {
        request(alice, 100e12);
        settle();
        request(alice, 30e12);
        request(bob, 10e12);
        address successor = succeed(alice, 0xA11CE2);
        assertEq(queue.maxRedeem(alice), 0, "a retired wallet claims nothing");
        vault.recover(alice);
        vm.prank(successor);
        queue.requestRedeem(5e12, successor, successor);
        vm.expectEmit(address(queue));
        emit RedemptionQueue.PlacesRecovered(alice, successor, 2);
        vm.prank(carol);
        assertEq(queue.recover(alice), 2, "both places");
        assertEq(queue.claimableRedeemRequest(0, successor), 100e12, "the claim");
        assertEq(queue.pendingRedeemRequest(0, successor), 35e12, "and what is pending");
        assertEq(queue.sharesAhead(successor), 0, "in its old place");
        assertEq(queue.pendingRedeemRequest(0, alice), 0, "nothing is left");
        settle();
        vm.prank(successor);
        assertEq(queue.claim(successor, successor), 135 * DOLLAR, "all is paid");
        vm.expectRevert(RedemptionQueue.ZeroAmount.selector);
        queue.recover(alice);
        vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.NoSuccessor.selector, bob));
        queue.recover(bob);
    }

    /// @dev Its rest, settled already, arrives behind what the successor has.
    function test_a_part_claimed_rest_is_recovered_into_a_wallet_with_places_of_its_own() public {
        request(alice, 100e12);
        settle();
        vm.prank(alice);
        queue.redeem(40e12, alice, alice);
        address successor = succeed(alice, 0xA11CE2);
        vault.recover(alice);
        vm.prank(successor);
        queue.requestRedeem(7e12, successor, successor);
        assertEq(queue.recover(alice), 1, "the rest");
        assertEq(queue.claimableRedeemRequest(0, successor), 60e12, "in shares");
        assertEq(queue.maxWithdraw(successor), 60 * DOLLAR, "in money");
        assertEq(queue.pendingRedeemRequest(0, successor), 7e12, "beside its own");
        assertEq(queue.sharesAhead(successor), 0, "first in the line");
        vm.prank(successor);
        assertEq(queue.redeem(60e12, successor, successor), 60 * DOLLAR, "and is paid");
    }

    function test_a_part_of_a_claim_in_assets_may_go_to_another_wallet() public {
        request(alice, 100e12);
        settle();
        uint256 had = dollar.balanceOf(bob);
        vm.prank(alice);
        assertEq(queue.withdraw(30 * DOLLAR, bob, alice), 30e12, "in shares");
        assertEq(dollar.balanceOf(bob) - had, 30 * DOLLAR, "paid to bob");
        assertEq(queue.claimableRedeemRequest(0, alice), 70e12, "out of alice's");
        vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.NotOperator.selector, bob, alice));
        vm.prank(alice);
        queue.withdraw(1, alice, bob);
    }

    function test_a_wallet_with_a_rest_holds_sixteen_places_with_it() public {
        request(alice, 10e12);
        settle();
        vm.prank(alice);
        queue.redeem(4e12, alice, alice);
        for (uint256 i = 0; i < 15; ++i) {
            request(alice, 1e12);
        }
        vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.TooManyPlaces.selector, 16));
        vm.prank(alice);
        queue.requestRedeem(1e12, alice, alice);
        vm.prank(alice);
        queue.redeem(1e12, alice, alice);
        assertEq(queue.pendingRedeemRequest(0, alice), 15e12, "all places stand");
        vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.TooManyPlaces.selector, 16));
        vm.prank(alice);
        queue.requestRedeem(1e12, alice, alice);
        assertEq(claim(alice), 5 * DOLLAR, "the rest");
        request(alice, 1e12);
        assertEq(queue.pendingRedeemRequest(0, alice), 16e12, "room for one");
        vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.TooManyPlaces.selector, 16));
        vm.prank(alice);
        queue.requestRedeem(1e12, alice, alice);
    }

    function test_a_recovery_brings_all_places_and_the_count_is_theirs_together() public {
        for (uint256 i = 0; i < 10; ++i) {
            request(alice, 1e12);
        }
        address successor = succeed(alice, 0xA11CE2);
        vault.recover(alice);
        for (uint256 i = 0; i < 6; ++i) {
            vm.prank(successor);
            queue.requestRedeem(1e12, successor, successor);
        }
        assertEq(queue.recover(alice), 10, "ten");
        assertEq(queue.pendingRedeemRequest(0, successor), 16e12, "sixteen");
        vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.TooManyPlaces.selector, 16));
        vm.prank(successor);
        queue.requestRedeem(1e12, successor, successor);
        settle();
        vm.prank(successor);
        assertEq(queue.claim(successor, successor), 16 * DOLLAR, "all paid");
    }

    function test_who_has_a_processed_place_and_a_pending_one_sees_what_is_ahead_of_the_pending() public {
        request(alice, 10e12);
        settle();
        request(bob, 5e12);
        request(alice, 20e12);
        assertEq(queue.sharesAhead(alice), 5e12, "bob's");
        assertEq(queue.claimableRedeemRequest(0, alice), 10e12, "the processed one");
    }

    /// @dev A place remembers the batches before it modulo 255.
    function test_a_place_finds_its_batches_after_hundreds_of_others() public {
        vm.prank(owner);
        vault.setCustodian(custodian, 0);
        request(alice, 1e12);
        request(bob, 1e12);
        settle();
        vm.prank(treasurer);
        vault.deploy(1_998 * DOLLAR);
        request(alice, 600e12);
        for (uint256 i = 0; i < 600; ++i) {
            if (i == 300) request(bob, 500e12);
            skip(1 hours);
            reportGain(0);
            repayMoney(DOLLAR);
            queue.process();
        }
        repayMoney(1_398 * DOLLAR);
        queue.process();
        assertEq(claim(bob), 501 * DOLLAR, "bob");
        assertEq(claim(alice), 601 * DOLLAR, "alice");
        assertEq(vault.setAside(), 0, "to the unit");
    }

    /// @dev The sum of all requests ever made was a uint112: 5.2e9 tokens of 18 decimals ended them for good.
    function test_requests_go_on_beyond_the_sum_of_a_whole_supply_of_18_decimals() public {
        SharesOfManyDecimals big = new SharesOfManyDecimals(address(dollar), address(identities));
        RedemptionQueue line = RedemptionQueue(deploy("RedemptionQueue", abi.encode(big)));
        big.setQueue(line);
        uint256 part = uint256(type(uint112).max);
        uint256 rounds = 70;
        for (uint256 i = 0; i < rounds; ++i) {
            vm.prank(alice);
            line.requestRedeem(part, alice, alice);
            big.report();
            vm.prank(alice);
            line.claim(alice, alice);
        }
        (uint256 requested,, uint256 processed,) = line.totals();
        assertEq(requested, rounds * part, "requested");
        assertEq(processed, rounds * part, "processed");
    }

    // ── ERC-7575 and ERC-165 ────────────────────────────────────────────────────────────────────────────────────────

    function test_it_is_an_entry_of_its_own_that_takes_no_deposits() public {
        assertEq(queue.share(), address(vault), "share");
        assertEq(queue.asset(), address(dollar), "asset");
        assertEq(queue.totalAssets(), vault.totalAssets(), "totalAssets");
        assertEq(queue.convertToShares(7), vault.convertToShares(7), "convertToShares");
        assertEq(queue.convertToAssets(7e12), vault.convertToAssets(7e12), "convertToAssets");
        assertEq(queue.previewDeposit(7), vault.previewDeposit(7), "previewDeposit");
        assertEq(queue.previewMint(7e12), vault.previewMint(7e12), "previewMint");
        assertEq(queue.maxDeposit(alice), 0, "maxDeposit");
        assertEq(queue.maxMint(alice), 0, "maxMint");
        bytes memory elsewhere = abi.encodeWithSelector(RedemptionQueue.DepositToTheVault.selector, vault);
        vm.expectRevert(elsewhere);
        queue.deposit(1, alice);
        vm.expectRevert(elsewhere);
        queue.mint(1, alice);
        vm.expectRevert(RedemptionQueue.PriceUnknown.selector);
        queue.previewRedeem(1);
        vm.expectRevert(RedemptionQueue.PriceUnknown.selector);
        queue.previewWithdraw(1);
    }

    function test_it_names_the_interfaces_of_the_standards() public view {
        bytes4[4] memory ids = [bytes4(0x01ffc9a7), bytes4(0xe3bc4e65), bytes4(0x620ee8e4), bytes4(0x2f0a18c5)];
        for (uint256 i = 0; i < ids.length; ++i) {
            assertTrue(queue.supportsInterface(ids[i]), "supported");
        }
        assertTrue(!queue.supportsInterface(0xffffffff), "not everything");
        assertTrue(type(IERC165).interfaceId == ids[0], "ERC-165");
    }
}
