// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RedemptionQueue} from "../../src/RedemptionQueue.sol";
import {IERC7540Redeem} from "../../src/interfaces/IERC7540Redeem.sol";
import {Vm} from "./Vm.sol";

/// @dev An observer that knows nothing but a queue's logs. It keeps every request and every batch and counts unit by
/// unit what the queue finds with its sums.
contract QueueModel {
    struct Request {
        address controller;
        uint256 start;
        uint256 shares;
    }

    struct Batch {
        uint256 start;
        uint256 shares;
        uint256 assets;
    }

    address private immutable _queue;
    Request[] private _requests;
    Batch[] private _batches;
    mapping(address => uint256) private _claimedShares;
    mapping(address => uint256) private _claimedAssets;

    uint256 public requested;
    uint256 public processed;
    uint256 public paid;
    uint256 public claimedShares;
    uint256 public claimedAssets;

    constructor(address queue) {
        _queue = queue;
    }

    function feed(Vm.Log[] calldata logs) external {
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter == _queue) _apply(logs[i].topics, logs[i].data);
        }
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
            _requests.push(Request(_account(topics[1]), requested, shares));
            requested += shares;
        } else if (topics[0] == RedemptionQueue.Processed.selector) {
            (uint256 shares, uint256 assets) = abi.decode(data, (uint256, uint256));
            _batches.push(Batch(processed, shares, assets));
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

    function _account(bytes32 topic) private pure returns (address) {
        return address(uint160(uint256(topic)));
    }
}
