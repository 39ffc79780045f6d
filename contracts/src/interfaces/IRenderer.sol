// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev Draws what wallets and markets show of a product. It only reads, so a product can leave all of it to one.
interface IRenderer {
    /// @notice The metadata of receipt `id` of the time deposit `product`, as a data URI of JSON.
    function tokenURI(address product, uint256 id) external view returns (string memory);

    /// @notice The metadata (ERC-7572) of a product of either kind, as a data URI of JSON.
    function contractURI(address product) external view returns (string memory);
}
