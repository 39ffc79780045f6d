// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {DemandVault} from "../../src/DemandVault.sol";
import {IdentityRegistry} from "../../src/IdentityRegistry.sol";
import {RedemptionQueue} from "../../src/RedemptionQueue.sol";
import {TermDeposit} from "../../src/TermDeposit.sol";
import {TestDollar} from "../../src/local/TestDollar.sol";
import {HookedAsset, RefusingAsset} from "../support/Assets.sol";
import {EventModel} from "../support/EventModel.sol";
import {QueueModel} from "../support/QueueModel.sol";
import {Vm} from "../support/Vm.sol";
import {TermWorld} from "../support/TermWorld.sol";

/// @dev The state of two vaults with their queues, and the invariants that hold after every call. Each call concerns one of
/// the vaults; the other, and two term deposits beside them, must stay as they are.
abstract contract HandlerBase is TermWorld {
    uint256 public constant ACTIONS = 45;

    /// @dev A vault, its models, and the sums of what the calls did.
    struct Product {
        DemandVault vault;
        RedemptionQueue queue;
        TestDollar dollar;
        EventModel model;
        QueueModel line;
        TermDeposit term;
        string shortId;
        uint256 deposited;
        uint256 withdrawn;
        uint256 gained;
        uint256 donated;
        uint256 lost;
        bytes32 print;
    }

    /// @dev The first has an asset of 6 decimals that may refuse the queue, the second one of 18 decimals with a hook.
    Product[2] internal _products;
    uint256 internal _which;
    EventModel internal model;
    QueueModel internal line;
    /// @dev One whole token.
    uint256 internal unit;

    address[4] public actors;
    uint256[4] internal _keys;
    address[] public retired;
    uint256[ACTIONS] public hits;

    uint64 internal _clock;
    uint256 internal _nextKey = 0x5000;
    /// @dev What a step may do that no other may.
    bool internal _losing;
    bool internal _recovering;
    /// @dev Whether someone asked for redemption in the middle of this step, who got money there, and how much.
    bool internal _requested;
    address internal _striker;
    uint256 internal _struck;

    constructor() {
        vm.recordLogs();
        deployWorld();
        addProduct(0, "solar-irrigation");
        dollar = TestDollar(address(new HookedAsset(18)));
        vault = deployVault("wind-power", IERC20(address(dollar)), 1e18);
        queue = deployQueue(vault);
        addProduct(1, "wind-power");
        // The last one is never bound.
        _keys = [ALICE_KEY, BOB_KEY, 0xDA4E, CAROL_KEY];
        for (uint256 i = 0; i < 4; ++i) {
            actors[i] = vm.addr(_keys[i]);
        }
        bindWallet(0xDA4E, 0xd4);
        _clock = time();
    }

    /// @dev A term deposit beside the vault has a receipt already, of the first wallet.
    function addProduct(uint256 which, string memory shortId) private {
        Product storage made = _products[which];
        (made.vault, made.queue, made.dollar, made.shortId) = (vault, queue, dollar, shortId);
        (made.model, made.line) = (new EventModel(address(vault)), new QueueModel(address(queue)));
        uint256 decimals = vault.decimals() - 6;
        term = deployTerm(string.concat(shortId, "-term"), IERC20(address(dollar)), 10 ** decimals);
        made.term = term;
        vm.prank(owner);
        term.setLimits(100_000_000 * 10 ** decimals, 10 ** decimals);
        vm.prank(owner);
        term.addTerm(1, 1, 0.03e18, 0, 0, uint128(100_000_000 * 10 ** decimals), true);
        fundReserve(1_000 * 10 ** decimals);
        openFor(alice, 0, 1_000 * 10 ** decimals);
        use(which);
        restoreSettings();
        setFee(0.1e18);
        made.print = fingerprint(which);
        made.model.feed(vm.getRecordedLogs());
    }

    function use(uint256 which) internal {
        Product storage used = _products[which];
        (_which, vault, queue, dollar) = (which, used.vault, used.queue, used.dollar);
        (model, line) = (used.model, used.line);
        unit = which == 0 ? 1e6 : 1e18;
    }

    function sums() internal view returns (Product storage) {
        return _products[_which];
    }

    /// @dev What no call on another product changes, however much time passes.
    function fingerprint(uint256 which) internal view returns (bytes32) {
        Product storage product = _products[which];
        DemandVault of_ = product.vault;
        (int256 settled, uint256 streaming, uint64 start, uint64 end) = of_.stream();
        (uint256 requested,, uint256 processed, uint256 paid) = product.queue.totals();
        bytes32 money = keccak256(
            abi.encode(
                product.dollar.balanceOf(address(of_)),
                product.dollar.balanceOf(address(product.queue)),
                product.dollar.balanceOf(address(product.term)),
                product.term.books(),
                product.term.balanceOf(alice)
            )
        );
        bytes32 price = keccak256(abi.encode(settled, streaming, start, end, of_.totalSupply()));
        return keccak256(
            abi.encode(money, price, settingsOf(of_), requested, processed, paid)
        );
    }

    function settingsOf(DemandVault of_) private view returns (bytes32) {
        bool isOpen = products.isOpen(address(of_));
        return keccak256(abi.encode(of_.desk(), of_.cap(), of_.minDeposit(), of_.pausedUntil(), isOpen));
    }

    /// @dev What a hostile owner may have changed, as it was at first.
    function restoreSettings() internal {
        vm.prank(owner);
        vault.setCustodian(custodian, 0.1e18);
        vm.prank(owner);
        vault.setCap(100_000_000 * unit);
        vm.prank(owner);
        vault.setMinDeposit(unit);
    }

    /// @dev Deposits are open to the verified, unless a loss or a pause closes them.
    function reopen() internal {
        restoreSettings();
        if (!products.isOpen(address(vault))) openProduct(sums().shortId);
        if (time() > vault.lastReportAsOf() + REPORT_AGE && !underReview()) reportGain(0);
    }

    /// @dev One that may refuse the queue.
    function deployAsset() internal override returns (TestDollar) {
        return TestDollar(address(new RefusingAsset()));
    }

    function refuseQueue(bool refused) internal {
        if (_which == 0) RefusingAsset(address(dollar)).refuse(address(queue), refused);
    }

    function queueIsRefused() internal view returns (bool) {
        return _which == 0 && RefusingAsset(address(dollar)).refused(address(queue));
    }

    /// @dev Checks around each action: the price does not fall, nobody without a live record gains, no other product changes.
    modifier step() {
        vm.warp(_clock);
        uint256 random = uint256(keccak256(msg.data));
        use(random % 3 == 0 ? 1 : 0);
        if (_which == 1) arm(random >> 8);
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
        (_losing, _recovering, _requested, _striker, _struck) = (false, false, false, address(0), 0);
        if (_which == 1) disarm();
        feed();
        // What a step processes it processes first, whatever it does then.
        line.price(assets, supply);
        assertEq(fingerprint(1 - _which), _products[1 - _which].print, "another product changed");
        sums().print = fingerprint(_which);
        _clock = time();
    }

    function arm(uint256 random) internal virtual;

    function disarm() internal {
        HookedAsset asset = HookedAsset(address(dollar));
        // The asset goes on when the callback reverts.
        asset.rethrow();
        asset.arm(address(0), "");
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

    /// @dev Deployed money comes back, whoever has kept it.
    function bring(uint256 assets) internal {
        fund(custodian, assets);
        vm.prank(custodian);
        vault.repay(assets);
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
        if (_requested) return;
        assertAtMost(vault.previewRedeem(vault.balanceOf(address(queue))), idle(), "an instant exit overtook the queue");
    }

    function checkBooks() external {
        vm.warp(_clock);
        Product storage s = sums();
        uint256 held = s.deposited + s.gained - model.fees() - s.lost - s.withdrawn - line.paid();
        (int256 settled, uint256 streaming,, uint64 end) = vault.stream();
        assertTrue(settled + int256(streaming) == int256(held), "totals are conserved");
        assertEq(model.deployed(), vault.desk().deployed, "events rebuild what is deployed");
        assertEq(model.lossUntil(), vault.desk().lossUntil, "events rebuild the closing after a loss");
        uint256 extra = model.fees() + s.donated - model.skimmed() + vault.setAside();
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
        for (uint256 i = 0; i < 2; ++i) {
            use(i);
            vm.warp(_clock);
            _checkEveryoneCanLeave();
        }
    }

    function _checkEveryoneCanLeave() private {
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
        if (vault.desk().deployed > 0) bring(vault.desk().deployed);
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
