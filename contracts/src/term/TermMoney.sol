// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {TermWindingDown} from "./TermWindingDown.sol";

/// @title TermMoney: the interest that is funded, the money at work, and its losses
abstract contract TermMoney is TermWindingDown {
    uint256 private constant _LOSS_REVIEW = 1 days;
    /// @dev How long after a loss that was taken back the next one needs the confirmer.
    uint256 private constant _REVIEW_COOLDOWN = 7 days;

    // ── Interest and deployed money ─────────────────────────────────────────────────────────────────────────────────

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

    function _repay(uint256 amount) internal {
        Books memory books_ = _pull(amount);
        books_.deployed = Math.saturatingSub(books_.deployed, amount);
        _save(books_);
        emit Repaid(msg.sender, amount);
    }

    // ── Losses ──────────────────────────────────────────────────────────────────────────────────────────────────────

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
}
