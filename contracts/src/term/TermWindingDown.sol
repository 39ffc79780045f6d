// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Receipts} from "./Receipts.sol";
import {TermReceipts} from "./TermReceipts.sol";

/// @title TermWindingDown: what happens when a time deposit cannot pay in full
abstract contract TermWindingDown is TermReceipts {
    /// @notice How long (seconds) a demanded payment may be missed before the product can be wound down for it.
    uint64 public constant DEMAND_GRACE = 3 days;
    /// @notice How long (seconds) after the demand it can be; later the payment has to be demanded anew.
    uint64 public constant DEMAND_WINDOW = 5 days;

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

    /// @dev Leaves the accounts for the caller to save.
    function _windDown(Books memory books_) internal {
        _windingDown = true;
        _claims = books_.liabilities;
        emit WindingDown(books_.liabilities, books_.cash);
        emit BatchMetadataUpdate(1, _lastId);
    }
}
