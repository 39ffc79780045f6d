// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessManaged} from "@openzeppelin/contracts/access/manager/AccessManaged.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IdentityRegistry} from "./IdentityRegistry.sol";
import {ProductRegistry} from "./ProductRegistry.sol";

/// @title DemandVault: a demand deposit as a strict ERC-4626 share
///
/// @notice Depositors hold shares; income raises what a share is worth. Share price = (totalAssets + 1) / (supply + 1e6).
///
/// Accounting
/// - Nothing is priced from `balanceOf`. `_held` counts the assets that came in by deposit and report less those that
///   left by withdrawal, so a donation moves nothing and belongs to nobody.
/// - A reported gain is streamed: totalAssets() = held − ⌈streaming · (end − now) / (end − start)⌉, so that buying just
///   before a report and leaving just after earns nothing.
///
/// Rounding: always for the pool. deposit and redeem floor, mint and withdraw ceil, unstreamed gain ceil.
///
/// Roles (OpenZeppelin AccessManager decides who holds them)
/// - reporter: `report`. Bounded: a gain is paid in, in cash, and capped by maxRate × time × assets.
/// - guardian: `pause`. Stops deposits only and lapses after 7 days.
/// - owner: `setCap`, `setMinDeposit`, `unpause`.
///
/// Assumptions
/// - The asset is a plain ERC-20. One that takes a fee on transfer is refused at deposit; one that rebases downwards
///   would leave the vault short and must not be used.
/// - The two registries are trusted and immutable here.
///
/// Liveness
/// - No role can stop a redemption. A record that ran out or was revoked may still redeem to its own wallet; only a
///   frozen record waits. Pause, closed product, full cap and old report close deposits, never exits.
/// - All money stays in the vault, so what `maxWithdraw` says can be paid out at once.
contract DemandVault is ERC4626, ERC20Permit, AccessManaged, ReentrancyGuardTransient {
    using Math for uint256;
    using SafeCast for uint256;

    /// @param cap most assets the vault takes in, in the asset's smallest unit, below 2^104
    /// @param minDeposit smallest deposit, in the asset's smallest unit, below 2^80
    /// @param vestingTime seconds over which a gain is streamed, 1 to 365 days
    /// @param maxRate most gain a year as a fraction of assets, 1e18 = 100 %, at most 10e18
    /// @param maxReportAge seconds after a report's `asOf` at which deposits close, 1 to 365 days
    struct Parameters {
        uint256 cap;
        uint256 minDeposit;
        uint64 vestingTime;
        uint256 maxRate;
        uint64 maxReportAge;
    }

    uint64 public constant MAX_PAUSE = 7 days;
    uint256 private constant _YEAR = 365 days;
    uint256 private constant _WAD = 1e18;
    uint256 private constant _HIGHEST_RATE = 10e18;

    IdentityRegistry public immutable identityRegistry;
    ProductRegistry public immutable productRegistry;
    uint64 public immutable vestingTime;
    uint64 public immutable maxReportAge;
    uint256 public immutable maxRate;

    // Two slots hold all that a deposit reads. 2^104 units are 2e13 whole tokens of 18 decimals.

    /// @dev Assets that belong to the pool, gains not yet streamed included.
    uint104 private _held;
    uint104 private _cap;
    uint40 private _asOf;
    /// @dev The gain being streamed over `vestingTime` from `_streamStart`, whole.
    uint96 private _streaming;
    uint80 private _minDeposit;
    uint40 private _streamStart;
    uint40 private _pausedUntil;

    event VaultCreated(
        address indexed asset,
        address identityRegistry,
        address productRegistry,
        uint64 vestingTime,
        uint256 maxRate,
        uint64 maxReportAge,
        uint64 asOf
    );
    /// @notice totalAssets(t) = settled + ⌊streaming · (t − streamStart) / (streamEnd − streamStart)⌋, t held inside the
    /// stream, plus every later Deposit's assets, less every later Withdraw's.
    event Reported(
        int256 delta,
        uint64 asOf,
        bytes32 evidenceRoot,
        uint256 settled,
        uint256 streaming,
        uint64 streamStart,
        uint64 streamEnd
    );
    event CapChanged(uint256 cap);
    event MinDepositChanged(uint256 minDeposit);
    event PausedUntil(uint64 until);

    error ERC7943CannotSend(address account);
    error ERC7943CannotReceive(address account);
    error ERC7943CannotTransfer(address from, address to, uint256 amount);

    error InvalidParameters();
    error ZeroAmount();
    error BelowMinimumDeposit(uint256 assets, uint256 minDeposit);
    /// @dev Shares or assets came out worse than the caller's limit.
    error SlippageExceeded(uint256 actual, uint256 limit);
    /// @dev An exit-only wallet redeems to itself and nowhere else.
    error ExitOnlyToSelf(address owner, address receiver);
    /// @dev The asset delivered another amount than it was asked to.
    error UnexpectedAmountReceived(uint256 expected, uint256 received);
    /// @dev `asOf` must be later than the last report's and not in the future.
    error InvalidReportTime(uint64 asOf);
    error GainExceedsBound(uint256 gain, uint256 bound);
    /// @dev All money is in the vault, so nothing can be lost; losses come with money deployed outside.
    error LossNotSupported(int256 delta);
    error AlreadyPaused(uint64 until);
    error NotPaused();

    constructor(
        IERC20 asset_,
        string memory name_,
        string memory symbol_,
        IdentityRegistry identityRegistry_,
        ProductRegistry productRegistry_,
        address accessManager,
        Parameters memory parameters
    ) ERC20(name_, symbol_) ERC4626(asset_) ERC20Permit(name_) AccessManaged(accessManager) {
        if (
            address(asset_).code.length == 0 || address(identityRegistry_).code.length == 0
                || address(productRegistry_).code.length == 0 || parameters.vestingTime == 0
                || parameters.vestingTime > _YEAR || parameters.maxReportAge == 0 || parameters.maxReportAge > _YEAR
                || parameters.maxRate > _HIGHEST_RATE
        ) revert InvalidParameters();
        identityRegistry = identityRegistry_;
        productRegistry = productRegistry_;
        vestingTime = parameters.vestingTime;
        maxReportAge = parameters.maxReportAge;
        maxRate = parameters.maxRate;
        uint40 time = _now();
        _asOf = time;
        _streamStart = time;
        emit VaultCreated(
            address(asset_),
            address(identityRegistry_),
            address(productRegistry_),
            parameters.vestingTime,
            parameters.maxRate,
            parameters.maxReportAge,
            time
        );
        _setCap(parameters.cap);
        _setMinDeposit(parameters.minDeposit);
    }

    // ── Income ──────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Reports the income since the last report and pays it in. What the last stream still holds joins the new
    /// one, which runs `vestingTime` from now. A gain of 0 says "nothing earned" and keeps deposits open.
    /// @param delta gain in the asset's smallest unit, taken from the caller's allowance
    /// @param asOf the moment (Unix time, UTC) up to which the income is counted
    /// @param evidenceRoot root of the evidence the report rests on
    function report(int256 delta, uint64 asOf, bytes32 evidenceRoot) external restricted nonReentrant {
        if (delta < 0) revert LossNotSupported(delta);
        if (asOf <= _asOf || asOf > block.timestamp) revert InvalidReportTime(asOf);
        uint256 gain = uint256(delta);
        uint256 bound = _gainBound(asOf);
        if (gain > bound) revert GainExceedsBound(gain, bound);
        if (gain > 0) _pull(_msgSender(), gain);

        uint256 settled = totalAssets();
        uint256 streaming_ = _held - settled + gain;
        uint40 start = _now();
        _held = (settled + streaming_).toUint104();
        _streaming = streaming_.toUint96();
        _streamStart = start;
        // Not later than now, which fits.
        _asOf = uint40(asOf);
        emit Reported(delta, asOf, evidenceRoot, settled, streaming_, start, start + vestingTime);
    }

    /// @notice The largest gain a report as of `asOf` may bring, ⌊totalAssets · maxRate · time / 365 days⌋; 0 when
    /// `asOf` is not later than the last report's.
    function maxGain(uint64 asOf) external view returns (uint256) {
        return asOf <= _asOf ? 0 : _gainBound(asOf);
    }

    /// @notice What totalAssets(t) is made of: settled + ⌊streaming · (t − start) / (end − start)⌋, t held between start
    /// and end; streaming counts as whole once t ≥ end. `settled` is negative when withdrawals have already taken part
    /// of what was streamed.
    function stream() external view returns (int256 settled, uint256 streaming, uint64 start, uint64 end) {
        settled = int256(uint256(_held)) - int256(uint256(_streaming));
        return (settled, _streaming, _streamStart, _streamStart + vestingTime);
    }

    /// @inheritdoc ERC4626
    function totalAssets() public view override returns (uint256) {
        uint256 end = uint256(_streamStart) + vestingTime;
        if (block.timestamp >= end) return _held;
        // Both factors are small: 2^96 units times at most a year of seconds.
        return _held - Math.ceilDiv(uint256(_streaming) * (end - block.timestamp), vestingTime);
    }

    /// @notice The moment up to which income is reported (Unix time, UTC); at first the time of deployment.
    function lastReportAsOf() external view returns (uint64) {
        return _asOf;
    }

    // ── Deposits and withdrawals ────────────────────────────────────────────────────────────────────────────────────

    /// @notice Most assets `receiver` may be credited now; 0 unless it is verified, the product open, deposits not
    /// paused, the last report fresh and at least the smallest deposit and one share still fit under the cap. Never
    /// reverts.
    function maxDeposit(address receiver) public view override returns (uint256) {
        uint256 room = identityRegistry.canReceive(receiver) ? _room() : 0;
        return room < _minDeposit || _convertToShares(room, Math.Rounding.Floor) == 0 ? 0 : room;
    }

    /// @notice Most shares that can be minted to `receiver` now; 0 where `maxDeposit` is 0. Never reverts.
    function maxMint(address receiver) public view override returns (uint256) {
        if (!identityRegistry.canReceive(receiver)) return 0;
        uint256 shares = _convertToShares(_room(), Math.Rounding.Floor);
        return _convertToAssets(shares, Math.Rounding.Ceil) < _minDeposit ? 0 : shares;
    }

    /// @notice Most shares `owner` can redeem now: all it has, unless its record is missing or frozen or all of it is
    /// worth less than one unit. Never reverts.
    function maxRedeem(address owner) public view override returns (uint256) {
        if (!identityRegistry.canSend(owner)) return 0;
        uint256 shares = balanceOf(owner);
        return _convertToAssets(shares, Math.Rounding.Floor) == 0 ? 0 : shares;
    }

    /// @notice Most assets `owner` can withdraw now. Never reverts.
    function maxWithdraw(address owner) public view override returns (uint256) {
        return _convertToAssets(maxRedeem(owner), Math.Rounding.Floor);
    }

    function deposit(uint256 assets, address receiver) public override nonReentrant returns (uint256) {
        return _enter(assets, receiver);
    }

    function mint(uint256 shares, address receiver) public override nonReentrant returns (uint256 assets) {
        assets = previewMint(shares);
        if (assets > _room()) revert ERC4626ExceededMaxMint(receiver, shares, maxMint(receiver));
        _deposit(_msgSender(), receiver, assets, shares);
    }

    function withdraw(uint256 assets, address receiver, address owner) public override nonReentrant returns (uint256) {
        return _leaveWithAssets(assets, receiver, owner);
    }

    function redeem(uint256 shares, address receiver, address owner) public override nonReentrant returns (uint256) {
        return _leaveWithShares(shares, receiver, owner);
    }

    /// @notice As `deposit`, but reverts with `SlippageExceeded` below `minShares`.
    function deposit(uint256 assets, address receiver, uint256 minShares)
        external
        nonReentrant
        returns (uint256 shares)
    {
        shares = _enter(assets, receiver);
        if (shares < minShares) revert SlippageExceeded(shares, minShares);
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
    ) external nonReentrant returns (uint256 shares) {
        // Anyone may have sent the permit first, which gives the same allowance; without one the transfer reverts.
        try IERC20Permit(asset()).permit(_msgSender(), address(this), assets, deadline, v, r, s) {} catch {}
        shares = _enter(assets, receiver);
        if (shares < minShares) revert SlippageExceeded(shares, minShares);
    }

    /// @notice As `withdraw`, but reverts with `SlippageExceeded` above `maxShares`.
    function withdraw(uint256 assets, address receiver, address owner, uint256 maxShares)
        external
        nonReentrant
        returns (uint256 shares)
    {
        shares = _leaveWithAssets(assets, receiver, owner);
        if (shares > maxShares) revert SlippageExceeded(shares, maxShares);
    }

    /// @notice As `redeem`, but reverts with `SlippageExceeded` below `minAssets`.
    function redeem(uint256 shares, address receiver, address owner, uint256 minAssets)
        external
        nonReentrant
        returns (uint256 assets)
    {
        assets = _leaveWithShares(shares, receiver, owner);
        if (assets < minAssets) revert SlippageExceeded(assets, minAssets);
    }

    // ── Who may hold shares ─────────────────────────────────────────────────────────────────────────────────────────

    /// @notice ERC-7943: whether `account` may give up shares, at least to redeem them to itself.
    function canSend(address account) external view returns (bool) {
        return identityRegistry.canSend(account);
    }

    /// @notice ERC-7943: whether `account` may gain shares.
    function canReceive(address account) external view returns (bool) {
        return identityRegistry.canReceive(account);
    }

    /// @notice ERC-7943: whether `from` may transfer `amount` shares to `to`: both verified, balance enough.
    function canTransfer(address from, address to, uint256 amount) external view returns (bool) {
        return identityRegistry.canTransfer(from, to) && amount <= balanceOf(from);
    }

    // ── Limits ──────────────────────────────────────────────────────────────────────────────────────────────────────

    function cap() external view returns (uint256) {
        return _cap;
    }

    function minDeposit() external view returns (uint256) {
        return _minDeposit;
    }

    /// @notice Until when deposits are paused (Unix time, UTC); in the past, or 0, when they are not.
    function pausedUntil() external view returns (uint64) {
        return _pausedUntil;
    }

    function setCap(uint256 newCap) external restricted {
        _setCap(newCap);
    }

    function setMinDeposit(uint256 newMinDeposit) external restricted {
        _setMinDeposit(newMinDeposit);
    }

    /// @notice Stops deposits for 7 days. A running pause cannot be prolonged.
    function pause() external restricted {
        if (_paused()) revert AlreadyPaused(_pausedUntil);
        _setPausedUntil(_now() + uint40(MAX_PAUSE));
    }

    function unpause() external restricted {
        if (!_paused()) revert NotPaused();
        _setPausedUntil(0);
    }

    function decimals() public view override(ERC20, ERC4626) returns (uint8) {
        return super.decimals();
    }

    // ── Inside ──────────────────────────────────────────────────────────────────────────────────────────────────────

    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        if (assets == 0 || shares == 0) revert ZeroAmount();
        if (assets < _minDeposit) revert BelowMinimumDeposit(assets, _minDeposit);
        super._deposit(caller, receiver, assets, shares);
    }

    function _withdraw(address caller, address receiver, address owner, uint256 assets, uint256 shares)
        internal
        override
    {
        if (assets == 0 || shares == 0) revert ZeroAmount();
        if (receiver != owner && identityRegistry.statusOf(owner) == IdentityRegistry.Status.ExitOnly) {
            revert ExitOnlyToSelf(owner, receiver);
        }
        super._withdraw(caller, receiver, owner, assets, shares);
    }

    function _transferIn(address from, uint256 assets) internal override {
        _pull(from, assets);
        _held = (_held + assets).toUint104();
    }

    function _transferOut(address to, uint256 assets) internal override {
        _held = (_held - assets).toUint104();
        super._transferOut(to, assets);
    }

    /// @dev The gate. Every movement of shares passes here: mint, burn and transfer.
    function _update(address from, address to, uint256 value) internal override {
        if (from == address(0)) {
            if (!identityRegistry.canReceive(to)) revert ERC7943CannotReceive(to);
        } else if (to == address(0)) {
            if (!identityRegistry.canSend(from)) revert ERC7943CannotSend(from);
        } else if (!identityRegistry.canTransfer(from, to)) {
            if (!identityRegistry.canSend(from)) revert ERC7943CannotSend(from);
            if (!identityRegistry.canReceive(to)) revert ERC7943CannotReceive(to);
            revert ERC7943CannotTransfer(from, to, value);
        }
        super._update(from, to, value);
    }

    function _decimalsOffset() internal pure override returns (uint8) {
        return 6;
    }

    /// @dev Takes exactly `assets` from `from`, or reverts.
    function _pull(address from, uint256 assets) private {
        IERC20 token = IERC20(asset());
        uint256 before = token.balanceOf(address(this));
        SafeERC20.safeTransferFrom(token, from, address(this), assets);
        uint256 received = token.balanceOf(address(this)) - before;
        if (received != assets) revert UnexpectedAmountReceived(assets, received);
    }

    /// @dev Deposits `assets`; whether `receiver` may hold shares is for the gate in `_update` to say.
    function _enter(uint256 assets, address receiver) private returns (uint256 shares) {
        if (assets > _room()) revert ERC4626ExceededMaxDeposit(receiver, assets, maxDeposit(receiver));
        shares = previewDeposit(assets);
        _deposit(_msgSender(), receiver, assets, shares);
    }

    /// @dev As `_enter`: whether `owner` may give up shares is for the gate in `_update` to say.
    function _leaveWithAssets(uint256 assets, address receiver, address owner) private returns (uint256 shares) {
        if (assets > _convertToAssets(balanceOf(owner), Math.Rounding.Floor)) {
            revert ERC4626ExceededMaxWithdraw(owner, assets, maxWithdraw(owner));
        }
        shares = previewWithdraw(assets);
        _withdraw(_msgSender(), receiver, owner, assets, shares);
    }

    function _leaveWithShares(uint256 shares, address receiver, address owner) private returns (uint256 assets) {
        if (shares > balanceOf(owner)) revert ERC4626ExceededMaxRedeem(owner, shares, maxRedeem(owner));
        assets = previewRedeem(shares);
        _withdraw(_msgSender(), receiver, owner, assets, shares);
    }

    /// @dev What fits under the cap now, whoever it is for and however small.
    function _room() private view returns (uint256) {
        if (_paused() || block.timestamp > uint256(_asOf) + maxReportAge) return 0;
        if (!productRegistry.isOpen(address(this))) return 0;
        return uint256(_cap).saturatingSub(totalAssets());
    }

    function _gainBound(uint64 asOf) private view returns (uint256) {
        return totalAssets().mulDiv(maxRate * (asOf - _asOf), _YEAR * _WAD);
    }

    function _paused() private view returns (bool) {
        return block.timestamp < _pausedUntil;
    }

    function _setCap(uint256 newCap) private {
        if (newCap > type(uint104).max) revert InvalidParameters();
        _cap = uint104(newCap);
        emit CapChanged(newCap);
    }

    function _setMinDeposit(uint256 newMinDeposit) private {
        if (newMinDeposit > type(uint80).max) revert InvalidParameters();
        _minDeposit = uint80(newMinDeposit);
        emit MinDepositChanged(newMinDeposit);
    }

    function _setPausedUntil(uint40 until) private {
        _pausedUntil = until;
        emit PausedUntil(until);
    }

    function _now() private view returns (uint40) {
        return uint40(block.timestamp);
    }
}
