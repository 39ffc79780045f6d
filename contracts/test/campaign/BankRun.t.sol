// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDemandVault} from "../../src/vault/IDemandVault.sol";
import {RedemptionQueue} from "../../src/RedemptionQueue.sol";
import {World} from "../support/World.sol";

/// @dev A bank run: four fifths of all wallets ask to leave at once, a tenth of the money is idle, and the rest comes back
/// in parts. Ten thousand wallets in `npm run test:long`, else three hundred.
///
/// The model knows who asked in which order, and the price before each processing. What one is due is the part of each
/// batch that its places cover, at the price of that batch; the queue may be off by a unit for each batch.
contract BankRunTest is World {
    struct Stretch {
        uint256 start;
        uint256 end;
    }

    struct Batch {
        uint256 start;
        uint256 end;
        /// Assets and shares, whose quotient is the price.
        uint256 assets;
        uint256 shares;
    }

    uint256 private constant FIRST_KEY = 0x100000;
    /// @dev Prime, so that its multiples are an order of all wallets.
    uint256 private constant STEP = 7919;

    uint256 private immutable _count = isLong() ? 10_000 : 300;
    address[] private _wallets;
    mapping(address wallet => Stretch[]) private _places;
    Batch[] private _batches;
    uint256 private _requested;
    uint256 private _staying;

    function setUp() public {
        deployWorld();
        for (uint256 i = 0; i < _count; ++i) {
            // In a call of its own, which gives the memory back.
            this.enter(i);
        }
        vm.prank(owner);
        vault.setCustodian(custodian, 0.1e18);
        uint256 most = vault.maxDeploy();
        vm.prank(treasurer);
        vault.deploy(most);
        assertTrue(idle() * 10 - vault.totalAssets() < 10, "a tenth is idle");
    }

    function enter(uint256 i) external {
        bindWallet(FIRST_KEY + i, uint128(0x10000 + i));
        address wallet = vm.addr(FIRST_KEY + i);
        _wallets.push(wallet);
        depositFor(wallet, within(uint256(keccak256(abi.encode(i))), DOLLAR, 10_000 * DOLLAR));
    }

    function test_a_bank_run_with_income_pays_everyone_its_part() public {
        everyoneAsks(false);
        while (waiting() > 0) {
            skip(1 days);
            // Who waits for money goes on earning.
            processIfPayable();
            reportGain(vault.maxGain(time()));
            if (_batches.length == 0) skip(VESTING);
            payBackAndProcess();
        }
        everyoneClaims();
    }

    function test_a_bank_run_with_losses_shares_them() public {
        everyoneAsks(false);
        skip(1 hours);
        // The first is reviewed for a day and borne by all.
        reportLoss(vault.totalAssets() / 20);
        vm.expectPartialRevert(IDemandVault.LossUnderReview.selector);
        queue.process();
        skip(1 days);
        process();
        for (uint256 i = 0; waiting() > 0; ++i) {
            if (i % 3 == 1) {
                // Borne by who waits for money and by who stays, not by who is paid.
                skip(1 days);
                processIfPayable();
                allowReview();
                reportLoss(vault.totalAssets() / 50);
                vm.prank(confirmer);
                vault.confirmLoss();
            }
            payBackAndProcess();
        }
        everyoneClaims();
    }

    function test_a_bank_run_with_frozen_wallets_holds_nobody_up() public {
        everyoneAsks(false);
        for (uint256 i = 1; i < _count; i += 20) {
            freeze(_wallets[i], true);
            revoke(_wallets[i + 1]);
        }
        settle();
        for (uint256 i = 1; i < _count; i += 20) {
            vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.CannotAct.selector, _wallets[i]));
            vm.prank(_wallets[i]);
            queue.claim(_wallets[i], _wallets[i]);
            // Paid as everyone once it is let go.
            freeze(_wallets[i], false);
        }
        everyoneClaims();
    }

    function test_a_bank_run_among_dust_places_pays_everyone_its_part() public {
        everyoneAsks(true);
        settle();
        everyoneClaims();
    }

    // ── Steps ───────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev Four of five ask for all they have, in an order that is not that of the deposits. With dust every tenth of
    /// them asks fifteen times before for shares that are worth less than a unit.
    function everyoneAsks(bool dust) private {
        for (uint256 k = 0; k < _count; ++k) {
            uint256 i = k * STEP % _count;
            address wallet = _wallets[i];
            if (i % 5 == 0) {
                _staying += vault.balanceOf(wallet);
                continue;
            }
            for (uint256 j = 0; dust && i % 10 == 3 && j < 15; ++j) {
                ask(wallet, 1 + (i + j) % 10);
            }
            ask(wallet, vault.balanceOf(wallet));
        }
        assertEq(vault.maxWithdraw(_wallets[0]), 0, "who stays does not overtake");
    }

    function ask(address wallet, uint256 shares) private {
        request(wallet, shares);
        _places[wallet].push(Stretch(_requested, _requested + shares));
        _requested += shares;
    }

    /// @dev A report of nothing makes all payable; then the money comes back until all are paid.
    function settle() private {
        skip(1 hours);
        reportGain(0);
        process();
        while (waiting() > 0) {
            payBackAndProcess();
        }
    }

    /// @dev An eighth of what is deployed at most, and never so little that the run does not end.
    function payBackAndProcess() private {
        uint256 deployed = vault.desk().deployed;
        uint256 part = vault.totalAssets() / 8;
        if (deployed > 0) repayMoney(deployed < part ? deployed : part);
        process();
    }

    /// @dev What the next report would begin with, so that the model sees the price of it.
    function processIfPayable() private {
        (, uint256 due, uint256 processed,) = queue.totals();
        if (due > processed && idle() > 0) process();
    }

    /// @dev By anyone, at the price of this moment.
    function process() private {
        (,, uint256 processed,) = queue.totals();
        uint256 assets = vault.totalAssets() + 1;
        uint256 shares = vault.totalSupply() + 1e6;
        vm.prank(_wallets[processed % _count]);
        queue.process();
        (,, uint256 processedNow,) = queue.totals();
        _batches.push(Batch(processed, processedNow, assets, shares));
        assertTrue((vault.totalAssets() + 1) * shares >= assets * (vault.totalSupply() + 1e6), "who stays loses nothing");
        bool open = vault.maxWithdraw(_wallets[0]) > 0;
        assertTrue(open == (processedNow == _requested), "and overtakes nobody");
    }

    /// @dev In an order that is neither that of the deposits nor that of the requests.
    function everyoneClaims() private {
        uint256 total;
        for (uint256 k = 0; k < _count; ++k) {
            address wallet = _wallets[_count - 1 - k * 17 % _count];
            if (_places[wallet].length == 0) continue;
            uint256 paid = claim(wallet);
            assertEq(dollar.balanceOf(wallet), paid, "received");
            checkPart(wallet, paid);
            total += paid;
        }
        (uint256 requested,, uint256 processed, uint256 setAside) = queue.totals();
        assertEq(requested, _requested, "all requests");
        assertEq(processed, requested, "all processed");
        assertEq(total, setAside, "and paid out");
        assertEq(vault.setAside(), 0, "to the last unit");
        assertEq(vault.totalSupply(), _staying, "who stays has what it had");
    }

    // ── The model ───────────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev Within a unit for each batch of what is due, which is rounded down here.
    function checkPart(address wallet, uint256 paid) private view {
        uint256 due;
        uint256 parts;
        for (uint256 j = 0; j < _batches.length; ++j) {
            Batch memory b = _batches[j];
            uint256 shares;
            for (uint256 i = 0; i < _places[wallet].length; ++i) {
                Stretch memory place = _places[wallet][i];
                uint256 from = place.start > b.start ? place.start : b.start;
                uint256 to = place.end < b.end ? place.end : b.end;
                if (from < to) shares += to - from;
            }
            if (shares == 0) continue;
            due += shares * b.assets / b.shares;
            ++parts;
        }
        assertAtMost(due, paid + parts, "a unit for each batch less at most");
        assertAtMost(paid, due + parts, "or more");
    }

    function waiting() private view returns (uint256) {
        return vault.balanceOf(address(queue));
    }

    function idle() private view returns (uint256) {
        (int256 settled, uint256 streaming,,) = vault.stream();
        return uint256(settled + int256(streaming)) - vault.desk().deployed;
    }
}
