// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev What the product registry calls after it changed the status of a demand deposit. The product then asks the
/// registry itself, so anyone may call and nobody can lie.
interface IStatusListener {
    function syncStatus() external;
}

/// @dev What a vault calls on its redemption queue after each report.
interface IReportListener {
    function reported() external;

    /// @dev ERC-7575: the share whose redemptions are queued.
    function share() external view returns (address);
}
