// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessManaged} from "@openzeppelin/contracts/access/manager/AccessManaged.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IdentityRegistry} from "./IdentityRegistry.sol";
import {ProductRegistry} from "./ProductRegistry.sol";
import {IRenderer} from "./interfaces/IRenderer.sol";
import {Calendar} from "./term/Calendar.sol";
import {Receipts} from "./term/Receipts.sol";

/// @title TermDeposit: time deposits with interest fixed at opening, each an ERC-721 receipt
///
/// @notice One contract a product. A deposit of P under a term pays P and ⌊P · rate · days / 365⌋ at maturity, simple
/// interest, ACT/365 fixed, and nothing more after it. All rates and ratios are fractions with 18 decimals, 1e18 =
/// 100 %.
///
/// Accounting
/// - Nothing is counted from `balanceOf`, so a donation moves nothing and belongs to nobody.
/// - assets = cash + deployed; liabilities = Σ (principal + interest at maturity) of live receipts. As long as the
///   product is not wound down, assets ≥ liabilities: interest is reserved at opening out of what the treasurer has
///   funded (`ReserveExhausted` otherwise), and what is released again or kept as a penalty is free for new deposits.
/// - The reserved interest is always in cash: neither `deploy` nor the payment of a principal takes any of it.
///
/// Rounding: always for the product. Interest floor, penalty ceil, buffer ceil, shares of a shortfall floor.
///
/// Shortfall
/// - A loss that the free interest bears changes nothing for depositors. One that it does not bear is reviewed for a day:
///   openings, rollovers, early exits, `deploy` and `withdrawInterest` wait, payments at maturity do not, and the confirmer
///   may confirm it or take it back. If it stands, or a payment that is due, was demanded and is missed for 3 days, the
///   product is wound down, for good.
/// - From then on nobody is paid in order of arrival. Each receipt, matured or not, has the same fraction of its
///   principal of all the cash there was at that moment and of all that comes in later, and once this covers all
///   principals, the same fraction of its interest. It draws this by `claim` as often as it likes; what it has not
///   drawn stays its own. So no rate that was promised takes from a principal, and neither running nor waiting changes what
///   anybody gets, and if all money comes back, everybody is paid in full. Interest not yet earned is not paid before
///   its time, and no penalty is charged any more.
/// - Before that moment whoever is paid is paid in full and keeps it. The times of payments at maturity are fixed at
///   opening, so they are no run. Early exits, the only ones whose time is a choice, leave the reserved interest and
///   half the buffer untouched and stop while the guardian's pause runs.
/// - Anyone may close a receipt whose payment was demanded, its owner is paid: who brings the money, by `repayAndClose`,
///   pays it out in the same call, so that nobody can use it for anything else.
///
/// Roles (OpenZeppelin AccessManager decides who holds them)
/// - treasurer: `fundInterest`, `withdrawInterest`, `deploy`. Bounded: money goes to the immutable custodian only,
///   never into the buffer or the reserved interest, and only interest promised to nobody can be withdrawn.
/// - reporter: `bookLoss`. Bounded by what is deployed; at worst it holds openings and early exits for a day, and for 7 days
///   after a loss that was taken back it needs the confirmer for another one. `renewEvidence`: at most 400 days ahead, for the hash of the new
///   document.
/// - confirmer: `takeBackLoss`, while a loss is reviewed, and `confirmLoss`.
/// - guardian: `pause`. Stops openings, rollovers and early exits; lapses after 7 days, and the next one cannot begin
///   before 7 days after that. Never covers a payment at maturity, a claim, a transfer or a recovery.
/// - owner: `addTerm`, `setTerm`, `setLimits`, `unpause`, `setEvidence`. No rate, penalty or length of a term ever
///   changes.
/// - anyone: `settleLoss`, `repay`, `repayAndClose`, `autoRoll`, `demand`, `recover`, each only where its conditions hold.
///
/// Assumptions
/// - The asset is a plain ERC-20. One that takes a fee on transfer is refused on the way in; one that rebases downwards
///   would leave the product short and must not be used.
/// - The two registries are trusted and immutable here. The renderer is only read, for the metadata. The custodian is trusted with what is deployed.
///
/// Liveness
/// - A matured receipt can be closed for ever, by a wallet whose record ran out too, as long as there is cash; without
///   cash it is demanded, and after 3 days there is either the payment or its share of a winding down. Only a frozen
///   record waits.
/// - A closed product, a pause and lapsed evidence stop openings, never a payment at maturity. An instruction to roll over that can no
///   longer be carried out leaves the receipt claimable.
contract TermDeposit is ERC721, AccessManaged, ReentrancyGuardTransient {
    using SafeCast for uint256;

    /// @param cap most principal of all live receipts, in the asset's smallest unit, below 2^104
    /// @param minDeposit smallest principal, in the asset's smallest unit, below 2^104
    /// @param buffer the part of all principal that is never deployed, rounded up; 1e18 = all of it
    /// @param custodian where deployed money goes
    /// @param evidenceUntil until when (Unix time, UTC) the product's evidence stands, at most 400 days ahead; 0 for a
    /// product without devices
    /// @param renderer makes the metadata of receipts and product
    struct Parameters {
        uint256 cap;
        uint256 minDeposit;
        uint256 buffer;
        address custodian;
        uint64 evidenceUntil;
        IRenderer renderer;
    }

    /// @dev Two slots; all of the first but `open` never changes.
    /// @param rate interest a year
    /// @param breakRate interest a year of an early exit, below `rate`
    /// @param penalty part of the principal an early exit costs, rounded up
    /// @param unit 0 day, 1 week, 2 month, 3 year
    /// @param cap most principal of live receipts of this term
    /// @param principal of its live receipts; in a winding down as it was when that began
    struct Term {
        uint64 rate;
        uint64 breakRate;
        uint64 penalty;
        uint16 count;
        uint8 unit;
        bool open;
        uint128 cap;
        uint128 principal;
    }

    /// @notice A receipt. Its interest follows from it and from its term, which never changes.
    /// @param principal less the parts that left early
    /// @param openedAt Unix time (UTC), as is `maturity`
    /// @param status 0 none, 1 active, 2 matured, 3 closed, 4 exited early, 5 rolled over, 6 settled
    /// @param roll what is to happen at maturity: 0 nothing, 1 the principal starts anew, 2 principal and interest do
    /// @param rollTermId under which term
    struct Deposit {
        uint256 principal;
        uint256 openedAt;
        uint256 maturity;
        uint256 termId;
        uint256 status;
        uint256 roll;
        uint256 rollTermId;
    }

    /// @dev One slot. Matured is not stored: it comes by time.
    struct PackedDeposit {
        uint96 principal;
        uint40 openedAt;
        uint40 maturity;
        uint16 termId;
        uint8 status;
        uint8 roll;
        uint16 rollTermId;
    }

    /// @dev A loss that may be taken back until `until`, and until when the product was paused before it. Once taken back,
    /// `amount` is 0 and `until` the moment of that.
    struct LossReview {
        uint104 amount;
        uint40 until;
        uint40 pausedUntil;
        bytes32 evidenceRoot;
    }

    /// @notice The accounts.
    /// @param liabilities Σ (principal + interest at maturity) of live receipts; in a winding down less what was drawn
    /// @param reserved Σ interest at maturity of live receipts; in a winding down as it was when that began, the part of
    /// the claims that ranks after all principals
    /// @param claims liabilities at the moment the winding down began; 0 while there is none
    struct Books {
        uint256 cash;
        uint256 deployed;
        uint256 liabilities;
        uint256 reserved;
        uint256 claims;
    }

    uint64 public constant MAX_PAUSE = 7 days;
    /// @notice How long (seconds) after maturity an instruction to roll over can be carried out.
    uint64 public constant AUTO_ROLL_WINDOW = 3 days;
    /// @notice How long (seconds) a demanded payment may be missed before the product can be wound down for it.
    uint64 public constant DEMAND_GRACE = 3 days;
    /// @notice How long (seconds) after the demand it can be; later the payment has to be demanded anew.
    uint64 public constant DEMAND_WINDOW = 5 days;
    uint256 private constant _LOSS_REVIEW = 1 days;
    /// @dev How long after a loss that was taken back the next one needs the confirmer.
    uint256 private constant _REVIEW_COOLDOWN = 7 days;
    uint256 private constant _YEAR = 365 days;
    uint256 private constant _WAD = 1e18;
    uint256 private constant _HIGHEST_RATE = 1e18;
    uint256 private constant _HIGHEST_PENALTY = 0.1e18;
    uint256 private constant _LONGEST_TERM = 3653 days;
    /// @dev Interest at maturity as a part of the principal.
    uint256 private constant _HIGHEST_INTEREST = 2e18;
    uint256 private constant _LONGEST_EVIDENCE = 400 days;
    uint256 private constant _PRINCIPAL = 1;
    uint256 private constant _ALL = 2;
    bytes4 private constant _ERC4906 = 0x49064906;

    address public immutable asset;
    address public immutable custodian;
    uint256 public immutable buffer;
    IdentityRegistry public immutable identityRegistry;
    ProductRegistry public immutable productRegistry;
    IRenderer public immutable renderer;

    // Read and written as a whole, by `_books` and `_save`. 2^104 units are 2e13 whole tokens of 18 decimals.

    uint104 private _cash;
    uint104 private _deployed;
    bool private _windingDown;
    /// @notice Until when (Unix time, UTC) the product's evidence stands; 0 for a product without devices.
    uint40 public evidenceUntil;
    uint104 private _liabilities;
    uint104 private _reserved;
    uint48 private _lastId;

    uint104 private _cap;
    uint104 private _minDeposit;
    uint40 private _pausedUntil;
    bool private _underReview;

    LossReview private _review;
    uint256 private _claims;
    uint256 private _termCount;
    mapping(uint256 termId => Term) private _terms;
    mapping(uint256 id => PackedDeposit) private _deposits;
    mapping(uint256 id => uint256) private _paid;
    mapping(uint256 id => uint256) private _demandedAt;

    event TermDepositCreated(
        address indexed asset,
        address identityRegistry,
        address productRegistry,
        address custodian,
        uint256 buffer
    );
    event TermAdded(
        uint256 indexed termId,
        uint256 count,
        uint256 unit,
        uint256 rate,
        uint256 breakRate,
        uint256 penalty
    );
    event TermChanged(uint256 indexed termId, uint256 cap, bool open);
    event LimitsChanged(uint256 cap, uint256 minDeposit);
    event PausedUntil(uint256 until);
    /// @notice The product's evidence stands until `until`, by the document of this hash; 0 at creation.
    event EvidenceRenewed(bytes32 document, uint64 until);
    /// @notice Cash grows by `principal` unless a `RolledOver` to `id` follows in the same call; `interest` is
    /// reserved.
    event Opened(
        uint256 indexed id,
        address indexed owner,
        uint256 indexed termId,
        uint256 principal,
        uint256 interest,
        uint256 openedAt,
        uint256 maturity
    );
    event Closed(uint256 indexed id, address indexed owner, uint256 paid);
    /// @notice `principal` left; the receipt is burnt in the same call when that was all of it, else the rest goes on.
    event ExitedEarly(uint256 indexed id, address indexed owner, uint256 principal, uint256 paid);
    event RolledOver(uint256 indexed id, uint256 indexed newId, uint256 paid);
    event AutoRollSet(uint256 indexed id, uint256 rollTermId, uint256 roll);
    event InterestFunded(uint256 amount);
    event InterestWithdrawn(uint256 amount);
    event Deployed(uint256 amount);
    /// @notice Cash grows by `amount`; what is deployed falls by it, but not below 0.
    event Repaid(address indexed payer, uint256 amount);
    event LossBooked(uint256 amount, bytes32 evidenceRoot);
    /// @notice The loss is booked when the confirmer confirms it or, by anyone, from `until` on, unless it is taken back.
    event LossReviewed(uint256 amount, uint256 until, bytes32 evidenceRoot);
    /// @notice The loss under review stands; or, where none is, the next one may be reviewed before its time.
    event LossConfirmed();
    event LossTakenBack(uint256 amount);
    event PaymentDemanded(uint256 indexed id);
    event WindingDown(uint256 claims, uint256 cash);
    /// @notice A receipt paid in full by it is burnt in the same call.
    event Claimed(uint256 indexed id, address indexed owner, uint256 paid);
    event Recovered(uint256 indexed id, address indexed from, address indexed to);
    /// @notice ERC-4906: what a live receipt says of itself changed, other than by time.
    event MetadataUpdate(uint256 _tokenId);
    /// @notice ERC-4906, of all receipts from the first up to the second.
    event BatchMetadataUpdate(uint256 _fromTokenId, uint256 _toTokenId);

    error ERC7943CannotSend(address account);
    error ERC7943CannotReceive(address account);
    error ERC7943CannotTransfer(address from, address to, uint256 tokenId);

    error InvalidParameters();
    error ZeroAmount();
    error BelowMinimumDeposit(uint256 principal, uint256 minDeposit);
    /// @dev So little, or for so short a time, that the interest is less than one unit.
    error EarnsNothing(uint256 principal);
    error UnknownTerm(uint256 termId);
    error TermNotOpen(uint256 termId);
    error ProductNotOpen();
    /// @dev Openings and rollovers are closed until the evidence is renewed.
    error EvidenceLapsed(uint64 since);
    /// @dev `room` is what the caps of the product and of the term leave.
    error CapExceeded(uint256 principal, uint256 room);
    /// @dev Too little interest is funded for the deposit.
    error ReserveExhausted(uint256 interest, uint256 available);
    /// @dev It was sent too late for the maturity the caller had in mind.
    error MaturityTooLate(uint256 maturity, uint256 latest);
    error RateBelowMinimum(uint256 rate, uint256 minRate);
    /// @dev The payout came out below the caller's limit.
    error SlippageExceeded(uint256 actual, uint256 limit);
    /// @dev The asset delivered another amount than it was asked to.
    error UnexpectedAmountReceived(uint256 expected, uint256 received);
    /// @dev The permit is expired, foreign or forged, and there is no allowance without it.
    error PermitRefused();
    /// @dev The money is with the custodian; nothing is lost by waiting.
    error InsufficientCash(uint256 payout, uint256 available);
    error AmountTooHigh(uint256 amount, uint256 most);
    /// @dev Neither the principal nor all.
    error InvalidRoll(uint256 what);
    error NoAutoRoll(uint256 id);
    error AutoRollTooLate(uint256 id, uint256 lastTime);
    error InvalidTime(uint256 time);
    /// @dev The payment is not due, the cash for it is there, or its owner could not be paid anyway.
    error NothingToDemand(uint256 id);
    /// @dev The demand of `since` still has time to be met.
    error DemandedAlready(uint256 id, uint256 since);
    error ProductWindingDown();
    error LossUnderReview(uint64 until);
    error NoLossUnderReview();
    /// @dev A loss was taken back less than 7 days ago: another one needs `confirmLoss` before `until`.
    error LossNeedsConfirmer(uint64 until);
    error NothingToClaim(uint256 id);
    /// @dev The identity registry knows no wallet in the place of this one.
    error NoSuccessor(address wallet);
    /// @dev The pause runs until `until`, or has ended then; the next one cannot begin before 7 days after it.
    error PausedLately(uint256 until);
    error NotPaused();

    constructor(
        IERC20 asset_,
        string memory name_,
        string memory symbol_,
        IdentityRegistry identityRegistry_,
        ProductRegistry productRegistry_,
        address accessManager,
        Parameters memory parameters
    ) ERC721(name_, symbol_) AccessManaged(accessManager) {
        if (
            address(asset_).code.length == 0 || address(identityRegistry_).code.length == 0
                || address(productRegistry_).code.length == 0 || parameters.buffer > _WAD
                || parameters.custodian == address(0) || parameters.custodian == address(this)
                || address(parameters.renderer).code.length == 0
        ) revert InvalidParameters();
        asset = address(asset_);
        identityRegistry = identityRegistry_;
        productRegistry = productRegistry_;
        buffer = parameters.buffer;
        custodian = parameters.custodian;
        renderer = parameters.renderer;
        emit TermDepositCreated(
            address(asset_),
            address(identityRegistry_),
            address(productRegistry_),
            parameters.custodian,
            parameters.buffer
        );
        _setLimits(parameters.cap, parameters.minDeposit);
        if (parameters.evidenceUntil != 0) _setEvidence(0, parameters.evidenceUntil);
    }

    // ── Terms ───────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Offers a new term; its id is the number of terms before it. Length, rates and penalty stay for ever.
    /// @param count how many units, at least 1 and at most ten years together, in which the interest is at most twice the
    /// principal
    /// @param unit 0 day, 1 week, 2 month, 3 year
    /// @param rate interest a year, above 0, at most 1e18
    /// @param breakRate interest a year of an early exit, below `rate`
    /// @param penalty part of the principal an early exit costs, at most 0.1e18
    /// @param cap most principal of live receipts of this term, below 2^104
    function addTerm(
        uint16 count,
        uint8 unit,
        uint256 rate,
        uint256 breakRate,
        uint256 penalty,
        uint256 cap,
        bool isOpen
    ) external restricted returns (uint256 termId) {
        termId = _termCount;
        if (unit > Calendar.YEAR) revert InvalidParameters();
        uint256 length = Calendar.add(block.timestamp, count, unit) - block.timestamp;
        // Ten years have 3653 days at most. A deposit names its term with 16 bits.
        if (
            count == 0 || length > _LONGEST_TERM || rate > _HIGHEST_RATE || rate * length > _HIGHEST_INTEREST * _YEAR
                || breakRate >= rate || penalty > _HIGHEST_PENALTY || termId > type(uint16).max
        ) revert InvalidParameters();
        _termCount = termId + 1;
        Term storage term = _terms[termId];
        // The casts fit by what was checked.
        (term.rate, term.breakRate, term.penalty) = (uint64(rate), uint64(breakRate), uint64(penalty));
        (term.count, term.unit) = (count, unit);
        emit TermAdded(termId, count, unit, rate, breakRate, penalty);
        _setTerm(termId, cap, isOpen);
    }

    /// @notice Sets how much a term takes in and whether it takes any. Receipts that there are do not notice.
    function setTerm(uint256 termId, uint256 cap, bool isOpen) external restricted {
        _setTerm(termId, cap, isOpen);
    }

    /// @notice A term as it stands; reverts with `UnknownTerm`.
    function termOf(uint256 termId) external view returns (Term memory) {
        return _term(termId);
    }

    /// @notice What a deposit opened now would be due, and when. Whether it can be opened is another matter.
    /// @return maturity Unix time (UTC)
    /// @return interest ⌊principal · rate · (maturity − now) / 365 days⌋
    function quote(uint256 termId, uint256 principal) public view returns (uint256 maturity, uint256 interest) {
        Term storage term = _term(termId);
        maturity = Calendar.add(block.timestamp, term.count, term.unit);
        interest = _interest(principal.toUint96(), term.rate, maturity - block.timestamp);
    }

    // ── Opening ─────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Opens a deposit for the caller, who must be verified.
    /// @param principal taken from the caller's allowance, in the asset's smallest unit
    /// @param latestMaturity reverts with `MaturityTooLate` when the deposit would mature later (Unix time, UTC)
    /// @return id of the receipt
    function open(uint256 termId, uint256 principal, uint256 latestMaturity)
        external
        nonReentrant
        returns (uint256 id)
    {
        return _open(termId, principal, latestMaturity);
    }

    /// @notice As `open`, after an ERC-2612 permit of the asset for this contract.
    function openWithPermit(
        uint256 termId,
        uint256 principal,
        uint256 latestMaturity,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external nonReentrant returns (uint256 id) {
        // Anyone may have sent the permit first, which gives the same allowance.
        try IERC20Permit(asset).permit(msg.sender, address(this), principal, deadline, v, r, s) {}
        catch {
            if (IERC20(asset).allowance(msg.sender, address(this)) < principal) revert PermitRefused();
        }
        return _open(termId, principal, latestMaturity);
    }

    // ── Leaving ─────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Pays principal and interest of a matured receipt to its owner, and burns it. For the owner and whom it
    /// approved, and for anyone once its payment was demanded.
    function close(uint256 id) external nonReentrant returns (uint256) {
        return _close(id);
    }

    /// @notice As `repay` and then `close`, so that what is brought for a demanded payment is used for nothing else.
    /// @param amount taken from the caller's allowance
    function repayAndClose(uint256 amount, uint256 id) external nonReentrant returns (uint256) {
        _repay(amount);
        return _close(id);
    }

    /// @notice Pays a part of a receipt's principal before maturity at the break rate, less the penalty. The rest stays in
    /// the same receipt with its term, maturity and instruction; the whole principal burns it.
    /// @param principal the part that leaves. A rest is at least the product's smallest principal and earns interest
    /// @param minOut reverts with `SlippageExceeded` below it
    /// @return paid principal − ⌈principal · penalty⌉ + ⌊principal · breakRate · (now − opened) / 365 days⌋
    function exitEarly(uint256 id, uint256 principal, uint256 minOut) external nonReentrant returns (uint256 paid) {
        (address owner, Deposit memory deposit) = _authorized(id);
        _checkNotPaused();
        _checkAmount(principal, deposit.principal);
        bool isPart = principal < deposit.principal;
        Books memory books_ =
            isPart ? _reduce(id, owner, deposit, principal) : _finish(id, deposit, Receipts.EXITED_EARLY);
        paid = _earlyPayout(deposit, principal, block.timestamp);
        if (paid == 0) revert ZeroAmount();
        if (paid < minOut) revert SlippageExceeded(paid, minOut);
        emit ExitedEarly(id, owner, principal, paid);
        if (isPart) emit MetadataUpdate(id);
        _payOut(books_, owner, paid, books_.reserved + _bufferOf(books_) / 2);
    }

    /// @notice What a live receipt pays out at `time`: before maturity principal − ⌈principal · penalty⌉ + ⌊principal
    /// · breakRate · (time − opened) / 365 days⌋, from maturity on principal and interest. Whether there is cash for
    /// it is another matter, and in a winding down `claimable` says what can be drawn. Reverts for a receipt that is
    /// not live and for a time before its opening.
    function quoteExit(uint256 id, uint256 time) external view returns (uint256) {
        _requireOwned(id);
        Deposit memory deposit = _deposit(id);
        if (time < deposit.openedAt) revert InvalidTime(time);
        return time < deposit.maturity
            ? _earlyPayout(deposit, deposit.principal, time)
            : deposit.principal + _fullInterest(deposit);
    }

    // ── Rolling over ────────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Starts a matured receipt anew under a term: a new receipt in place of the old one, beginning now.
    /// @param minRate reverts with `RateBelowMinimum` when the term's rate is lower
    /// @param what 1 the principal, and the interest is paid out; 2 all
    /// @return newId of the new receipt
    function rollover(uint256 id, uint256 termId, uint256 minRate, uint256 what)
        external
        nonReentrant
        returns (uint256 newId)
    {
        (address owner, Deposit memory deposit) = _authorized(id);
        if (what == 0) revert InvalidRoll(what);
        _checkRoll(termId, minRate, what);
        return _rollOver(id, owner, deposit, termId, what);
    }

    /// @notice Instructs what is to happen at maturity: from then on for `AUTO_ROLL_WINDOW` anyone may carry it out,
    /// once. It ends when the receipt changes hands. Where it can no longer be carried out, the receipt just stays
    /// claimable.
    /// @param minRate checked now, since a term's rate never changes
    /// @param what 1 the principal, and the interest is paid out; 2 all; 0 takes the instruction back
    function setAutoRoll(uint256 id, uint256 termId, uint256 minRate, uint256 what) external {
        _authorized(id);
        _checkRoll(termId, minRate, what);
        _setAutoRoll(id, termId, what);
    }

    /// @notice Carries out what the owner instructed. For anyone to call, from maturity to `AUTO_ROLL_WINDOW` after it.
    function autoRoll(uint256 id) external nonReentrant returns (uint256 newId) {
        Deposit memory deposit = _deposit(id);
        if (deposit.roll == 0) revert NoAutoRoll(id);
        uint256 lastTime = deposit.maturity + AUTO_ROLL_WINDOW;
        if (block.timestamp > lastTime) revert AutoRollTooLate(id, lastTime);
        return _rollOver(id, _ownerOf(id), deposit, deposit.rollTermId, deposit.roll);
    }

    // ── Money of the operator ───────────────────────────────────────────────────────────────────────────────────────

    /// @notice Pays interest in, out of which deposits are promised theirs; in a winding down it goes to the claims.
    /// @param amount taken from the caller's allowance
    function fundInterest(uint256 amount) external restricted nonReentrant {
        _save(_pull(amount));
        emit InterestFunded(amount);
    }

    /// @notice Takes interest that is promised to nobody back, to the custodian. The buffer stays; in a winding down
    /// everything stays that the claims need.
    function withdrawInterest(uint256 amount) external restricted nonReentrant {
        _checkNoReview();
        Books memory books_ = _books();
        uint256 kept = _windingDown ? books_.liabilities : books_.reserved + _bufferOf(books_);
        _checkAmount(amount, Math.min(_free(books_), Math.saturatingSub(books_.cash, kept)));
        emit InterestWithdrawn(amount);
        _payOut(books_, custodian, amount, kept);
    }

    /// @notice Moves principal to the custodian: of all principal, never more than what is over the buffer.
    function deploy(uint256 amount) external restricted nonReentrant {
        _checkNotWindingDown();
        _checkNoReview();
        Books memory books_ = _books();
        uint256 most = books_.liabilities - books_.reserved - _bufferOf(books_);
        _checkAmount(amount, Math.saturatingSub(most, books_.deployed));
        books_.deployed += amount;
        emit Deployed(amount);
        _payOut(books_, custodian, amount, books_.reserved);
    }

    /// @notice Brings deployed money back; more than was deployed is free interest. For anyone to call, so that no lost
    /// key keeps money out.
    /// @param amount taken from the caller's allowance
    function repay(uint256 amount) external nonReentrant {
        _repay(amount);
    }

    /// @notice Books a loss of deployed money. One that the free interest does not bear would wind the product down, so it is
    /// reviewed for a day first.
    /// @param amount of which at most what is deployed counts, so that money paid back just before cannot stop it
    /// @param evidenceRoot root of the evidence the loss rests on
    function bookLoss(uint256 amount, bytes32 evidenceRoot) external restricted nonReentrant {
        _checkNoReview();
        Books memory books_ = _books();
        amount = Math.min(amount, books_.deployed);
        _checkAmount(amount, books_.deployed);
        if (_windingDown || amount <= _free(books_)) return _takeLoss(books_, amount, evidenceRoot);
        uint256 from = _reviewFrom();
        if (block.timestamp < from) revert LossNeedsConfirmer(uint64(from));
        uint256 until = block.timestamp + _LOSS_REVIEW;
        // At most what is deployed, which fits, as do times for 30 000 years.
        _review = LossReview(uint104(amount), uint40(until), _pausedUntil, evidenceRoot);
        _underReview = true;
        emit LossReviewed(amount, until, evidenceRoot);
        _setPausedUntil(Math.max(until, _pausedUntil));
    }

    /// @notice The loss under review, and until when (Unix time, UTC) it may be taken back; 0 where none is.
    function reviewedLoss() external view returns (uint256 amount, uint256 until) {
        if (_underReview) (amount, until) = (_review.amount, _review.until);
    }

    /// @notice Books the loss under review at once. Where none is, lets the next one be reviewed though one was taken back
    /// less than 7 days ago.
    function confirmLoss() external restricted nonReentrant {
        emit LossConfirmed();
        if (_underReview) return _settleLoss();
        if (block.timestamp >= _reviewFrom()) revert NoLossUnderReview();
        _review.until = 0;
    }

    /// @notice Books the loss that was reviewed for its day and not taken back. For anyone to call.
    function settleLoss() external nonReentrant {
        if (!_underReview) revert NoLossUnderReview();
        if (block.timestamp < _review.until) _checkNoReview();
        _settleLoss();
    }

    /// @notice Ends the review of a loss as if it had not been booked.
    function takeBackLoss() external restricted {
        if (!_underReview || block.timestamp >= _review.until) revert NoLossUnderReview();
        emit LossTakenBack(_endReview().amount);
        _review.until = uint40(block.timestamp);
    }

    // ── Shortfall ───────────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Demands a payment that only the want of cash keeps from its owner; demanded again from `DEMAND_GRACE` to
    /// `DEMAND_WINDOW` later and still missed, the product is wound down. For anyone to call.
    function demand(uint256 id) external nonReentrant {
        _checkNotWindingDown();
        Deposit memory deposit = _deposit(id);
        Books memory books_ = _books();
        if (
            deposit.status != Receipts.MATURED || books_.cash >= deposit.principal + books_.reserved
                || !identityRegistry.canSend(_ownerOf(id))
        ) revert NothingToDemand(id);
        uint256 since = _demandedAt[id];
        if (block.timestamp > since + DEMAND_WINDOW) {
            _demandedAt[id] = block.timestamp;
            emit PaymentDemanded(id);
        } else {
            if (block.timestamp < since + DEMAND_GRACE) revert DemandedAlready(id, since);
            _windDown(books_);
            _save(books_);
        }
    }

    /// @notice Pays what a receipt can draw in a winding down to its owner; paid in full, it is burnt. For the owner
    /// and whom it approved.
    function claim(uint256 id) external nonReentrant returns (uint256 paid) {
        (address owner, Deposit memory deposit) = _authorized(id);
        paid = claimable(id);
        if (paid == 0) revert NothingToClaim(id);
        _checkSend(owner);
        uint256 total = _paid[id] + paid;
        _paid[id] = total;
        emit Claimed(id, owner, paid);
        if (total == deposit.principal + _fullInterest(deposit)) _burn(id, deposit, Receipts.SETTLED);
        else emit MetadataUpdate(id);
        Books memory books_ = _books();
        books_.liabilities -= paid;
        _payOut(books_, owner, paid, 0);
    }

    /// @notice What a receipt can draw now in a winding down, its part of what was received, but not more than principal
    /// and interest earned so far, less what it has drawn; 0 when there is none. Received is all cash since it began, up
    /// to the claims: its part is ⌊P · received / principals⌋, and once the principals are covered
    /// P + ⌊I · (received − principals) / interest⌋.
    function claimable(uint256 id) public view returns (uint256) {
        if (!_windingDown || _ownerOf(id) == address(0)) return 0;
        Deposit memory deposit = _deposit(id);
        Books memory books_ = _books();
        uint256 received = Math.min(_claims, books_.cash + _claims - books_.liabilities);
        uint256 principals = _claims - books_.reserved;
        uint256 share = received < principals
            ? deposit.principal * received / principals
            : deposit.principal + _fullInterest(deposit) * (received - principals) / books_.reserved;
        return Math.min(share, deposit.principal + _interestAt(deposit, block.timestamp)) - _paid[id];
    }

    // ── What can be seen ────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice The accounts; donations are not in them. What is free for new interest is cash + deployed − liabilities.
    function books() external view returns (Books memory) {
        return _books();
    }

    /// @notice Assets / liabilities with 18 decimals, rounded down; the highest number when nothing is owed. Assets
    /// are cash and what is deployed, less booked losses. Below 1e18 only in a winding down.
    function coverage() external view returns (uint256) {
        Books memory books_ = _books();
        if (books_.liabilities == 0) return type(uint256).max;
        return (books_.cash + books_.deployed) * _WAD / books_.liabilities;
    }

    /// @notice A receipt, gone ones included; all 0 when there never was one.
    /// @return deposit as it stands now
    /// @return paid drawn by `claim` so far
    function receiptOf(uint256 id) external view returns (Deposit memory deposit, uint256 paid) {
        return (_deposit(id), _paid[id]);
    }

    /// @notice What a live receipt says of itself at this block, drawn too, as a data URI of JSON; made by the renderer
    /// without a server.
    function tokenURI(uint256 id) public view override returns (string memory) {
        _requireOwned(id);
        return renderer.tokenURI(address(this), id);
    }

    /// @notice ERC-7572: what the product says of itself, as a data URI of JSON. It never changes.
    function contractURI() external view returns (string memory) {
        return renderer.contractURI(address(this));
    }

    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return interfaceId == _ERC4906 || super.supportsInterface(interfaceId);
    }

    // ── Recovery ────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Moves receipts of a wallet that another one of the same subject has replaced to that one, whatever the
    /// state of either record. For anyone to call.
    function recover(address from, uint256[] calldata ids) external {
        address to = identityRegistry.successorOf(from);
        if (to == address(0)) revert NoSuccessor(from);
        for (uint256 i = 0; i < ids.length; ++i) {
            uint256 id = ids[i];
            _endAutoRoll(id);
            // Past the gate: the registry has decided.
            address owner = ERC721._update(to, id, address(0));
            if (owner != from) revert ERC721IncorrectOwner(from, id, owner);
            emit Recovered(id, from, to);
        }
    }

    // ── Limits ──────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @return cap most principal of all live receipts
    /// @return minDeposit smallest principal
    /// @return pausedUntil until when openings, rollovers and early exits are paused (Unix time, UTC)
    function limits() external view returns (uint256 cap, uint256 minDeposit, uint256 pausedUntil) {
        return (_cap, _minDeposit, _pausedUntil);
    }

    function setLimits(uint256 cap, uint256 minDeposit) external restricted {
        _setLimits(cap, minDeposit);
    }

    /// @notice Stops openings, rollovers and early exits for 7 days. Cannot be prolonged, and repeated only 7 days
    /// after, also after one that the owner ended.
    function pause() external restricted {
        uint256 until = _pausedUntil;
        if (until != 0 && block.timestamp < until + MAX_PAUSE) revert PausedLately(until);
        _setPausedUntil(block.timestamp + MAX_PAUSE);
    }

    function unpause() external restricted {
        _checkNoReview();
        if (block.timestamp >= _pausedUntil) revert NotPaused();
        _setPausedUntil(block.timestamp);
    }

    /// @notice Renews the product's evidence until `until` by the document of this hash.
    function renewEvidence(bytes32 document, uint64 until) external restricted {
        if (until <= evidenceUntil) revert InvalidParameters();
        _renewEvidence(document, until);
    }

    /// @notice As `renewEvidence`; the time may also be an earlier one than before.
    function setEvidence(bytes32 document, uint64 until) external restricted {
        _renewEvidence(document, until);
    }

    // ── Inside ──────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev The gate of transfers. `_issue` and `_burn` have those of the way in and out, and `recover` its own.
    function _update(address to, uint256 id, address auth) internal override returns (address) {
        address from = _ownerOf(id);
        if (!identityRegistry.canTransfer(from, to)) revert ERC7943CannotTransfer(from, to, id);
        _endAutoRoll(id);
        return super._update(to, id, auth);
    }

    function _open(uint256 termId, uint256 principal, uint256 latestMaturity) private returns (uint256) {
        Books memory books_ = _pull(principal);
        (uint256 maturity, uint256 interest) = quote(termId, principal);
        if (maturity > latestMaturity) revert MaturityTooLate(maturity, latestMaturity);
        return _issue(msg.sender, termId, principal, books_, maturity, interest);
    }

    /// @dev A new receipt over `principal`, which is among the assets already and owed to nobody yet.
    function _issue(
        address owner,
        uint256 termId,
        uint256 principal,
        Books memory books_,
        uint256 maturity,
        uint256 interest
    ) private returns (uint256 id) {
        _checkNotPaused();
        uint256 until = evidenceUntil;
        if (until != 0 && block.timestamp >= until) revert EvidenceLapsed(uint64(until));
        if (!identityRegistry.canReceive(owner)) revert ERC7943CannotReceive(owner);
        if (!productRegistry.isOpen(address(this))) revert ProductNotOpen();
        if (principal < _minDeposit) revert BelowMinimumDeposit(principal, _minDeposit);
        if (interest == 0) revert EarnsNothing(principal);
        Term storage term = _terms[termId];
        if (!term.open) revert TermNotOpen(termId);
        uint256 room = Math.min(
            Math.saturatingSub(_cap, books_.liabilities - books_.reserved), Math.saturatingSub(term.cap, term.principal)
        );
        if (principal > room) revert CapExceeded(principal, room);
        // Within the cap, which fits.
        term.principal += uint128(principal);

        // Interest is promised out of what is owed to nobody, and in cash.
        books_.liabilities += principal;
        room = Math.min(_free(books_), books_.cash - books_.reserved);
        if (interest > room) revert ReserveExhausted(interest, room);
        books_.liabilities += interest;
        books_.reserved += interest;
        _save(books_);

        id = ++_lastId;
        PackedDeposit storage packed = _deposits[id];
        // Principal and term were checked, and times fit for 30 000 years.
        (packed.principal, packed.termId) = (uint96(principal), uint16(termId));
        (packed.openedAt, packed.maturity) = (uint40(block.timestamp), uint40(maturity));
        packed.status = Receipts.ACTIVE;
        emit Opened(id, owner, termId, principal, interest, block.timestamp, maturity);
        // To a contract too, without asking it: it wanted the receipt itself, or holds one already.
        ERC721._update(owner, id, address(0));
    }

    /// @dev A receipt and its owner, when the caller may act for it; `ERC721NonexistentToken` when it is not live.
    function _authorized(uint256 id) private view returns (address owner, Deposit memory) {
        owner = _ownerOf(id);
        _checkAuthorized(owner, msg.sender, id);
        return (owner, _deposit(id));
    }

    function _close(uint256 id) private returns (uint256 paid) {
        address owner = _ownerOf(id);
        if (_demandedAt[id] == 0 || owner == address(0)) _checkAuthorized(owner, msg.sender, id);
        Deposit memory deposit = _deposit(id);
        Books memory books_ = _finish(id, deposit, Receipts.CLOSED);
        paid = deposit.principal + _fullInterest(deposit);
        emit Closed(id, owner, paid);
        _payOut(books_, owner, paid, books_.reserved);
    }

    function _repay(uint256 amount) private {
        Books memory books_ = _pull(amount);
        books_.deployed = Math.saturatingSub(books_.deployed, amount);
        _save(books_);
        emit Repaid(msg.sender, amount);
    }

    /// @dev Takes a receipt out of the accounts, which it leaves for the caller to save, and burns it.
    function _finish(uint256 id, Deposit memory deposit, uint256 status) private returns (Books memory books_) {
        _checkNotWindingDown();
        _burn(id, deposit, status);
        return _release(deposit.termId, deposit.principal, _fullInterest(deposit));
    }

    /// @dev Takes a part of an active receipt's principal out of it and out of the accounts, which it leaves for the caller
    /// to save. The rest must be a deposit of its own right.
    function _reduce(uint256 id, address owner, Deposit memory deposit, uint256 principal)
        private
        returns (Books memory)
    {
        Receipts.check(deposit.status, Receipts.EXITED_EARLY);
        _checkSend(owner);
        uint256 rest = deposit.principal - principal;
        if (rest < _minDeposit) revert BelowMinimumDeposit(rest, _minDeposit);
        uint256 before = _fullInterest(deposit);
        deposit.principal = rest;
        uint256 interest = _fullInterest(deposit);
        if (interest == 0) revert EarnsNothing(rest);
        _deposits[id].principal = uint96(rest);
        // By the difference of both interests: parts rounded down by themselves would leave a unit reserved for nobody.
        return _release(deposit.termId, principal, before - interest);
    }

    function _release(uint256 termId, uint256 principal, uint256 interest) private returns (Books memory books_) {
        books_ = _books();
        books_.liabilities -= principal + interest;
        books_.reserved -= interest;
        _terms[termId].principal -= uint128(principal);
    }

    function _burn(uint256 id, Deposit memory deposit, uint256 status) private {
        Receipts.check(deposit.status, status);
        _deposits[id].status = uint8(status);
        _checkSend(_ownerOf(id));
        ERC721._update(address(0), id, address(0));
    }

    function _rollOver(uint256 id, address owner, Deposit memory deposit, uint256 termId, uint256 what)
        private
        returns (uint256 newId)
    {
        Books memory books_ = _finish(id, deposit, Receipts.ROLLED_OVER);
        uint256 principal = deposit.principal;
        uint256 paid = _fullInterest(deposit);
        if (what == _ALL) (principal, paid) = (principal + paid, 0);
        books_.cash -= paid;
        (uint256 maturity, uint256 interest) = quote(termId, principal);
        newId = _issue(owner, termId, principal, books_, maturity, interest);
        emit RolledOver(id, newId, paid);
        if (paid > 0) SafeERC20.safeTransfer(IERC20(asset), owner, paid);
    }

    function _setAutoRoll(uint256 id, uint256 termId, uint256 what) private {
        PackedDeposit storage packed = _deposits[id];
        // Both were checked, or are 0.
        (packed.roll, packed.rollTermId) = (uint8(what), uint16(termId));
        emit AutoRollSet(id, termId, what);
        emit MetadataUpdate(id);
    }

    function _endAutoRoll(uint256 id) private {
        if (_deposits[id].roll != 0) _setAutoRoll(id, 0, 0);
    }

    /// @dev What was paid back in the meantime is not lost.
    function _settleLoss() private {
        LossReview memory review = _endReview();
        Books memory books_ = _books();
        _takeLoss(books_, Math.min(review.amount, books_.deployed), review.evidenceRoot);
    }

    function _endReview() private returns (LossReview memory review) {
        review = _review;
        delete _review;
        _underReview = false;
        _setPausedUntil(review.pausedUntil);
    }

    function _takeLoss(Books memory books_, uint256 amount, bytes32 evidenceRoot) private {
        books_.deployed -= amount;
        emit LossBooked(amount, evidenceRoot);
        if (books_.cash + books_.deployed < books_.liabilities && !_windingDown) _windDown(books_);
        _save(books_);
    }

    /// @dev From when on a loss may be reviewed without the confirmer.
    function _reviewFrom() private view returns (uint256) {
        uint256 last = _review.until;
        return last == 0 ? 0 : last + _REVIEW_COOLDOWN;
    }

    /// @dev Leaves the accounts for the caller to save.
    function _windDown(Books memory books_) private {
        _windingDown = true;
        _claims = books_.liabilities;
        emit WindingDown(books_.liabilities, books_.cash);
        emit BatchMetadataUpdate(1, _lastId);
    }

    /// @dev Takes exactly `amount` from the caller, or reverts. Leaves the accounts for the caller to save.
    function _pull(uint256 amount) private returns (Books memory books_) {
        if (amount == 0) revert ZeroAmount();
        uint256 before = _balance();
        SafeERC20.safeTransferFrom(IERC20(asset), msg.sender, address(this), amount);
        uint256 received = _balance() - before;
        if (received != amount) revert UnexpectedAmountReceived(amount, received);
        books_ = _books();
        books_.cash += amount;
    }

    /// @dev The last step of every payment, which saves the accounts. At least `kept` stays in cash.
    function _payOut(Books memory books_, address to, uint256 amount, uint256 kept) private {
        uint256 available = Math.saturatingSub(books_.cash, kept);
        if (amount > available) revert InsufficientCash(amount, available);
        books_.cash -= amount;
        _save(books_);
        SafeERC20.safeTransfer(IERC20(asset), to, amount);
    }

    function _save(Books memory books_) private {
        (_cash, _deployed) = (books_.cash.toUint104(), books_.deployed.toUint104());
        (_liabilities, _reserved) = (books_.liabilities.toUint104(), books_.reserved.toUint104());
    }

    function _setTerm(uint256 termId, uint256 cap, bool isOpen) private {
        Term storage term = _term(termId);
        (term.cap, term.open) = (cap.toUint104(), isOpen);
        emit TermChanged(termId, cap, isOpen);
    }

    function _setLimits(uint256 cap, uint256 minDeposit) private {
        (_cap, _minDeposit) = (cap.toUint104(), minDeposit.toUint104());
        emit LimitsChanged(cap, minDeposit);
    }

    function _setPausedUntil(uint256 until) private {
        _pausedUntil = uint40(until);
        emit PausedUntil(until);
    }

    function _renewEvidence(bytes32 document, uint64 until) private {
        if (document == 0 || evidenceUntil == 0 || until <= block.timestamp) revert InvalidParameters();
        _setEvidence(document, until);
    }

    function _setEvidence(bytes32 document, uint64 until) private {
        if (until > block.timestamp + _LONGEST_EVIDENCE) revert InvalidParameters();
        evidenceUntil = uint40(until);
        emit EvidenceRenewed(document, until);
    }

    function _books() private view returns (Books memory) {
        return Books(_cash, _deployed, _liabilities, _reserved, _windingDown ? _claims : 0);
    }

    function _deposit(uint256 id) private view returns (Deposit memory) {
        PackedDeposit storage packed = _deposits[id];
        return Deposit(
            packed.principal,
            packed.openedAt,
            packed.maturity,
            packed.termId,
            Receipts.statusAt(packed.status, packed.maturity, block.timestamp),
            packed.roll,
            packed.rollTermId
        );
    }

    function _term(uint256 termId) private view returns (Term storage term) {
        term = _terms[termId];
        if (term.count == 0) revert UnknownTerm(termId);
    }

    function _balance() private view returns (uint256) {
        return IERC20(asset).balanceOf(address(this));
    }

    function _fullInterest(Deposit memory deposit) private view returns (uint256) {
        return _interestAt(deposit, deposit.maturity);
    }

    /// @dev Interest earned up to `time`, none after maturity.
    function _interestAt(Deposit memory deposit, uint256 time) private view returns (uint256) {
        return _interest(
            deposit.principal, _terms[deposit.termId].rate, Math.min(time, deposit.maturity) - deposit.openedAt
        );
    }

    /// @dev Of `principal`, all or a part of the deposit's; for `time` from the opening on.
    function _earlyPayout(Deposit memory deposit, uint256 principal, uint256 time) private view returns (uint256) {
        Term storage term = _terms[deposit.termId];
        return principal - Math.ceilDiv(principal * term.penalty, _WAD)
            + _interest(principal, term.breakRate, time - deposit.openedAt);
    }

    /// @dev 2^96 units times a rate below 2^60 times ten years of seconds fit by far.
    function _interest(uint256 principal, uint256 rate, uint256 duration) private pure returns (uint256) {
        return principal * rate * duration / (_YEAR * _WAD);
    }

    /// @dev Assets that are owed to nobody.
    function _free(Books memory books_) private pure returns (uint256) {
        return Math.saturatingSub(books_.cash + books_.deployed, books_.liabilities);
    }

    function _bufferOf(Books memory books_) private view returns (uint256) {
        return Math.ceilDiv((books_.liabilities - books_.reserved) * buffer, _WAD);
    }

    function _checkAmount(uint256 amount, uint256 most) private pure {
        if (amount == 0) revert ZeroAmount();
        if (amount > most) revert AmountTooHigh(amount, most);
    }

    function _checkRoll(uint256 termId, uint256 minRate, uint256 what) private view {
        if (what > _ALL) revert InvalidRoll(what);
        uint256 rate = _term(termId).rate;
        if (rate < minRate) revert RateBelowMinimum(rate, minRate);
    }

    function _checkSend(address owner) private view {
        if (!identityRegistry.canSend(owner)) revert ERC7943CannotSend(owner);
    }

    function _checkNotPaused() private view {
        _checkNotWindingDown();
        _checkNoReview();
        if (block.timestamp < _pausedUntil) revert PausedLately(_pausedUntil);
    }

    function _checkNoReview() private view {
        if (_underReview) revert LossUnderReview(_review.until);
    }

    function _checkNotWindingDown() private view {
        if (_windingDown) revert ProductWindingDown();
    }
}
