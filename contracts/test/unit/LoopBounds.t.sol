// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {DemandVault} from "../../src/DemandVault.sol";
import {IdentityRegistry} from "../../src/IdentityRegistry.sol";
import {ProductRegistry} from "../../src/ProductRegistry.sol";
import {RedemptionQueue} from "../../src/RedemptionQueue.sol";
import {World} from "../support/World.sol";

/// @dev No call depends on a length that another party chooses: each loop is tried at its bound, from cold storage, within
/// the gas one transaction may use (EIP-7825).
contract LoopBoundsTest is World {
    uint256 private constant MOST_GAS = 1 << 24;
    uint256 private constant PLACES = 16;
    /// @dev What no number of moments or batches takes a call of the queue or a report above.
    uint256 private constant FLAT = 400_000;

    uint256 private _wallets;

    function setUp() public {
        deployWorld();
        enter(vault);
    }

    function enter(DemandVault made) private {
        vault = made;
        depositFor(alice, 1_000 * DOLLAR);
        deployMoney(100 * DOLLAR);
        skip(1 hours);
    }

    /// @dev A vault and a queue beside those of the world.
    function enterNew(uint64 vestingTime, uint64 maxReportAge) private {
        DemandVault.Parameters memory p = parameters(1);
        (p.vestingTime, p.maxReportAge) = (vestingTime, maxReportAge);
        DemandVault made = createVault(IERC20(address(dollar)), identities, p);
        allow(address(made), made.report.selector, REPORTER_ROLE);
        queue = deployQueue(made);
        vm.prank(owner);
        products.list("bounds", address(made), ProductRegistry.ProductType.DemandDeposit, address(dollar), "meta");
        enter(made);
    }

    /// @dev `count` requests of dust by as many wallets as that takes, each covered by a report of its own 12 seconds later.
    function cover(uint256 count, uint256 gain) private {
        address wallet;
        for (uint256 i = 0; i < count; ++i) {
            if (i % PLACES == 0) {
                wallet = newWallet();
                vm.prank(alice);
                vault.transfer(wallet, PLACES);
            }
            request(wallet, 1);
            skip(12);
            reportGain(gain);
        }
    }

    function lastWallet() private view returns (address) {
        return vm.addr(0xB0D1E5 + _wallets);
    }

    function newWallet() private returns (address) {
        uint256 key = 0xB0D1E5 + ++_wallets;
        bindWallet(key, uint128(0xb0d1e5 + _wallets));
        return lastWallet();
    }

    /// @dev Gas of a call from cold storage.
    function gasOf(address target, bytes memory data) private returns (uint256 used) {
        vm.cool(target);
        uint256 before = gasleft();
        (bool done,) = target.call(data);
        used = before - gasleft();
        assertTrue(done, "the call");
    }

    function gasOfReport() private returns (uint256) {
        skip(1);
        bytes memory data = abi.encodeCall(vault.report, (0, time(), "evidence"));
        vm.cool(address(queue));
        vm.prank(reporter);
        uint256 before = gasleft();
        (bool done,) = address(vault).call(data);
        assertTrue(done, "the report");
        return before - gasleft();
    }

    function assertReadsAreFlat() private {
        assertAtMost(gasOf(address(queue), abi.encodeCall(RedemptionQueue.totals, ())), FLAT, "totals");
        assertAtMost(gasOf(address(queue), abi.encodeCall(RedemptionQueue.payableFrom, (lastWallet()))), FLAT, "payableFrom");
        assertAtMost(gasOf(address(queue), abi.encodeCall(RedemptionQueue.payableShares, ())), FLAT, "payableShares");
    }

    function assertFlat() private {
        assertReadsAreFlat();
        uint256 snapshot = vm.snapshotState();
        assertAtMost(gasOf(address(queue), abi.encodeCall(RedemptionQueue.process, ())), FLAT, "process");
        vm.revertToState(snapshot);
        assertAtMost(gasOfReport(), FLAT, "a report");
    }

    // ── RedemptionQueue: the moments requests are payable at ────────────────────────────────────────────────────────

    /// @dev A report within a running stream covers its requests from the stream's end, as the report before it did.
    function test_reports_within_one_stream_leave_one_moment() public {
        reportGain(1_000);
        cover(1, 0);
        vm.record();
        queue.totals();
        (bytes32[] memory one,) = vm.accesses(address(queue));
        cover(63, 0);
        vm.record();
        queue.totals();
        (bytes32[] memory many,) = vm.accesses(address(queue));
        assertEq(many.length, one.length, "slots read");
        uint64 moment = queue.payableFrom(lastWallet());
        vm.warp(moment - 1);
        (, uint256 due,,) = queue.totals();
        assertEq(due, 0, "not a second early");
        vm.warp(moment);
        (, due,,) = queue.totals();
        assertEq(due, 64, "all at its end");
    }

    /// @dev Each gain moves the end of the stream, so each report is a moment of its own. Walked one by one, 6 053 of them
    /// were more than a transaction may cost.
    function test_moments_are_passed_in_few_steps_however_many() public {
        uint256 count = isLong() ? 7_000 : 1_600;
        cover(count, 1);
        assertReadsAreFlat();
        uint64 moment = queue.payableFrom(lastWallet());
        vm.warp(moment - 1);
        (, uint256 due,,) = queue.totals();
        assertEq(due, count - 1, "all but the last");
        vm.warp(moment);
        (, due,,) = queue.totals();
        assertEq(due, count, "all");
        assertFlat();
    }

    /// @dev Requests that are paid ahead of their moments, since reports stay away.
    function test_moments_that_are_not_waited_for_are_passed_in_few_steps() public {
        enterNew(365 days, REPORT_AGE);
        cover(isLong() ? 7_000 : 1_600, 1);
        vm.warp(vault.lastReportAsOf() + REPORT_AGE + 30 days + 1);
        assertFlat();
    }

    function deployAll() private {
        vm.prank(owner);
        vault.setCustodian(custodian, 0);
        uint256 most = vault.maxDeploy();
        vm.prank(treasurer);
        vault.deploy(most);
    }

    // ── RedemptionQueue: the batches a place was paid in ────────────────────────────────────────────────────────────

    /// @dev Dust that anyone repays and processes makes a batch each.
    function test_a_place_is_found_in_few_steps_however_many_batches_came_after_it() public {
        deployAll();
        request(alice, 1e6);
        request(alice, 100e12);
        skip(1 hours);
        reportGain(0);
        vm.prank(custodian);
        dollar.approve(address(vault), type(uint256).max);
        uint256 rounds = 24;
        for (uint256 i = 0; i < rounds * 255; ++i) {
            vm.prank(custodian);
            vault.repay(1);
            queue.process();
        }
        vm.record();
        queue.maxRedeem(alice);
        (bytes32[] memory reads,) = vm.accesses(address(queue));
        // Two places, and four searches of at most 2 log2 of what they search: 24 rounds, then 255 batches or all.
        assertAtMost(reads.length, 80, "slots read");
        assertEq(queue.claimableRedeemRequest(0, alice), rounds * 255e6, "shares");
        assertEq(queue.maxWithdraw(alice), rounds * 255, "assets");
    }

    // ── RedemptionQueue: the days a report looks through, the places of a wallet ────────────────────────────────────

    function test_a_report_as_late_as_may_be_looks_through_45_days() public {
        enterNew(1 days, 45 days);
        uint64 asOf = time();
        skip(45 days);
        request(alice, 100e12);
        vm.cool(address(queue));
        vm.prank(reporter);
        uint256 before = gasleft();
        vault.report(0, asOf, "evidence");
        assertAtMost(before - gasleft(), FLAT, "a report");
    }

    /// @dev What 16 wallets of one subject hold comes together in one; each place in batches of its own.
    function test_256_places_are_recovered_and_claimed_within_one_transaction() public {
        deployAll();
        address to = newWallet();
        uint128 subject = identities.recordOf(to).subject;
        address[] memory from = new address[](16);
        for (uint256 i = 0; i < 16; ++i) {
            bindWallet(0xF00 + i, subject);
            from[i] = vm.addr(0xF00 + i);
            vm.prank(alice);
            vault.transfer(from[i], PLACES * 4e6);
            for (uint256 j = 0; j < PLACES; ++j) {
                request(from[i], 4e6);
            }
        }
        skip(1);
        reportGain(0);
        vm.prank(custodian);
        dollar.approve(address(vault), type(uint256).max);
        for (uint256 i = 0; i < 1_024; ++i) {
            // A unit is a quarter of what a place is worth.
            vm.prank(custodian);
            vault.repay(1);
            queue.process();
        }
        for (uint256 i = 0; i < 16; ++i) {
            retire(from[i], to, subject);
            assertAtMost(gasOf(address(queue), abi.encodeCall(RedemptionQueue.recover, (from[i]))), MOST_GAS, "recover");
        }
        vm.cool(address(queue));
        vm.prank(to);
        uint256 before = gasleft();
        queue.claim(to, to);
        assertAtMost(before - gasleft(), MOST_GAS, "claim");
        assertEq(dollar.balanceOf(to), 1_024, "all of it");
    }

    function retire(address from, address to, uint128 subject) private {
        bytes memory last = identities.requestLine(subject);
        bytes memory text = withNonce(MESSAGE);
        bytes memory signed = personalSign(0xB0D1E5 + _wallets, bytes.concat(text, identities.switchLine(from), last));
        vm.prank(from);
        identities.switchWallet(to, text, "", signed);
    }

    // ── IdentityRegistry ────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev A wallet a link, which the attester binds to the subject and the wallet before signs over to: whoever lengthens the
    /// chain waits at its end.
    function test_a_chain_of_successors_costs_little_a_link() public {
        address first = alice;
        address wallet = first;
        for (uint256 i = 0; i < 200; ++i) {
            wallet = succeed(wallet, 0xCAFE00 + i);
        }
        uint256 used = gasOf(address(identities), abi.encodeCall(IdentityRegistry.successorOf, (first)));
        assertAtMost(used * 35, MOST_GAS, "7 000 links");
        assertEq(identities.successorOf(first), wallet, "the end of the chain");
    }
}
