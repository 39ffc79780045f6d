// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SignedMath} from "@openzeppelin/contracts/utils/math/SignedMath.sol";
import {IReportListener} from "../interfaces/IProduct.sol";
import {VaultExchange} from "./VaultExchange.sol";

/// @dev Gains and losses of a demand deposit: reports, the fee, and the review and restoring of losses.
abstract contract VaultReports is VaultExchange {
    using Math for uint256;

    uint32 private constant _LOSS_PAUSE = 1 days;
    /// @dev How long losses are added up, and how long after a review the next one needs the confirmer.
    uint32 private constant _REVIEW_COOLDOWN = 7 days;
    /// @dev A loss above a 100th of the assets is reviewed.
    uint256 private constant _REVIEWED_PART = 100;
    uint256 private constant _LONGEST_STRETCH = 7 days;

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
        if (!_underReview()) revert NoLossUnderReview();
        _review.until = _now();
        _desk.lossUntil = _review.lossUntil;
        _refresh();
        _giveBack(_review.loss, _review.fromStream);
        (int256 settled, uint256 streaming, uint64 start, uint64 end) = stream();
        emit LossTakenBack(_review.loss, settled, streaming, start, end, _review.lossUntil);
    }

    /// @notice Undoes `assets` of the losses that stand: the money counts as deployed again and is streamed, so that nobody
    /// gains by a deposit just before.
    function restore(uint256 assets) external restricted nonReentrant {
        _checkReview();
        _checkAmount(assets);
        if (assets > standingLoss) revert ExceedsStandingLoss(assets, standingLoss);
        _giveBack(uint96(assets), assets);
        (int256 settled, uint256 streaming, uint64 start, uint64 end) = stream();
        emit LossRestored(assets, settled, streaming, start, end);
    }

    /// @notice The largest gain a report as of `asOf` may bring, ⌊totalAssets · maxRate · time / 365 days⌋; 0 when
    /// `asOf` is not later than the last report's.
    function maxGain(uint64 asOf) external view returns (uint256) {
        return asOf <= _terms.asOf ? 0 : _gainBound(asOf);
    }

    /// @notice The moment up to which income is reported (Unix time, UTC); at first the time of deployment.
    function lastReportAsOf() external view returns (uint64) {
        return _terms.asOf;
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
        uint32 until = _now() + _LOSS_PAUSE;
        unchecked {
            // What is deployed and what is settled are each at most what is held; all times fit until 2106; and what is not
            // reviewed is at most a hundredth of what is held.
            uint256 held = _book.held - loss;
            uint256 recent = block.timestamp < _terms.recentUntil ? _terms.recentLoss + loss : loss;
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
}
