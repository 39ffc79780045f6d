// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Vm} from "./Vm.sol";

/// @dev Base of every test: the cheatcodes and a handful of checks that revert with both sides when they fail.
abstract contract Test {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @dev forge takes a contract for a test only when this reads true.
    bool public constant IS_TEST = true;

    error NotEqual(string what, uint256 left, uint256 right);
    error NotAtMost(string what, uint256 value, uint256 limit);
    error NotTrue(string what);

    function assertEq(uint256 left, uint256 right, string memory what) internal pure {
        if (left != right) revert NotEqual(what, left, right);
    }

    function assertEq(address left, address right, string memory what) internal pure {
        if (left != right) revert NotEqual(what, uint160(left), uint160(right));
    }

    function assertEq(string memory left, string memory right, string memory what) internal pure {
        require(keccak256(bytes(left)) == keccak256(bytes(right)), string.concat(what, ": ", left, " is not ", right));
    }

    function assertEq(bytes32 left, bytes32 right, string memory what) internal pure {
        if (left != right) revert NotEqual(what, uint256(left), uint256(right));
    }

    function assertAtMost(uint256 value, uint256 limit, string memory what) internal pure {
        if (value > limit) revert NotAtMost(what, value, limit);
    }

    function assertTrue(bool condition, string memory what) internal pure {
        if (!condition) revert NotTrue(what);
    }

    /// @dev Maps a random number into [low, high], ends included.
    function within(uint256 random, uint256 low, uint256 high) internal pure returns (uint256) {
        unchecked {
            uint256 size = high - low + 1;
            return size == 0 ? random : low + random % size;
        }
    }

    /// @dev Whether this is `npm run test:long`, in which a sweep leaves nothing out.
    function isLong() internal view returns (bool) {
        return bytes(vm.envOr("AQUA_LONG", "")).length > 0;
    }

    /// @dev The time now. `block.timestamp` itself may be read once and kept by the via-IR optimizer across a warp.
    function time() internal view returns (uint64) {
        return uint64(vm.getBlockTimestamp());
    }

    function skip(uint256 seconds_) internal {
        vm.warp(time() + seconds_);
    }
}
