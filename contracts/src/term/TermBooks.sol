// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessManaged} from "@openzeppelin/contracts/access/manager/AccessManaged.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IdentityRegistry} from "../IdentityRegistry.sol";
import {ProductRegistry} from "../ProductRegistry.sol";
import {IRenderer} from "../interfaces/IRenderer.sol";
import {Receipts} from "./Receipts.sol";
import {TermEvents} from "./TermEvents.sol";

/// @title TermBooks: the storage and the accounts of a time deposit
///
/// @dev All storage is here, so that the other parts of TermDeposit add none. Each call reads the accounts once, changes
/// them in memory and saves them at its end.
abstract contract TermBooks is ERC721, AccessManaged, ReentrancyGuardTransient, TermEvents {
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

    uint256 internal constant _YEAR = 365 days;
    uint256 internal constant _WAD = 1e18;

    address public immutable asset;
    address public immutable custodian;
    uint256 public immutable buffer;
    IdentityRegistry public immutable identityRegistry;
    ProductRegistry public immutable productRegistry;
    IRenderer public immutable renderer;

    // Read and written as a whole, by `_books` and `_save`. 2^104 units are 2e13 whole tokens of 18 decimals.

    uint104 internal _cash;
    uint104 internal _deployed;
    bool internal _windingDown;
    /// @notice Until when (Unix time, UTC) the product's evidence stands; 0 for a product without devices.
    uint40 public evidenceUntil;
    uint104 internal _liabilities;
    uint104 internal _reserved;
    uint48 internal _lastId;

    uint104 internal _cap;
    uint104 internal _minDeposit;
    uint40 internal _pausedUntil;
    bool internal _underReview;

    LossReview internal _review;
    uint256 internal _claims;
    uint256 internal _termCount;
    mapping(uint256 termId => Term) internal _terms;
    mapping(uint256 id => PackedDeposit) internal _deposits;
    mapping(uint256 id => uint256) internal _paid;
    mapping(uint256 id => uint256) internal _demandedAt;

    constructor(
        IERC20 asset_,
        IdentityRegistry identityRegistry_,
        ProductRegistry productRegistry_,
        Parameters memory parameters
    ) {
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
    }

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

    // ── Accounts ────────────────────────────────────────────────────────────────────────────────────────────────────

    function _books() internal view returns (Books memory) {
        return Books(_cash, _deployed, _liabilities, _reserved, _windingDown ? _claims : 0);
    }

    function _save(Books memory books_) internal {
        (_cash, _deployed) = (books_.cash.toUint104(), books_.deployed.toUint104());
        (_liabilities, _reserved) = (books_.liabilities.toUint104(), books_.reserved.toUint104());
    }

    /// @dev Takes exactly `amount` from the caller, or reverts. Leaves the accounts for the caller to save.
    function _pull(uint256 amount) internal returns (Books memory books_) {
        if (amount == 0) revert ZeroAmount();
        uint256 before = _balance();
        SafeERC20.safeTransferFrom(IERC20(asset), msg.sender, address(this), amount);
        uint256 received = _balance() - before;
        if (received != amount) revert UnexpectedAmountReceived(amount, received);
        books_ = _books();
        books_.cash += amount;
    }

    /// @dev The last step of every payment, which saves the accounts. At least `kept` stays in cash.
    function _payOut(Books memory books_, address to, uint256 amount, uint256 kept) internal {
        uint256 available = Math.saturatingSub(books_.cash, kept);
        if (amount > available) revert InsufficientCash(amount, available);
        books_.cash -= amount;
        _save(books_);
        SafeERC20.safeTransfer(IERC20(asset), to, amount);
    }

    function _balance() private view returns (uint256) {
        return IERC20(asset).balanceOf(address(this));
    }

    /// @dev Assets that are owed to nobody.
    function _free(Books memory books_) internal pure returns (uint256) {
        return Math.saturatingSub(books_.cash + books_.deployed, books_.liabilities);
    }

    function _bufferOf(Books memory books_) internal view returns (uint256) {
        return Math.ceilDiv((books_.liabilities - books_.reserved) * buffer, _WAD);
    }

    // ── Receipts, terms and interest ────────────────────────────────────────────────────────────────────────────────

    function _deposit(uint256 id) internal view returns (Deposit memory) {
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

    function _term(uint256 termId) internal view returns (Term storage term) {
        term = _terms[termId];
        if (term.count == 0) revert UnknownTerm(termId);
    }

    function _fullInterest(Deposit memory deposit) internal view returns (uint256) {
        return _interestAt(deposit, deposit.maturity);
    }

    /// @dev Interest earned up to `time`, none after maturity.
    function _interestAt(Deposit memory deposit, uint256 time) internal view returns (uint256) {
        return _interest(
            deposit.principal, _terms[deposit.termId].rate, Math.min(time, deposit.maturity) - deposit.openedAt
        );
    }

    /// @dev 2^96 units times a rate below 2^60 times ten years of seconds fit by far.
    function _interest(uint256 principal, uint256 rate, uint256 duration) internal pure returns (uint256) {
        return principal * rate * duration / (_YEAR * _WAD);
    }

    // ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────

    function _checkAmount(uint256 amount, uint256 most) internal pure {
        if (amount == 0) revert ZeroAmount();
        if (amount > most) revert AmountTooHigh(amount, most);
    }

    function _checkSend(address owner) internal view {
        if (!identityRegistry.canSend(owner)) revert ERC7943CannotSend(owner);
    }

    function _checkNotPaused() internal view {
        _checkNotWindingDown();
        _checkNoReview();
        if (block.timestamp < _pausedUntil) revert PausedLately(_pausedUntil);
    }

    function _checkNoReview() internal view {
        if (_underReview) revert LossUnderReview(_review.until);
    }

    function _checkNotWindingDown() internal view {
        if (_windingDown) revert ProductWindingDown();
    }
}
