// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDemandVault} from "../../src/vault/IDemandVault.sol";
import {QueueModel} from "../support/QueueModel.sol";
import {World} from "../support/World.sol";

/// @dev What an enemy or a rogue key would try, each with the bound of what it gets.
contract AttacksTest is World {
    function setUp() public {
        deployWorld();
    }

    function price() private view returns (uint256) {
        return vault.convertToAssets(1e30);
    }

    // ── Escape before a loss ────────────────────────────────────────────────────────────────────────────────────────

    /// @dev Who knows of a loss before it is reported gets out the idle money at once, whatever way it is cut, and not a
    /// unit more; what it sends through the queue bears the loss.
    function testFuzz_who_escapes_before_a_loss_takes_the_idle_money_at_most(uint256 work, uint256 part, uint256 cut)
        public
    {
        uint256 shares = depositFor(alice, 500_000 * DOLLAR);
        depositFor(bob, 500_000 * DOLLAR);
        deployMoney(within(work, 1, vault.totalAssets() * 9 / 10));
        uint256 most = vault.instantLiquidity();
        uint256 out;
        for (uint256 i = 0; i < 3; ++i) {
            uint256 exit = vault.maxRedeem(alice) * within(part, 1, 10) / 10;
            if (vault.previewRedeem(exit) == 0) break;
            vm.prank(alice);
            out += vault.redeem(exit, alice, alice);
        }
        assertAtMost(out, most, "the idle money");
        if (shares == vault.balanceOf(alice) || vault.balanceOf(alice) == 0) return;
        uint256 left = vault.balanceOf(alice);
        request(alice, left);
        uint256 worth = vault.previewRedeem(left);
        skip(1 hours);
        reportLoss(within(cut, 1, vault.desk().deployed));
        skip(1 days);
        uint256 after_ = vault.previewRedeem(left);
        if (vault.desk().deployed > 0) repayMoney(vault.desk().deployed);
        queue.process();
        uint256 paid = claim(alice);
        assertEq(paid, after_, "through the queue the loss is borne");
        assertAtMost(paid, worth, "never more than before it");
    }

    // ── A rogue reporter ────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev One report of any kind. Returns the gain or the loss that counts.
    function reportAsRogue(uint256 random) private returns (uint256 gain, uint256 loss) {
        uint256 deployed = vault.desk().deployed;
        (, uint64 reviewUntil) = vault.reviewedLoss();
        if (time() < reviewUntil) {
            uint64 asOf = time();
            vm.expectRevert(abi.encodeWithSelector(IDemandVault.LossUnderReview.selector, reviewUntil));
            vm.prank(reporter);
            vault.report(0, asOf, "evidence");
        } else if (random % 3 == 0 && deployed > 0) {
            loss = within(random >> 8, 1, random % 5 == 0 ? deployed : deployed / 100 + 1);
            reportLoss(loss);
        } else {
            gain = vault.maxGain(time());
            reportGain(gain);
        }
    }

    /// @dev A day of any reports: gains are paid in and bounded by rate and time together, losses by what is deployed,
    /// and nobody can buy at a price that was talked down.
    function testFuzz_a_rogue_reporter_has_a_day_and_these_bounds(uint256 random) public {
        depositFor(alice, 1_000_000 * DOLLAR);
        deployMoney(600_000 * DOLLAR);
        skip(1 hours);
        reportGain(0);
        uint64 start = time();
        uint256 total = vault.totalAssets();
        uint256 gains;
        uint256 losses;
        uint256 low = price();
        for (uint256 i = 0; i < 24; ++i) {
            skip(1 hours);
            random = uint256(keccak256(abi.encode(random)));
            (uint256 gain, uint256 loss) = reportAsRogue(random);
            gains += gain;
            losses += loss;
            if (price() < low) assertEq(vault.maxDeposit(bob), 0, "nobody buys what was talked down");
            else low = price();
        }
        assertEq(time() - start, 1 days, "a day");
        assertAtMost(gains, (total + gains) * 0.2e18 / 1e18 / 365 + 24, "gains by rate and time");
        assertAtMost(losses, 600_000 * DOLLAR, "losses by what is deployed");
        assertAtMost(vault.totalAssets(), total + gains, "nothing is counted that was not paid in");
        assertTrue(vault.totalAssets() + losses >= total, "nothing is lost beyond it");
        skip(1 days);
        assertTrue(vault.maxWithdraw(alice) >= 400_000 * DOLLAR, "what is here stays everyone's");
    }

    // ── Pause abuse ─────────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_guardian_that_pauses_whenever_it_can_stops_deposits_half_the_time_at_most_and_exits_never() public {
        uint256 shares = depositFor(alice, 100 * DOLLAR);
        uint256 closed;
        for (uint256 i = 0; i < 8 * 14; ++i) {
            vm.prank(guardian);
            (bool done,) = address(vault).call(abi.encodeCall(vault.pause, ()));
            done;
            skip(12 hours);
            reportGain(0);
            if (vault.maxDeposit(bob) == 0) ++closed;
            assertEq(vault.maxRedeem(alice), shares, "exits");
        }
        assertAtMost(closed, 4 * 14 + 1, "half the time");
    }

    // ── Ten thousand dust requests ──────────────────────────────────────────────────────────────────────────────────

    function test_ten_thousand_dust_requests_cost_who_processes_and_who_claims_no_more_than_one() public {
        uint256 victim = depositFor(bob, 1_000 * DOLLAR);
        depositFor(alice, 10_000 * DOLLAR);
        // Settles the slots that only the first batch fills.
        request(alice, 1e12);
        skip(1);
        reportGain(0);
        queue.process();

        request(bob, victim / 2);
        skip(1);
        reportGain(0);
        (uint256 processAlone, uint256 claimAlone) = measured();

        uint256 key = 0x700000;
        for (uint256 i = 0; i < 625; ++i) {
            address wallet = vm.addr(key + i);
            bindWallet(key + i, uint128(0x10000 + i));
            vm.prank(alice);
            vault.transfer(wallet, 160);
            for (uint256 j = 0; j < 16; ++j) {
                request(wallet, 1 + j % 10);
            }
        }
        request(bob, victim / 4);
        skip(1);
        reportGain(0);
        (uint256 processMany, uint256 claimMany) = measured();
        assertAtMost(processMany, processAlone + 1_000, "processing is flat");
        assertAtMost(claimMany, claimAlone + 1_000, "claiming is flat");
        (uint256 requested,, uint256 processed,) = queue.totals();
        assertEq(processed, requested, "all of it in one go");
    }

    function measured() private returns (uint256 processing, uint256 claiming) {
        uint256 left = gasleft();
        queue.process();
        processing = left - gasleft();
        vm.prank(bob);
        left = gasleft();
        queue.claim(bob, bob);
        claiming = left - gasleft();
    }

    /// @dev Dust worth less than a unit is processed with everything else and drains with it, to the unit.
    function testFuzz_dust_drains_exactly(uint256 random) public {
        depositFor(alice, 1_000 * DOLLAR);
        depositFor(bob, 1_000 * DOLLAR);
        for (uint256 round = 0; round < 4; ++round) {
            for (uint256 i = 0; i < 4; ++i) {
                random = uint256(keccak256(abi.encode(random)));
                address who = random % 2 == 0 ? alice : bob;
                request(who, within(random >> 8, 1, random % 3 == 0 ? 10 : 3e6));
            }
            skip(1 + random % 1 days);
            reportGain(within(random >> 16, 0, vault.maxGain(time())));
            (,,, uint64 end) = vault.stream();
            if (end > time()) vm.warp(end);
            queue.process();
            if (round % 2 == 0 && queue.maxRedeem(alice) > 0) claim(alice);
        }
        if (queue.maxRedeem(alice) > 0) claim(alice);
        if (queue.maxRedeem(bob) > 0) claim(bob);
        assertEq(vault.setAside(), 0, "nothing is left behind");
        (uint256 requested,, uint256 processed,) = queue.totals();
        assertEq(processed, requested, "nothing waits");
    }

    // ── Donations ───────────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev Neither the first depositor nor anyone who gives money to the vault or the queue moves a price or a limit.
    function testFuzz_gifts_move_nothing(uint256 gift, uint256 work) public {
        depositFor(alice, 1_000 * DOLLAR);
        deployMoney(within(work, 1, 900 * DOLLAR));
        request(alice, 1e12);
        uint256 before = price();
        uint256 instant = vault.instantLiquidity();
        uint256 most = vault.maxDeploy();
        dollar.mint(address(vault), within(gift, 1, 1e6 * 1_000 * DOLLAR));
        dollar.mint(address(queue), within(gift, 1, 1e6 * 1_000 * DOLLAR));
        assertEq(price(), before, "price");
        assertEq(vault.instantLiquidity(), instant, "instant exits");
        assertEq(vault.maxDeploy(), most, "what may be deployed");
        assertEq(queue.maxWithdraw(alice), 0, "claims");
    }

    // ── A long wait ─────────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev Money trickles in, so that a place is paid in many batches at many prices; whoever looks through how many of
    /// them, all claims together are what was set aside, and each is what a count unit by unit says.
    /// forge-config: legacy.fuzz.runs = 64
    function testFuzz_a_place_paid_in_many_batches_gets_its_part_of_each(uint256 random) public {
        bindWallet(CAROL_KEY, 0xc3);
        address[3] memory who = [alice, bob, carol];
        for (uint256 i = 0; i < 3; ++i) {
            depositFor(who[i], 300_000 * DOLLAR);
        }
        vm.recordLogs();
        vm.prank(owner);
        vault.setCustodian(custodian, 0);
        vm.prank(treasurer);
        vault.deploy(900_000 * DOLLAR);
        QueueModel line = new QueueModel(address(queue));
        for (uint256 i = 0; i < 40; ++i) {
            random = uint256(keccak256(abi.encode(random)));
            address one = who[random % 3];
            if (i % 8 == 0 && vault.balanceOf(one) > 0) request(one, within(random >> 8, 1, vault.balanceOf(one)));
            skip(1 hours);
            if (i % 4 == 0) reportGain(within(random >> 16, 0, vault.maxGain(time())));
            repayMoney(within(random >> 24, 1, vault.desk().deployed / 20 + 1));
            (bool done,) = address(queue).call(abi.encodeCall(queue.process, ()));
            done;
            uint256 part = queue.maxRedeem(one);
            if (random % 5 == 0 && part > 0) {
                part = within(random >> 32, 1, part);
                vm.prank(one);
                queue.redeem(part, one, one);
            }
            line.feed(vm.getRecordedLogs());
            for (uint256 j = 0; j < 3; ++j) {
                (uint256 shares, uint256 assets) = line.claimableOf(who[j]);
                assertEq(queue.maxRedeem(who[j]), shares, "in shares");
                assertEq(queue.maxWithdraw(who[j]), assets, "in money");
                assertEq(queue.pendingRedeemRequest(0, who[j]), line.pendingOf(who[j]), "the rest is pending");
            }
        }
        for (uint256 j = 0; j < 3; ++j) {
            if (queue.maxRedeem(who[j]) > 0) claim(who[j]);
        }
        assertEq(vault.setAside(), 0, "drained");
    }
}
