// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Calendar} from "./Calendar.sol";
import {TermBooks} from "./TermBooks.sol";

/// @title TermSettings: the terms a time deposit offers, its limits, its pause and its evidence
abstract contract TermSettings is TermBooks {
    using SafeCast for uint256;

    uint64 public constant MAX_PAUSE = 7 days;
    uint256 private constant _HIGHEST_RATE = 1e18;
    uint256 private constant _HIGHEST_PENALTY = 0.1e18;
    uint256 private constant _LONGEST_TERM = 3653 days;
    /// @dev Interest at maturity as a part of the principal.
    uint256 private constant _HIGHEST_INTEREST = 2e18;
    uint256 private constant _LONGEST_EVIDENCE = 400 days;

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

    function _setTerm(uint256 termId, uint256 cap, bool isOpen) private {
        Term storage term = _term(termId);
        (term.cap, term.open) = (cap.toUint104(), isOpen);
        emit TermChanged(termId, cap, isOpen);
    }

    // ── Limits and pause ────────────────────────────────────────────────────────────────────────────────────────────

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

    function _setLimits(uint256 cap, uint256 minDeposit) internal {
        (_cap, _minDeposit) = (cap.toUint104(), minDeposit.toUint104());
        emit LimitsChanged(cap, minDeposit);
    }

    function _setPausedUntil(uint256 until) internal {
        _pausedUntil = uint40(until);
        emit PausedUntil(until);
    }

    // ── Evidence ────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Renews the product's evidence until `until` by the document of this hash.
    function renewEvidence(bytes32 document, uint64 until) external restricted {
        if (until <= evidenceUntil) revert InvalidParameters();
        _renewEvidence(document, until);
    }

    /// @notice As `renewEvidence`; the time may also be an earlier one than before.
    function setEvidence(bytes32 document, uint64 until) external restricted {
        _renewEvidence(document, until);
    }

    function _renewEvidence(bytes32 document, uint64 until) private {
        if (document == 0 || evidenceUntil == 0 || until <= block.timestamp) revert InvalidParameters();
        _setEvidence(document, until);
    }

    function _setEvidence(bytes32 document, uint64 until) internal {
        if (until > block.timestamp + _LONGEST_EVIDENCE) revert InvalidParameters();
        evidenceUntil = uint40(until);
        emit EvidenceRenewed(document, until);
    }
}
