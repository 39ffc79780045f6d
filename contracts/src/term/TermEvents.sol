// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title TermEvents: what a time deposit tells and why it refuses
///
/// @notice The events alone rebuild every receipt, term, limit and account; docs/contracts.md says what each moves.
interface TermEvents {
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
}
