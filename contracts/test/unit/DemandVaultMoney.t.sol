// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessManaged} from "@openzeppelin/contracts/access/manager/IAccessManaged.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {DemandVault} from "../../src/DemandVault.sol";
import {IDemandVault} from "../../src/vault/IDemandVault.sol";
import {RedemptionQueue} from "../../src/RedemptionQueue.sol";
import {World} from "../support/World.sol";

/// @dev Losses, money at work, fee, donations, recovery and the pause: a case per path and per error.
contract DemandVaultMoneyTest is World {
    uint256 private constant ALL = 100_000 * DOLLAR;

    function setUp() public {
        deployWorld();
        depositFor(alice, ALL);
    }

    // ── Losses ──────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_loss_takes_first_what_is_not_yet_streamed_and_leaves_the_price() public {
        deployMoney(50_000 * DOLLAR);
        skip(1 days);
        reportGain(40 * DOLLAR);
        skip(VESTING / 4);
        uint256 before = vault.totalAssets();
        assertEq(before, ALL + 10 * DOLLAR, "a quarter streamed");
        vm.expectEmit(address(vault));
        emit IDemandVault.Reported(
            -int256(20 * DOLLAR), time(), "evidence", int256(before), 10 * DOLLAR, time(), time() + VESTING * 3 / 4
        );
        reportLoss(20 * DOLLAR);
        assertEq(vault.totalAssets(), before, "the price stays");
        assertEq(vault.desk().deployed, 49_980 * DOLLAR, "lost where it was");
        assertEq(vault.desk().lossUntil, 0, "deposits stay open");
        assertTrue(vault.maxDeposit(bob) > 0, "truly");
        skip(VESTING);
        assertEq(vault.totalAssets(), ALL + 20 * DOLLAR, "the rest arrives");
    }

    function test_a_loss_beyond_what_is_not_yet_streamed_lowers_the_price_at_once() public {
        deployMoney(50_000 * DOLLAR);
        skip(1 days);
        reportGain(40 * DOLLAR);
        skip(VESTING / 4);
        reportLoss(1_030 * DOLLAR);
        assertEq(vault.totalAssets(), ALL + 10 * DOLLAR - 1_000 * DOLLAR, "30 from the stream, 1 000 at once");
        skip(VESTING);
        assertEq(vault.totalAssets(), ALL - 990 * DOLLAR, "nothing is left to stream");
    }

    function test_a_loss_that_lowers_the_price_closes_deposits_for_a_day_and_no_exit() public {
        deployMoney(50_000 * DOLLAR);
        skip(1 days);
        reportLoss(1);
        uint64 until = time() + 1 days;
        assertEq(vault.desk().lossUntil, until, "until");
        assertEq(vault.maxDeposit(bob), 0, "deposits closed");
        assertTrue(vault.maxRedeem(alice) > 0, "exits open");
        skip(1);
        reportGain(0);
        assertEq(vault.maxDeposit(bob), 0, "a later report does not open them");
        vm.warp(until - 1);
        assertEq(vault.maxDeposit(bob), 0, "to the last second");
        vm.warp(until);
        depositFor(bob, DOLLAR);
    }

    function test_only_what_is_deployed_can_be_lost() public {
        deployMoney(50_000 * DOLLAR);
        skip(1 days);
        vm.expectEmit(address(vault));
        emit IDemandVault.Reported(
            -int256(50_000 * DOLLAR), START + 1, 0, int256(50_000 * DOLLAR), 0, time(), time() + 1
        );
        vm.prank(reporter);
        vault.report(type(int256).min, START + 1, 0);
        assertEq(vault.totalAssets(), 50_000 * DOLLAR, "half is left");
        assertEq(vault.desk().deployed, 0, "all that was deployed is lost");
        skip(1 days);
        reportGain(0);
        assertEq(vault.maxWithdraw(alice), 50_000 * DOLLAR, "and the rest is here");
    }

    // ── Money at work ───────────────────────────────────────────────────────────────────────────────────────────────

    function test_money_goes_to_the_custodian_and_back_and_moves_no_price() public {
        vm.prank(owner);
        vm.expectEmit(address(vault));
        emit IDemandVault.CustodianChanged(custodian, 0.1e18);
        vault.setCustodian(custodian, 0.1e18);
        uint256 price = vault.convertToAssets(1e24);
        vm.expectEmit(address(vault));
        emit IDemandVault.Deployed(custodian, 60_000 * DOLLAR);
        vm.prank(treasurer);
        vault.deploy(60_000 * DOLLAR);
        assertEq(dollar.balanceOf(custodian), 60_000 * DOLLAR, "with the custodian");
        assertEq(vault.totalAssets(), ALL, "still the pool's");
        assertEq(vault.maxWithdraw(alice), 40_000 * DOLLAR, "only what is here leaves at once");
        vm.prank(custodian);
        dollar.approve(address(vault), 60_000 * DOLLAR);
        vm.expectEmit(address(vault));
        emit IDemandVault.Repaid(custodian, 20_000 * DOLLAR);
        vm.prank(custodian);
        vault.repay(20_000 * DOLLAR);
        assertEq(vault.desk().deployed, 40_000 * DOLLAR, "deployed");
        assertEq(vault.maxWithdraw(alice), 60_000 * DOLLAR, "liquid again");
        assertEq(vault.convertToAssets(1e24), price, "one price throughout");
        vm.expectRevert(
            abi.encodeWithSelector(IDemandVault.ExceedsDeployed.selector, 40_000 * DOLLAR + 1, 40_000 * DOLLAR)
        );
        vm.prank(custodian);
        vault.repay(40_000 * DOLLAR + 1);
        vm.expectRevert(IDemandVault.ZeroAmount.selector);
        vault.repay(0);
    }

    function test_the_buffer_and_what_the_queue_is_owed_stay_here_to_the_unit() public {
        vm.prank(owner);
        vault.setCustodian(custodian, 0.1e18);
        assertEq(vault.maxDeploy(), 90_000 * DOLLAR, "all but the buffer");
        request(alice, 30_000e12);
        assertEq(vault.maxDeploy(), 60_000 * DOLLAR, "and the queue's");
        vm.expectRevert(
            abi.encodeWithSelector(
                IDemandVault.ExceedsDeployable.selector, 60_000 * DOLLAR + 1, 60_000 * DOLLAR
            )
        );
        vm.prank(treasurer);
        vault.deploy(60_000 * DOLLAR + 1);
        vm.expectRevert(IDemandVault.ZeroAmount.selector);
        vm.prank(treasurer);
        vault.deploy(0);
        vm.prank(treasurer);
        vault.deploy(60_000 * DOLLAR);
        assertEq(vault.maxDeploy(), 0, "not a unit more");
    }

    function test_nothing_is_deployed_without_a_custodian() public {
        assertEq(vault.maxDeploy(), 0, "no custodian");
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.ExceedsDeployable.selector, 1, 0));
        vm.prank(treasurer);
        vault.deploy(1);
    }

    function test_instant_exits_end_at_the_idle_money_to_the_unit() public {
        deployMoney(90_000 * DOLLAR);
        skip(1 days);
        reportGain(7);
        skip(VESTING);
        uint256 most = vault.maxWithdraw(alice);
        assertEq(most, 10_000 * DOLLAR + 7, "the idle money");
        uint256 shares = vault.maxRedeem(alice);
        vm.expectRevert(abi.encodeWithSelector(ERC4626.ERC4626ExceededMaxWithdraw.selector, alice, most + 1, most));
        vm.prank(alice);
        vault.withdraw(most + 1, alice, alice);
        vm.expectRevert(abi.encodeWithSelector(ERC4626.ERC4626ExceededMaxRedeem.selector, alice, shares + 1, shares));
        vm.prank(alice);
        vault.redeem(shares + 1, alice, alice);
        vm.prank(alice);
        assertEq(vault.redeem(shares, alice, alice), most, "all of it");
        assertEq(vault.maxRedeem(alice), 0, "nothing is left");
        assertEq(vault.maxWithdraw(alice), 0, "in assets neither");
    }

    // ── Fee and donations ───────────────────────────────────────────────────────────────────────────────────────────

    function test_the_fee_is_taken_in_cash_from_a_gain_and_lowers_no_price() public {
        setFee(0.1e18);
        skip(1 days);
        uint256 price = vault.convertToAssets(1e24);
        fund(reporter, 50 * DOLLAR);
        uint64 now_ = time();
        vm.expectEmit(address(vault));
        emit IDemandVault.FeeTaken(5 * DOLLAR);
        vm.expectEmit(address(vault));
        emit IDemandVault.Reported(
            int256(50 * DOLLAR), now_, "evidence", int256(ALL), 45 * DOLLAR, now_, now_ + VESTING
        );
        vm.prank(reporter);
        vault.report(int256(50 * DOLLAR), now_, "evidence");
        assertEq(vault.convertToAssets(1e24), price, "the price stays");
        skip(VESTING);
        assertEq(vault.totalAssets(), ALL + 45 * DOLLAR, "nine tenths arrive");
        vm.expectEmit(address(vault));
        emit IDemandVault.Skimmed(treasury, 5 * DOLLAR);
        assertEq(vault.skim(), 5 * DOLLAR, "a tenth is the treasury's");
        assertEq(dollar.balanceOf(treasury), 5 * DOLLAR, "paid");
        assertEq(vault.totalAssets(), ALL + 45 * DOLLAR, "the pool keeps its own");
    }

    function test_regaining_what_was_lost_costs_no_fee() public {
        setFee(0.2e18);
        deployMoney(50_000 * DOLLAR);
        skip(1 days);
        reportGain(10 * DOLLAR);
        skip(VESTING);
        uint256 high = vault.totalAssets();
        assertEq(high, ALL + 8 * DOLLAR, "after the fee");
        reportLoss(30 * DOLLAR);
        skip(1 days);
        reportGain(25 * DOLLAR);
        skip(VESTING);
        assertEq(vault.totalAssets(), high - 5 * DOLLAR, "no fee below the mark");
        reportGain(15 * DOLLAR);
        skip(VESTING);
        // 5 regain the mark (a unit of rounding is the depositors'), 10 are beyond it.
        uint256 total = vault.totalAssets();
        assertTrue(total >= high + 8 * DOLLAR && total <= high + 8 * DOLLAR + 1, "a fifth of what is above");
    }

    function test_a_mark_counts_what_is_still_to_be_streamed() public {
        setFee(0.3e18);
        deployMoney(50_000 * DOLLAR);
        skip(1 days);
        reportGain(10 * DOLLAR);
        skip(1);
        reportLoss(7 * DOLLAR);
        skip(1 days);
        reportGain(7 * DOLLAR);
        skip(VESTING);
        uint256 total = vault.totalAssets();
        assertTrue(total >= ALL + 7 * DOLLAR && total <= ALL + 7 * DOLLAR + 1, "no fee twice for the same gain");
    }

    function test_a_donation_goes_to_the_treasury_and_without_one_nowhere() public {
        dollar.mint(address(vault), 77);
        vm.expectRevert(IDemandVault.ZeroAmount.selector);
        vault.skim();
        setFee(0);
        deployMoney(1_000 * DOLLAR);
        assertEq(vault.skim(), 77, "skimmed");
        assertEq(vault.totalAssets(), ALL, "nobody's price");
        vm.expectRevert(IDemandVault.ZeroAmount.selector);
        vault.skim();
    }

    // ── Settings ────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_settings_out_of_range_are_refused() public {
        vm.expectRevert(IDemandVault.InvalidParameters.selector);
        vm.prank(owner);
        vault.setCustodian(custodian, 1e18 + 1);
        vm.expectRevert(IDemandVault.InvalidParameters.selector);
        vm.prank(owner);
        vault.setCustodian(address(vault), 0);
        vm.expectRevert(IDemandVault.InvalidParameters.selector);
        vm.prank(owner);
        vault.setTreasury(treasury, 0.3e18 + 1);
        vm.expectRevert(IDemandVault.InvalidParameters.selector);
        vm.prank(owner);
        vault.setTreasury(address(0), 0);
        vm.expectRevert(IDemandVault.InvalidParameters.selector);
        vm.prank(owner);
        vault.setTreasury(address(vault), 0);
        vm.expectEmit(address(vault));
        emit IDemandVault.TreasuryChanged(treasury, 0.3e18);
        vm.prank(owner);
        vault.setTreasury(treasury, 0.3e18);
        DemandVault.Desk memory desk = vault.desk();
        assertEq(desk.treasury, treasury, "treasury");
        assertEq(desk.fee, 0.3e18, "fee");
        assertEq(desk.queue, address(queue), "queue");
    }

    /// @dev Else whoever holds the owner's key could name a queue of its own, which takes all the shares that are lined up.
    function test_no_deposit_is_taken_before_the_queue_is_set() public {
        DemandVault other = deployVault("other", IERC20(address(dollar)), 0);
        assertEq(other.maxDeposit(alice), 0, "none");
        assertEq(other.maxMint(alice), 0, "nor by shares");
        dollar.mint(alice, 1);
        vm.prank(alice);
        dollar.approve(address(other), 1);
        vm.expectRevert(abi.encodeWithSelector(ERC4626.ERC4626ExceededMaxDeposit.selector, alice, 1, 0));
        vm.prank(alice);
        other.deposit(1, alice);
        deployQueue(other);
        assertEq(other.maxDeposit(alice), CAP, "then they are open");
        vm.prank(alice);
        other.deposit(1, alice);
    }

    function test_the_queue_is_set_once_and_must_be_this_vaults() public {
        DemandVault other = deployVault("other", IERC20(address(dollar)), 0);
        vm.expectRevert(IDemandVault.InvalidParameters.selector);
        other.setQueue(address(queue));
        // Not a contract: nothing answers.
        vm.expectRevert(bytes(""));
        other.setQueue(alice);
        RedemptionQueue own = RedemptionQueue(deploy("RedemptionQueue", abi.encode(other)));
        vm.expectEmit(address(other));
        emit IDemandVault.QueueSet(address(own));
        other.setQueue(address(own));
        RedemptionQueue second = RedemptionQueue(deploy("RedemptionQueue", abi.encode(other)));
        vm.expectRevert(IDemandVault.InvalidParameters.selector);
        other.setQueue(address(second));
    }

    function test_each_role_has_its_own_calls_and_no_other() public {
        bytes memory refusal = abi.encodeWithSelector(IAccessManaged.AccessManagedUnauthorized.selector, alice);
        vm.expectRevert(refusal);
        vm.prank(alice);
        vault.deploy(1);
        vm.expectRevert(refusal);
        vm.prank(alice);
        vault.setCustodian(alice, 0);
        vm.expectRevert(refusal);
        vm.prank(alice);
        vault.setTreasury(alice, 0);
        vm.expectRevert(refusal);
        vm.prank(alice);
        vault.setQueue(alice);
        bytes memory notTheQueue = abi.encodeWithSelector(IDemandVault.NotTheQueue.selector, alice);
        vm.expectRevert(notTheQueue);
        vm.prank(alice);
        vault.lineUp(alice, alice, 1);
        vm.expectRevert(notTheQueue);
        vm.prank(alice);
        vault.serveQueue(1);
    }

    // ── Pause ───────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_after_a_pause_the_guardian_waits_seven_days_before_the_next() public {
        vm.prank(guardian);
        vault.pause();
        uint64 end = START + 7 days;
        vm.warp(end);
        reportGain(0);
        bytes memory refusal = abi.encodeWithSelector(IDemandVault.PauseTooSoon.selector, end + 7 days);
        vm.expectRevert(refusal);
        vm.prank(guardian);
        vault.pause();
        vm.warp(end + 7 days - 1);
        vm.expectRevert(refusal);
        vm.prank(guardian);
        vault.pause();
        vm.warp(end + 7 days);
        reportGain(0);
        assertTrue(vault.maxDeposit(bob) > 0, "open for a week at least");
        vm.prank(guardian);
        vault.pause();
    }

    function test_a_pause_ended_by_the_owner_is_not_renewed_at_once_either() public {
        vm.prank(guardian);
        vault.pause();
        skip(1 hours);
        vm.prank(owner);
        vault.unpause();
        assertEq(vault.pausedUntil(), time(), "ended now");
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.PauseTooSoon.selector, time() + 7 days));
        vm.prank(guardian);
        vault.pause();
        assertTrue(vault.maxDeposit(bob) > 0, "open");
    }

    // ── Bounds kept beside the price ────────────────────────────────────────────────────────────────────────────────

    /// @dev What a deposit may do never depends on whether the quick bounds or the exact limits decided.
    function testFuzz_the_quick_bounds_never_say_more_than_the_exact_limits(
        uint256 cap,
        uint256 minDeposit,
        uint256 wait,
        uint256 amount
    ) public {
        cap = within(cap, 0, 4 * ALL);
        minDeposit = within(minDeposit, 0, ALL);
        vm.prank(owner);
        vault.setCap(cap);
        vm.prank(owner);
        vault.setMinDeposit(minDeposit);
        skip(within(wait, 0, REPORT_AGE + 1 hours));
        uint256 max = vault.maxDeposit(bob);
        uint256 assets = within(amount, 1, 4 * ALL);
        fund(bob, assets);
        vm.prank(bob);
        (bool done,) = address(vault).call(abi.encodeWithSignature("deposit(uint256,address)", assets, bob));
        assertTrue(done == (max > 0 && assets <= max && assets >= minDeposit), "exactly what maxDeposit says");
    }

    /// @dev Of each closing the calls themselves, since the quick bounds answer before the limits are asked.
    function test_whatever_closes_deposits_closes_them_for_the_small_ones_too() public {
        fund(bob, 100 * DOLLAR);
        deployMoney(1_000 * DOLLAR);
        expectOpen(true);
        vm.prank(guardian);
        vault.pause();
        expectOpen(false);
        vm.prank(owner);
        vault.unpause();
        expectOpen(true);
        closeProduct("solar-irrigation");
        expectOpen(false);
        openProduct("solar-irrigation");
        expectOpen(true);
        vm.prank(owner);
        vault.setCap(ALL);
        expectOpen(false);
        vm.prank(owner);
        vault.setCap(CAP);
        skip(1);
        reportLoss(1);
        expectOpen(false);
        skip(1 hours);
        reportGain(0);
        expectOpen(false);
        skip(1 days);
        expectOpen(true);
        skip(REPORT_AGE);
        expectOpen(false);
    }

    function expectOpen(bool open) private {
        vm.prank(bob);
        (bool done,) = address(vault).call(abi.encodeWithSignature("deposit(uint256,address)", 2 * DOLLAR, bob));
        assertTrue(done == open, open ? "open" : "closed");
        assertTrue(vault.maxDeposit(bob) > 0 == open, "as maxDeposit says");
    }

    // ── Recovery ────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_anyone_moves_the_shares_of_a_retired_wallet_to_its_successor() public {
        address successor = succeed(alice, 0xA11CE2);
        uint256 shares = vault.balanceOf(alice);
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.ERC7943CannotSend.selector, alice));
        vm.prank(alice);
        vault.transfer(bob, 1);
        vm.expectEmit(address(vault));
        emit IDemandVault.SharesRecovered(alice, successor, shares);
        vm.prank(carol);
        assertEq(vault.recover(alice), shares, "moved");
        assertEq(vault.balanceOf(successor), shares, "all of them");
        assertEq(vault.balanceOf(alice), 0, "none is left");
        assertEq(vault.totalSupply(), shares, "none was made");
        vm.expectRevert(IDemandVault.ZeroAmount.selector);
        vault.recover(alice);
    }

    function test_a_wallet_that_is_not_retired_is_not_recovered() public {
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.NoSuccessor.selector, alice));
        vault.recover(alice);
        revoke(alice);
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.NoSuccessor.selector, alice));
        vault.recover(alice);
    }

    // ── Timestamp edges ─────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_report_in_the_same_block_as_a_deposit_sees_it_and_the_year_2100_still_works() public {
        vm.warp(4_102_444_800);
        reportGain(0);
        skip(1);
        uint256 shares = vault.previewDeposit(DOLLAR);
        bindCarolUntil(4_200_000_000);
        assertEq(depositFor(carol, DOLLAR), shares, "deposit");
        reportGain(vault.maxGain(time()));
        skip(VESTING);
        assertTrue(vault.previewRedeem(shares) >= DOLLAR, "worth at least as much");
    }

    function bindCarolUntil(uint64 until) private {
        bytes memory signed = signature(CAROL_KEY, 0xc3);
        vm.prank(attester);
        identities.bind(carol, 0xc3, until, 250, 1, MESSAGE, signed);
    }
}
