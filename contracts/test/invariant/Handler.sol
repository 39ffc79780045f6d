// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IdentityRegistry} from "../../src/IdentityRegistry.sol";
import {HookedAsset} from "../support/Assets.sol";
import {HandlerBase} from "./HandlerBase.sol";

/// @dev Drives the system the way its users, its operators and its enemies do and checks after each step what must hold
/// for that step. Every action counts when it really did something (`hits`).
contract Handler is HandlerBase {
    function deposit(uint256 who, uint256 amount) external step {
        address receiver = actor(who);
        // Seldom with what a hostile owner has set, or hardly any deposit would be possible.
        if (amount % 4 != 0) reopen();
        uint256 max = vault.maxDeposit(receiver);
        uint256 least = vault.minDeposit() > 0 ? vault.minDeposit() : 1;
        if (max == 0) return;
        uint256 assets = max < least ? max : within(amount, least, least > 1_000_000 * unit || max < 1_000_000 * unit ? max : 1_000_000 * unit);
        depositFor(receiver, assets);
        sums().deposited += assets;
        hits[0]++;
    }

    function mint(uint256 who, uint256 amount) external step {
        address receiver = actor(who);
        uint256 max = vault.maxMint(receiver);
        uint256 least = vault.previewWithdraw(vault.minDeposit() > 0 ? vault.minDeposit() : 1);
        if (max < least) return;
        uint256 shares = within(amount, least, max < 1e12 * unit || least > 1e12 * unit ? max : 1e12 * unit);
        fund(receiver, vault.previewMint(shares));
        vm.prank(receiver);
        sums().deposited += vault.mint(shares, receiver);
        hits[1]++;
    }

    function withdraw(uint256 who, uint256 amount) external step {
        address from = holder(who);
        uint256 max = vault.maxWithdraw(from);
        if (max == 0) return;
        uint256 assets = within(amount, 1, max);
        vm.prank(from);
        vault.withdraw(assets, from, from);
        sums().withdrawn += assets;
        checkNobodyOvertook();
        hits[2]++;
    }

    function redeem(uint256 who, uint256 amount, bool all) external step {
        address from = holder(who);
        uint256 max = vault.maxRedeem(from);
        if (max == 0) return;
        uint256 shares = all ? max : within(amount, vault.previewWithdraw(1), max);
        vm.prank(from);
        sums().withdrawn += vault.redeem(shares, from, from);
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
        uint256 assets = within(amount, unit, 1_000_000 * unit);
        fund(intruder, assets);
        feed();
        vm.prank(intruder);
        (bool done,) = address(vault).call(abi.encodeWithSignature("deposit(uint256,address)", assets, intruder));
        assertTrue(!done, "deposit of an intruder");
        vm.prank(intruder);
        (done,) = address(vault).call(abi.encodeCall(vault.mint, (2e6 * unit, intruder)));
        assertTrue(!done, "mint of an intruder");
        // The events of what was undone are not to be fed.
        vm.getRecordedLogs();
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
        sums().gained += gain;
        hits[7]++;
        if (enough) {
            (,, uint256 now_, uint256 paidNow) = queue.totals();
            assertEq(now_, due, "what was payable is paid first");
            assertEq(paidNow - paid, worth, "at the price before the report");
            if (due > processed) hits[30]++;
        }
        feed();
        if (model.fees() == fees) return;
        assertAtMost((model.fees() - fees) * WAD, gain * vault.desk().fee, "the fee of the gain at most");
        (int256 settled, uint256 streaming,,) = vault.stream();
        uint256 end = uint256(settled + int256(streaming)) + 1;
        assertTrue(end * 1e27 >= high * (vault.totalSupply() + 1e6), "a fee is taken above the mark only");
        hits[14]++;
    }

    function wait(uint256 amount) external step {
        hits[8]++;
        bool asked = vault.balanceOf(address(queue)) > 0 && time() > vault.lastReportAsOf() && !underReview();
        if (asked && amount % 3 == 0) {
            // Until what was asked for is payable.
            reportGain(0);
            // The model takes the time at which it is told for that of the events.
            feed();
            (,,, uint64 end) = vault.stream();
            if (end > time()) vm.warp(end);
            return;
        }
        // Mostly short; some longer than the silence after which the queue is processed without a report.
        skip(within(amount, 1, amount % 6 == 1 ? 60 days : 36 hours));
    }

    function donate(uint256 amount) external step {
        uint256 assets = within(amount, 1, 1e9 * unit);
        dollar.mint(address(vault), assets);
        sums().donated += assets;
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
        if (amount % 4 == 0) closeProduct(sums().shortId);
        else openProduct(sums().shortId);
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
        sums().lost += loss;
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
        sums().lost -= restored;
        assertEq(vault.standingLoss(), standing - restored, "the rest stands");
        assertEq(vault.totalAssets(), total, "what is restored is streamed");
        hits[44]++;
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
            sums().lost -= loss;
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
        if (amount % 4 != 0) restoreSettings();
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
        assertTrue(_requested || idle() >= held * vault.desk().buffer / WAD + owed, "buffer and queue stay covered");
        hits[17]++;
    }

    function repay(uint256 amount) external step {
        uint256 deployed = vault.desk().deployed;
        if (deployed == 0) return;
        bring(within(amount, 1, deployed));
        hits[18]++;
    }

    function skim(uint256) external step {
        uint256 extra = model.fees() + sums().donated - model.skimmed();
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
    function process(uint256) external step {
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
        if (_which == 1) disarm();
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
            if (most < unit) return;
            uint256 assets = within(amount, unit, most < 1e8 * unit ? most : 1e8 * unit);
            fund(who, assets);
            data = abi.encodeWithSignature("deposit(uint256,address)", assets, who);
        } else if (kind == 1) {
            uint256 most = vault.maxWithdraw(who);
            if (most == 0) return;
            data = abi.encodeWithSignature("withdraw(uint256,address,address)", within(amount, 1, most), who, who);
        } else if (kind == 2) {
            uint256 shares = within(amount, 1, 1e6 * unit);
            (target, data) = (address(queue), abi.encodeCall(queue.requestRedeem, (shares, who, who)));
        } else if (kind == 3) {
            (target, data) = (address(queue), abi.encodeCall(queue.claim, (who, who)));
        } else if (kind == 4) {
            dollar.mint(address(vault), within(amount, 1, 1e6 * unit));
            return;
        } else if (kind == 5) {
            (target, data) = (address(queue), abi.encodeCall(queue.process, ()));
        } else {
            data = abi.encodeCall(vault.transfer, (actor(amount), within(amount, 1, 1e6 * unit)));
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
        assertEq(dollar.balanceOf(from) - before, assets + (_striker == from ? _struck : 0), "what is due");
        hits[all ? 23 : 24]++;
        if (queueIsRefused()) hits[32]++;
    }

    /// @dev The asset's issuer blocks the queue, for one time in three, or lifts the block.
    function blockQueue(uint256 random) external step {
        refuseQueue(random % 3 == 0);
        if (queueIsRefused()) hits[31]++;
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

    // ── Re-entry ────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev Half of the time the asset calls back in the middle of the next transfer.
    function arm(uint256 random) internal override {
        if (random % 2 == 0) return;
        HookedAsset(address(dollar)).arm(address(this), abi.encodeCall(this.strike, (random >> 1)));
    }

    /// @dev Called by the asset: a holder tries each call that moves money or shares. What is guarded fails; nothing else
    /// breaks an invariant.
    function strike(uint256 random) external {
        if (msg.sender != address(dollar)) return;
        // The model cannot tell such a request from those before it when reports have stayed away.
        if (random % 9 == 7 && time() > vault.lastReportAsOf() + REPORT_AGE + 30 days) return;
        address who = holder(random >> 8);
        for (uint256 i = 0; i < 3 && random % 9 == 6 && queue.maxRedeem(who) == 0; ++i) {
            who = actors[i];
        }
        uint256 amount = random >> 16;
        (address target, bytes memory data) = _strikeOf(random % 9, who, amount);
        uint256 before = dollar.balanceOf(who);
        feed();
        vm.prank(who);
        (bool done,) = target.call(data);
        if (!done) {
            // The events of what was undone are not to be fed.
            vm.getRecordedLogs();
            // It keeps the unit it was to repay.
            if (random % 9 == 4) (_striker, _struck) = (who, 1);
            hits[35]++;
            return;
        }
        hits[36]++;
        uint256 kind = random % 9;
        // The vault is locked in each of its transfers and pays the queue's claims, so that only a claim worth nothing passes.
        bool worthNothing = kind == 6 && dollar.balanceOf(who) == before;
        assertTrue(kind > 6 || worthNothing, "vault or queue is entered twice");
        if (kind == 7) _requested = true;
        uint256 now_ = dollar.balanceOf(who);
        if (now_ > before) (_striker, _struck) = (who, now_ - before);
    }

    function _strikeOf(uint256 kind, address who, uint256 amount) private returns (address target, bytes memory data) {
        target = address(vault);
        if (kind == 0) {
            data = abi.encodeCall(vault.recover, (retired.length > 0 ? retired[amount % retired.length] : who));
        }
        else if (kind == 1) {
            amount = within(amount, 1, vault.maxWithdraw(who) + 1);
            data = abi.encodeWithSignature("withdraw(uint256,address,address)", amount, who, who);
        } else if (kind == 2) {
            amount = within(amount, 1, vault.maxRedeem(who) + 1);
            data = abi.encodeWithSignature("redeem(uint256,address,address)", amount, who, who);
        }
        else if (kind == 3) data = abi.encodeCall(vault.skim, ());
        else if (kind == 4) {
            data = abi.encodeCall(vault.repay, (1));
            fund(who, 1);
        } else if (kind == 5) (target, data) = (address(queue), abi.encodeCall(queue.process, ()));
        else if (kind == 6) (target, data) = (address(queue), abi.encodeCall(queue.claim, (who, who)));
        else if (kind == 7) {
            target = address(queue);
            data = abi.encodeCall(queue.requestRedeem, (within(amount, 1, 1e6 * unit), who, who));
        }
        else data = abi.encodeCall(vault.transfer, (actor(amount), within(amount, 1, 1e6 * unit)));
    }

    // ── Hostile roles ───────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev Calls of an operator's key with any values, of its own power half of the time. 8 is nobody's power, 9 anyone's.
    function abuse(uint256 what, uint256 role, uint256 a, uint256 b) external step {
        // Reports are the strongest power.
        what = what % 25 < 19 ? what % 25 : 0;
        // A review is rare and short.
        if (underReview() && role % 4 == 0) what = 1 + what % 2;
        uint256 power = [uint256(0), 3, 3, 4, 1, 1, 1, 8, 1, 1, 5, 9, 8, 8, 8, 8, 8, 8, 3][what];
        role = role % 2 == 0 && power != 8 ? (power == 9 ? 2 : power) : role / 2 % 7;
        address caller = [reporter, owner, custodian, confirmer, guardian, treasurer, attester][role];
        if (attempt(what, caller, a, b)) {
            assertTrue(power == role || power == 9, "beyond a role's power");
            if (role < 6) hits[37 + role]++;
        } else {
            hits[43]++;
        }
    }

    function attempt(uint256 what, address caller, uint256 a, uint256 b) private returns (bool done) {
        (address target, bytes memory data) = _abuseOf(what, caller, a, b);
        Seen memory seen = _see(caller);
        _losing = what == 0;
        feed();
        vm.prank(caller);
        (done,) = target.call(data);
        if (done) _checkAbuse(what, seen, caller);
        else vm.getRecordedLogs();
    }

    struct Seen {
        uint256 idle;
        uint256 deployed;
        uint256 total;
        uint256 most;
        uint256 paid;
        uint256 reviewed;
        uint256 standing;
        uint256 own;
        uint256 instant;
    }

    function _see(address caller) private view returns (Seen memory seen) {
        (seen.idle, seen.deployed, seen.total) = (idle(), vault.desk().deployed, vault.totalAssets());
        (seen.most, seen.own, seen.instant) = (vault.maxDeploy(), dollar.balanceOf(caller), vault.instantLiquidity());
        (,,, seen.paid) = queue.totals();
        (seen.reviewed,) = vault.reviewedLoss();
        seen.standing = vault.standingLoss();
    }

    /// @dev The calls in the order of the powers in `abuse`.
    function _abuseOf(uint256 what, address caller, uint256 a, uint256 b)
        private
        returns (address target, bytes memory data)
    {
        target = address(vault);
        address victim = holder(b);
        if (what == 0) {
            uint64 asOf = b % 4 == 0 ? uint64(b) : time() > vault.lastReportAsOf() ? anyReportTime(b) : time();
            int256 delta = int256(a);
            if (a % 3 == 1) delta = -int256(within(a, 0, 2 * vault.desk().deployed));
            else if (a % 3 == 2) fund(reporter, uint256(delta = int256(within(a, 0, vault.maxGain(asOf)))));
            data = abi.encodeCall(vault.report, (delta, asOf, "evidence"));
        } else if (what == 1) {
            data = abi.encodeCall(vault.confirmLoss, ());
        } else if (what == 2) {
            data = abi.encodeCall(vault.takeBackLoss, ());
        } else if (what == 3) {
            data = abi.encodeCall(vault.pause, ());
        } else if (what == 4) {
            data = abi.encodeCall(vault.unpause, ());
        } else if (what == 5) {
            data = abi.encodeCall(vault.setCap, (a % 2 == 0 ? a : a % (1e9 * unit)));
        } else if (what == 6) {
            data = abi.encodeCall(vault.setMinDeposit, (a % 2 == 0 ? a : a % (1000 * unit)));
        } else if (what == 7) {
            data = abi.encodeCall(vault.setQueue, (address(_products[b % 2].queue)));
        } else if (what == 8) {
            address[4] memory all = [custodian, owner, actors[3], address(0)];
            data = abi.encodeCall(vault.setCustodian, (all[a % 4], uint64(within(b, 0, 1.1e18))));
        } else if (what == 9) {
            data = abi.encodeCall(vault.setTreasury, (treasury, uint64(within(b, 0, 0.4e18))));
        } else if (what == 10) {
            data = abi.encodeCall(vault.deploy, (a % 2 == 0 ? a : within(a, 1, idle() + 1)));
        } else if (what == 11) {
            fund(caller, a = within(a, 1, vault.desk().deployed + 1));
            data = abi.encodeCall(vault.repay, (a));
        } else if (what == 12) {
            data = abi.encodeCall(vault.lineUp, (victim, victim, 1));
        } else if (what == 13) {
            data = abi.encodeCall(vault.serveQueue, (a));
        } else if (what == 14) {
            (target, data) = (address(queue), abi.encodeCall(queue.reported, (time(), time(), a, b)));
        } else if (what == 15) {
            data = abi.encodeCall(vault.transferFrom, (victim, caller, 1));
        } else if (what == 16) {
            data = abi.encodeWithSignature("withdraw(uint256,address,address)", 1, caller, victim);
        } else if (what == 18) {
            data = abi.encodeCall(vault.restore, (a % 3 == 0 ? a : within(a, 0, vault.standingLoss() + 1)));
        } else {
            (target, data) = (address(queue), abi.encodeCall(queue.claim, (caller, victim)));
        }
    }

    /// @dev What no key can do, whatever it calls.
    function _checkAbuse(uint256 what, Seen memory seen, address caller) private {
        uint256 deployed = vault.desk().deployed;
        (,,, uint256 paid) = queue.totals();
        paid -= seen.paid;
        uint256 sent = deployed > seen.deployed ? deployed - seen.deployed : 0;
        if (what == 2 || what == 18) sent = 0;
        assertAtMost(sent, what == 10 ? seen.most : 0, "only the treasurer sends money out, to the bound");
        assertTrue(idle() + paid + sent >= seen.idle, "no role takes idle money");
        assertAtMost(dollar.balanceOf(caller), seen.own, "no role is paid");
        uint256 total = vault.totalAssets() + paid;
        if (what == 0) {
            assertAtMost(seen.total, total + seen.deployed, "a reporter lowers the price by deployed money only");
            if (deployed < seen.deployed) sums().lost += seen.deployed - deployed;
            sums().gained += seen.own - dollar.balanceOf(caller);
        } else if (what == 2) {
            assertEq(deployed, seen.deployed + seen.reviewed, "a confirmer gives back what is reviewed, no more");
            sums().lost -= seen.reviewed;
        } else if (what == 18) {
            assertEq(deployed + vault.standingLoss(), seen.deployed + seen.standing, "a confirmer restores what stands, no more");
            assertEq(total, seen.total, "what a confirmer restores is streamed");
            sums().lost -= deployed - seen.deployed;
        } else {
            assertEq(total, seen.total, "no other role moves the price");
        }
        if (what > 2 && what < 10) assertEq(vault.instantLiquidity(), seen.instant, "no setting stops an exit");
    }
}
