// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev Events and errors of a demand deposit. Observers rebuild its state from the events alone.
interface IDemandVault {
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
}
