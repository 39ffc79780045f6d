// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessManaged} from "@openzeppelin/contracts/access/manager/IAccessManaged.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {DemandVault} from "../../src/DemandVault.sol";
import {IDemandVault} from "../../src/vault/IDemandVault.sol";
import {ProductRegistry} from "../../src/ProductRegistry.sol";
import {IRenderer} from "../../src/interfaces/IRenderer.sol";
import {SomethingAsset} from "../support/Assets.sol";
import {Vm} from "../support/Vm.sol";
import {World} from "../support/World.sol";

/// @dev The last value inside each bound of the vault, the first outside, and the smallest amounts.
contract DemandVaultEdgesTest is World {
    uint256 private constant ALL = 100_000 * DOLLAR;

    function setUp() public {
        deployWorld();
    }

    /// @dev The system's vault from now on, with a queue, and alice in it.
    function useVault(uint64 vestingTime) private {
        DemandVault.Parameters memory p = parameters(MIN_DEPOSIT);
        p.vestingTime = vestingTime;
        vault = createVault(IERC20(address(dollar)), identities, p);
        allow(address(vault), vault.report.selector, REPORTER_ROLE);
        vm.prank(owner);
        products.list("edge", address(vault), ProductRegistry.ProductType.DemandDeposit, address(dollar), "meta");
        queue = deployQueue(vault);
        depositFor(alice, ALL);
    }

    function streamEnd() private view returns (uint64 end) {
        (,,, end) = vault.stream();
    }

    // ── Creation ────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_the_last_values_in_range_are_taken() public {
        DemandVault.Parameters[2] memory good = [parameters(1), parameters(1)];
        (good[0].vestingTime, good[1].vestingTime) = (1, 365 days);
        (good[0].maxReportAge, good[1].maxReportAge) = (1, 45 days);
        (good[0].maxRate, good[1].maxRate) = (0, 10e18);
        (good[0].cap, good[1].cap) = (0, type(uint96).max);
        (good[0].minDeposit, good[1].minDeposit) = (0, type(uint80).max);
        for (uint256 i = 0; i < 2; ++i) {
            DemandVault made = createVault(IERC20(address(dollar)), identities, good[i]);
            assertEq(made.vestingTime(), good[i].vestingTime, "vestingTime");
            assertEq(made.maxReportAge(), good[i].maxReportAge, "maxReportAge");
            assertEq(made.maxRate(), good[i].maxRate, "maxRate");
            assertEq(made.cap(), good[i].cap, "cap");
            assertEq(made.minDeposit(), good[i].minDeposit, "minDeposit");
        }
        products = ProductRegistry(alice);
        vm.expectRevert(IDemandVault.InvalidParameters.selector);
        createVault(IERC20(address(dollar)), identities, parameters(1));
    }

    function evidenceEvents(DemandVault.Parameters memory p) private returns (uint256 count, bytes memory data) {
        vm.recordLogs();
        createVault(IERC20(address(dollar)), identities, p);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] != IDemandVault.EvidenceRenewed.selector) continue;
            data = logs[i].data;
            ++count;
        }
    }

    function test_a_new_vault_says_until_when_its_evidence_stands_and_nothing_without_devices() public {
        DemandVault.Parameters memory p = parameters(1);
        (uint256 count, bytes memory data) = evidenceEvents(p);
        assertEq(count, 0, "without devices");
        p.evidenceUntil = START + 9 days;
        (count, data) = evidenceEvents(p);
        assertEq(count, 1, "with devices");
        assertEq(keccak256(data), keccak256(abi.encode(bytes32(0), START + 9 days)), "no document yet");
    }

    function test_a_new_vault_streams_nothing_from_its_first_second_on() public view {
        (int256 settled, uint256 streaming, uint64 start, uint64 end) = vault.stream();
        assertTrue(settled == 0 && streaming == 0, "nothing");
        assertEq(start, START, "start");
        assertEq(end, START + VESTING, "end");
        assertEq(vault.lastReportAsOf(), START, "lastReportAsOf");
    }

    function test_a_renderer_that_fails_is_passed_on_without_a_word() public {
        DemandVault.Parameters memory p = parameters(1);
        p.renderer = IRenderer(address(dollar));
        DemandVault made = createVault(IERC20(address(dollar)), identities, p);
        (bool done, bytes memory answer) = address(made).staticcall(abi.encodeCall(made.contractURI, ()));
        assertTrue(!done && answer.length == 0, "nothing said");
    }

    function test_evidence_is_renewed_by_its_roles_alone() public {
        bytes memory refusal = abi.encodeWithSelector(IAccessManaged.AccessManagedUnauthorized.selector, alice);
        vm.expectRevert(refusal);
        vm.prank(alice);
        vault.renewEvidence("document", START + 1);
        vm.expectRevert(refusal);
        vm.prank(alice);
        vault.setEvidence("document", START + 1);
    }

    // ── Income ──────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_gain_of_a_single_unit_is_paid_in_streamed_and_waited_for() public {
        depositFor(alice, ALL);
        request(alice, 1_000e12);
        skip(1 hours);
        reportGain(1);
        assertEq(dollar.balanceOf(address(vault)), ALL + 1, "paid in");
        assertEq(vault.totalAssets(), ALL, "not at once");
        assertEq(queue.payableFrom(alice), time() + VESTING, "a request waits for it");
        skip(VESTING);
        assertEq(vault.totalAssets(), ALL + 1, "arrived");
    }

    function test_a_report_of_nothing_moves_no_money_and_works_with_an_asset_that_refuses_that() public {
        DemandVault made = deployVault("something", IERC20(address(new SomethingAsset())), 0);
        deployQueue(made);
        skip(1);
        uint64 asOf = time();
        vm.prank(reporter);
        made.report(0, asOf, 0);
        assertEq(made.lastReportAsOf(), asOf, "reported");
    }

    function test_a_loss_of_nothing_leaves_the_stream_as_it_is_and_says_nothing_was_lost() public {
        depositFor(alice, ALL);
        skip(1 days);
        reportGain(1_000);
        (int256 settled, uint256 streaming, uint64 start, uint64 end) = vault.stream();
        skip(90 minutes);
        vm.expectEmit(address(vault));
        emit IDemandVault.Reported(0, time(), "evidence", settled, streaming, start, end);
        reportLoss(1);
        assertEq(streamEnd(), end, "the same end");
    }

    function test_a_loss_that_the_stream_bears_to_the_unit_leaves_deposits_open() public {
        depositFor(alice, ALL);
        deployMoney(50_000 * DOLLAR);
        skip(1 days);
        reportGain(40 * DOLLAR);
        skip(VESTING / 4);
        uint256 before = vault.totalAssets();
        reportLoss(30 * DOLLAR);
        assertEq(vault.totalAssets(), before, "the price stays");
        assertEq(vault.desk().lossUntil, 0, "deposits stay open");
        skip(1);
        reportLoss(1);
        assertEq(vault.desk().lossUntil, time() + 1 days, "a unit more closes them");
    }

    function test_a_reviewed_loss_closes_deposits_also_where_the_stream_bears_it() public {
        depositFor(alice, ALL);
        deployMoney(50_000 * DOLLAR);
        skip(30 days);
        reportGain(1_600 * DOLLAR);
        skip(1);
        reportLoss(1_100 * DOLLAR);
        assertTrue(vault.totalAssets() >= ALL, "the price stays");
        (uint256 loss, uint64 until) = vault.reviewedLoss();
        assertTrue(loss == 1_100 * DOLLAR && until == time() + 1 days, "reviewed");
        assertEq(vault.desk().lossUntil, until, "deposits are closed");
    }

    function test_nothing_may_be_gained_before_the_last_report() public {
        depositFor(alice, ALL);
        skip(1 days);
        reportGain(0);
        assertEq(vault.maxGain(time() - 1), 0, "before");
        assertEq(vault.maxGain(time()), 0, "at it");
        assertTrue(vault.maxGain(time() + 1 hours) > 0, "after");
    }

    /// @dev Who leaves in the middle of a stream leaves the rest of it to who stays, whose price it lifts.
    function test_a_report_of_nothing_moves_the_mark_to_where_the_stream_leads() public {
        depositFor(alice, ALL);
        uint256 shares = depositFor(bob, ALL);
        skip(1 days);
        reportGain(50 * DOLLAR);
        skip(VESTING / 2);
        vm.prank(bob);
        vault.redeem(shares, bob, bob);
        uint256 before = vault.desk().mark;
        reportGain(0);
        uint256 all = vault.totalSupply() + 1e6;
        uint256 held = dollar.balanceOf(address(vault));
        assertTrue(vault.desk().mark > before, "moved");
        assertEq(vault.desk().mark, ((held + 1) * 1e27 + all - 1) / all, "to the last digit");
    }

    // ── The length of a stream ──────────────────────────────────────────────────────────────────────────────────────

    function test_a_vesting_time_may_be_a_second() public {
        useVault(1);
        skip(1);
        reportGain(100);
        assertEq(streamEnd(), time() + 1, "a gain");
        deployMoney(10);
        skip(10);
        reportLoss(1);
        assertEq(streamEnd(), time() + 1, "a loss");
    }

    function test_seven_days_are_streamed_to_their_end() public {
        useVault(7 days - 1);
        skip(30 days);
        reportGain(100);
        assertEq(streamEnd(), time() + 7 days, "a second more than the vesting time");
    }

    // ── Money at work ───────────────────────────────────────────────────────────────────────────────────────────────

    function test_what_is_deployed_adds_up() public {
        depositFor(alice, ALL);
        deployMoney(10_000 * DOLLAR);
        deployMoney(1);
        assertEq(vault.desk().deployed, 10_000 * DOLLAR + 1, "both");
        assertEq(vault.instantLiquidity(), 90_000 * DOLLAR - 1, "the rest");
    }

    function test_a_buffer_of_all_is_taken_and_leaves_nothing_to_deploy() public {
        depositFor(alice, ALL);
        vm.prank(owner);
        vault.setCustodian(custodian, 1e18);
        assertEq(vault.maxDeploy(), 0, "all stays");
    }

    /// @dev A share more than 30 000 shares is owed a unit more, and a tenth of a unit is kept as one.
    function test_what_may_be_deployed_is_rounded_for_the_queue_and_for_the_buffer() public {
        depositFor(alice, ALL);
        depositFor(bob, DOLLAR + 3);
        vm.prank(owner);
        vault.setCustodian(custodian, 0.1e18);
        uint256 all = ALL + DOLLAR + 3;
        assertEq(vault.maxDeploy(), all - (all / 10 + 1), "for the buffer");
        request(alice, 30_000e12 + 1);
        assertEq(vault.maxDeploy(), all - (all / 10 + 1) - (30_000 * DOLLAR + 1), "for the queue");
        assertEq(vault.instantLiquidity(), all - (30_000 * DOLLAR + 1), "for the queue before instant exits too");
    }

    // ── What the queue is paid ──────────────────────────────────────────────────────────────────────────────────────

    /// @dev The test is the queue of a vault of this asset.
    function serveFrom(IERC20 asset) private {
        vault = deployVault("served", asset, 0);
        vault.setQueue(address(this));
    }

    function share() external view returns (address) {
        return address(vault);
    }

    function events(bytes32 topic) private returns (uint256 count) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] == topic) ++count;
        }
    }

    function test_where_nothing_is_idle_nothing_is_paid_and_nothing_said() public {
        serveFrom(IERC20(address(dollar)));
        vm.recordLogs();
        (uint256 released, uint256 assets) = vault.serveQueue(5_000_000);
        assertTrue(released == 0 && assets == 0, "nothing");
        assertEq(vm.getRecordedLogs().length, 0, "not a word");
    }

    function test_dust_worth_nothing_is_burnt_without_a_transfer() public {
        SomethingAsset asset = new SomethingAsset();
        serveFrom(IERC20(address(asset)));
        asset.mint(alice, 1_000);
        vm.prank(alice);
        asset.approve(address(vault), 1_000);
        vm.prank(alice);
        vault.deposit(1_000, alice);
        vault.lineUp(alice, alice, 1);
        (uint256 released, uint256 assets) = vault.serveQueue(1);
        assertTrue(released == 1 && assets == 0, "for nothing");
    }

    /// @dev Half a unit's worth of shares more than the idle money is asked for: it goes with the rest.
    function test_idle_money_that_just_reaches_pays_all_shares() public {
        depositFor(alice, ALL);
        vm.prank(owner);
        vault.setCustodian(custodian, 0);
        vm.prank(treasurer);
        vault.deploy(ALL);
        request(alice, 100_500_000);
        skip(1 hours);
        reportGain(0);
        repayMoney(100);
        vm.expectEmit(address(vault));
        emit IERC4626.Withdraw(address(queue), address(queue), address(queue), 100, 100_500_000);
        (uint256 shares, uint256 assets) = queue.process();
        assertEq(shares, 100_500_000, "all");
        assertEq(assets, 100, "for all that is idle");
    }

    // ── Room ────────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_room_for_just_the_smallest_deposit_is_room() public {
        depositFor(alice, ALL);
        skip(1 days);
        reportGain(7);
        skip(VESTING);
        uint256 total = vault.totalAssets();
        vm.prank(owner);
        vault.setCap(total + MIN_DEPOSIT);
        assertEq(vault.maxDeposit(bob), MIN_DEPOSIT, "maxDeposit");
        uint256 shares = vault.maxMint(bob);
        assertEq(shares, vault.convertToShares(MIN_DEPOSIT), "maxMint");
        assertTrue(vault.convertToAssets(shares) < MIN_DEPOSIT, "worth a little less than they cost");
        fund(bob, MIN_DEPOSIT);
        vm.prank(bob);
        assertEq(vault.mint(shares, bob), MIN_DEPOSIT, "minted");
        assertEq(vault.maxDeposit(bob), 0, "full");
    }

    function test_without_a_smallest_deposit_no_room_is_none() public {
        vm.prank(owner);
        vault.setMinDeposit(0);
        assertEq(vault.maxDeposit(carol), 0, "a stranger");
        closeProduct("solar-irrigation");
        assertEq(vault.maxDeposit(alice), 0, "a closed product");
        assertEq(vault.maxMint(alice), 0, "in shares");
        fund(alice, 1);
        vm.expectRevert(abi.encodeWithSelector(ERC4626.ERC4626ExceededMaxDeposit.selector, alice, 1, 0));
        vm.prank(alice);
        vault.deposit(1, alice);
    }

    function test_a_single_unit_is_below_the_smallest_deposit() public {
        fund(alice, 1);
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.BelowMinimumDeposit.selector, 1, MIN_DEPOSIT));
        vm.prank(alice);
        vault.deposit(1, alice);
    }

    /// @dev Everyone has left in the middle of a stream, as in `test_room_too_small_for_one_share_counts_as_none`.
    function test_where_a_share_is_dear_less_buys_none_and_one_is_sold_and_paid() public {
        uint256 shares = depositFor(alice, CAP);
        skip(1 days);
        reportGain(vault.maxGain(time()));
        skip(1);
        vm.prank(alice);
        vault.redeem(shares, alice, alice);
        skip(VESTING);
        vm.prank(owner);
        vault.setMinDeposit(0);
        reportGain(0);
        uint256 price = vault.previewMint(1);
        fund(alice, price);
        vm.expectRevert(IDemandVault.ZeroAmount.selector);
        vm.prank(alice);
        vault.deposit(1, alice);
        vm.prank(alice);
        assertEq(vault.deposit(price, alice), 1, "one");
        vm.prank(alice);
        assertTrue(vault.redeem(1, alice, alice) > 0, "is paid");
    }

    // ── Leaving ─────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_single_idle_unit_can_be_had() public {
        depositFor(alice, ALL);
        deployMoney(10_000 * DOLLAR);
        vm.prank(alice);
        vault.withdraw(90_000 * DOLLAR - 1, alice, alice);
        assertEq(vault.instantLiquidity(), 1, "a unit");
        uint256 most = vault.maxRedeem(alice);
        assertEq(most, vault.previewWithdraw(2) - 1, "all shares that are worth it");
        vm.prank(alice);
        assertEq(vault.redeem(most, alice, alice), 1, "paid");
    }
}
