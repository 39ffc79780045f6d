// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IdentityRegistry} from "../../src/IdentityRegistry.sol";
import {HandlerBase} from "./HandlerBase.sol";

/// @dev Drives the system the way its users, its operators and its enemies do and checks after each step what must hold
/// for that step. Every action counts when it really did something (`hits`).
contract Handler is HandlerBase {
    function deposit(uint256 who, uint256 amount) external step {
        address receiver = actor(who);
        uint256 max = vault.maxDeposit(receiver);
        if (max == 0) return;
        uint256 assets = within(amount, MIN_DEPOSIT, max < 1_000_000 * DOLLAR ? max : 1_000_000 * DOLLAR);
        depositFor(receiver, assets);
        deposited += assets;
        hits[0]++;
    }

    function mint(uint256 who, uint256 amount) external step {
        address receiver = actor(who);
        uint256 max = vault.maxMint(receiver);
        uint256 least = vault.previewWithdraw(MIN_DEPOSIT);
        if (max < least) return;
        uint256 shares = within(amount, least, max < 1e18 || least > 1e18 ? max : 1e18);
        fund(receiver, vault.previewMint(shares));
        vm.prank(receiver);
        deposited += vault.mint(shares, receiver);
        hits[1]++;
    }

    function withdraw(uint256 who, uint256 amount) external step {
        address from = holder(who);
        uint256 max = vault.maxWithdraw(from);
        if (max == 0) return;
        uint256 assets = within(amount, 1, max);
        vm.prank(from);
        vault.withdraw(assets, from, from);
        withdrawn += assets;
        checkNobodyOvertook();
        hits[2]++;
    }

    function redeem(uint256 who, uint256 amount, bool all) external step {
        address from = holder(who);
        uint256 max = vault.maxRedeem(from);
        if (max == 0) return;
        uint256 shares = all ? max : within(amount, vault.previewWithdraw(1), max);
        vm.prank(from);
        withdrawn += vault.redeem(shares, from, from);
        checkNobodyOvertook();
        hits[3]++;
    }

    /// @dev Any wallet to any other, allowed or not; `step` catches a gain that must not be.
    function transfer(uint256 from, uint256 to, uint256 amount) external step {
        address sender = holder(from);
        address receiver = actor(to);
        if (vault.balanceOf(sender) == 0) return;
        uint256 shares = within(amount, 1, vault.balanceOf(sender));
        bool allowed = vault.canTransfer(sender, receiver, shares);
        vm.prank(sender);
        (bool done,) = address(vault).call(abi.encodeCall(vault.transfer, (receiver, shares)));
        assertTrue(done == allowed, "canTransfer tells the truth");
        hits[done ? 4 : 5]++;
    }

    /// @dev Someone without a live record tries each way in.
    function intrude(uint256 who, uint256 amount) external step {
        address intruder = actor(who);
        if (identities.statusOf(intruder) == IdentityRegistry.Status.Verified) intruder = actors[3];
        uint256 assets = within(amount, MIN_DEPOSIT, 1_000_000 * DOLLAR);
        fund(intruder, assets);
        vm.prank(intruder);
        (bool done,) = address(vault).call(abi.encodeWithSignature("deposit(uint256,address)", assets, intruder));
        assertTrue(!done, "deposit of an intruder");
        vm.prank(intruder);
        (done,) = address(vault).call(abi.encodeCall(vault.mint, (2e12, intruder)));
        assertTrue(!done, "mint of an intruder");
        hits[6]++;
    }

    function report(uint256 amount, uint256 late) external step {
        if (time() <= vault.lastReportAsOf() || underReview()) return;
        uint64 asOf = anyReportTime(late);
        uint256 gain = within(amount, 0, vault.maxGain(asOf));
        uint256 fees = model.fees();
        uint256 high = vault.desk().mark;
        (, uint256 due, uint256 processed, uint256 paid) = queue.totals();
        uint256 worth = vault.previewRedeem(due - processed);
        bool enough = worth <= idle();
        fund(reporter, gain);
        vm.prank(reporter);
        vault.report(int256(gain), asOf, "evidence");
        gained += gain;
        hits[7]++;
        if (enough) {
            (,, uint256 now_, uint256 paidNow) = queue.totals();
            assertEq(now_, due, "what was payable is paid first");
            assertEq(paidNow - paid, worth, "at the price before the report");
            if (due > processed) hits[30]++;
        }
        feed();
        if (model.fees() == fees) return;
        assertAtMost((model.fees() - fees) * 10, gain, "a tenth of the gain at most");
        (int256 settled, uint256 streaming,,) = vault.stream();
        uint256 end = uint256(settled + int256(streaming)) + 1;
        assertTrue(end * 1e27 >= high * (vault.totalSupply() + 1e6), "a fee is taken above the mark only");
        hits[14]++;
    }

    function wait(uint256 amount) external step {
        skip(within(amount, 1, 36 hours));
        hits[8]++;
    }

    function donate(uint256 amount) external step {
        uint256 assets = within(amount, 1, 1e15);
        dollar.mint(address(vault), assets);
        donated += assets;
        hits[9]++;
    }

    function loseRecord(uint256 who, bool byFreeze) external step {
        if (who % 8 < 4) return;
        address wallet = actors[who % 3];
        if (byFreeze) {
            freeze(wallet, true);
        } else if (identities.recordOf(wallet).flags & 1 == 0) {
            revoke(wallet);
        }
        hits[10]++;
    }

    function regainRecord(uint256 who) external step {
        uint256 i = who % 3;
        uint128 subject = identities.recordOf(actors[i]).subject;
        freeze(actors[i], false);
        bindWallet(_keys[i], subject);
        hits[11]++;
    }

    function pauseOrGoOn(uint256 amount) external step {
        if (vault.pausedUntil() > time()) {
            vm.prank(owner);
            vault.unpause();
        } else if (amount % 4 == 0 && (vault.pausedUntil() == 0 || vault.pausedUntil() + 7 days <= time())) {
            vm.prank(guardian);
            vault.pause();
        }
        hits[12]++;
    }

    function closeOrOpen(uint256 amount) external step {
        if (amount % 4 == 0) closeProduct("solar-irrigation");
        else openProduct("solar-irrigation");
        hits[13]++;
    }

    // ── Money at work ───────────────────────────────────────────────────────────────────────────────────────────────

    function lose(uint256 amount, uint256 late) external step {
        uint256 deployed = vault.desk().deployed;
        if (time() <= vault.lastReportAsOf() || deployed == 0 || underReview()) return;
        uint256 before = vault.totalAssets();
        uint256 unstreamed = allAssets() - before;
        // Often so little that the stream is enough.
        bool little = amount % 2 == 0 && unstreamed > 0 && unstreamed <= deployed;
        uint256 loss = within(amount, 1, little ? unstreamed : deployed);
        _losing = true;
        // What is payable is paid first, at the price before the loss.
        uint256 paid = payLossReport(loss, late);
        lost += loss;
        uint256 fallen = loss > unstreamed ? loss - unstreamed : 0;
        assertEq(before - vault.totalAssets() - paid, fallen, "first what is not yet streamed, the rest at once");
        if (paid > 0) hits[33]++;
        if (fallen > 0) assertEq(vault.maxDeposit(actors[0]), 0, "nobody buys into it");
        hits[fallen > 0 ? 16 : 15]++;
    }

    /// @dev Reports the loss; what the report paid the queue.
    function payLossReport(uint256 loss, uint256 late) private returns (uint256 paid) {
        uint64 asOf = anyReportTime(late);
        (,,, uint256 paidBefore) = queue.totals();
        // Within 7 days of a review a large one would be refused.
        (, uint64 until) = vault.reviewedLoss();
        if (until != 0 && time() < until + 7 days) hits[34]++;
        allowReview();
        vm.prank(reporter);
        vault.report(-int256(loss), asOf, "evidence");
        (,,, paid) = queue.totals();
        paid -= paidBefore;
    }

    function allAssets() private view returns (uint256) {
        (int256 settled, uint256 streaming,,) = vault.stream();
        return uint256(settled + int256(streaming));
    }

    /// @dev Often as of a moment that has passed, with requests after it.
    function anyReportTime(uint256 late) private view returns (uint64) {
        uint64 earliest = vault.lastReportAsOf() + 1;
        if (time() > earliest + REPORT_AGE) earliest = time() - REPORT_AGE;
        return late % 2 == 0 ? time() : uint64(within(late, earliest, time()));
    }

    /// @dev The confirmer gives back a part of the losses that stand.
    function restoreLoss(uint256 amount) external step {
        uint256 standing = vault.standingLoss();
        if (underReview() || standing == 0) return;
        uint256 total = vault.totalAssets();
        uint256 restored = within(amount, 1, standing);
        vm.prank(confirmer);
        vault.restore(restored);
        lost -= restored;
        assertEq(vault.standingLoss(), standing - restored, "the rest stands");
        assertEq(vault.totalAssets(), total, "what is restored is streamed");
        hits[35]++;
    }

    function reviewLoss(bool takenBack) external step {
        if (!underReview()) return;
        assertEq(vault.maxDeposit(actors[0]), 0, "no deposits while a loss is reviewed");
        assertEq(vault.instantLiquidity(), 0, "no instant exits");
        assertEq(vault.maxDeploy(), 0, "and nothing is deployed");
        (bool done,) = address(queue).call(abi.encodeCall(queue.process, ()));
        assertTrue(!done, "nor processed");
        vm.prank(reporter);
        (done,) = address(vault).call(abi.encodeCall(vault.takeBackLoss, ()));
        assertTrue(!done, "not by the reporter");
        (uint256 loss,) = vault.reviewedLoss();
        uint256 deployed = vault.desk().deployed;
        (int256 settled, uint256 streaming,,) = vault.stream();
        vm.prank(confirmer);
        if (takenBack) {
            vault.takeBackLoss();
            lost -= loss;
            assertEq(vault.desk().deployed, deployed + loss, "deployed again");
            (int256 settledNow, uint256 streamingNow,,) = vault.stream();
            int256 held = settled + int256(streaming) + int256(loss);
            assertTrue(settledNow + int256(streamingNow) == held, "and held");
            hits[27]++;
        } else {
            vault.confirmLoss();
            hits[28]++;
        }
        assertTrue(!underReview(), "the review is over");
    }

    function putToWork(uint256 amount, bool all) external step {
        uint256 most = vault.maxDeploy();
        if (most == 0) return;
        vm.prank(treasurer);
        (bool done,) = address(vault).call(abi.encodeCall(vault.deploy, (most + 1)));
        assertTrue(!done, "not a unit more");
        uint256 assets = all ? most : within(amount, 1, most);
        vm.prank(treasurer);
        vault.deploy(assets);
        uint256 held = idle() + vault.desk().deployed;
        uint256 owed = vault.balanceOf(address(queue)) * (held + 1) / (vault.totalSupply() + 1e6);
        assertTrue(idle() >= held / 10 + owed, "buffer and queue stay covered");
        hits[17]++;
    }

    function repay(uint256 amount) external step {
        uint256 deployed = vault.desk().deployed;
        if (deployed == 0) return;
        repayMoney(within(amount, 1, deployed));
        hits[18]++;
    }

    function skim() external step {
        uint256 extra = model.fees() + donated - model.skimmed();
        if (extra == 0) return;
        assertEq(vault.skim(), extra, "fees and donations, to the unit");
        hits[19]++;
    }

    // ── The queue ───────────────────────────────────────────────────────────────────────────────────────────────────

    function requestRedeem(uint256 who, uint256 amount, uint256 kind) external step {
        address from = holder(who);
        uint256 shares = vault.balanceOf(from);
        if (shares == 0) return;
        // All, dust, or anything between.
        if (kind % 3 != 0) shares = within(amount, 1, kind % 3 == 1 && shares > 1e6 ? 1e6 : shares);
        bool allowed = identities.canSend(from);
        vm.prank(from);
        (bool done,) = address(queue).call(abi.encodeCall(queue.requestRedeem, (shares, from, from)));
        assertTrue(!done || allowed, "a frozen wallet does not ask");
        if (done) hits[20]++;
    }

    /// @dev Pays the head of the line and nobody else, as much as there is.
    function process() external step {
        (, uint256 due, uint256 processed,) = queue.totals();
        uint256 waiting = due - processed;
        uint256 worth = vault.previewRedeem(waiting);
        uint256 money = idle();
        uint256 fewest = vault.previewWithdraw(money);
        uint256 total = vault.totalAssets();
        (bool done, bytes memory answer) = address(queue).call(abi.encodeCall(queue.process, ()));
        assertTrue(done || waiting == 0 || money == 0 || underReview(), "whoever calls, what is payable is paid");
        if (!done) return;
        (uint256 shares, uint256 assets) = abi.decode(answer, (uint256, uint256));
        if (worth <= money) {
            assertEq(shares, waiting, "all that waits");
            assertEq(assets, worth, "at the price of now");
            hits[21]++;
        } else {
            assertTrue(shares < waiting, "not all of it");
            assertEq(assets, money, "as far as the money reaches");
            assertEq(shares, fewest, "for the fewest shares that are worth it");
            hits[22]++;
        }
        assertEq(total - vault.totalAssets(), assets, "out of totalAssets");
    }

    /// @dev Someone who may choose what comes before a processing changes nothing of what those in it are paid, but a unit
    /// by rounding for each thing done.
    function processInAnotherOrder(uint256 random) external step {
        (, uint256 due, uint256 processed, uint256 paid) = queue.totals();
        uint256 money = idle();
        if (due == processed || underReview() || vault.previewRedeem(due - processed) > money) return;
        uint256 expected = vault.previewRedeem(due - processed);
        feed();
        uint256 snapshot = vm.snapshotState();
        for (uint256 i = 0; i < 6; ++i) {
            random = uint256(keccak256(abi.encode(random)));
            _disturb(random);
        }
        (bool done,) = address(queue).call(abi.encodeCall(queue.process, ()));
        done;
        (,, uint256 processedNow, uint256 paidNow) = queue.totals();
        vm.revertToState(snapshot);
        // What was undone is not to be fed.
        vm.getRecordedLogs();
        assertTrue(processedNow >= due, "what was payable is paid");
        if (processedNow == due) {
            assertTrue(paidNow - paid + 1 >= expected, "nobody ahead of the call takes of it");
            assertAtMost(paidNow - paid, expected + 6, "nor gives to it");
        }
        queue.process();
        (,,, paidNow) = queue.totals();
        assertEq(paidNow - paid, expected, "the price of now");
        hits[29]++;
    }

    /// @dev One of the calls open to anyone with shares and money, which may fail.
    function _disturb(uint256 random) private {
        address who = holder(random >> 8);
        uint256 amount = random >> 16;
        bytes memory data;
        address target = address(vault);
        uint256 kind = random % 7;
        if (kind == 0) {
            uint256 most = vault.maxDeposit(who);
            if (most < MIN_DEPOSIT) return;
            uint256 assets = within(amount, MIN_DEPOSIT, most < 1e14 ? most : 1e14);
            fund(who, assets);
            data = abi.encodeWithSignature("deposit(uint256,address)", assets, who);
        } else if (kind == 1) {
            uint256 most = vault.maxWithdraw(who);
            if (most == 0) return;
            data = abi.encodeWithSignature("withdraw(uint256,address,address)", within(amount, 1, most), who, who);
        } else if (kind == 2) {
            uint256 shares = within(amount, 1, 1e12);
            (target, data) = (address(queue), abi.encodeCall(queue.requestRedeem, (shares, who, who)));
        } else if (kind == 3) {
            (target, data) = (address(queue), abi.encodeCall(queue.claim, (who, who)));
        } else if (kind == 4) {
            dollar.mint(address(vault), within(amount, 1, 1e12));
            return;
        } else if (kind == 5) {
            (target, data) = (address(queue), abi.encodeCall(queue.process, ()));
        } else {
            data = abi.encodeCall(vault.transfer, (actor(amount), within(amount, 1, 1e12)));
        }
        vm.prank(who);
        (bool done,) = target.call(data);
        done;
    }

    function claimSome(uint256 who, uint256 amount, bool all) external step {
        address from = actor(who);
        for (uint256 i = 0; i < 3 && queue.maxRedeem(from) == 0; ++i) {
            from = actors[i];
        }
        uint256 shares = queue.maxRedeem(from);
        if (shares == 0) return;
        uint256 assets = queue.maxWithdraw(from);
        bytes memory call_ = abi.encodeCall(queue.claim, (from, from));
        if (!all) {
            if (amount % 2 == 0) {
                shares = within(amount, 1, shares);
                assets = shares < queue.maxRedeem(from) ? assets * shares / queue.maxRedeem(from) : assets;
                call_ = abi.encodeWithSignature("redeem(uint256,address,address)", shares, from, from);
            } else if (assets > 0) {
                assets = within(amount, 1, assets);
                call_ = abi.encodeWithSignature("withdraw(uint256,address,address)", assets, from, from);
            } else {
                return;
            }
        }
        uint256 before = dollar.balanceOf(from);
        feed();
        vm.prank(from);
        (bool done,) = address(queue).call(call_);
        assertTrue(done, "paid, though the asset refuses the queue");
        assertEq(dollar.balanceOf(from) - before, assets, "what is due");
        hits[all ? 23 : 24]++;
        if (queueIsRefused()) hits[32]++;
    }

    /// @dev The asset's issuer blocks the queue, for one time in three, or lifts the block.
    function blockQueue(uint256 random) external step {
        refuseQueue(random % 3 == 0);
        if (random % 3 == 0) hits[31]++;
    }

    // ── Recovery ────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev Another wallet of the same subject takes a wallet's place.
    function replaceWallet(uint256 who) external step {
        uint256 i = who % 3;
        if (identities.statusOf(actors[i]) != IdentityRegistry.Status.Verified) return;
        retired.push(actors[i]);
        _keys[i] = _nextKey++;
        actors[i] = succeed(actors[i], _keys[i]);
        hits[25]++;
    }

    function recover(uint256 which) external step {
        if (retired.length == 0) return;
        _recovering = true;
        if (recoverOne(retired[which % retired.length])) hits[26]++;
    }
}
