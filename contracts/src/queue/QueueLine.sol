// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @dev The line of a redemption queue: the shares handed in, the moments from which they are payable, and the batches that
/// were paid. It knows no wallets; RedemptionQueue extends it, and its header describes the whole.
abstract contract QueueLine {
    using Math for uint256;
    using SafeCast for uint256;

    /// @dev What a request reads and writes.
    struct Line {
        /// Shares handed in over all time.
        uint128 requested;
        /// When the last of them were.
        uint32 requestedAt;
        /// Number of batches at the last report, the lower bound of a new place's.
        uint32 batches;
    }

    /// @dev What processing reads and writes: the line is payable up to `shares` from `from` on.
    struct Head {
        uint128 shares;
        uint32 from;
        uint32 batches;
        /// Of the moments that follow: the number of the next, and how many there are.
        uint32 next;
        uint32 count;
    }

    /// @dev The line up to `shares`, and a moment that goes with it.
    struct Mark {
        uint128 shares;
        uint32 time;
    }

    /// @dev Sums over all time up to the end of a batch.
    struct Batch {
        uint128 shares;
        uint128 assets;
    }

    uint8 internal constant _SETTLED = type(uint8).max;
    /// @dev More days than a report can be late: the vault refuses one older than its `maxReportAge`, at most 45 days.
    uint256 private constant _DAYS = 64;

    Line internal _line;
    Head internal _head;
    /// @dev The moments after the head's from which the line is payable, and up to where.
    mapping(uint256 index => Mark) internal _payable;
    /// @dev Where the line was when a day's first request came; `time` is the day, in days since 1970.
    mapping(uint256 day => Mark) private _days;
    /// @dev The first, 0, is where the line begins.
    mapping(uint256 index => Batch) internal _batches;

    /// @notice `shares` more from the head of the line were redeemed for `assets`, which are set aside. Of the line up to
    /// `shares` the head so far was paid in batches like this; inside one a stretch [a, b) of its shares gets
    /// ⌊b · assets / shares⌋ − ⌊a · assets / shares⌋.
    event Processed(uint256 indexed batch, uint256 shares, uint256 assets);
    /// @notice The line up to `shares` is payable from `time` (Unix time, UTC) on.
    event PayableFrom(uint256 shares, uint64 time);

    /// @dev Adds `shares` at the end of the line.
    function _lengthen(Line memory line, uint256 shares) internal {
        uint256 day = block.timestamp / 1 days;
        if (line.requestedAt / 1 days != day) _days[day % _DAYS] = Mark(line.requested, uint32(day));
        _setLine(Line((line.requested + shares).toUint128(), uint32(block.timestamp), line.batches));
    }

    /// @dev Makes the line payable up to `covered` from `from` on: moves `head` on, or adds a moment after it. `processed` shares
    /// of the line are paid already.
    function _cover(Head memory head, uint256 processed, uint256 covered, uint64 from) internal {
        bool waiting = head.next < head.count;
        Mark memory newest = waiting ? _payable[head.count - 1] : Mark(head.shares, head.from);
        if (covered > newest.shares) {
            // In their order: no request is payable before one that stands ahead of it.
            Mark memory mark = Mark(uint128(covered), uint32(Math.max(newest.time, from)));
            // Reports within one stream share its end, and so one moment.
            bool later = mark.time > newest.time;
            if (waiting) _payable[later ? head.count++ : head.count - 1] = mark;
            else if (later && processed < head.shares) _payable[head.count++] = mark;
            else (head.shares, head.from) = (mark.shares, mark.time);
            emit PayableFrom(mark.shares, mark.time);
        }
    }

    /// @dev How much of the line a report as of `asOf` covers: what was there when the first request of its day or of a later
    /// one came.
    function _requestedBy(uint256 asOf, Line memory line) internal view returns (uint256) {
        uint256 last = line.requestedAt / 1 days;
        if (asOf < block.timestamp) {
            for (uint256 day = asOf / 1 days; day <= last; ++day) {
                Mark memory mark = _days[day % _DAYS];
                if (mark.time == day) return mark.shares;
            }
        }
        return line.requested;
    }

    /// @dev Moves `head` on as `_pass` does; how many shares behind `processed` are payable.
    function _advance(Head memory head, uint256 processed) internal view returns (uint256 shares) {
        _pass(head);
        if (head.from <= block.timestamp) shares = head.shares - processed;
        if (shares == 0 && _abandoned()) {
            (head.shares, head.from, head.next) = (_line.requested, uint32(block.timestamp), head.count);
            shares = head.shares - processed;
        }
    }

    /// @dev Moves `head` on to the last moment that has come.
    function _pass(Head memory head) internal view {
        uint256 next = _firstMoment(head, 0, block.timestamp);
        if (next == head.next) return;
        Mark memory last = _payable[next - 1];
        (head.shares, head.from, head.next) = (last.shares, last.time, uint32(next));
    }

    /// @dev The first of the moments after the head's that is later than `time` and reaches beyond `shares`; `head.count`
    /// when there is none. Both grow from one to the next.
    function _firstMoment(Head memory head, uint256 shares, uint256 time) internal view returns (uint256 first) {
        first = head.next;
        uint256 end = head.count;
        while (first < end) {
            uint256 middle = (first + end) >> 1;
            Mark memory mark = _payable[middle];
            if (mark.time > time && mark.shares > shares) end = middle;
            else first = middle + 1;
        }
    }

    /// @dev Writes a batch and the head as it then is.
    function _record(Head memory head, Batch memory last, uint256 shares, uint256 assets)
        internal
        returns (Batch memory batch)
    {
        batch = Batch((last.shares + shares).toUint128(), (last.assets + assets).toUint128());
        // Requests that reports kept waiting for too long were paid ahead of their moments.
        if (batch.shares > head.shares) (head.shares, head.from) = (batch.shares, uint32(block.timestamp));
        head.next = uint32(_firstMoment(head, batch.shares, 0));
        _set(_batches[++head.batches], batch);
        _setHead(head);
        emit Processed(head.batches, shares, assets);
    }

    /// @dev Assets for the first `shares` of the line, which are processed, and the last batch that ends at or before
    /// them. `low` is a batch that ends at or before them, `high` one that does not end before. Doubling steps from `low`
    /// find a near batch in two reads and any other in as many as its distance has digits.
    function _paidFor(uint256 shares, uint256 low, uint256 high) internal view returns (uint256 assets, uint256 batch) {
        for (uint256 step = 1; low + step < high; step <<= 1) {
            if (_batches[low + step].shares > shares) {
                high = low + step;
                break;
            }
            low += step;
        }
        while (low + 1 < high) {
            uint256 middle = (low + high) >> 1;
            if (_batches[middle].shares > shares) high = middle;
            else low = middle;
        }
        Batch memory before = _batches[low];
        if (shares == before.shares) return (before.assets, low);
        Batch memory within = _batches[high];
        assets = before.assets
            + (shares - before.shares).mulDiv(within.assets - before.assets, within.shares - before.shares);
        return (assets, low);
    }

    /// @dev The latest number of batches up to `last` of which `hint` is left and that ends at or before `start`. The oldest
    /// does; steps that double from the newest find it in as many reads as its distance has digits.
    function _behind(uint256 hint, uint256 start, uint256 last) internal view returns (uint256 batch) {
        batch = last - (last + _SETTLED - hint) % _SETTLED;
        uint256 low;
        uint256 high = batch / _SETTLED;
        while (low < high) {
            uint256 middle = (2 * low).min((low + high) >> 1);
            if (_batches[batch - middle * _SETTLED].shares > start) low = middle + 1;
            else high = middle;
        }
        batch -= low * _SETTLED;
    }

    function _hint(uint256 batches) internal pure returns (uint8) {
        return uint8(batches % _SETTLED);
    }

    /// @dev Whether reports have stayed away for so long that requests are processed without one.
    function _abandoned() internal view virtual returns (bool);

    function _set(Batch storage slot, Batch memory batch) private {
        uint256 word = uint256(batch.shares) | uint256(batch.assets) << 128;
        assembly ("memory-safe") {
            sstore(slot.slot, word)
        }
    }

    function _setLine(Line memory line) internal {
        uint256 word = uint256(line.requested) | uint256(line.requestedAt) << 128 | uint256(line.batches) << 160;
        assembly ("memory-safe") {
            sstore(_line.slot, word)
        }
    }

    function _setHead(Head memory head) internal {
        uint256 word = uint256(head.shares) | uint256(head.from) << 128 | uint256(head.batches) << 160
            | uint256(head.next) << 192 | uint256(head.count) << 224;
        assembly ("memory-safe") {
            sstore(_head.slot, word)
        }
    }
}
