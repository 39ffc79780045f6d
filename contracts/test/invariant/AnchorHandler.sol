// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TelemetryAnchor} from "../../src/TelemetryAnchor.sol";
import {AnchorModel} from "../support/AnchorModel.sol";
import {AnchorWorld} from "../support/AnchorWorld.sol";

/// @dev Drives the telemetry anchor the way its operators and its enemies do, and checks it against a model that has
/// seen nothing but events, and against its own notes of what it once answered about the past.
contract AnchorHandler is AnchorWorld {
    uint256 public constant ACTIONS = 13;
    uint256 private constant STREAMS = 2;
    uint256 private constant DEVICES = 2;
    uint256 private constant KEYS = 64;

    /// @dev What was answered for a time that had passed.
    struct Note {
        bytes32 device;
        uint64 time;
        bytes32 x;
    }

    AnchorModel public immutable model;
    uint256[ACTIONS] public hits;
    Note[] private _notes;
    uint256 private _nextKey = 1;
    mapping(bytes32 x => uint256) private _keyOf;
    mapping(bytes32 stream => uint64) private _lastTo;
    uint64 private _clock;

    constructor() {
        vm.recordLogs();
        deployAnchor();
        model = new AnchorModel(address(anchors));
        model.feed(vm.getRecordedLogs());
        _clock = time();
    }

    modifier step() {
        vm.warp(_clock);
        _;
        model.feed(vm.getRecordedLogs());
        hits[8] = model.dropped();
        _clock = time();
    }

    function streamAt(uint256 random) private pure returns (bytes32) {
        return bytes32(1 + random % STREAMS);
    }

    function deviceAt(uint256 random) private pure returns (bytes32) {
        return bytes32(0xD0 + random % DEVICES);
    }

    function anchorOne(uint256 which, bytes32 root, uint64 from, uint64 length, uint32 count) external step {
        bytes32 stream = streamAt(which);
        // Around the end of the last batch and around now.
        uint64 lastTo = _lastTo[stream];
        from = uint64(within(from, lastTo == 0 ? time() - 10 : lastTo - 1, time() + 1));
        uint64 to = uint64(within(length, from, from + 2 hours));
        if (to > time() && length % 8 != 0 && from <= time()) to = time();
        bool expected = root != 0 && count != 0 && from > lastTo && to <= time();
        TelemetryAnchor.Batch memory batch = batchOf(0, root, from, to);
        batch.count = count;
        bool done = tryAnchor(stream, batch);
        assertTrue(done == expected, "batches are ordered and do not overlap");
        hits[done ? 0 : 1]++;
        if (done) _lastTo[stream] = to;
    }

    function tryAnchor(bytes32 stream, TelemetryAnchor.Batch memory b) private returns (bool done) {
        bytes memory data = abi.encodeCall(anchors.anchor, (stream, b.root, b.from, b.to, b.count, b.dataHash));
        vm.prank(anchorer);
        (done,) = address(anchors).call(data);
    }

    function keep(uint256 which) external step {
        bytes32 stream = streamAt(which);
        if (model.batchCount(stream) == 0) return;
        anchors.keepHead(stream);
        hits[2]++;
    }

    /// @dev Any batch of the past, proved to the head or to a kept one; then the same with one figure forged.
    function prove(uint256 which, uint256 pick, uint256 end, uint256 forged) external step {
        bytes32 stream = streamAt(which);
        uint256 count = model.batchCount(stream);
        if (count == 0) return;
        pick %= count;
        end = end % 3 == 0 ? count : within(end, pick + 1, count);
        TelemetryAnchor.Batch memory batch = model.batchAt(stream, pick);
        batch.previousHead = model.headAfter(stream, pick);
        batch.later = new bytes32[](end - pick - 1);
        for (uint256 i = 0; i < batch.later.length; ++i) {
            batch.later[i] = model.digestAt(stream, pick + 1 + i);
        }
        bool known = end == count || model.keptHead(stream, end) != 0;
        assertTrue(anchors.isAnchored(stream, batch) == known, "every batch is proved");
        if (known) hits[end == count ? 3 : 4]++;

        if (forged % 6 == 0) batch.root = keccak256(abi.encode(batch.root));
        else if (forged % 6 == 1) batch.from -= 1;
        else if (forged % 6 == 2) batch.to += 1;
        else if (forged % 6 == 3) batch.count ^= 1;
        else if (forged % 6 == 4) batch.number += 1;
        else batch.dataHash = keccak256(abi.encode(batch.dataHash));
        assertTrue(!anchors.isAnchored(stream, batch), "a forged batch is proved");
        hits[5]++;
    }

    function register(uint256 which, uint64 lead, bool p256, bool again) external step {
        bytes32 device = deviceAt(which);
        uint256 key = again ? 1 + which % _nextKey : _nextKey;
        if (key >= KEYS) return;
        uint64 validFrom = time() + uint64(lead % 4 == 0 ? within(lead, 0, 31 days) : within(lead, 1, 2 hours));
        bytes32 x;
        bytes32 y;
        if (p256) (x, y) = p256Key(key);
        else x = bytes32(uint256(uint160(vm.addr(key))));
        vm.prank(registrar);
        (bool done, bytes memory answer) = address(anchors)
            .call(
                p256
                    ? abi.encodeCall(anchors.registerP256Key, (device, x, y, validFrom))
                    : abi.encodeCall(anchors.registerSecp256k1Key, (device, address(uint160(uint256(x))), validFrom))
            );
        hits[done ? 6 : 7]++;
        // forge records what a call that reverts emits, too.
        if (!done) vm.getRecordedLogs();
        bool intime = validFrom > time() && validFrom <= time() + 30 days;
        if (done) {
            assertTrue(intime, "a key of the past or too far ahead");
            _keyOf[x] = key;
            if (key == _nextKey) ++_nextKey;
        } else if (intime) {
            assertEq(bytes32(bytes4(answer)), bytes32(TelemetryAnchor.KeyAlreadyUsed.selector), "refused without cause");
            assertTrue(_keyOf[x] != 0, "a key never seen is refused");
        }
    }

    function revokeOne(uint256 which) external step {
        // Rarely, or no key would live.
        if (which % 3 != 0) return;
        vm.prank(registrar);
        (bool done,) = address(anchors).call(abi.encodeCall(anchors.revokeKey, (deviceAt(which / 3))));
        hits[done ? 9 : 10]++;
    }

    /// @dev Notes what the anchor says about a moment that has passed, and tries a signature of that moment's key.
    function note(uint256 which, uint64 ago) external step {
        bytes32 device = deviceAt(which);
        uint64 when = time() - uint64(within(ago, 0, time() - START));
        bytes32 x = keyXAt(device, when);
        _notes.push(Note(device, when, x));
        if (x == 0) return;
        bytes memory signed =
            uint256(x) >> 160 != 0 ? p256Sign(_keyOf[x], "reading") : secp256k1Sign(_keyOf[x], "reading");
        assertTrue(anchors.isSignedBy(device, when, "reading", signed), "what a key signed stays verifiable");
        hits[11]++;
    }

    function wait(uint256 amount) external step {
        skip(within(amount, 1, 6 hours));
        hits[12]++;
    }

    // ── What must hold ──────────────────────────────────────────────────────────────────────────────────────────────

    function checkAll() external {
        vm.warp(_clock);
        for (uint256 i = 0; i < STREAMS; ++i) {
            bytes32 stream = streamAt(i);
            uint256 count = model.batchCount(stream);
            (bytes32 head, uint64 batches, uint64 to,) = anchors.streamOf(stream);
            assertEq(head, model.headAfter(stream, count), "events rebuild the head");
            assertEq(batches, count, "events tell every batch");
            uint64 last;
            for (uint256 j = 0; j < count; ++j) {
                TelemetryAnchor.Batch memory batch = model.batchAt(stream, j);
                assertTrue(batch.from > last && batch.to >= batch.from, "ordered, without overlap");
                last = batch.to;
                bytes32 kept = model.keptHead(stream, j + 1);
                if (kept != 0) assertEq(anchors.headAt(stream, j + 1), kept, "a kept head stays");
            }
            assertEq(to, last, "events tell how far it reaches");
        }
        for (uint256 i = 0; i < _notes.length; ++i) {
            assertEq(keyXAt(_notes[i].device, _notes[i].time), _notes[i].x, "the past changed");
        }
        for (uint256 i = 0; i < DEVICES; ++i) {
            for (uint64 shift = 0; shift < 5; ++shift) {
                uint64 when = _clock - 2 hours + shift * 1 hours;
                assertEq(keyXAt(deviceAt(i), when), model.keyXAt(deviceAt(i), when), "events rebuild the keys");
            }
        }
    }
}
