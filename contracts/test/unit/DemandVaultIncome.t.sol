// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessManaged} from "@openzeppelin/contracts/access/manager/IAccessManaged.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {DemandVault} from "../../src/DemandVault.sol";
import {IDemandVault} from "../../src/vault/IDemandVault.sol";
import {IRenderer} from "../../src/interfaces/IRenderer.sol";
import {IdentityRegistry} from "../../src/IdentityRegistry.sol";
import {ProductRegistry} from "../../src/ProductRegistry.sol";
import {Vm} from "../support/Vm.sol";
import {World} from "../support/World.sol";

/// @dev Reports, streaming, limits and roles: a case per path and per error.
contract DemandVaultIncomeTest is World {
    function setUp() public {
        deployWorld();
        depositFor(alice, 365_000 * DOLLAR);
    }

    function assertStream(int256 settled, uint256 streaming, uint64 start, uint64 end) private view {
        (int256 settled_, uint256 streaming_, uint64 start_, uint64 end_) = vault.stream();
        assertTrue(settled == settled_, "settled");
        assertEq(streaming, streaming_, "streaming");
        assertEq(start, start_, "start");
        assertEq(end, end_, "end");
    }

    function test_a_gain_is_paid_in_and_streamed_linearly_with_the_rest_rounded_up() public {
        skip(1 days);
        fund(reporter, 100);
        uint64 asOf = time();
        vm.expectEmit(address(vault));
        emit IDemandVault.Reported(100, asOf, "evidence", int256(365_000 * DOLLAR), 100, asOf, asOf + VESTING);
        vm.prank(reporter);
        vault.report(100, asOf, "evidence");
        uint64 start = time();
        assertEq(dollar.balanceOf(address(vault)), 365_000 * DOLLAR + 100, "paid in");
        assertEq(vault.totalAssets(), 365_000 * DOLLAR, "at once");
        assertStream(int256(365_000 * DOLLAR), 100, start, start + VESTING);
        assertEq(vault.lastReportAsOf(), start, "asOf");
        vm.warp(start + 863);
        assertEq(vault.totalAssets(), 365_000 * DOLLAR, "just before the first unit");
        vm.warp(start + 864);
        assertEq(vault.totalAssets(), 365_000 * DOLLAR + 1, "first unit");
        vm.warp(start + VESTING - 1);
        assertEq(vault.totalAssets(), 365_000 * DOLLAR + 99, "one second before the end");
        vm.warp(start + VESTING);
        assertEq(vault.totalAssets(), 365_000 * DOLLAR + 100, "end");
        vm.warp(start + 10 * VESTING);
        assertEq(vault.totalAssets(), 365_000 * DOLLAR + 100, "long after");
    }

    function test_what_was_not_streamed_joins_the_next_report() public {
        skip(1 days);
        reportGain(1_000);
        skip(VESTING / 4);
        reportGain(500);
        assertStream(int256(365_000 * DOLLAR + 250), 1_250, time(), time() + VESTING);
        skip(VESTING);
        assertEq(vault.totalAssets(), 365_000 * DOLLAR + 1_500, "all arrived");
    }

    function test_settled_turns_negative_when_streamed_money_leaves_and_the_sum_stays_true() public {
        skip(1 days);
        reportGain(1_000);
        skip(VESTING / 2);
        uint256 shares = vault.balanceOf(alice);
        vm.prank(alice);
        vault.redeem(shares, alice, alice);
        (int256 settled, uint256 streaming, uint64 start,) = vault.stream();
        assertTrue(settled < 0, "negative");
        int256 sum = settled + int256(streaming * (time() - start) / VESTING);
        assertTrue(sum >= 0 && uint256(sum) == vault.totalAssets(), "sum");
        skip(VESTING);
        assertEq(vault.totalAssets(), dollar.balanceOf(address(vault)), "what is left is the pool's");
    }

    /// @dev After a late report a deposit would else earn days of others' income in one.
    function test_a_gain_is_streamed_over_the_time_it_covers_seven_days_at_most() public {
        uint64[3] memory covered = [uint64(30 hours), 50 hours + 1, 20 days];
        uint64[3] memory length = [uint64(30 hours), 50 hours + 1, 7 days];
        for (uint256 i = 0; i < 3; ++i) {
            skip(30 days);
            uint64 last = time();
            vm.prank(reporter);
            vault.report(0, last, "evidence");
            skip(REPORT_AGE - 1);
            if (covered[i] > REPORT_AGE) vm.warp(last + covered[i]);
            fund(reporter, 10);
            uint64 asOf = last + covered[i];
            if (asOf > time()) vm.warp(asOf);
            vm.prank(reporter);
            vault.report(10, asOf, "evidence");
            (,, uint64 start, uint64 end) = vault.stream();
            assertEq(start, time(), "from now");
            assertEq(end - start, length[i], "to the second");
        }
    }

    function test_a_report_of_nothing_leaves_the_stream_as_it_is() public {
        skip(1 days);
        reportGain(1_000);
        (,,, uint64 end) = vault.stream();
        for (uint256 i = 0; i < 23; ++i) {
            skip(1 hours);
            reportGain(0);
        }
        (,,, uint64 still) = vault.stream();
        assertEq(still, end, "the same end");
        vm.warp(end);
        assertEq(vault.totalAssets(), 365_000 * DOLLAR + 1_000, "all of it is streamed by then");
    }

    function test_a_stream_never_ends_before_the_one_it_continues() public {
        skip(5 days);
        reportGain(1_000);
        (,,, uint64 end) = vault.stream();
        assertEq(end, time() + 5 days, "over the five days it covers");
        skip(90 minutes);
        reportGain(1_000);
        (,,, uint64 next) = vault.stream();
        assertEq(next, end, "not sooner");
        skip(1 hours);
        deployMoney(10);
        reportLoss(1);
        (,,, uint64 last) = vault.stream();
        assertEq(last, next, "after a loss neither");
    }

    /// @dev Each would else begin a stream of its own, an hour's part later than the one before.
    function test_losses_of_a_unit_do_not_hold_a_stream_back() public {
        deployMoney(100);
        skip(1 days);
        reportGain(500);
        (,,, uint64 end) = vault.stream();
        for (uint256 i = 0; i < 47; ++i) {
            skip(30 minutes);
            reportLoss(1);
        }
        vm.warp(end);
        assertEq(vault.totalAssets(), 365_000 * DOLLAR + 500 - 47, "all of it is streamed by its end");
    }

    function test_a_loss_leaves_the_end_of_a_long_stream() public {
        DemandVault.Parameters memory p = parameters(1);
        p.vestingTime = 60 days;
        vault = createVault(IERC20(address(dollar)), identities, p);
        allow(address(vault), vault.report.selector, REPORTER_ROLE);
        queue = deployQueue(vault);
        vm.prank(owner);
        products.list("slow", address(vault), ProductRegistry.ProductType.DemandDeposit, address(dollar), "meta");
        depositFor(alice, 1_000 * DOLLAR);
        deployMoney(100);
        skip(1 days);
        reportGain(500);
        (,,, uint64 end) = vault.stream();
        skip(40 days);
        reportLoss(1);
        (,,, uint64 still) = vault.stream();
        assertEq(still, end, "the same end");
    }

    function test_a_report_is_not_older_than_its_age_allows() public {
        uint64 asOf = time() + 1;
        skip(REPORT_AGE + 2);
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.InvalidReportTime.selector, asOf));
        vm.prank(reporter);
        vault.report(0, asOf, "evidence");
        vm.prank(reporter);
        vault.report(0, asOf + 1, "evidence");
    }

    function test_a_gain_is_bounded_by_rate_time_and_assets() public {
        skip(1 days);
        // 365 000 at 20 % a year for one day.
        uint256 bound = 200 * DOLLAR;
        assertEq(vault.maxGain(time()), bound, "bound");
        fund(reporter, bound + 1);
        uint64 asOf = time();
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.GainExceedsBound.selector, bound + 1, bound));
        vm.prank(reporter);
        vault.report(int256(bound + 1), asOf, 0);
        vm.prank(reporter);
        vault.report(int256(bound), asOf, 0);
        assertEq(vault.maxGain(asOf), 0, "used up");
    }

    function test_a_report_is_later_than_the_last_and_not_in_the_future() public {
        skip(1 days);
        bytes4 refusal = IDemandVault.InvalidReportTime.selector;
        uint64 tomorrow = time() + 1;
        vm.expectRevert(abi.encodeWithSelector(refusal, START));
        vm.prank(reporter);
        vault.report(0, START, 0);
        vm.expectRevert(abi.encodeWithSelector(refusal, tomorrow));
        vm.prank(reporter);
        vault.report(0, tomorrow, 0);
        vm.prank(reporter);
        vault.report(0, START + 1, 0);
        vm.expectRevert(abi.encodeWithSelector(refusal, START + 1));
        vm.prank(reporter);
        vault.report(0, START + 1, 0);
    }

    function test_a_loss_counts_for_nothing_while_all_money_is_in_the_vault() public {
        skip(1 days);
        uint256 total = vault.totalAssets();
        vm.prank(reporter);
        vault.report(-1, START + 1, 0);
        assertEq(vault.totalAssets(), total, "nothing is lost");
        assertEq(vault.lastReportAsOf(), START + 1, "but it is a report");
    }

    // ── Pause and limits ────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_pause_stops_deposits_only_and_lapses_after_seven_days() public {
        uint64 until = START + 7 days;
        vm.expectEmit(address(vault));
        emit IDemandVault.PausedUntil(until);
        vm.prank(guardian);
        vault.pause();
        assertEq(vault.pausedUntil(), until, "until");
        assertEq(vault.maxDeposit(alice), 0, "paused");
        assertEq(vault.maxRedeem(alice), vault.balanceOf(alice), "may leave");
        vm.prank(alice);
        vault.transfer(bob, 1e12);
        vm.warp(until - 1);
        reportGain(0);
        assertEq(vault.maxDeposit(alice), 0, "still paused");
        vm.warp(until);
        assertTrue(vault.maxDeposit(alice) > 0, "lapsed");
    }

    function test_a_running_pause_is_not_prolonged_and_ends_early_only_by_the_owner() public {
        vm.prank(guardian);
        vault.pause();
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.AlreadyPaused.selector, START + 7 days));
        vm.prank(guardian);
        vault.pause();
        vm.expectRevert(abi.encodeWithSelector(IAccessManaged.AccessManagedUnauthorized.selector, guardian));
        vm.prank(guardian);
        vault.unpause();
        vm.prank(owner);
        vault.unpause();
        assertTrue(vault.maxDeposit(alice) > 0, "open");
        vm.expectRevert(IDemandVault.NotPaused.selector);
        vm.prank(owner);
        vault.unpause();
    }

    function test_cap_and_smallest_deposit_can_be_set_within_what_is_stored() public {
        vm.expectEmit(address(vault));
        emit IDemandVault.CapChanged(5);
        vm.prank(owner);
        vault.setCap(5);
        assertEq(vault.cap(), 5, "cap");
        assertEq(vault.maxDeposit(alice), 0, "above the cap already");
        vm.expectEmit(address(vault));
        emit IDemandVault.MinDepositChanged(7);
        vm.prank(owner);
        vault.setMinDeposit(7);
        assertEq(vault.minDeposit(), 7, "minDeposit");
        vm.expectRevert(IDemandVault.InvalidParameters.selector);
        vm.prank(owner);
        vault.setCap(1 << 96);
        vm.expectRevert(IDemandVault.InvalidParameters.selector);
        vm.prank(owner);
        vault.setMinDeposit(1 << 80);
    }

    function test_each_role_has_its_own_calls_and_no_other() public {
        bytes memory refusal = abi.encodeWithSelector(IAccessManaged.AccessManagedUnauthorized.selector, alice);
        vm.expectRevert(refusal);
        vm.prank(alice);
        vault.report(0, START, 0);
        vm.expectRevert(refusal);
        vm.prank(alice);
        vault.pause();
        vm.expectRevert(refusal);
        vm.prank(alice);
        vault.unpause();
        vm.expectRevert(refusal);
        vm.prank(alice);
        vault.setCap(1);
        vm.expectRevert(refusal);
        vm.prank(alice);
        vault.setMinDeposit(1);
    }

    // ── Construction ────────────────────────────────────────────────────────────────────────────────────────────────

    function test_parameters_out_of_range_are_refused() public {
        DemandVault.Parameters[8] memory bad;
        for (uint256 i = 0; i < bad.length; ++i) {
            bad[i] = parameters(1);
        }
        bad[0].vestingTime = 0;
        bad[1].vestingTime = 365 days + 1;
        bad[2].maxReportAge = 0;
        bad[3].maxReportAge = 45 days + 1;
        bad[4].maxRate = 10e18 + 1;
        bad[5].cap = 1 << 96;
        bad[6].minDeposit = 1 << 80;
        bad[7].renderer = IRenderer(alice);
        for (uint256 i = 0; i < bad.length; ++i) {
            vm.expectRevert(IDemandVault.InvalidParameters.selector);
            createVault(IERC20(address(dollar)), identities, bad[i]);
        }
        vm.expectRevert(IDemandVault.InvalidParameters.selector);
        createVault(IERC20(alice), identities, parameters(1));
        vm.expectRevert(IDemandVault.InvalidParameters.selector);
        createVault(IERC20(address(dollar)), IdentityRegistry(alice), parameters(1));
        createVault(IERC20(address(dollar)), identities, parameters(1));
    }

    function test_a_new_vault_tells_all_its_parameters() public {
        vm.recordLogs();
        DemandVault made = deployVault("other", IERC20(address(dollar)), 3);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 seen;
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter != address(made)) continue;
            if (logs[i].topics[0] == IDemandVault.VaultCreated.selector) {
                bytes memory expected = abi.encode(identities, products, VESTING, MAX_RATE, REPORT_AGE, START);
                assertEq(keccak256(logs[i].data), keccak256(expected), "parameters");
                assertEq(address(uint160(uint256(logs[i].topics[1]))), address(dollar), "asset");
                seen += 1;
            } else if (logs[i].topics[0] == IDemandVault.CapChanged.selector) {
                assertEq(abi.decode(logs[i].data, (uint256)), CAP, "cap");
                seen += 10;
            } else if (logs[i].topics[0] == IDemandVault.MinDepositChanged.selector) {
                assertEq(abi.decode(logs[i].data, (uint256)), 3, "minDeposit");
                seen += 100;
            }
        }
        assertEq(seen, 111, "each event once");
    }
}
