// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Receipts: the status diagram of a time deposit, as pure functions
///
/// @notice
///   NONE ──▶ ACTIVE ──time──▶ MATURED ──▶ CLOSED, ROLLED_OVER or SETTLED
///              └──▶ EXITED_EARLY or SETTLED
///
/// An early exit of a part of the principal leaves the receipt ACTIVE with the rest. Nothing leaves CLOSED,
/// EXITED_EARLY, ROLLED_OVER or SETTLED, so a receipt is paid out once.
library Receipts {
    /// @dev There is no such receipt.
    uint8 internal constant NONE = 0;
    uint8 internal constant ACTIVE = 1;
    uint8 internal constant MATURED = 2;
    /// @dev Principal and interest were paid at or after maturity.
    uint8 internal constant CLOSED = 3;
    uint8 internal constant EXITED_EARLY = 4;
    /// @dev Another receipt has taken its place.
    uint8 internal constant ROLLED_OVER = 5;
    /// @dev Paid in full in a winding down.
    uint8 internal constant SETTLED = 6;

    /// @dev The diagram has no such arrow: too early, too late, or no such receipt.
    error StatusNotAllowed(uint256 from, uint256 to);

    /// @notice The status at `time`: what is stored, but that an active receipt matures by time alone.
    function statusAt(uint256 stored, uint256 maturity, uint256 time) internal pure returns (uint256) {
        return stored == ACTIVE && time >= maturity ? MATURED : stored;
    }

    /// @notice Whether a call may bring a receipt from one status into another.
    function allowed(uint256 from, uint256 to) internal pure returns (bool) {
        if (from == NONE) return to == ACTIVE;
        if (from == ACTIVE) return to == EXITED_EARLY || to == SETTLED;
        return from == MATURED && (to == CLOSED || to == ROLLED_OVER || to == SETTLED);
    }

    /// @notice Reverts with `StatusNotAllowed` where `allowed` says no.
    function check(uint256 from, uint256 to) internal pure {
        if (!allowed(from, to)) revert StatusNotAllowed(from, to);
    }
}
