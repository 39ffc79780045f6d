// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IdentityRegistry} from "../IdentityRegistry.sol";
import {VaultLimits} from "./VaultLimits.sol";

/// @dev Money against shares: deposits, instant exits and the queue's side, behind the gate.
abstract contract VaultExchange is VaultLimits {
    using Math for uint256;
    using SafeCast for uint256;

    // ── Deposits and withdrawals ────────────────────────────────────────────────────────────────────────────────────

    /// @notice Most assets `receiver` may be credited now; 0 unless it is verified, the product open, deposits not
    /// paused, the last report fresh, its evidence standing and no fresh loss, and at least the smallest deposit and one
    /// share still fit under the cap. Never reverts.
    function maxDeposit(address receiver) public view override returns (uint256) {
        uint256 room = canReceive(receiver) ? _room() : 0;
        return room < _limits.minDeposit || _convertToShares(room, Math.Rounding.Floor) == 0 ? 0 : room;
    }

    /// @notice Most shares that can be minted to `receiver` now; 0 where `maxDeposit` is 0. Never reverts.
    function maxMint(address receiver) public view override returns (uint256) {
        if (!canReceive(receiver)) return 0;
        uint256 shares = _convertToShares(_room(), Math.Rounding.Floor);
        return _convertToAssets(shares, Math.Rounding.Ceil) < _limits.minDeposit ? 0 : shares;
    }

    /// @notice Most shares `owner` can redeem at once: all it has, as far as the idle money reaches that the queue is not
    /// waiting for; 0 when its record is missing or frozen, the last report too old, a loss reviewed, or all of it is
    /// worth less than one unit. Never reverts.
    function maxRedeem(address owner) public view override returns (uint256) {
        if (!canSend(owner)) return 0;
        uint256 shares = balanceOf(owner);
        uint256 assets = _convertToAssets(shares, Math.Rounding.Floor);
        uint256 most = _instant();
        if (assets == 0 || most == 0) return 0;
        // The most shares that are still worth `most`, not a unit more.
        return assets <= most ? shares : _convertToShares(most + 1, Math.Rounding.Ceil) - 1;
    }

    /// @notice Most assets `owner` can withdraw at once, see `maxRedeem`. Never reverts.
    function maxWithdraw(address owner) public view override returns (uint256) {
        return
            canSend(owner)
                ? _convertToAssets(balanceOf(owner), Math.Rounding.Floor).min(_instant())
                : 0;
    }

    /// @notice Idle money that instant exits may take now, all holders together: what is here less what the queue is
    /// waiting for; 0 when the last report is too old or a loss reviewed.
    function instantLiquidity() external view returns (uint256) {
        return _instant();
    }

    function deposit(uint256 assets, address receiver) public override returns (uint256) {
        return _enter(assets, receiver, 0);
    }

    function mint(uint256 shares, address receiver) public override nonReentrant returns (uint256 assets) {
        assets = _convertToAssets(shares, Math.Rounding.Ceil);
        if (assets > _room()) {
            _checkEvidence();
            revert ERC4626ExceededMaxMint(receiver, shares, maxMint(receiver));
        }
        _checkMinimum(assets, _limits.minDeposit);
        _deposit(_msgSender(), receiver, assets, shares);
    }

    function withdraw(uint256 assets, address receiver, address owner) public override returns (uint256) {
        return _leaveWithAssets(assets, receiver, owner, type(uint256).max);
    }

    function redeem(uint256 shares, address receiver, address owner) public override returns (uint256) {
        return _leaveWithShares(shares, receiver, owner, 0);
    }

    /// @notice As `deposit`, but reverts with `SlippageExceeded` below `minShares`.
    function deposit(uint256 assets, address receiver, uint256 minShares) external returns (uint256) {
        return _enter(assets, receiver, minShares);
    }

    /// @notice As `deposit` with `minShares`, after an ERC-2612 permit of the asset for this vault.
    function depositWithPermit(
        uint256 assets,
        address receiver,
        uint256 minShares,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external returns (uint256) {
        // Anyone may have sent the permit first, which gives the same allowance; without one the transfer reverts.
        try IERC20Permit(asset()).permit(_msgSender(), address(this), assets, deadline, v, r, s) {} catch {}
        return _enter(assets, receiver, minShares);
    }

    /// @notice As `withdraw`, but reverts with `SlippageExceeded` above `maxShares`.
    function withdraw(uint256 assets, address receiver, address owner, uint256 maxShares) external returns (uint256) {
        return _leaveWithAssets(assets, receiver, owner, maxShares);
    }

    /// @notice As `redeem`, but reverts with `SlippageExceeded` below `minAssets`.
    function redeem(uint256 shares, address receiver, address owner, uint256 minAssets) external returns (uint256) {
        return _leaveWithShares(shares, receiver, owner, minAssets);
    }

    // ── The queue's side ────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Moves `shares` of `owner` into the queue, which alone may call. `spender` needs an allowance unless it is
    /// the owner.
    function lineUp(address spender, address owner, uint256 shares) external {
        _onlyQueue();
        if (!canSend(owner)) revert ERC7943CannotSend(owner);
        if (spender != owner) _spendAllowance(owner, spender, shares);
        super._update(owner, _msgSender(), shares);
    }

    /// @notice Redeems up to `shares` of the queue's and sets the assets aside for its claims, as far as the idle money
    /// reaches. The queue alone may call. Both are 0 when nothing is idle.
    function serveQueue(uint256 shares) external nonReentrant returns (uint256 released, uint256 assets) {
        _onlyQueue();
        _checkReview();
        return _serve(_msgSender(), shares);
    }

    /// @notice Pays a claim in the queue, which alone may call, from what is set aside.
    function payClaim(address receiver, uint256 assets) external nonReentrant {
        _onlyQueue();
        setAside -= assets;
        _send(receiver, assets);
    }

    function _onlyQueue() private view {
        if (_msgSender() != _desk.queue) revert NotTheQueue(_msgSender());
    }

    // ── Who may hold shares ─────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Moves all shares of a retired wallet to the one that stands in its place. Anyone may.
    function recover(address from) external nonReentrant returns (uint256 shares) {
        address to = identityRegistry.successorOf(from);
        if (to == address(0)) revert NoSuccessor(from);
        shares = balanceOf(from);
        _checkAmount(shares);
        super._update(from, to, shares);
        emit SharesRecovered(from, to, shares);
    }

    /// @notice ERC-7943: whether `account` may give up shares, at least to redeem them to itself.
    function canSend(address account) public view returns (bool) {
        return identityRegistry.canSend(account);
    }

    /// @notice ERC-7943: whether `account` may gain shares.
    function canReceive(address account) public view returns (bool) {
        return identityRegistry.canReceive(account);
    }

    /// @notice ERC-7943: whether `from` may transfer `amount` shares to `to`: both verified, balance enough.
    function canTransfer(address from, address to, uint256 amount) external view returns (bool) {
        return identityRegistry.canTransfer(from, to) && amount <= balanceOf(from);
    }

    // ── Inside ──────────────────────────────────────────────────────────────────────────────────────────────────────

    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        // Zero assets buy zero shares, so one check covers both.
        _checkAmount(shares);
        super._deposit(caller, receiver, assets, shares);
    }

    function _withdraw(address caller, address receiver, address owner, uint256 assets, uint256 shares)
        internal
        override
    {
        // Zero shares are worth zero assets, so one check covers both.
        _checkAmount(assets);
        if (receiver != owner && identityRegistry.statusOf(owner) == IdentityRegistry.Status.ExitOnly) {
            revert ExitOnlyToSelf(owner, receiver);
        }
        super._withdraw(caller, receiver, owner, assets, shares);
    }

    /// @dev The gate. Every movement of shares passes here but those of the queue and of recovery.
    function _update(address from, address to, uint256 value) internal override {
        if (from == address(0)) {
            if (!canReceive(to)) revert ERC7943CannotReceive(to);
        } else if (to == address(0)) {
            if (!canSend(from)) revert ERC7943CannotSend(from);
        } else if (!identityRegistry.canTransfer(from, to)) {
            if (!canSend(from)) revert ERC7943CannotSend(from);
            if (!canReceive(to)) revert ERC7943CannotReceive(to);
            revert ERC7943CannotTransfer(from, to, value);
        }
        super._update(from, to, value);
    }

    /// @dev Deposits `assets`; whether `receiver` may hold shares is for the gate in `_update` to say.
    function _enter(uint256 assets, address receiver, uint256 minShares)
        private
        nonReentrant
        returns (uint256 shares)
    {
        uint256 total = totalAssets();
        if (assets > _roomIn(total)) {
            _checkEvidence();
            revert ERC4626ExceededMaxDeposit(receiver, assets, maxDeposit(receiver));
        }
        _checkMinimum(assets, _limits.minDeposit);
        shares = assets.mulDiv(totalSupply() + _VIRTUAL_SHARES, total + 1);
        if (shares < minShares) revert SlippageExceeded(shares, minShares);
        _deposit(_msgSender(), receiver, assets, shares);
    }

    /// @dev As `_enter`: whether `owner` may give up shares is for the gate in `_update` to say.
    function _leaveWithAssets(uint256 assets, address receiver, address owner, uint256 maxShares)
        private
        nonReentrant
        returns (uint256 shares)
    {
        if (assets > _convertToAssets(balanceOf(owner), Math.Rounding.Floor) || assets > _instant()) {
            revert ERC4626ExceededMaxWithdraw(owner, assets, maxWithdraw(owner));
        }
        shares = _convertToShares(assets, Math.Rounding.Ceil);
        if (shares > maxShares) revert SlippageExceeded(shares, maxShares);
        _withdraw(_msgSender(), receiver, owner, assets, shares);
    }

    function _leaveWithShares(uint256 shares, address receiver, address owner, uint256 minAssets)
        private
        nonReentrant
        returns (uint256 assets)
    {
        assets = _convertToAssets(shares, Math.Rounding.Floor);
        if (shares > balanceOf(owner) || assets > _instant()) {
            revert ERC4626ExceededMaxRedeem(owner, shares, maxRedeem(owner));
        }
        if (assets < minAssets) revert SlippageExceeded(assets, minAssets);
        _withdraw(_msgSender(), receiver, owner, assets, shares);
    }

    function _checkMinimum(uint256 assets, uint256 least) private pure {
        if (assets > 0 && assets < least) revert BelowMinimumDeposit(assets, least);
    }

    /// @dev What fits under the cap now, whoever it is for and however small.
    function _room() private view returns (uint256) {
        return _roomIn(totalAssets());
    }

    function _roomIn(uint256 total) private view returns (uint256) {
        return _closed() ? 0 : uint256(_limits.cap).saturatingSub(total);
    }

    /// @dev Idle money less what the queue is waiting for. Its part is rounded up and a redemption lifts it by less than a
    /// unit, so no instant exit ever leaves the queue a unit short.
    function _instant() private view returns (uint256) {
        // Deposits are closed too where exits are.
        if (_closed() && (_stale() || _underReview())) return 0;
        uint256 idle = _book.held - _desk.deployed;
        return idle.saturatingSub(_convertToAssets(balanceOf(_desk.queue), Math.Rounding.Ceil));
    }

    /// @dev Redeems up to `shares` of the queue's as far as the idle money reaches. No asset is moved, so that none can stop
    /// the queue or a report.
    function _serve(address queue, uint256 shares) internal returns (uint256 released, uint256 assets) {
        uint256 idle = _book.held - _desk.deployed;
        assets = _convertToAssets(shares, Math.Rounding.Floor);
        released = shares;
        if (assets > idle) {
            // All of it, for the fewest shares that are worth it. Rounded down they could be worth nothing, and burn for that.
            released = _convertToShares(idle, Math.Rounding.Ceil);
            assets = idle;
        }
        if (released == 0) return (0, 0);
        setAside += assets;
        _book.held = uint96(_book.held - assets);
        super._update(queue, address(0), released);
        emit Withdraw(queue, queue, queue, assets, released);
    }
}
