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
import {SignedMath} from "@openzeppelin/contracts/utils/math/SignedMath.sol";
import {IdentityRegistry} from "./IdentityRegistry.sol";
import {ProductRegistry} from "./ProductRegistry.sol";
import {IRenderer} from "./interfaces/IRenderer.sol";
import {IReportListener, IStatusListener} from "./interfaces/IProduct.sol";

/// @title DemandVault: a demand deposit as a strict ERC-4626 share
///
/// @notice Depositors hold shares; income raises what a share is worth. Share price = (totalAssets + 1) / (supply + 1e6).
///
/// Accounting
/// - Nothing is priced from `balanceOf`. `held` counts the assets that came in by deposit and report less those that left
///   by withdrawal and were lost, wherever they are; `deployed` of them are with the custodian, the rest (`idle`) is here.
///   What the queue's claims are owed is `setAside`, here too and no part of `held`. What lies here beyond `idle` and
///   `setAside`, donations and fees, belongs to the treasury (`skim`) and moves no price.
/// - A reported gain is streamed: totalAssets() = held − ⌈streaming · (end − now) / (end − start)⌉, so that buying just
///   before a report and leaving just after earns nothing. A stream runs over the vesting time, or over the time the
///   report covers where that is longer (7 days at most), and never ends before the one it continues.
/// - A reported loss is taken at once, first from what is not yet streamed. Only deployed money can be lost. One that
///   makes more than 1 % of the assets, together with those before it less than 7 days apart, is reviewed for a day:
///   deposits, instant exits, processing and reports wait, and the confirmer may confirm it or take it back. For 7 days
///   after a review the next such loss is refused unless the confirmer lets it be reviewed. The confirmer may restore
///   losses that stand, as far as there are any: what they took is streamed back.
/// - The fee is taken in cash from a gain, only as far as the gain lifts the price it streams towards above the highest
///   such price before (`mark`). No shares are made for it, so it dilutes nobody and no price falls by it.
///
/// Rounding: always for the pool. deposit and redeem floor, mint and withdraw ceil, unstreamed gain ceil, fee floor,
/// mark ceil, buffer and what the queue is owed ceil, shares the queue gives for all idle money ceil.
///
/// Roles (OpenZeppelin AccessManager decides who holds them)
/// - reporter: `report`. Bounded: a gain is paid in, in cash, and capped by maxRate × time × assets; a loss by what is
///   deployed, and one that lowers the price closes deposits for a day, so that nobody buys into a false one.
///   `renewEvidence`: at most 400 days ahead, for the hash of the new document.
/// - confirmer: `takeBackLoss`, while a loss is reviewed, `confirmLoss` and `restore`, at most the losses that stand.
/// - treasurer: `deploy`, to the one custodian and never below the buffer plus what the queue is owed.
/// - guardian: `pause`. Stops deposits only, lapses after 7 days, and cannot be called again for another 7.
/// - owner: `setCap`, `setMinDeposit`, `unpause`, `setQueue` (once), `setCustodian`, `setTreasury`, `setEvidence`.
/// - anyone: `repay`, `skim`, `recover`, `syncStatus`.
///
/// Assumptions
/// - The asset is a plain ERC-20. One that takes a fee on transfer is refused at deposit; one that rebases downwards
///   would leave the vault short and must not be used.
/// - The two registries and the queue are trusted; the registries are immutable here, the queue is set once, before the first deposit.
/// - The custodian may lose what is deployed; the reporter then says so.
///
/// Liveness
/// - No role can stop a redemption. A record that ran out or was revoked may still redeem to its own wallet; only a
///   frozen record waits. Pause, closed product, full cap, lapsed evidence and old report close deposits, never the
///   way out.
/// - Instant exits reach as far as the idle money that the queue is not waiting for, and close while a loss is reviewed
///   and when the last report is too old: then, as beyond the idle money, the queue is the way out.
/// - A report first pays what is payable in the queue at the price before it.
contract DemandVault is ERC4626, ERC20Permit, AccessManaged, ReentrancyGuardTransient, IStatusListener {
    using Math for uint256;
    using SafeCast for uint256;

    /// @param cap most assets the vault takes in, in the asset's smallest unit, below 2^96
    /// @param minDeposit smallest deposit, in the asset's smallest unit, below 2^80
    /// @param vestingTime seconds over which a gain is streamed, 1 to 365 days
    /// @param maxRate most gain a year as a fraction of assets, 1e18 = 100 %, at most 10e18
    /// @param maxReportAge seconds after a report's `asOf` at which deposits and instant exits close, 1 to 45 days
    /// @param evidenceUntil until when (Unix time, UTC) the product's evidence stands, at most 400 days ahead; 0 for a
    /// product without devices, whose reports need not name evidence
    struct Parameters {
        uint256 cap;
        uint256 minDeposit;
        uint64 vestingTime;
        uint256 maxRate;
        uint64 maxReportAge;
        uint64 evidenceUntil;
        IRenderer renderer;
    }

    /// @dev The price, in one slot.
    struct Book {
        /// Assets that belong to the pool, gains not yet streamed and deployed money included. 2^96 units are 7e10
        /// whole tokens of 18 decimals.
        uint96 held;
        /// The gain being streamed from `streamStart` to `streamEnd`, whole.
        uint88 streaming;
        uint32 streamStart;
        uint32 streamEnd;
    }

    /// @dev What a deposit has to fit, in one slot.
    struct Limits {
        uint96 cap;
        uint80 minDeposit;
        /// Deposits are open from the end of pause and loss, as long as report and evidence are fresh; never in a product
        /// that is closed or has no queue. Follows from what is stored elsewhere, see `_refresh`.
        uint32 openFrom;
        uint32 openUntil;
    }

    /// @dev Of what the limits follow from, all that is not in the desk.
    struct Terms {
        /// The last report's.
        uint32 asOf;
        uint32 pausedUntil;
        bool open;
        /// Losses less than 7 days apart that were not reviewed, together, and until when the next one counts with them.
        uint96 recentLoss;
        uint32 recentUntil;
    }

    /// @notice Money at work and what goes with it.
    /// @param deployed assets with the custodian, smallest units
    /// @param queue the redemption queue, 0 until it is set, and no deposits before that
    /// @param custodian where deployed money goes, 0 while none may be deployed
    /// @param buffer share of the assets that is never deployed, 1e18 = 100 %
    /// @param lossUntil until when (Unix time, UTC) a loss keeps deposits closed
    /// @param treasury where fees and donations go
    /// @param fee performance fee on gains above the mark, 1e18 = 100 %, at most 30 %
    /// @param evidenceUntil until when (Unix time, UTC) the product's evidence stands; 0 for a product without devices
    /// @param mark the high-water mark: the highest price a report's stream ever led to, assets a share unit times 1e27,
    /// rounded up
    struct Desk {
        uint96 deployed;
        address queue;
        address custodian;
        uint64 buffer;
        uint32 lossUntil;
        address treasury;
        uint64 fee;
        uint32 evidenceUntil;
        uint256 mark;
    }

    /// @dev A loss that may be taken back until `until`, how much of it the stream has borne, and until when deposits were
    /// closed before it.
    struct Review {
        uint96 loss;
        uint88 fromStream;
        uint32 until;
        uint32 lossUntil;
    }

    // Constants and settings have few getters: each function a contract has makes every other a little dearer.
    uint32 private constant _MAX_PAUSE = 7 days;
    uint32 private constant _PAUSE_COOLDOWN = 7 days;
    uint32 private constant _LOSS_PAUSE = 1 days;
    /// @dev How long losses are added up, and how long after a review the next one needs the confirmer.
    uint32 private constant _REVIEW_COOLDOWN = 7 days;
    /// @dev A loss above a 100th of the assets is reviewed.
    uint256 private constant _REVIEWED_PART = 100;
    uint256 private constant _LONGEST_STRETCH = 7 days;
    uint64 private constant _LONGEST_REPORT_AGE = 45 days;
    uint64 private constant _LONGEST_EVIDENCE = 400 days;
    uint64 private constant _HIGHEST_FEE = 0.3e18;
    uint256 private constant _YEAR = 365 days;
    uint256 private constant _WAD = 1e18;
    uint256 private constant _HIGHEST_RATE = 10e18;
    uint256 private constant _VIRTUAL_SHARES = 1e6;
    /// @dev Scale of `mark`, which is assets a share unit.
    uint256 private constant _MARK = 1e27;

    IdentityRegistry public immutable identityRegistry;
    ProductRegistry public immutable productRegistry;
    uint64 public immutable vestingTime;
    uint64 public immutable maxReportAge;
    uint256 public immutable maxRate;
    IRenderer private immutable _renderer;

    Book private _book;
    Limits private _limits;
    Terms private _terms;
    Desk private _desk;
    Review private _review;
    /// @notice Assets that were processed in the queue and not yet claimed. They are here, and belong to the claims alone.
    uint256 public setAside;
    /// @notice Losses that were reported and neither taken back nor restored.
    uint256 public standingLoss;

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
    /// stream, plus every later Deposit's assets, less every later Withdraw's. `delta` is before the fee.
    event Reported(
        int256 delta,
        uint64 asOf,
        bytes32 evidenceRoot,
        int256 settled,
        uint256 streaming,
        uint64 streamStart,
        uint64 streamEnd
    );
    /// @notice The loss reported in the same transaction may be confirmed or taken back before `until`; else it stands.
    event LossReviewed(uint64 until);
    /// @notice The loss under review stands; or, where none is, the next one may be reviewed before its time.
    event LossConfirmed();
    /// @notice `assets` are with the custodian again, and deposits are closed until `lossUntil`, as before the loss. The rest
    /// as in `Reported`.
    event LossTakenBack(
        uint256 assets, int256 settled, uint256 streaming, uint64 streamStart, uint64 streamEnd, uint64 lossUntil
    );
    /// @notice `assets` of the losses that stood are with the custodian again and are streamed. The rest as in `Reported`.
    event LossRestored(uint256 assets, int256 settled, uint256 streaming, uint64 streamStart, uint64 streamEnd);
    /// @notice The product's evidence stands until `until`, by the document of this hash; 0 at creation.
    event EvidenceRenewed(bytes32 document, uint64 until);
    /// @notice What was kept from the gain reported in the same transaction.
    event FeeTaken(uint256 assets);
    event Deployed(address indexed custodian, uint256 assets);
    event Repaid(address indexed payer, uint256 assets);
    event Skimmed(address indexed treasury, uint256 assets);
    event SharesRecovered(address indexed from, address indexed to, uint256 shares);
    event CapChanged(uint256 cap);
    event MinDepositChanged(uint256 minDeposit);
    event PausedUntil(uint64 until);
    event QueueSet(address indexed queue);
    event CustodianChanged(address indexed custodian, uint64 buffer);
    event TreasuryChanged(address indexed treasury, uint64 fee);

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
    /// @dev `asOf` must be later than the last report's, not in the future and not older than `maxReportAge`.
    error InvalidReportTime(uint64 asOf);
    /// @dev A product with devices names the evidence each report rests on.
    error EvidenceMissing();
    /// @dev Deposits are closed until the evidence is renewed.
    error EvidenceLapsed(uint64 since);
    error LossUnderReview(uint64 until);
    error NoLossUnderReview();
    /// @dev The last review ended less than 7 days ago: another loss this large needs `confirmLoss` before `until`.
    error LossNeedsConfirmer(uint64 until);
    error GainExceedsBound(uint256 gain, uint256 bound);
    /// @dev Only money that is deployed can be repaid.
    error ExceedsDeployed(uint256 assets, uint256 deployed);
    error ExceedsDeployable(uint256 assets, uint256 deployable);
    error ExceedsStandingLoss(uint256 assets, uint256 standing);
    error AlreadyPaused(uint64 until);
    /// @dev The last pause ended too short a time ago.
    error PauseTooSoon(uint64 possibleFrom);
    error NotPaused();
    error NotTheQueue(address caller);
    /// @dev The wallet is not retired, so nothing of it is recovered.
    error NoSuccessor(address wallet);

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
                || address(productRegistry_).code.length == 0 || address(parameters.renderer).code.length == 0
                || parameters.vestingTime == 0
                || parameters.vestingTime > _YEAR || parameters.maxReportAge == 0
                || parameters.maxReportAge > _LONGEST_REPORT_AGE || parameters.maxRate > _HIGHEST_RATE
        ) revert InvalidParameters();
        identityRegistry = identityRegistry_;
        productRegistry = productRegistry_;
        vestingTime = parameters.vestingTime;
        maxReportAge = parameters.maxReportAge;
        maxRate = parameters.maxRate;
        _renderer = parameters.renderer;
        uint32 time = _now();
        _terms.asOf = time;
        (_book.streamStart, _book.streamEnd) = (time, uint32(time + vestingTime));
        _desk.mark = _MARK / _VIRTUAL_SHARES;
        emit VaultCreated(
            address(asset_),
            address(identityRegistry_),
            address(productRegistry_),
            parameters.vestingTime,
            parameters.maxRate,
            parameters.maxReportAge,
            time
        );
        if (parameters.evidenceUntil != 0) _setEvidence(0, parameters.evidenceUntil);
        _setCap(parameters.cap);
        _setMinDeposit(parameters.minDeposit);
    }

    // ── Income ──────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Reports the result since the last report. First the queue's payable requests are paid at the price before
    /// it. A gain is paid in and joins what the last stream still holds in a new one, less the fee; a loss is taken from
    /// the stream, and what it does not cover at once from the price. 0 says "nothing earned", keeps deposits open and
    /// leaves the stream as it is.
    /// @param delta gain, taken from the caller's allowance, or loss, in the asset's smallest unit; of a loss at most what
    /// is deployed counts, so that money paid back just before cannot stop the report
    /// @param asOf the moment (Unix time, UTC) up to which the result is counted
    /// @param evidenceRoot root of the evidence the report rests on, 0 only for a product without devices
    function report(int256 delta, uint64 asOf, bytes32 evidenceRoot) external restricted nonReentrant {
        _checkReview();
        uint64 last = _terms.asOf;
        if (asOf <= last || asOf > block.timestamp || block.timestamp - asOf > maxReportAge) {
            revert InvalidReportTime(asOf);
        }
        if (evidenceRoot == 0 && _desk.evidenceUntil != 0) revert EvidenceMissing();
        uint256 bound = _gainBound(asOf);
        address queue = _desk.queue;
        (uint256 served, uint256 paid) = _serve(queue, IReportListener(queue).payableShares());
        if (delta < 0) delta = -int256(_takeLoss(SignedMath.abs(delta)));
        else _takeGain(uint256(delta), bound, asOf - last);
        // Not later than now, which fits.
        _terms.asOf = uint32(asOf);
        _refresh();
        (int256 settled, uint256 streaming, uint64 start, uint64 end) = stream();
        emit Reported(delta, asOf, evidenceRoot, settled, streaming, start, end);
        // Where nothing is streamed there is nothing to wait for.
        uint256 from = streaming == 0 ? block.timestamp : block.timestamp.max(end);
        IReportListener(queue).reported(asOf, uint64(from), served, paid);
    }

    /// @notice The loss last reviewed, and until when (Unix time, UTC) it may be confirmed or taken back; in the past when
    /// it no longer may.
    function reviewedLoss() external view returns (uint256 assets, uint64 until) {
        return (_review.loss, _review.until);
    }

    /// @notice Lets the loss under review stand at once; deposits stay closed for the rest of its day. Where none is, lets
    /// the next large loss be reviewed though the last review ended less than 7 days ago.
    function confirmLoss() external restricted {
        if (_underReview()) _review.until = _now();
        else if (_reviewFrom() > block.timestamp) _review.until = 0;
        else revert NoLossUnderReview();
        emit LossConfirmed();
    }

    /// @notice Undoes the loss under review: the money counts as deployed again, what the stream bore is streamed anew, and
    /// deposits stay closed as long as they were to be before it.
    function takeBackLoss() external restricted nonReentrant {
        Review memory review = _review;
        if (!_underReview()) revert NoLossUnderReview();
        _review.until = _now();
        _desk.lossUntil = review.lossUntil;
        _refresh();
        _giveBack(review.loss, review.fromStream);
        (int256 settled, uint256 streaming, uint64 start, uint64 end) = stream();
        emit LossTakenBack(review.loss, settled, streaming, start, end, review.lossUntil);
    }

    /// @notice Undoes `assets` of the losses that stand: the money counts as deployed again and is streamed, so that nobody
    /// gains by a deposit just before.
    function restore(uint256 assets) external restricted nonReentrant {
        _checkReview();
        if (assets == 0) revert ZeroAmount();
        if (assets > standingLoss) revert ExceedsStandingLoss(assets, standingLoss);
        _giveBack(uint96(assets), assets);
        (int256 settled, uint256 streaming, uint64 start, uint64 end) = stream();
        emit LossRestored(assets, settled, streaming, start, end);
    }

    /// @notice Renews the product's evidence until `until` by the document of this hash.
    function renewEvidence(bytes32 document, uint64 until) external restricted {
        if (until <= _desk.evidenceUntil) revert InvalidParameters();
        _renewEvidence(document, until);
    }

    /// @notice As `renewEvidence`; the time may also be an earlier one than before.
    function setEvidence(bytes32 document, uint64 until) external restricted {
        _renewEvidence(document, until);
    }

    /// @notice The largest gain a report as of `asOf` may bring, ⌊totalAssets · maxRate · time / 365 days⌋; 0 when
    /// `asOf` is not later than the last report's.
    function maxGain(uint64 asOf) external view returns (uint256) {
        return asOf <= _terms.asOf ? 0 : _gainBound(asOf);
    }

    /// @notice What totalAssets(t) is made of: settled + ⌊streaming · (t − start) / (end − start)⌋, t held between start
    /// and end; streaming counts as whole once t ≥ end. `settled` is negative when withdrawals have already taken part
    /// of what was streamed.
    function stream() public view returns (int256 settled, uint256 streaming, uint64 start, uint64 end) {
        Book memory book = _book;
        settled = int256(uint256(book.held)) - int256(uint256(book.streaming));
        return (settled, book.streaming, book.streamStart, book.streamEnd);
    }

    /// @inheritdoc ERC4626
    function totalAssets() public view override returns (uint256) {
        return _total(_book);
    }

    /// @notice The moment up to which income is reported (Unix time, UTC); at first the time of deployment.
    function lastReportAsOf() external view returns (uint64) {
        return _terms.asOf;
    }

    // ── Money at work ───────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Sends `assets` to the custodian, at most `maxDeploy()`.
    function deploy(uint256 assets) external restricted nonReentrant {
        if (assets == 0) revert ZeroAmount();
        uint256 most = maxDeploy();
        if (assets > most) revert ExceedsDeployable(assets, most);
        _desk.deployed += uint96(assets);
        emit Deployed(_desk.custodian, assets);
        _send(_desk.custodian, assets);
    }

    /// @notice Brings deployed money back, from the caller's allowance. Anyone may: it only makes the vault liquid.
    function repay(uint256 assets) external nonReentrant {
        if (assets == 0) revert ZeroAmount();
        if (assets > _desk.deployed) revert ExceedsDeployed(assets, _desk.deployed);
        _desk.deployed -= uint96(assets);
        emit Repaid(_msgSender(), assets);
        _pull(_msgSender(), assets);
    }

    /// @notice Most that may be deployed now: what is here beyond the buffer and what the queue is owed once all is
    /// streamed; 0 without a custodian and while a loss is reviewed. Never reverts.
    function maxDeploy() public view returns (uint256) {
        if (_desk.custodian == address(0) || _underReview()) return 0;
        uint256 held = _book.held;
        uint256 owed = balanceOf(_desk.queue).mulDiv(held + 1, totalSupply() + _VIRTUAL_SHARES, Math.Rounding.Ceil);
        return (held - _desk.deployed).saturatingSub(owed + held.mulDiv(_desk.buffer, _WAD, Math.Rounding.Ceil));
    }

    /// @notice Sends what lies here beyond the pool's own money, fees and donations, to the treasury.
    function skim() external nonReentrant returns (uint256 assets) {
        assets = _balance().saturatingSub(_book.held - _desk.deployed + setAside);
        if (assets == 0 || _desk.treasury == address(0)) revert ZeroAmount();
        emit Skimmed(_desk.treasury, assets);
        _send(_desk.treasury, assets);
    }

    // ── Deposits and withdrawals ────────────────────────────────────────────────────────────────────────────────────

    /// @notice Most assets `receiver` may be credited now; 0 unless it is verified, the product open, deposits not
    /// paused, the last report fresh, its evidence standing and no fresh loss, and at least the smallest deposit and one
    /// share still fit under the cap. Never reverts.
    function maxDeposit(address receiver) public view override returns (uint256) {
        uint256 room = identityRegistry.canReceive(receiver) ? _room() : 0;
        return room < _limits.minDeposit || _convertToShares(room, Math.Rounding.Floor) == 0 ? 0 : room;
    }

    /// @notice Most shares that can be minted to `receiver` now; 0 where `maxDeposit` is 0. Never reverts.
    function maxMint(address receiver) public view override returns (uint256) {
        if (!identityRegistry.canReceive(receiver)) return 0;
        uint256 shares = _convertToShares(_room(), Math.Rounding.Floor);
        return _convertToAssets(shares, Math.Rounding.Ceil) < _limits.minDeposit ? 0 : shares;
    }

    /// @notice Most shares `owner` can redeem at once: all it has, as far as the idle money reaches that the queue is not
    /// waiting for; 0 when its record is missing or frozen, the last report too old, a loss reviewed, or all of it is
    /// worth less than one unit. Never reverts.
    function maxRedeem(address owner) public view override returns (uint256) {
        if (!identityRegistry.canSend(owner)) return 0;
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
            identityRegistry.canSend(owner)
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
        if (!identityRegistry.canSend(owner)) revert ERC7943CannotSend(owner);
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
        if (shares == 0) revert ZeroAmount();
        super._update(from, to, shares);
        emit SharesRecovered(from, to, shares);
    }

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
        return _limits.cap;
    }

    function minDeposit() external view returns (uint256) {
        return _limits.minDeposit;
    }

    /// @notice Until when deposits are paused (Unix time, UTC); in the past, or 0, when they are not.
    function pausedUntil() external view returns (uint64) {
        return _terms.pausedUntil;
    }

    /// @notice Queue, custodian, treasury and what belongs to them.
    function desk() external view returns (Desk memory) {
        return _desk;
    }

    function setCap(uint256 newCap) external restricted {
        _setCap(newCap);
    }

    function setMinDeposit(uint256 newMinDeposit) external restricted {
        _setMinDeposit(newMinDeposit);
    }

    /// @notice Stops deposits for 7 days. A running pause cannot be prolonged, nor the next begin within 7 days of its end.
    function pause() external restricted {
        uint64 until = _terms.pausedUntil;
        if (_paused()) revert AlreadyPaused(until);
        if (until != 0 && block.timestamp < until + _PAUSE_COOLDOWN) revert PauseTooSoon(until + _PAUSE_COOLDOWN);
        _setPausedUntil(_now() + _MAX_PAUSE);
    }

    function unpause() external restricted {
        if (!_paused()) revert NotPaused();
        _setPausedUntil(_now());
    }

    /// @notice Names the redemption queue, once; deposits are closed before. So no depositor is ever given another queue
    /// than the one there was to be seen at the deposit.
    function setQueue(address newQueue) external restricted {
        if (
            _desk.queue != address(0) || IReportListener(newQueue).share() != address(this)
        ) revert InvalidParameters();
        _desk.queue = newQueue;
        _refresh();
        emit QueueSet(newQueue);
    }

    /// @notice Names where deployed money goes, 0 to deploy no more, and the share of the assets that is never deployed.
    function setCustodian(address newCustodian, uint64 newBuffer) external restricted {
        if (newBuffer > _WAD || newCustodian == address(this)) revert InvalidParameters();
        _desk.custodian = newCustodian;
        _desk.buffer = newBuffer;
        emit CustodianChanged(newCustodian, newBuffer);
    }

    /// @notice Names where fees and donations go, and the performance fee on gains reported from now on.
    function setTreasury(address newTreasury, uint64 newFee) external restricted {
        if (newFee > _HIGHEST_FEE || newTreasury == address(this) || newTreasury == address(0)) revert InvalidParameters();
        _desk.treasury = newTreasury;
        _desk.fee = newFee;
        emit TreasuryChanged(newTreasury, newFee);
    }

    /// @notice The metadata of the product (ERC-7572) as a data URI of JSON, made by the renderer.
    function contractURI() external view returns (string memory) {
        address renderer = address(_renderer);
        bytes4 selector = IRenderer.contractURI.selector;
        // The answer goes on as it comes: copying the text through memory would cost 200 bytes of code.
        assembly ("memory-safe") {
            mstore(0, selector)
            mstore(4, address())
            if iszero(staticcall(gas(), renderer, 0, 36, 0, 0)) { revert(0, 0) }
            let free := mload(0x40)
            returndatacopy(free, 0, returndatasize())
            return(free, returndatasize())
        }
    }

    /// @inheritdoc IStatusListener
    function syncStatus() external {
        _terms.open = productRegistry.isOpen(address(this));
        _refresh();
    }

    function decimals() public view override(ERC20, ERC4626) returns (uint8) {
        return super.decimals();
    }

    // ── Inside ──────────────────────────────────────────────────────────────────────────────────────────────────────

    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        if (assets == 0 || shares == 0) revert ZeroAmount();
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
        _book.held = (_book.held + assets).toUint96();
    }

    function _transferOut(address to, uint256 assets) internal override {
        _book.held = (_book.held - assets).toUint96();
        _send(to, assets);
    }

    /// @dev The gate. Every movement of shares passes here but those of the queue and of recovery.
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

    function _convertToShares(uint256 assets, Math.Rounding rounding) internal view override returns (uint256) {
        return assets.mulDiv(totalSupply() + _VIRTUAL_SHARES, totalAssets() + 1, rounding);
    }

    function _convertToAssets(uint256 shares, Math.Rounding rounding) internal view override returns (uint256) {
        return shares.mulDiv(totalAssets() + 1, totalSupply() + _VIRTUAL_SHARES, rounding);
    }

    function _send(address to, uint256 assets) private {
        SafeERC20.safeTransfer(IERC20(asset()), to, assets);
    }

    function _balance() private view returns (uint256) {
        return IERC20(asset()).balanceOf(address(this));
    }

    /// @dev Takes exactly `assets` from `from`, or reverts.
    function _pull(address from, uint256 assets) private {
        uint256 before = _balance();
        SafeERC20.safeTransferFrom(IERC20(asset()), from, address(this), assets);
        uint256 received = _balance() - before;
        if (received != assets) revert UnexpectedAmountReceived(assets, received);
    }

    /// @dev Deposits `assets`; whether `receiver` may hold shares is for the gate in `_update` to say.
    function _enter(uint256 assets, address receiver, uint256 minShares)
        private
        nonReentrant
        returns (uint256 shares)
    {
        Limits memory limits = _limits;
        uint256 total = totalAssets();
        if (assets > _roomIn(limits, total)) {
            _checkEvidence();
            revert ERC4626ExceededMaxDeposit(receiver, assets, maxDeposit(receiver));
        }
        _checkMinimum(assets, limits.minDeposit);
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

    /// @dev totalAssets, from what was read of the book.
    function _total(Book memory book) private view returns (uint256) {
        unchecked {
            uint256 end = book.streamEnd;
            if (block.timestamp >= end) return book.held;
            // 2^88 units times at most a year of seconds; and what is not yet streamed is never more than what is held.
            return book.held - Math.ceilDiv(uint256(book.streaming) * (end - block.timestamp), end - book.streamStart);
        }
    }

    /// @dev What fits under the cap now, whoever it is for and however small.
    function _room() private view returns (uint256) {
        return _roomIn(_limits, totalAssets());
    }

    function _roomIn(Limits memory limits, uint256 total) private view returns (uint256) {
        return _closed(limits) ? 0 : uint256(limits.cap).saturatingSub(total);
    }

    function _closed(Limits memory limits) private view returns (bool) {
        return block.timestamp < limits.openFrom || block.timestamp >= limits.openUntil;
    }

    /// @dev Brings the times of `_limits` in line with what they follow from. All fit until 2106.
    function _refresh() private {
        Terms memory terms = _terms;
        _limits.openFrom = uint32(Math.max(terms.pausedUntil, _desk.lossUntil));
        uint256 until = terms.open && _desk.queue != address(0) ? uint256(terms.asOf) + maxReportAge + 1 : 0;
        uint256 evidence = _desk.evidenceUntil;
        _limits.openUntil = uint32(evidence == 0 ? until : until.min(evidence));
    }

    /// @dev Idle money less what the queue is waiting for. Its part is rounded up and a redemption lifts it by less than a
    /// unit, so no instant exit ever leaves the queue a unit short.
    function _instant() private view returns (uint256) {
        // Deposits are closed too where exits are.
        if (_closed(_limits) && (_stale() || _underReview())) return 0;
        uint256 idle = _book.held - _desk.deployed;
        return idle.saturatingSub(_convertToAssets(balanceOf(_desk.queue), Math.Rounding.Ceil));
    }

    function _underReview() private view returns (bool) {
        return block.timestamp < _review.until;
    }

    function _checkReview() private view {
        if (_underReview()) revert LossUnderReview(_review.until);
    }

    function _lapsed() private view returns (bool) {
        uint256 until = _desk.evidenceUntil;
        return until != 0 && block.timestamp >= until;
    }

    /// @dev Evidence that lapsed has an error of its own.
    function _checkEvidence() private view {
        if (_lapsed()) revert EvidenceLapsed(_desk.evidenceUntil);
    }

    function _stale() private view returns (bool) {
        return block.timestamp > uint256(_terms.asOf) + maxReportAge;
    }

    function _gainBound(uint64 asOf) private view returns (uint256) {
        return totalAssets().mulDiv(maxRate * (asOf - _terms.asOf), _YEAR * _WAD);
    }

    /// @dev What the treasury keeps of `gain`, with which `held` is what the pool would hold without a fee; moves the mark.
    function _takeFee(uint256 held, uint256 gain) private returns (uint256 taken) {
        uint256 shares = totalSupply() + _VIRTUAL_SHARES;
        uint256 above = (held + 1).saturatingSub(_desk.mark.mulDiv(shares, _MARK, Math.Rounding.Ceil));
        taken = above.min(gain).mulDiv(_desk.fee, _WAD);
        if (taken > 0) emit FeeTaken(taken);
        _desk.mark = _desk.mark.max((held + 1 - taken).mulDiv(_MARK, shares, Math.Rounding.Ceil));
    }

    /// @dev A gain over `covered` seconds is pulled in and joins the stream, less the fee. Of 0 only the mark may move.
    function _takeGain(uint256 gain, uint256 bound, uint256 covered) private {
        if (gain > bound) revert GainExceedsBound(gain, bound);
        if (gain > 0) _pull(_msgSender(), gain);
        uint256 held = _book.held + gain;
        held -= _takeFee(held, gain);
        if (gain > 0) _startStream(held, totalAssets(), uint256(vestingTime).max(covered.min(_LONGEST_STRETCH)));
    }

    /// @dev Takes a loss, at most what is deployed, from the stream and what it does not cover from the price.
    function _takeLoss(uint256 loss) private returns (uint256) {
        loss = loss.min(_desk.deployed);
        if (loss == 0) return 0;
        uint256 settled = totalAssets();
        Terms memory terms = _terms;
        uint32 until = _now() + _LOSS_PAUSE;
        unchecked {
            // What is deployed and what is settled are each at most what is held; all times fit until 2106; and what is not
            // reviewed is at most a hundredth of what is held.
            uint256 held = _book.held - loss;
            uint256 recent = block.timestamp < terms.recentUntil ? terms.recentLoss + loss : loss;
            bool reviewed = recent * _REVIEWED_PART > held + loss;
            if (reviewed) {
                if (block.timestamp < _reviewFrom()) revert LossNeedsConfirmer(_reviewFrom());
                _review = Review(uint96(loss), uint88(loss.min(held + loss - settled)), until, _desk.lossUntil);
                emit LossReviewed(until);
                recent = 0;
            }
            (_terms.recentLoss, _terms.recentUntil) = (uint96(recent), _now() + _REVIEW_COOLDOWN);
            if (reviewed || settled > held) _desk.lossUntil = until;
            _desk.deployed -= uint96(loss);
            standingLoss += loss;
            _startStream(held, settled.min(held), 0);
        }
        return loss;
    }

    /// @dev Gives back `assets` of a loss, of which `streamed` join the stream and the rest the price at once.
    function _giveBack(uint96 assets, uint256 streamed) private {
        standingLoss -= assets;
        _desk.deployed += assets;
        _startStream(_book.held + assets, totalAssets() + assets - streamed, vestingTime);
    }

    /// @dev From when on a loss may be reviewed without the confirmer.
    function _reviewFrom() private view returns (uint64) {
        uint64 last = _review.until;
        return last == 0 ? 0 : last + _REVIEW_COOLDOWN;
    }

    /// @dev Streams what is held beyond `settled` from now over at least `time` seconds, and not ending before the stream it
    /// continues. The end fits until 2106.
    function _startStream(uint256 held, uint256 settled, uint256 time) private {
        uint256 end = (block.timestamp + time.max(1)).max(_book.streamEnd);
        _book = Book(held.toUint96(), (held - settled).toUint88(), _now(), uint32(end));
    }

    /// @dev Redeems up to `shares` of the queue's as far as the idle money reaches. No asset is moved, so that none can stop
    /// the queue or a report.
    function _serve(address queue, uint256 shares) private returns (uint256 released, uint256 assets) {
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
        _book.held = (_book.held - assets).toUint96();
        super._update(queue, address(0), released);
        emit Withdraw(queue, queue, queue, assets, released);
    }

    function _renewEvidence(bytes32 document, uint64 until) private {
        if (document == 0 || _desk.evidenceUntil == 0 || until <= block.timestamp) revert InvalidParameters();
        _setEvidence(document, until);
        _refresh();
    }

    function _setEvidence(bytes32 document, uint64 until) private {
        if (until > block.timestamp + _LONGEST_EVIDENCE) revert InvalidParameters();
        _desk.evidenceUntil = uint32(until);
        emit EvidenceRenewed(document, until);
    }

    function _paused() private view returns (bool) {
        return block.timestamp < _terms.pausedUntil;
    }

    function _setCap(uint256 newCap) private {
        if (newCap > type(uint96).max) revert InvalidParameters();
        _limits.cap = uint96(newCap);
        emit CapChanged(newCap);
    }

    function _setMinDeposit(uint256 newMinDeposit) private {
        if (newMinDeposit > type(uint80).max) revert InvalidParameters();
        _limits.minDeposit = uint80(newMinDeposit);
        emit MinDepositChanged(newMinDeposit);
    }

    function _setPausedUntil(uint32 until) private {
        _terms.pausedUntil = until;
        _refresh();
        emit PausedUntil(until);
    }

    /// @dev Fits until 2106.
    function _now() private view returns (uint32) {
        return uint32(block.timestamp);
    }
}
