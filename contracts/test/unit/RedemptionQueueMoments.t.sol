// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {DemandVault} from "../../src/DemandVault.sol";
import {ProductRegistry} from "../../src/ProductRegistry.sol";
import {QueueLine} from "../../src/queue/QueueLine.sol";
import {Vm} from "../support/Vm.sol";
import {World} from "../support/World.sol";

/// @dev The moments from which requests are payable, where several wait for theirs side by side.
contract RedemptionQueueMomentsTest is World {
    uint64 private first;
    uint64 private second;

    function setUp() public {
        deployWorld();
        depositFor(alice, 1_000 * DOLLAR);
        depositFor(bob, 1_000 * DOLLAR);
        bindWallet(CAROL_KEY, 0xc3);
        depositFor(carol, 1_000 * DOLLAR);
        deployMoney(100 * DOLLAR);
        skip(1 hours);
    }

    /// @dev Alice's request is payable from `first`, bob's from `second`, later; nothing is processed yet.
    function twoWait() private {
        request(alice, 100e12);
        skip(2 days);
        reportGain(1_000);
        first = queue.payableFrom(alice);
        vm.warp(first - 1 hours);
        request(bob, 200e12);
        reportGain(1_000);
        second = queue.payableFrom(bob);
        assertTrue(second > first, "later");
    }

    /// @dev A loss takes all of the stream, so that what it covers would be payable at once.
    function coverCarol() private {
        request(carol, 400e12);
        skip(1);
        reportLoss(DOLLAR);
    }

    function due() private view returns (uint256 shares) {
        (, shares,,) = queue.totals();
    }

    function assertSaysNothing() private {
        skip(1);
        vm.recordLogs();
        reportGain(0);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            assertTrue(logs[i].topics[0] != QueueLine.PayableFrom.selector, "a report without new requests");
        }
    }

    function test_each_request_keeps_its_moment_while_later_ones_get_theirs() public {
        twoWait();
        assertEq(queue.payableFrom(alice), first, "alice's stays");
        coverCarol();
        assertEq(queue.payableFrom(alice), first, "and stays");
        assertEq(queue.payableFrom(bob), second, "bob's too");
        assertEq(queue.payableFrom(carol), second, "carol is behind bob");
        assertSaysNothing();
        assertEq(due(), 0, "nobody yet");
        vm.warp(first - 1);
        assertEq(due(), 0, "not a second early");
        vm.warp(first);
        assertEq(due(), 100e12, "alice");
        vm.warp(second - 1);
        assertEq(due(), 100e12, "and nobody else");
        vm.warp(second);
        assertEq(due(), 700e12, "all");
        (uint256 shares,) = queue.process();
        assertEq(shares, 700e12, "in one go");
    }

    function test_a_report_after_the_first_is_paid_keeps_the_second_waiting_and_covers_the_third() public {
        twoWait();
        vm.warp(first);
        queue.process();
        coverCarol();
        assertEq(queue.payableFrom(bob), second, "bob waits");
        assertEq(queue.payableFrom(carol), second, "carol behind him");
        vm.warp(second);
        (uint256 shares,) = queue.process();
        assertEq(shares, 600e12, "both");
        assertSaysNothing();
        twoWait();
        coverCarol();
        vm.warp(second);
        (shares,) = queue.process();
        assertEq(shares, 700e12, "and all of a second round");
    }

    function test_what_waits_for_money_stays_payable_when_a_report_covers_more() public {
        vm.prank(owner);
        vault.setCustodian(custodian, 0);
        uint256 most = vault.maxDeploy();
        vm.prank(treasurer);
        vault.deploy(most - 100 * DOLLAR);
        request(alice, 500e12);
        skip(1 hours);
        reportGain(1_000);
        vm.warp(queue.payableFrom(alice));
        request(bob, 200e12);
        reportGain(1_000);
        assertTrue(queue.payableFrom(bob) > time(), "bob waits for his moment");
        (uint256 requested, uint256 payable_, uint256 processed,) = queue.totals();
        assertEq(requested, 700e12, "both");
        assertEq(payable_, 500e12, "alice's, all of it");
        assertTrue(processed > 0 && processed < 110e12, "of which a part is paid");
        repayMoney(1_000 * DOLLAR);
        queue.process();
        assertEq(queue.claimableRedeemRequest(0, alice), 500e12, "and now the rest");
        assertEq(queue.claimableRedeemRequest(0, bob), 0, "not bob's");
    }

    /// @dev Else a year without money would end the reports: each would read every moment that has passed.
    function test_a_report_costs_the_same_however_many_moments_have_passed_without_money() public {
        vm.prank(owner);
        vault.setCustodian(custodian, 0);
        uint256 most = vault.maxDeploy();
        vm.prank(treasurer);
        vault.deploy(most);
        address[3] memory wallets = [alice, bob, carol];
        uint256 early;
        for (uint256 i = 0; i < 45; ++i) {
            request(wallets[i % 3], 1e12);
            skip(1 hours);
            uint256 before = gasleft();
            reportGain(0);
            uint256 used = before - gasleft();
            if (i == 3) early = used;
            if (i > 3) assertAtMost(used, early + 5_000, "a report");
        }
        assertEq(due(), 45e12, "all are payable");
        repayMoney(1_000 * DOLLAR);
        queue.process();
        assertEq(queue.claimableRedeemRequest(0, alice), 15e12, "and paid");
    }

    function test_a_report_says_nothing_where_all_that_is_covered_is_paid() public {
        request(alice, 100e12);
        skip(1 hours);
        reportGain(0);
        assertSaysNothing();
        assertSaysNothing();
        assertEq(queue.claimableRedeemRequest(0, alice), 100e12, "paid by the first of them");
    }

    /// @dev The day of a request is its day in UTC, to its last second.
    function test_the_line_is_cut_at_the_midnight_before_whatever_the_hour() public {
        uint64 midnight = (time() / 1 days + 2) * 1 days;
        vm.warp(midnight - 1 days + 1 hours);
        reportGain(0);
        vm.warp(midnight - 4 hours);
        request(alice, 100e12);
        vm.warp(midnight + 20 hours);
        request(bob, 200e12);
        vm.prank(reporter);
        vault.report(0, midnight + 12 hours, "evidence");
        assertEq(due(), 100e12, "what was requested on the day before");
    }

    /// @dev The first mark of the next day stands behind what was requested late in this one.
    function test_the_evening_of_a_report_is_cut_with_its_day() public {
        uint64 midnight = (time() / 1 days + 2) * 1 days;
        vm.warp(midnight - 1 hours);
        reportGain(0);
        vm.warp(midnight + 10 hours);
        request(alice, 100e12);
        vm.warp(midnight + 22 hours);
        request(bob, 200e12);
        vm.warp(midnight + 25 hours);
        request(carol, 400e12);
        vm.prank(reporter);
        vault.report(0, midnight + 20 hours, "evidence");
        assertEq(due(), 0, "nothing of that day");
    }

    /// @dev Else a unit of dust would move all that was requested before it on the day to the next report.
    function test_a_request_after_as_of_does_not_change_what_the_report_covers() public {
        uint64 midnight = (time() / 1 days + 2) * 1 days;
        vm.warp(midnight - 1 hours);
        request(alice, 100e12);
        vm.warp(midnight + 10 hours);
        request(bob, 200e12);
        uint256 snapshot = vm.snapshotState();
        for (uint256 i = 0; i < 2; ++i) {
            vm.warp(midnight + 13 hours);
            if (i == 1) request(carol, 1);
            vm.warp(midnight + 14 hours);
            vm.prank(reporter);
            vault.report(0, midnight + 12 hours, "evidence");
            assertEq(due(), 100e12, "what was requested before the day");
            vm.revertToState(snapshot);
        }
    }

    function test_a_report_as_of_its_own_second_covers_all_there_is() public {
        uint64 noon = (time() / 1 days + 2) * 1 days + 12 hours;
        vm.warp(noon - 1 hours);
        request(alice, 100e12);
        vm.warp(noon);
        request(bob, 200e12);
        reportGain(0);
        assertEq(due(), 300e12, "both");
    }

    function test_a_report_as_of_a_day_after_the_last_request_covers_all_there_is() public {
        uint64 midnight = (time() / 1 days + 2) * 1 days;
        vm.warp(midnight - 1);
        request(alice, 100e12);
        vm.warp(midnight + 1 hours);
        vm.prank(reporter);
        vault.report(0, midnight, "evidence");
        assertEq(due(), 100e12, "hers");
    }

    // ── Without reports ─────────────────────────────────────────────────────────────────────────────────────────────

    function abandon() private {
        vm.warp(vault.lastReportAsOf() + REPORT_AGE + 30 days + 1);
    }

    function test_what_a_report_made_payable_is_paid_before_the_rest_when_reports_stay_away() public {
        request(alice, 100e12);
        skip(1 hours);
        reportGain(0);
        request(bob, 200e12);
        abandon();
        assertEq(due(), 100e12, "alice's");
        queue.process();
        assertEq(due(), 300e12, "then bob's");
        queue.process();
        assertEq(claim(bob), 200 * DOLLAR, "paid");
    }

    /// @dev It begins with paying what was never covered.
    function test_the_report_that_comes_at_last_pays_all_and_the_line_goes_on() public {
        request(alice, 100e12);
        abandon();
        reportGain(0);
        assertEq(claim(alice), 100 * DOLLAR, "paid by the report");
        assertEq(due(), 100e12, "nothing is payable");
        request(bob, 200e12);
        skip(1 hours);
        reportGain(0);
        queue.process();
        assertEq(claim(bob), 200 * DOLLAR, "the next in turn");
    }

    /// @dev What it pays may be more than it covers.
    function test_a_report_as_of_a_time_before_the_requests_pays_them_too_when_reports_stayed_away() public {
        vm.warp(vault.lastReportAsOf() + REPORT_AGE + 29 days);
        uint64 asOf = time();
        skip(1 days);
        request(alice, 100e12);
        skip(1);
        vm.prank(reporter);
        vault.report(0, asOf, "evidence");
        assertEq(due(), 100e12, "paid");
        assertEq(claim(alice), 100 * DOLLAR, "at last");
    }

    function test_moments_that_have_passed_do_not_come_back_when_reports_stay_away() public {
        twoWait();
        request(carol, 400e12);
        abandon();
        queue.process();
        assertEq(due(), 700e12, "carol's without a report");
        queue.process();
        assertEq(due(), 700e12, "all is paid");
        request(alice, 50e12);
        assertEq(due(), 750e12, "and what comes then");
    }

    /// @dev With a long vesting time requests still wait for their moments when reports have stayed away for long.
    function test_moments_that_were_not_waited_for_are_forgotten() public {
        DemandVault.Parameters memory p = parameters(1);
        p.vestingTime = 60 days;
        vault = createVault(IERC20(address(dollar)), identities, p);
        allow(address(vault), vault.report.selector, REPORTER_ROLE);
        queue = deployQueue(vault);
        vm.prank(owner);
        products.list("slow", address(vault), ProductRegistry.ProductType.DemandDeposit, address(dollar), "meta");
        depositFor(alice, 1_000 * DOLLAR);
        depositFor(bob, 1_000 * DOLLAR);
        depositFor(carol, 1_000 * DOLLAR);
        deployMoney(100 * DOLLAR);
        twoWait60();
        abandon();
        reportGain(0);
        assertEq(due(), 300e12, "both are paid");
        assertTrue(claim(alice) >= 100 * DOLLAR && claim(bob) >= 200 * DOLLAR, "before their moments");
        request(carol, 400e12);
        skip(1 hours);
        // Takes all of the stream, so there is nothing to wait for.
        reportLoss(DOLLAR);
        assertEq(queue.payableFrom(carol), time(), "nor behind them");
        queue.process();
        skip(60 days);
        assertEq(due(), 700e12, "and no moment comes back");
        assertTrue(claim(carol) > 399 * DOLLAR, "carol is paid");
    }

    function twoWait60() private {
        skip(1 hours);
        request(alice, 100e12);
        skip(1 hours);
        reportGain(1_000);
        skip(1 hours);
        request(bob, 200e12);
        skip(1 hours);
        reportGain(1_000);
        assertTrue(queue.payableFrom(bob) > queue.payableFrom(alice), "later");
    }
}
