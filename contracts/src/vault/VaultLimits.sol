// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IReportListener, IStatusListener} from "../interfaces/IProduct.sol";
import {VaultBooks} from "./VaultBooks.sol";

/// @dev Limits, pause, evidence and settings of a demand deposit: who sets them, and what is open by them now.
abstract contract VaultLimits is VaultBooks, IStatusListener {
    using Math for uint256;

    uint32 private constant _MAX_PAUSE = 7 days;
    uint32 private constant _PAUSE_COOLDOWN = 7 days;
    uint64 private constant _LONGEST_EVIDENCE = 400 days;
    uint64 private constant _HIGHEST_FEE = 0.3e18;

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

    /// @notice Renews the product's evidence until `until` by the document of this hash.
    function renewEvidence(bytes32 document, uint64 until) external restricted {
        if (until <= _desk.evidenceUntil) revert InvalidParameters();
        _renewEvidence(document, until);
    }

    /// @notice As `renewEvidence`; the time may also be an earlier one than before.
    function setEvidence(bytes32 document, uint64 until) external restricted {
        _renewEvidence(document, until);
    }

    /// @inheritdoc IStatusListener
    function syncStatus() external {
        _terms.open = productRegistry.isOpen(address(this));
        _refresh();
    }

    function _closed() internal view returns (bool) {
        return block.timestamp < _limits.openFrom || block.timestamp >= _limits.openUntil;
    }

    /// @dev Brings the times of `_limits` in line with what they follow from. All fit until 2106.
    function _refresh() internal {
        _limits.openFrom = uint32(Math.max(_terms.pausedUntil, _desk.lossUntil));
        uint256 until = _terms.open && _desk.queue != address(0) ? uint256(_terms.asOf) + maxReportAge + 1 : 0;
        uint256 evidence = _desk.evidenceUntil;
        _limits.openUntil = uint32(evidence == 0 ? until : until.min(evidence));
    }

    function _underReview() internal view returns (bool) {
        return block.timestamp < _review.until;
    }

    function _checkReview() internal view {
        if (_underReview()) revert LossUnderReview(_review.until);
    }

    function _lapsed() private view returns (bool) {
        uint256 until = _desk.evidenceUntil;
        return until != 0 && block.timestamp >= until;
    }

    /// @dev Evidence that lapsed has an error of its own.
    function _checkEvidence() internal view {
        if (_lapsed()) revert EvidenceLapsed(_desk.evidenceUntil);
    }

    function _stale() internal view returns (bool) {
        return block.timestamp > uint256(_terms.asOf) + maxReportAge;
    }

    function _renewEvidence(bytes32 document, uint64 until) private {
        if (document == 0 || _desk.evidenceUntil == 0 || until <= block.timestamp) revert InvalidParameters();
        _setEvidence(document, until);
        _refresh();
    }

    function _setEvidence(bytes32 document, uint64 until) internal {
        if (until > block.timestamp + _LONGEST_EVIDENCE) revert InvalidParameters();
        _desk.evidenceUntil = uint32(until);
        emit EvidenceRenewed(document, until);
    }

    function _paused() private view returns (bool) {
        return block.timestamp < _terms.pausedUntil;
    }

    function _setCap(uint256 newCap) internal {
        if (newCap > type(uint96).max) revert InvalidParameters();
        _limits.cap = uint96(newCap);
        emit CapChanged(newCap);
    }

    function _setMinDeposit(uint256 newMinDeposit) internal {
        if (newMinDeposit > type(uint80).max) revert InvalidParameters();
        _limits.minDeposit = uint80(newMinDeposit);
        emit MinDepositChanged(newMinDeposit);
    }

    function _setPausedUntil(uint32 until) private {
        _terms.pausedUntil = until;
        _refresh();
        emit PausedUntil(until);
    }
}
