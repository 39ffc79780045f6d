// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev What the product registry calls after it changed the status of a demand deposit. The product then asks the
/// registry itself, so anyone may call and nobody can lie.
interface IStatusListener {
    function syncStatus() external;
}

/// @dev What a vault calls on its redemption queue around each report.
interface IReportListener {
    /// @notice A report as of `asOf` was made; what is requested by then is payable from `payableFrom` on (Unix times,
    /// UTC). Before it `shares` of what was payable were redeemed for `assets`, both 0 when none were.
    function reported(uint64 asOf, uint64 payableFrom, uint256 shares, uint256 assets) external;

    /// @notice Shares at the head of the line that are payable now.
    function payableShares() external view returns (uint256);

    /// @dev ERC-7575: the share whose redemptions are queued.
    function share() external view returns (address);
}
