// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {TermDeposit} from "../../src/TermDeposit.sol";
import {Receipts} from "../../src/term/Receipts.sol";
import {TermEvents} from "../../src/term/TermEvents.sol";
import {Vm} from "./Vm.sol";

/// @dev An observer that knows nothing but the logs of a time-deposit product and rebuilds every receipt, term, limit
/// and account from them.
contract TermModel {
    struct Receipt {
        address owner;
        uint256 principal;
        uint256 interest;
        /// Principal and interest at the opening; parts that leave early do not change it.
        uint256 due;
        uint256 openedAt;
        uint256 maturity;
        uint256 termId;
        uint256 status;
        uint256 roll;
        uint256 rollTermId;
        uint256 paid;
    }

    address private immutable _product;

    TermDeposit.Books private _books;
    TermDeposit.Term[] private _terms;
    mapping(uint256 id => Receipt) private _receipts;
    uint256 public count;
    uint256 public cap;
    uint256 public minDeposit;
    uint256 public pausedUntil;
    uint256 public evidenceUntil;
    uint256 public buffer;
    address public custodian;

    constructor(address product) {
        _product = product;
    }

    function feed(Vm.Log[] calldata logs) external {
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter == _product) _apply(logs[i].topics, logs[i].data);
        }
    }

    function books() external view returns (TermDeposit.Books memory) {
        return _books;
    }

    function termOf(uint256 termId) external view returns (TermDeposit.Term memory) {
        return _terms[termId];
    }

    function receiptOf(uint256 id, uint256 time) external view returns (Receipt memory receipt) {
        receipt = _receipts[id];
        if (receipt.status == Receipts.ACTIVE && time >= receipt.maturity) receipt.status = Receipts.MATURED;
    }

    function _apply(bytes32[] calldata topics, bytes calldata data) private {
        bytes32 kind = topics[0];
        if (kind == TermEvents.Opened.selector) _opened(uint256(topics[1]), uint256(topics[3]), data);
        else if (kind == IERC721.Transfer.selector) _receipts[uint256(topics[3])].owner = _account(topics[2]);
        else if (kind == TermEvents.Closed.selector) _paidOut(uint256(topics[1]), Receipts.CLOSED, data);
        else if (kind == TermEvents.ExitedEarly.selector) _exited(uint256(topics[1]), data);
        else if (kind == TermEvents.RolledOver.selector) _rolled(uint256(topics[1]), uint256(topics[2]), data);
        else if (kind == TermEvents.Claimed.selector) _claimed(uint256(topics[1]), data);
        else if (kind == TermEvents.AutoRollSet.selector) {
            Receipt storage receipt = _receipts[uint256(topics[1])];
            (receipt.rollTermId, receipt.roll) = abi.decode(data, (uint256, uint256));
        } else _applyToTheProduct(kind, topics, data);
    }

    function _applyToTheProduct(bytes32 kind, bytes32[] calldata topics, bytes calldata data) private {
        if (kind == TermEvents.InterestFunded.selector) _books.cash += abi.decode(data, (uint256));
        else if (kind == TermEvents.InterestWithdrawn.selector) _books.cash -= abi.decode(data, (uint256));
        else if (kind == TermEvents.Deployed.selector) {
            _books.cash -= abi.decode(data, (uint256));
            _books.deployed += abi.decode(data, (uint256));
        } else if (kind == TermEvents.Repaid.selector) {
            uint256 amount = abi.decode(data, (uint256));
            _books.cash += amount;
            _books.deployed -= amount < _books.deployed ? amount : _books.deployed;
        } else if (kind == TermEvents.LossBooked.selector) {
            (uint256 amount,) = abi.decode(data, (uint256, bytes32));
            _books.deployed -= amount;
        } else if (kind == TermEvents.WindingDown.selector) {
            (uint256 claims, uint256 cash) = abi.decode(data, (uint256, uint256));
            require(claims == _books.liabilities && cash == _books.cash, "the winding down tells other accounts");
            _books.claims = claims;
        } else if (kind == TermEvents.TermAdded.selector) {
            TermDeposit.Term storage made = _terms.push();
            uint256 unit;
            uint256 number;
            uint256[3] memory rates;
            (number, unit, rates[0], rates[1], rates[2]) =
                abi.decode(data, (uint256, uint256, uint256, uint256, uint256));
            (made.count, made.unit) = (uint16(number), uint8(unit));
            (made.rate, made.breakRate, made.penalty) = (uint64(rates[0]), uint64(rates[1]), uint64(rates[2]));
            require(uint256(topics[1]) == _terms.length - 1, "terms are numbered in order");
        } else if (kind == TermEvents.TermChanged.selector) {
            TermDeposit.Term storage changed = _terms[uint256(topics[1])];
            (uint256 termCap, bool isOpen) = abi.decode(data, (uint256, bool));
            (changed.cap, changed.open) = (uint128(termCap), isOpen);
        } else if (kind == TermEvents.LimitsChanged.selector) {
            (cap, minDeposit) = abi.decode(data, (uint256, uint256));
        } else if (kind == TermEvents.PausedUntil.selector) {
            pausedUntil = abi.decode(data, (uint256));
        } else if (kind == TermEvents.EvidenceRenewed.selector) {
            (, evidenceUntil) = abi.decode(data, (bytes32, uint256));
        } else if (kind == TermEvents.TermDepositCreated.selector) {
            (,, custodian, buffer) = abi.decode(data, (address, address, address, uint256));
        }
    }

    function _opened(uint256 id, uint256 termId, bytes calldata data) private {
        require(id == ++count, "receipts are numbered in order");
        Receipt storage receipt = _receipts[id];
        (receipt.principal, receipt.interest, receipt.openedAt, receipt.maturity) =
            abi.decode(data, (uint256, uint256, uint256, uint256));
        (receipt.termId, receipt.status) = (termId, Receipts.ACTIVE);
        receipt.due = receipt.principal + receipt.interest;
        _books.cash += receipt.principal;
        _books.liabilities += receipt.principal + receipt.interest;
        _books.reserved += receipt.interest;
        _terms[termId].principal += uint128(receipt.principal);
    }

    function _leave(uint256 id, uint256 status) private {
        Receipt storage receipt = _receipts[id];
        receipt.status = status;
        _books.liabilities -= receipt.principal + receipt.interest;
        _books.reserved -= receipt.interest;
        _terms[receipt.termId].principal -= uint128(receipt.principal);
    }

    function _paidOut(uint256 id, uint256 status, bytes calldata data) private {
        _leave(id, status);
        _books.cash -= abi.decode(data, (uint256));
    }

    function _exited(uint256 id, bytes calldata data) private {
        (uint256 principal, uint256 amount) = abi.decode(data, (uint256, uint256));
        Receipt storage receipt = _receipts[id];
        uint256 rest = receipt.principal - principal;
        if (rest == 0) {
            _leave(id, Receipts.EXITED_EARLY);
        } else {
            uint256 interest =
                rest * _terms[receipt.termId].rate * (receipt.maturity - receipt.openedAt) / (365 days * 1e18);
            _books.liabilities -= principal + receipt.interest - interest;
            _books.reserved -= receipt.interest - interest;
            _terms[receipt.termId].principal -= uint128(principal);
            (receipt.principal, receipt.interest) = (rest, interest);
        }
        _books.cash -= amount;
    }

    function _rolled(uint256 id, uint256 newId, bytes calldata data) private {
        _leave(id, Receipts.ROLLED_OVER);
        // Its principal was in the cash already.
        _books.cash -= _receipts[newId].principal + abi.decode(data, (uint256));
    }

    function _claimed(uint256 id, bytes calldata data) private {
        uint256 amount = abi.decode(data, (uint256));
        Receipt storage receipt = _receipts[id];
        receipt.paid += amount;
        if (receipt.paid == receipt.principal + receipt.interest) receipt.status = Receipts.SETTLED;
        _books.cash -= amount;
        _books.liabilities -= amount;
    }

    function _account(bytes32 topic) private pure returns (address) {
        return address(uint160(uint256(topic)));
    }
}
