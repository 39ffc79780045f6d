// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessManaged} from "@openzeppelin/contracts/access/manager/AccessManaged.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {IStatusListener} from "./interfaces/IProduct.sol";

/// @title ProductRegistry: the list of products, by the short id of their page
///
/// @notice A product is one contract and keeps its short id for ever. Neither is used twice, so a link, a statement or
/// a chart never comes to mean another product.
///
/// Roles (OpenZeppelin AccessManager decides who holds them)
/// - owner: `list`, `open`, `setMetadata`.
/// - guardian: `close`. It only tightens.
///
/// Assumptions
/// - The operator lists contracts it has deployed and checked. What this contract checks is that the product is a
///   contract and names the same asset.
///
/// Liveness
/// - Closing a product stops deposits into it. It never stops an exit: products ask `isOpen` only on the way in. A demand
///   deposit is told of a change and keeps the answer, which saves its depositors the question.
contract ProductRegistry is AccessManaged {
    enum ProductType {
        DemandDeposit,
        TimeDeposit
    }

    enum Status {
        Open,
        Closed
    }

    struct Listing {
        address asset;
        ProductType productType;
        Status status;
        bool listed;
        bytes32 metadataHash;
    }

    mapping(bytes32 shortId => address product) private _products;
    mapping(address product => Listing) private _listings;

    event ProductListed(
        address indexed product, address indexed asset, string shortId, uint8 productType, bytes32 metadataHash
    );
    event ProductStatusChanged(address indexed product, uint8 status);
    event ProductMetadataChanged(address indexed product, bytes32 metadataHash);

    /// @dev A short id has 1 to 32 characters of a–z, 0–9 and "-".
    error InvalidShortId(string shortId);
    error ShortIdTaken(string shortId);
    error ProductAlreadyListed(address product);
    /// @dev The product is no contract, or names another asset.
    error InvalidProduct(address product);
    error UnknownProduct(string shortId);

    constructor(address authority) AccessManaged(authority) {}

    /// @notice Lists a product as open.
    /// @param metadataHash hash of the product's texts and pictures as shown to depositors
    function list(
        string calldata shortId,
        address product,
        ProductType productType,
        address asset,
        bytes32 metadataHash
    ) external restricted {
        bytes32 key = _key(shortId);
        if (_products[key] != address(0)) revert ShortIdTaken(shortId);
        if (_listings[product].listed) revert ProductAlreadyListed(product);
        if (product.code.length == 0 || IERC4626(product).asset() != asset) revert InvalidProduct(product);

        _products[key] = product;
        _listings[product] = Listing(asset, productType, Status.Open, true, metadataHash);
        emit ProductListed(product, asset, shortId, uint8(productType), metadataHash);
        _tell(product);
    }

    /// @notice Lets a closed product take deposits again. Open already, it stays so.
    function open(string calldata shortId) external restricted {
        _setStatus(shortId, Status.Open);
    }

    /// @notice Stops deposits into a product, until it is opened again. Closed already, it stays so.
    function close(string calldata shortId) external restricted {
        _setStatus(shortId, Status.Closed);
    }

    function setMetadata(string calldata shortId, bytes32 metadataHash) external restricted {
        address product = _known(shortId);
        _listings[product].metadataHash = metadataHash;
        emit ProductMetadataChanged(product, metadataHash);
    }

    /// @notice What is listed under `shortId`; reverts with `UnknownProduct` when nothing is.
    function productOf(string calldata shortId)
        external
        view
        returns (address product, ProductType productType, address asset, Status status, bytes32 metadataHash)
    {
        product = _known(shortId);
        Listing storage listing = _listings[product];
        return (product, listing.productType, listing.asset, listing.status, listing.metadataHash);
    }

    /// @notice Whether `product` is listed and takes deposits. Never reverts.
    function isOpen(address product) external view returns (bool) {
        Listing storage listing = _listings[product];
        return listing.listed && listing.status == Status.Open;
    }

    function _setStatus(string calldata shortId, Status status) private {
        address product = _known(shortId);
        _listings[product].status = status;
        emit ProductStatusChanged(product, uint8(status));
        _tell(product);
    }

    function _tell(address product) private {
        if (_listings[product].productType == ProductType.DemandDeposit) IStatusListener(product).syncStatus();
    }

    function _known(string calldata shortId) private view returns (address product) {
        product = _products[_key(shortId)];
        if (product == address(0)) revert UnknownProduct(shortId);
    }

    /// @dev The short id itself, left-aligned: no character is a zero byte, so two ids never share a key.
    function _key(string calldata shortId) private pure returns (bytes32) {
        bytes calldata raw = bytes(shortId);
        if (raw.length == 0 || raw.length > 32) revert InvalidShortId(shortId);
        for (uint256 i = 0; i < raw.length; ++i) {
            bytes1 c = raw[i];
            bool allowed = (c >= "a" && c <= "z") || (c >= "0" && c <= "9") || c == "-";
            if (!allowed) revert InvalidShortId(shortId);
        }
        return bytes32(raw);
    }
}
