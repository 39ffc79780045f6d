// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DemandVault} from "../../src/DemandVault.sol";
import {IDemandVault} from "../../src/vault/IDemandVault.sol";
import {RedemptionQueue} from "../../src/RedemptionQueue.sol";
import {QueueLine} from "../../src/queue/QueueLine.sol";
import {IERC7540Redeem} from "../../src/interfaces/IERC7540Redeem.sol";
import {Vm} from "./Vm.sol";

/// @dev An observer that knows nothing but the logs of a queue and its vault, and when they were. It keeps every request
/// and every batch and counts unit by unit, and request by request, what the queue finds with its sums.
contract QueueModel {
    struct Request {
        address controller;
        uint256 start;
        uint256 shares;
        uint256 time;
        /// 0 until a report covers it.
        uint256 payableFrom;
    }

    struct Batch {
        uint256 start;
        uint256 shares;
        uint256 assets;
        /// The price before it is their quotient.
        uint256 pricedAssets;
        uint256 pricedShares;
    }

    address private immutable _queue;
    address private immutable _vault;
    uint256 private immutable _maxReportAge;
    uint256 private _asOf;
    Request[] private _requests;
    Batch[] private _batches;
    uint256 private _priced;
    mapping(address => uint256) private _claimedShares;
    mapping(address => uint256) private _claimedAssets;

    uint256 public requested;
    uint256 public processed;
    uint256 public paid;
    uint256 public claimedShares;
    uint256 public claimedAssets;

    constructor(address queue) {
        _queue = queue;
        DemandVault vault = RedemptionQueue(queue).vault();
        _vault = address(vault);
        _maxReportAge = vault.maxReportAge();
        _asOf = vault.lastReportAsOf();
    }

    function feed(Vm.Log[] calldata logs) external {
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter == _queue) _apply(logs[i].topics, logs[i].data);
            else if (logs[i].emitter == _vault && logs[i].topics[0] == IDemandVault.Reported.selector) _report(logs[i].data);
        }
    }

    /// @notice Tells at which price, `assets` for `shares`, the batches fed since the last call were to be paid. Each must be,
    /// to the unit, and not for a share more than its money is worth.
    function price(uint256 assets, uint256 shares) external {
        for (; _priced < _batches.length; ++_priced) {
            Batch storage b = _batches[_priced];
            (b.pricedAssets, b.pricedShares) = (assets, shares);
            uint256 worth = b.shares * assets;
            require(b.assets * shares <= worth, "a batch is paid more than its price");
            require(worth < (b.assets + 1) * shares + assets, "a batch is paid less than its price");
        }
    }

    /// @notice What `controller` is due for all of its that was processed, at the price before each batch, and in how many
    /// parts that was: one for each of its requests in each batch.
    function dueTo(address controller) external view returns (uint256 assets, uint256 parts) {
        for (uint256 j = 0; j < _batches.length; ++j) {
            Batch memory b = _batches[j];
            uint256 shares;
            for (uint256 i = 0; i < _requests.length; ++i) {
                Request memory r = _requests[i];
                if (r.controller != controller || _overlap(r, b) == 0) continue;
                shares += _overlap(r, b);
                ++parts;
            }
            if (shares > 0) assets += shares * b.pricedAssets / b.pricedShares;
        }
    }

    function claimedBy(address controller) external view returns (uint256) {
        return _claimedAssets[controller];
    }

    /// @notice Of all shares ever requested, how many at the head of the line are payable by now.
    function due() external view returns (uint256 shares) {
        if (_opened()) return requested;
        shares = _payable();
        if (shares < processed) shares = processed;
    }

    function _payable() private view returns (uint256 shares) {
        for (uint256 i = 0; i < _requests.length; ++i) {
            Request memory r = _requests[i];
            if (r.payableFrom != 0 && r.payableFrom <= block.timestamp) shares = r.start + r.shares;
        }
    }

    /// @dev Whether all is payable, since nothing is and reports stay away.
    function _opened() private view returns (bool) {
        return _payable() <= processed && block.timestamp > _asOf + _maxReportAge + 30 days;
    }

    function pendingOf(address controller) external view returns (uint256 shares) {
        for (uint256 i = 0; i < _requests.length; ++i) {
            Request memory r = _requests[i];
            if (r.controller != controller) continue;
            uint256 end = r.start + r.shares;
            if (end > processed) shares += end - (r.start > processed ? r.start : processed);
        }
    }

    function claimableOf(address controller) external view returns (uint256 shares, uint256 assets) {
        for (uint256 i = 0; i < _requests.length; ++i) {
            Request memory r = _requests[i];
            if (r.controller != controller) continue;
            for (uint256 j = 0; j < _batches.length; ++j) {
                Batch memory b = _batches[j];
                uint256 from = r.start > b.start ? r.start : b.start;
                uint256 to = r.start + r.shares < b.start + b.shares ? r.start + r.shares : b.start + b.shares;
                if (from >= to) continue;
                shares += to - from;
                assets += (to - b.start) * b.assets / b.shares - (from - b.start) * b.assets / b.shares;
            }
        }
        shares -= _claimedShares[controller];
        assets -= _claimedAssets[controller];
    }

    function _apply(bytes32[] calldata topics, bytes calldata data) private {
        if (topics[0] == IERC7540Redeem.RedeemRequest.selector) {
            (, uint256 shares) = abi.decode(data, (address, uint256));
            _requests.push(Request(_account(topics[1]), requested, shares, block.timestamp, 0));
            requested += shares;
        } else if (topics[0] == QueueLine.Processed.selector) {
            (uint256 shares, uint256 assets) = abi.decode(data, (uint256, uint256));
            // What is in the line then stays payable, however little is paid; not so when a report pays, which ends the silence.
            bool opened = _opened();
            for (uint256 i = 0; opened && i < _requests.length; ++i) {
                _requests[i].payableFrom = block.timestamp;
            }
            _batches.push(Batch(processed, shares, assets, 0, 0));
            require(uint256(topics[1]) == _batches.length, "batches are numbered from 1");
            processed += shares;
            paid += assets;
        } else if (topics[0] == RedemptionQueue.Withdraw.selector) {
            (uint256 assets, uint256 shares) = abi.decode(data, (uint256, uint256));
            _claimedShares[_account(topics[3])] += shares;
            _claimedAssets[_account(topics[3])] += assets;
            claimedShares += shares;
            claimedAssets += assets;
        } else if (topics[0] == RedemptionQueue.PlacesRecovered.selector) {
            (address from, address to) = (_account(topics[1]), _account(topics[2]));
            for (uint256 i = 0; i < _requests.length; ++i) {
                if (_requests[i].controller == from) _requests[i].controller = to;
            }
            _claimedShares[to] += _claimedShares[from];
            _claimedAssets[to] += _claimedAssets[from];
            (_claimedShares[from], _claimedAssets[from]) = (0, 0);
        }
    }

    /// @dev A request is covered when it was made before the day of `asOf`, or when `asOf` is the report's own second.
    function _report(bytes calldata data) private {
        (, uint256 asOf,,, uint256 streaming,, uint256 end) =
            abi.decode(data, (int256, uint256, bytes32, int256, uint256, uint256, uint256));
        uint256 from = streaming > 0 && end > block.timestamp ? end : block.timestamp;
        uint256 count = _requests.length;
        for (uint256 i = 0; i < count; ++i) {
            Request storage r = _requests[i];
            if (r.payableFrom > from) from = r.payableFrom;
            if (r.payableFrom != 0) continue;
            if (asOf == block.timestamp || r.time / 1 days < asOf / 1 days) r.payableFrom = from;
        }
        _asOf = asOf;
    }

    function _overlap(Request memory r, Batch memory b) private pure returns (uint256) {
        uint256 from = r.start > b.start ? r.start : b.start;
        uint256 to = r.start + r.shares < b.start + b.shares ? r.start + r.shares : b.start + b.shares;
        return from < to ? to - from : 0;
    }

    function _account(bytes32 topic) private pure returns (address) {
        return address(uint160(uint256(topic)));
    }
}
