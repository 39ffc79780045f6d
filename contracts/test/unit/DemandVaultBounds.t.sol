// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IDemandVault} from "../../src/vault/IDemandVault.sol";
import {Vm} from "../support/Vm.sol";
import {World} from "../support/World.sol";

/// @dev The limits of deposits and exits to the unit and to the second, and the mark.
contract DemandVaultBoundsTest is World {
    function setUp() public {
        deployWorld();
    }

    function test_deposits_are_open_to_the_last_second_of_a_reports_age() public {
        skip(1 hours);
        reportGain(0);
        skip(REPORT_AGE);
        depositFor(alice, 10 * DOLLAR);
        skip(1);
        assertEq(vault.maxDeposit(alice), 0, "too old");
        refused(10 * DOLLAR);
    }

    function test_deposits_open_in_the_second_in_which_a_loss_has_been_looked_at() public {
        depositFor(alice, 1_000 * DOLLAR);
        deployMoney(100 * DOLLAR);
        skip(1 hours);
        reportLoss(5 * DOLLAR);
        vm.warp(vault.desk().lossUntil - 1);
        refused(10 * DOLLAR);
        skip(1);
        depositFor(alice, 10 * DOLLAR);
    }

    /// @dev Of two reasons the later counts, whichever came first.
    function test_deposits_wait_for_the_end_of_pause_and_loss() public {
        depositFor(alice, 1_000 * DOLLAR);
        deployMoney(100 * DOLLAR);
        skip(1 hours);
        vm.prank(guardian);
        vault.pause();
        reportLoss(5 * DOLLAR);
        vm.warp(vault.desk().lossUntil);
        refused(10 * DOLLAR);
        vm.prank(owner);
        vault.unpause();
        depositFor(alice, 10 * DOLLAR);
        reportLoss(5 * DOLLAR);
        refused(10 * DOLLAR);
        vm.warp(vault.desk().lossUntil);
        depositFor(alice, 10 * DOLLAR);
    }

    function test_nobody_passes_the_cap_by_a_unit() public {
        depositFor(alice, 60_000_000 * DOLLAR);
        refused(40_000_000 * DOLLAR + 1);
        depositFor(bob, 40_000_000 * DOLLAR);
    }

    /// @dev Its sum with what is there would be small again.
    function test_a_number_that_no_sum_holds_is_refused_by_name() public {
        depositFor(alice, 1_000 * DOLLAR);
        refused(type(uint256).max);
        refused(type(uint256).max - 1_000 * DOLLAR + 1 + 2 * DOLLAR);
    }

    function refused(uint256 assets) private {
        uint256 most = vault.maxDeposit(alice);
        vm.expectRevert(
            abi.encodeWithSelector(ERC4626.ERC4626ExceededMaxDeposit.selector, alice, assets, most)
        );
        vm.prank(alice);
        vault.deposit(assets, alice);
    }

    // ── Instant exits ───────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_withdrawal_of_more_than_the_balance_is_refused_by_name() public {
        depositFor(alice, 1_000 * DOLLAR);
        depositFor(bob, 1_000 * DOLLAR);
        skip(1 days);
        reportGain(DOLLAR);
        skip(1 hours);
        uint256 most = vault.maxWithdraw(alice);
        vm.expectRevert(
            abi.encodeWithSelector(ERC4626.ERC4626ExceededMaxWithdraw.selector, alice, most + 1, most)
        );
        vm.prank(alice);
        vault.withdraw(most + 1, alice, alice);
        vm.prank(alice);
        vault.withdraw(most, alice, alice);
    }

    function test_all_idle_money_can_be_withdrawn_to_the_unit() public {
        depositFor(alice, 1_000 * DOLLAR);
        deployMoney(700 * DOLLAR);
        uint256 most = vault.instantLiquidity();
        assertEq(most, 300 * DOLLAR, "idle");
        vm.prank(alice);
        vault.withdraw(most, alice, alice);
        assertEq(vault.instantLiquidity(), 0, "none is left");
    }

    // ── The mark ────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev Assets a share unit times 1e27, rounded up: at first a unit for the million virtual shares.
    function test_the_mark_is_the_price_that_a_reports_stream_leads_to() public {
        assertEq(vault.desk().mark, 1e21, "at creation");
        depositFor(alice, 1_000 * DOLLAR);
        setFee(0.1e18);
        skip(1 days);
        reportGain(100_003);
        // A tenth of what lifts the price above the mark, rounded down.
        uint256 held = 1_000 * DOLLAR + 100_003 - 10_000;
        uint256 shares = vault.totalSupply() + 1e6;
        assertEq(vault.desk().mark, ((held + 1) * 1e27 + shares - 1) / shares, "after a gain");
    }

    function test_a_report_of_nothing_leaves_the_mark_of_an_empty_vault() public {
        skip(1);
        reportGain(0);
        assertEq(vault.desk().mark, 1e21, "to the last digit");
    }

    /// @dev One unit more above the mark would be one unit more of a fee.
    function test_what_only_regains_the_mark_pays_no_fee_to_the_unit() public {
        depositFor(alice, 1_000 * DOLLAR);
        setFee(0.1e18);
        skip(1 days);
        reportGain(100_003);
        deployMoney(100 * DOLLAR);
        skip(1 days);
        reportLoss(DOLLAR);
        uint256 held = 1_000 * DOLLAR + 100_003 - 10_000 - DOLLAR;
        uint256 shares = vault.totalSupply() + 1e6;
        uint256 scaled = vault.desk().mark * shares;
        assertTrue(scaled % 1e27 != 0, "the mark lies between two units");
        uint256 regained = scaled / 1e27 + 1 - (held + 1);
        skip(2 days);
        vm.recordLogs();
        reportGain(regained + 9);
        assertEq(fees(), 0, "nine above it");
        skip(2 days);
        vm.recordLogs();
        reportGain(19);
        assertEq(fees(), 1, "nineteen more");
    }

    function fees() private returns (uint256 count) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] != IDemandVault.FeeTaken.selector) continue;
            assertEq(abi.decode(logs[i].data, (uint256)), 1, "a unit");
            ++count;
        }
    }
}
