// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {Calendar} from "./Calendar.sol";

/// @title Text: figures as people write them, and foreign text made safe to show
library Text {
    /// @dev What stands for a byte or character that is not shown, U+FFFD.
    bytes3 private constant _REPLACEMENT = 0xEFBFBD;
    /// @dev What stands for the rest of a text that is too long, U+2026.
    bytes3 private constant _ELLIPSIS = 0xE280A6;

    /// @notice Valid UTF-8 of at most `most` characters, and "…" when it was longer. A byte that belongs to no character,
    /// a control character, one that turns the direction of writing, and one XML forbids become U+FFFD each.
    function clean(bytes memory raw, uint256 most) internal pure returns (string memory) {
        // A byte becomes three at most.
        bytes memory out = new bytes(raw.length * 3 + 3);
        uint256 end;
        uint256 i;
        for (uint256 count = 0; i < raw.length && count < most; ++count) {
            uint256 length = _characterAt(raw, i);
            if (length == 0) {
                end = _put(out, end, _REPLACEMENT);
                ++i;
            } else {
                for (uint256 last = i + length; i < last; ++i) {
                    out[end++] = raw[i];
                }
            }
        }
        if (i < raw.length) end = _put(out, end, _ELLIPSIS);
        // Never more than was reserved.
        assembly ("memory-safe") {
            mstore(out, end)
        }
        return string(out);
    }

    /// @notice Text for XML content and attributes: & < > " and ' as entities.
    function escapeXml(string memory text) internal pure returns (string memory) {
        bytes memory raw = bytes(text);
        bytes memory out = new bytes(raw.length * 6);
        uint256 end;
        for (uint256 i = 0; i < raw.length; ++i) {
            bytes memory entity = _entityOf(raw[i]);
            for (uint256 j = 0; j < entity.length; ++j) {
                out[end++] = entity[j];
            }
        }
        assembly ("memory-safe") {
            mstore(out, end)
        }
        return string(out);
    }

    /// @notice `value` / 10^decimals, exactly: whole digits in groups of three, no zeros at the end.
    function decimal(uint256 value, uint256 decimals) internal pure returns (string memory) {
        bytes memory digits = bytes(Strings.toString(value));
        uint256 whole = digits.length > decimals ? digits.length - decimals : 0;
        uint256 last = digits.length;
        while (last > whole && digits[last - 1] == "0") --last;
        bytes memory out;
        for (uint256 i = 0; i < whole; ++i) {
            if (i > 0 && (whole - i) % 3 == 0) out = bytes.concat(out, ",");
            out = bytes.concat(out, digits[i]);
        }
        if (whole == 0) out = "0";
        if (last == whole) return string(out);
        out = bytes.concat(out, ".");
        for (uint256 i = digits.length; i < decimals; ++i) {
            out = bytes.concat(out, "0");
        }
        for (uint256 i = whole; i < last; ++i) {
            out = bytes.concat(out, digits[i]);
        }
        return string(out);
    }

    /// @notice The day of a Unix time in UTC, as YYYY-MM-DD.
    function date(uint256 time) internal pure returns (string memory) {
        (uint256 year, uint256 month, uint256 day) = Calendar.civil(time / 1 days);
        return string.concat(Strings.toString(year), "-", _two(month), "-", _two(day));
    }

    function _two(uint256 value) private pure returns (string memory) {
        return string.concat(value < 10 ? "0" : "", Strings.toString(value));
    }

    function _put(bytes memory out, uint256 place, bytes3 character) private pure returns (uint256) {
        (out[place], out[place + 1], out[place + 2]) = (character[0], character[1], character[2]);
        return place + 3;
    }

    function _entityOf(bytes1 character) private pure returns (bytes memory) {
        if (character == "&") return "&amp;";
        if (character == "<") return "&lt;";
        if (character == ">") return "&gt;";
        if (character == '"') return "&quot;";
        if (character == "'") return "&apos;";
        return bytes.concat(character);
    }

    /// @dev How many bytes the character at `i` has; 0 where there is none that may be shown.
    function _characterAt(bytes memory raw, uint256 i) private pure returns (uint256 length) {
        uint256 point = uint8(raw[i]);
        if (point < 0x80) return point < 0x20 || point == 0x7f ? 0 : 1;
        // What a lead byte says of the length; 0xC0, 0xC1 and 0xF5 up to 0xFF lead nothing.
        if (point < 0xc2 || point > 0xf4) return 0;
        length = point < 0xe0 ? 2 : point < 0xf0 ? 3 : 4;
        if (i + length > raw.length) return 0;
        point &= 0x7f >> length;
        for (uint256 j = 1; j < length; ++j) {
            uint256 next = uint8(raw[i + j]);
            if (next >> 6 != 2) return 0;
            point = point << 6 | next & 0x3f;
        }
        return _isShown(point, length) ? length : 0;
    }

    function _isShown(uint256 point, uint256 length) private pure returns (bool) {
        // Controls of the second block.
        if (point < 0xa0) return false;
        // Written longer than need be.
        if ((length == 3 && point < 0x800) || (length == 4 && point < 0x10000)) return false;
        // Surrogates, what XML forbids, and what is above Unicode.
        if ((point >= 0xd800 && point < 0xe000) || point == 0xfffe || point == 0xffff || point > 0x10ffff) return false;
        // Marks, embeddings, overrides and isolates that turn the direction of writing.
        return !(
            point == 0x061c || point == 0x200e || point == 0x200f || (point >= 0x202a && point <= 0x202e)
                || (point >= 0x2066 && point <= 0x2069)
        );
    }
}
