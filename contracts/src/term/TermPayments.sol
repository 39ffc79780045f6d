// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Receipts} from "./Receipts.sol";
import {TermMoney} from "./TermMoney.sol";

/// @title TermPayments: payments at maturity, early exits and rolling over
abstract contract TermPayments is TermMoney {
    /// @notice How long (seconds) after maturity an instruction to roll over can be carried out.
    uint64 public constant AUTO_ROLL_WINDOW = 3 days;
    uint256 private constant _ALL = 2;

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

    function _close(uint256 id) private returns (uint256 paid) {
        address owner = _ownerOf(id);
        if (_demandedAt[id] == 0 || owner == address(0)) _checkAuthorized(owner, msg.sender, id);
        Deposit memory deposit = _deposit(id);
        Books memory books_ = _finish(id, deposit, Receipts.CLOSED);
        paid = deposit.principal + _fullInterest(deposit);
        emit Closed(id, owner, paid);
        _payOut(books_, owner, paid, books_.reserved);
    }

    /// @dev Of `principal`, all or a part of the deposit's; for `time` from the opening on.
    function _earlyPayout(Deposit memory deposit, uint256 principal, uint256 time) private view returns (uint256) {
        Term storage term = _terms[deposit.termId];
        return principal - Math.ceilDiv(principal * term.penalty, _WAD)
            + _interest(principal, term.breakRate, time - deposit.openedAt);
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

    function _checkRoll(uint256 termId, uint256 minRate, uint256 what) private view {
        if (what > _ALL) revert InvalidRoll(what);
        uint256 rate = _term(termId).rate;
        if (rate < minRate) revert RateBelowMinimum(rate, minRate);
    }
}
