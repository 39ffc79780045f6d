// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IdentityRegistry} from "../../src/IdentityRegistry.sol";
import {TestDollar} from "../../src/local/TestDollar.sol";
import {RefusingAsset} from "../support/Assets.sol";
import {EventModel} from "../support/EventModel.sol";
import {QueueModel} from "../support/QueueModel.sol";
import {Vm} from "../support/Vm.sol";
import {World} from "../support/World.sol";

/// @dev What the handler knows and keeps of a vault and its queue, and what must hold of them at any time.
abstract contract HandlerBase is World {
    uint256 public constant ACTIONS = 36;

    EventModel public immutable model;
    QueueModel public immutable line;
    address[4] public actors;
    uint256[4] internal _keys;
    address[] public retired;
    uint256[ACTIONS] public hits;

    uint256 public deposited;
    uint256 public withdrawn;
    uint256 public gained;
    uint256 public donated;
    uint256 public lost;

    uint64 internal _clock;
    uint256 internal _nextKey = 0x5000;
    /// @dev What a step may do that no other may.
    bool internal _losing;
    bool internal _recovering;

    constructor() {
        vm.recordLogs();
        deployWorld();
        model = new EventModel(address(vault));
        line = new QueueModel(address(queue));
        vm.prank(owner);
        vault.setCustodian(custodian, 0.1e18);
        setFee(0.1e18);
        // The last one is never bound.
        _keys = [ALICE_KEY, BOB_KEY, 0xDA4E, CAROL_KEY];
        for (uint256 i = 0; i < 4; ++i) {
            actors[i] = vm.addr(_keys[i]);
        }
        bindWallet(0xDA4E, 0xd4);
        _clock = time();
    }

    /// @dev One that may refuse the queue.
    function deployAsset() internal override returns (TestDollar) {
        return TestDollar(address(new RefusingAsset()));
    }

    function refuseQueue(bool refused) internal {
        RefusingAsset(address(dollar)).refuse(address(queue), refused);
    }

    function queueIsRefused() internal view returns (bool) {
        return RefusingAsset(address(dollar)).refused(address(queue));
    }

    /// @dev Checks around each action: the price does not fall, nobody without a live record gains.
    modifier step() {
        vm.warp(_clock);
        uint256 assets = vault.totalAssets() + 1;
        uint256 supply = vault.totalSupply() + 1e6;
        uint256[4] memory shares;
        bool[4] memory live;
        for (uint256 i = 0; i < 4; ++i) {
            shares[i] = vault.balanceOf(actors[i]);
            live[i] = identities.statusOf(actors[i]) == IdentityRegistry.Status.Verified;
        }
        _;
        if (!_losing) {
            assertTrue(
                (vault.totalAssets() + 1) * supply >= assets * (vault.totalSupply() + 1e6), "the share price fell"
            );
        }
        for (uint256 i = 0; i < 4; ++i) {
            if (!live[i] && !_recovering) assertAtMost(vault.balanceOf(actors[i]), shares[i], "shares without a live record");
        }
        (_losing, _recovering) = (false, false);
        feed();
        // What a step processes it processes first, whatever it does then.
        line.price(assets, supply);
        _clock = time();
    }

    function feed() internal {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        model.feed(logs);
        line.feed(logs);
    }

    function actor(uint256 random) internal view returns (address) {
        return actors[random % 4];
    }

    /// @dev What the last one is: a wallet that has shares, when there is one.
    function holder(uint256 random) internal view returns (address) {
        for (uint256 i = 0; i < 4; ++i) {
            if (vault.balanceOf(actors[(random % 4 + i) % 4]) > 0) return actors[(random % 4 + i) % 4];
        }
        return actors[random % 4];
    }

    function recoverOne(address from) internal returns (bool moved) {
        address to = identities.successorOf(from);
        uint256 shares = vault.balanceOf(from);
        uint256 had = vault.balanceOf(to);
        if (shares > 0) {
            vault.recover(from);
            assertEq(vault.balanceOf(to), had + shares, "recovery conserves");
            moved = true;
        }
        uint256 pending = queue.pendingRedeemRequest(0, from) + queue.claimableRedeemRequest(0, from);
        had = queue.pendingRedeemRequest(0, to) + queue.claimableRedeemRequest(0, to);
        if (pending > 0) {
            queue.recover(from);
            assertEq(
                queue.pendingRedeemRequest(0, to) + queue.claimableRedeemRequest(0, to),
                had + pending,
                "in the queue too"
            );
            moved = true;
        }
        assertTrue(identities.recordOf(from).subject == identities.recordOf(to).subject, "of one subject");
    }

    // ── What the invariants look at ─────────────────────────────────────────────────────────────────────────────────

    function underReview() internal view returns (bool) {
        (, uint64 until) = vault.reviewedLoss();
        return time() < until;
    }

    function idle() internal view returns (uint256) {
        (int256 settled, uint256 streaming,,) = vault.stream();
        return uint256(settled + int256(streaming)) - vault.desk().deployed;
    }

    /// @dev After an instant exit the money here still covers the whole line.
    function checkNobodyOvertook() internal view {
        assertAtMost(vault.previewRedeem(vault.balanceOf(address(queue))), idle(), "an instant exit overtook the queue");
    }

    function checkBooks() external {
        vm.warp(_clock);
        uint256 held = deposited + gained - model.fees() - lost - withdrawn - line.paid();
        (int256 settled, uint256 streaming,, uint64 end) = vault.stream();
        assertTrue(settled + int256(streaming) == int256(held), "totals are conserved");
        assertEq(model.deployed(), vault.desk().deployed, "events rebuild what is deployed");
        assertEq(model.lossUntil(), vault.desk().lossUntil, "events rebuild the closing after a loss");
        uint256 extra = model.fees() + donated - model.skimmed() + vault.setAside();
        assertEq(dollar.balanceOf(address(vault)), idle() + extra, "every unit is where it belongs");
        assertAtMost(vault.totalAssets(), held, "nothing is counted that is not there");

        (uint256 supply, uint256 claims) = checkWallets();
        supply += vault.balanceOf(address(queue));
        claims += vault.previewRedeem(vault.balanceOf(address(queue)));
        assertEq(supply, vault.totalSupply(), "supply is the sum of the balances");
        assertAtMost(claims, vault.totalAssets(), "all claims together are covered");
        assertEq(vault.balanceOf(actors[3]), 0, "the stranger has nothing");
        assertEq(model.totalSupply(), vault.totalSupply(), "events rebuild the supply");
        assertEq(model.totalAssets(_clock), vault.totalAssets(), "events rebuild totalAssets now");
        checkLine();

        uint64 later = _clock + (end > _clock ? (end - _clock) / 3 : 1);
        vm.warp(later);
        assertEq(model.totalAssets(later), vault.totalAssets(), "events rebuild totalAssets later");
        if (end > later) vm.warp(end);
        assertEq(vault.totalAssets(), held, "solvent when the stream has ended");
        vm.warp(_clock);
    }

    function checkWallets() internal view returns (uint256 supply, uint256 claims) {
        for (uint256 i = 0; i < 4 + retired.length; ++i) {
            address wallet = i < 4 ? actors[i] : retired[i - 4];
            supply += vault.balanceOf(wallet);
            claims += vault.previewRedeem(vault.balanceOf(wallet));
            assertEq(model.balanceOf(wallet), vault.balanceOf(wallet), "events rebuild the balances");
            IdentityRegistry.Status status = identities.statusOf(wallet);
            bool verified = status == IdentityRegistry.Status.Verified;
            bool leaving = status == IdentityRegistry.Status.ExitOnly;
            assertTrue(identities.canReceive(wallet) == verified, "only the verified receive");
            assertTrue(identities.canSend(wallet) == (verified || leaving), "verified and exit-only send");
        }
    }

    /// @dev Requested = pending + processed, processed = claimed + claimable, in shares and in money, for each wallet.
    function checkLine() internal view {
        (uint256 requested, uint256 due, uint256 processed, uint256 paid) = queue.totals();
        assertEq(due, line.due(), "events rebuild what is payable");
        assertEq(requested, line.requested(), "events rebuild what was requested");
        assertEq(processed, line.processed(), "events rebuild what was processed");
        assertEq(requested - processed, vault.balanceOf(address(queue)), "the queue holds what is pending");
        assertEq(paid - line.claimedAssets(), vault.setAside(), "the vault keeps the money that is not claimed");
        assertEq(dollar.balanceOf(address(queue)), 0, "and the queue none");
        uint256 pending;
        uint256 shares;
        uint256 assets;
        for (uint256 i = 0; i < 4 + retired.length; ++i) {
            address wallet = i < 4 ? actors[i] : retired[i - 4];
            (uint256 ownShares, uint256 ownAssets) = line.claimableOf(wallet);
            assertEq(queue.claimableRedeemRequest(0, wallet), ownShares, "in turn, to the unit");
            if (identities.canSend(wallet)) assertEq(queue.maxWithdraw(wallet), ownAssets, "in money too");
            assertEq(queue.pendingRedeemRequest(0, wallet), line.pendingOf(wallet), "the rest is pending");
            checkFair(wallet, ownAssets);
            pending += queue.pendingRedeemRequest(0, wallet);
            shares += ownShares;
            assets += ownAssets;
        }
        assertEq(requested, pending + processed, "requested = pending + processed");
        assertEq(processed, line.claimedShares() + shares, "processed = claimed + claimable");
        assertEq(paid, line.claimedAssets() + assets, "full claims drain exactly");
    }

    /// @dev Whoever chose the order of calls, nobody gets more or less than a unit a request and batch beside the price of each.
    function checkFair(address wallet, uint256 claimable) internal view {
        (uint256 due, uint256 parts) = line.dueTo(wallet);
        uint256 got = line.claimedBy(wallet) + claimable;
        assertAtMost(due, got + parts, "at most a unit a request and batch less than due");
        assertAtMost(got, due + parts, "nor more");
    }

    /// @dev Whoever is not frozen can always leave, whatever else is shut: at once as far as the money goes, the rest
    /// through the queue once the custodian has paid back. Run last: it changes the state.
    function checkEveryoneCanLeave() external {
        vm.warp(_clock);
        refuseQueue(false);
        for (uint256 i = 0; i < retired.length; ++i) {
            recoverOne(retired[i]);
        }
        for (uint256 i = 0; i < 3; ++i) {
            address wallet = actors[i];
            if (identities.statusOf(wallet) == IdentityRegistry.Status.Frozen) freeze(wallet, false);
            uint256 shares = vault.maxRedeem(wallet);
            uint256 before = dollar.balanceOf(wallet);
            uint256 expected = vault.previewRedeem(shares);
            if (shares > 0) {
                vm.prank(wallet);
                vault.redeem(shares, wallet, wallet);
            }
            assertEq(dollar.balanceOf(wallet) - before, expected, "paid at once");
            if (queue.maxRedeem(wallet) > 0) claim(wallet);
            shares = vault.balanceOf(wallet);
            if (shares > 0) request(wallet, shares);
        }
        if (vault.desk().deployed > 0) repayMoney(vault.desk().deployed);
        skip(1 days);
        reportGain(0);
        (,,, uint64 end) = vault.stream();
        if (end > time()) vm.warp(end);
        (uint256 requested,,,) = queue.totals();
        if (vault.balanceOf(address(queue)) > 0) queue.process();
        (,, uint256 processed,) = queue.totals();
        assertEq(processed, requested, "the line is empty");
        for (uint256 i = 0; i < 3; ++i) {
            if (queue.maxRedeem(actors[i]) > 0) claim(actors[i]);
        }
        assertEq(vault.totalSupply(), 0, "everyone has left");
        assertEq(vault.setAside(), 0, "with every unit");
    }
}
