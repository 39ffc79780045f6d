// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TelemetryAnchor} from "../../src/TelemetryAnchor.sol";
import {Vm} from "./Vm.sol";

/// @dev An observer that knows nothing but the telemetry anchor's logs. It keeps every batch, recomputes the heads, and
/// keeps each device's keys as spans of time that a later event cuts short, where the contract keeps only beginnings.
contract AnchorModel {
    /// @dev `x` 0 for a time without a key, which a revocation begins.
    struct Span {
        uint64 from;
        uint64 to;
        bytes32 x;
    }

    address private immutable _anchor;
    mapping(bytes32 stream => TelemetryAnchor.Batch[]) private _batches;
    mapping(bytes32 stream => mapping(uint256 batch => bytes32)) public keptHead;
    mapping(bytes32 device => Span[]) private _spans;
    uint256 public dropped;

    constructor(address anchor) {
        _anchor = anchor;
    }

    function feed(Vm.Log[] calldata logs) external {
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter == _anchor) _apply(logs[i].topics, logs[i].data);
        }
    }

    function batchCount(bytes32 stream) external view returns (uint256) {
        return _batches[stream].length;
    }

    function batchAt(bytes32 stream, uint256 index) external view returns (TelemetryAnchor.Batch memory) {
        return _batches[stream][index];
    }

    function digestAt(bytes32 stream, uint256 index) public view returns (bytes32) {
        TelemetryAnchor.Batch storage b = _batches[stream][index];
        return keccak256(abi.encode(stream, b.number, b.root, b.from, b.to, b.count, b.dataHash));
    }

    /// @dev The head after the first `count` batches.
    function headAfter(bytes32 stream, uint256 count) public view returns (bytes32 head) {
        for (uint256 i = 0; i < count; ++i) {
            head = keccak256(bytes.concat(head, digestAt(stream, i)));
        }
    }

    function keyXAt(bytes32 device, uint64 time) external view returns (bytes32) {
        Span[] storage spans = _spans[device];
        for (uint256 i = 0; i < spans.length; ++i) {
            if (spans[i].from <= time && time <= spans[i].to) return spans[i].x;
        }
        return 0;
    }

    function _apply(bytes32[] calldata topics, bytes calldata data) private {
        bytes32 kind = topics[0];
        if (kind == TelemetryAnchor.Anchored.selector) {
            TelemetryAnchor.Batch storage b = _batches[topics[1]].push();
            b.number = uint64(uint256(topics[2]));
            b.root = topics[3];
            (b.from, b.to, b.count, b.dataHash,) = abi.decode(data, (uint64, uint64, uint32, bytes32, bytes32));
        } else if (kind == TelemetryAnchor.HeadKept.selector) {
            keptHead[topics[1]][uint256(topics[2])] = abi.decode(data, (bytes32));
        } else if (kind == TelemetryAnchor.KeyRegistered.selector) {
            (, bytes32 x,, uint64 from) = abi.decode(data, (uint8, bytes32, bytes32, uint64));
            _cut(topics[1], from);
            _spans[topics[1]].push(Span(from, type(uint64).max, x));
        } else if (kind == TelemetryAnchor.KeyRevoked.selector) {
            uint64 from = abi.decode(data, (uint64));
            _cut(topics[1], from);
            _spans[topics[1]].push(Span(from, type(uint64).max, 0));
        } else if (kind == TelemetryAnchor.KeyDropped.selector) {
            ++dropped;
            Span[] storage spans = _spans[topics[1]];
            uint64 gone = spans[spans.length - 1].from;
            spans.pop();
            // What was cut short for the sake of the dropped key goes on until the next event cuts it.
            if (spans.length > 0 && spans[spans.length - 1].to == gone - 1) spans[spans.length - 1].to = type(uint64).max;
        }
    }

    /// @dev Whatever would hold at `from` or later ends before it.
    function _cut(bytes32 device, uint64 from) private {
        Span[] storage spans = _spans[device];
        if (spans.length > 0 && spans[spans.length - 1].to >= from) spans[spans.length - 1].to = from - 1;
    }
}
