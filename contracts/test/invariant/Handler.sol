// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IdentityRegistry} from "../../src/IdentityRegistry.sol";
import {EventModel} from "../support/EventModel.sol";
import {World} from "../support/World.sol";

/// @dev Drives the system the way its users, its operators and its enemies do, keeps its own books and checks after
/// each step what must hold for that step. Every action counts when it really did something (`hits`).
contract Handler is World {
    uint256 public constant ACTIONS = 14;

    EventModel public immutable model;
    address[4] public actors;
    uint256[4] private _keys;
    uint256[ACTIONS] public hits;

    uint256 public deposited;
    uint256 public withdrawn;
    uint256 public gained;
    uint256 public donated;

    uint64 private _clock;

    constructor() {
        vm.recordLogs();
        deployWorld();
        model = new EventModel(address(vault));
        // The last one is never bound.
        _keys = [ALICE_KEY, BOB_KEY, 0xDA4E, CAROL_KEY];
        for (uint256 i = 0; i < 4; ++i) {
            actors[i] = vm.addr(_keys[i]);
        }
        bindWallet(0xDA4E, 0xd4);
        _clock = time();
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
        assertTrue((vault.totalAssets() + 1) * supply >= assets * (vault.totalSupply() + 1e6), "the share price fell");
        for (uint256 i = 0; i < 4; ++i) {
            if (!live[i]) assertAtMost(vault.balanceOf(actors[i]), shares[i], "shares without a live record");
        }
        model.feed(vm.getRecordedLogs());
        _clock = time();
    }

    function actor(uint256 random) private view returns (address) {
        return actors[random % 4];
    }

    /// @dev What the last one is: a wallet that has shares, when there is one.
    function holder(uint256 random) private view returns (address) {
        for (uint256 i = 0; i < 4; ++i) {
            if (vault.balanceOf(actors[(random % 4 + i) % 4]) > 0) return actors[(random % 4 + i) % 4];
        }
        return actors[random % 4];
    }

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
        if (max < 2e12) return;
        uint256 shares = within(amount, 2e12, max < 1e18 ? max : 1e18);
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
        hits[2]++;
    }

    function redeem(uint256 who, uint256 amount, bool all) external step {
        address from = holder(who);
        uint256 max = vault.maxRedeem(from);
        if (max == 0) return;
        uint256 shares = all ? max : within(amount, vault.previewWithdraw(1), max);
        vm.prank(from);
        withdrawn += vault.redeem(shares, from, from);
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

    function report(uint256 amount) external step {
        if (time() <= vault.lastReportAsOf()) return;
        uint256 gain = within(amount, 0, vault.maxGain(time()));
        reportGain(gain);
        gained += gain;
        hits[7]++;
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
        address wallet = actor(who % 3);
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
        } else if (amount % 4 == 0) {
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

    // ── What the invariants look at ─────────────────────────────────────────────────────────────────────────────────

    function checkBooks() external {
        vm.warp(_clock);
        uint256 owed = deposited + gained - withdrawn;
        (int256 settled, uint256 streaming,, uint64 end) = vault.stream();
        assertTrue(settled + int256(streaming) == int256(owed), "totals are conserved");
        assertEq(dollar.balanceOf(address(vault)), owed + donated, "every unit is where it belongs");
        assertAtMost(vault.totalAssets(), owed, "nothing is counted that is not there");

        uint256 supply;
        uint256 claims;
        for (uint256 i = 0; i < 4; ++i) {
            supply += vault.balanceOf(actors[i]);
            claims += vault.previewRedeem(vault.balanceOf(actors[i]));
            assertEq(model.balanceOf(actors[i]), vault.balanceOf(actors[i]), "events rebuild the balances");
            IdentityRegistry.Status status = identities.statusOf(actors[i]);
            bool verified = status == IdentityRegistry.Status.Verified;
            bool leaving = status == IdentityRegistry.Status.ExitOnly;
            assertTrue(identities.canReceive(actors[i]) == verified, "only the verified receive");
            assertTrue(identities.canSend(actors[i]) == (verified || leaving), "verified and exit-only send");
        }
        assertEq(supply, vault.totalSupply(), "supply is the sum of the balances");
        assertAtMost(claims, vault.totalAssets(), "all claims together can be paid");
        assertEq(vault.balanceOf(actors[3]), 0, "the stranger has nothing");
        assertEq(model.totalSupply(), vault.totalSupply(), "events rebuild the supply");
        assertEq(model.totalAssets(_clock), vault.totalAssets(), "events rebuild totalAssets now");

        uint64 later = _clock + (end > _clock ? (end - _clock) / 3 : 1);
        vm.warp(later);
        assertEq(model.totalAssets(later), vault.totalAssets(), "events rebuild totalAssets later");
        if (end > later) vm.warp(end);
        assertEq(vault.totalAssets(), owed, "solvent when the stream has ended");
        vm.warp(_clock);
    }

    /// @dev An exit-only wallet can always leave, whatever else is shut. Run last: it changes the state.
    function checkEveryoneCanLeave() external {
        vm.warp(_clock);
        for (uint256 i = 0; i < 3; ++i) {
            address wallet = actors[i];
            if (identities.statusOf(wallet) == IdentityRegistry.Status.Frozen) freeze(wallet, false);
            uint256 shares = vault.balanceOf(wallet);
            if (vault.previewRedeem(shares) == 0) continue;
            assertEq(vault.maxRedeem(wallet), shares, "all shares can leave");
            uint256 before = dollar.balanceOf(wallet);
            uint256 expected = vault.previewRedeem(shares);
            vm.prank(wallet);
            vault.redeem(shares, wallet, wallet);
            assertEq(dollar.balanceOf(wallet) - before, expected, "and are paid");
        }
    }
}
