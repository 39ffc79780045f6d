// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {VaultStorage} from "./VaultStorage.sol";

/// @dev Accounting of a demand deposit: the assets that count, the stream, the price, and the asset's own transfers.
abstract contract VaultBooks is VaultStorage {
    using Math for uint256;
    using SafeCast for uint256;

    /// @notice What totalAssets(t) is made of: settled + ⌊streaming · (t − start) / (end − start)⌋, t held between start
    /// and end; streaming counts as whole once t ≥ end. `settled` is negative when withdrawals have already taken part
    /// of what was streamed.
    function stream() public view returns (int256 settled, uint256 streaming, uint64 start, uint64 end) {
        settled = int256(uint256(_book.held)) - int256(uint256(_book.streaming));
        return (settled, _book.streaming, _book.streamStart, _book.streamEnd);
    }

    /// @inheritdoc ERC4626
    function totalAssets() public view override returns (uint256) {
        unchecked {
            uint256 end = _book.streamEnd;
            if (block.timestamp >= end) return _book.held;
            // 2^88 units times at most a year of seconds; and what is not yet streamed is never more than what is held.
            return _book.held - Math.ceilDiv(uint256(_book.streaming) * (end - block.timestamp), end - _book.streamStart);
        }
    }

    function _transferIn(address from, uint256 assets) internal override {
        _pull(from, assets);
        _book.held = (_book.held + assets).toUint96();
    }

    function _transferOut(address to, uint256 assets) internal override {
        // Not more than before, which fits.
        _book.held = uint96(_book.held - assets);
        _send(to, assets);
    }

    function _decimalsOffset() internal pure override returns (uint8) {
        return 6;
    }

    function _convertToShares(uint256 assets, Math.Rounding rounding) internal view override returns (uint256) {
        return assets.mulDiv(totalSupply() + _VIRTUAL_SHARES, totalAssets() + 1, rounding);
    }

    function _convertToAssets(uint256 shares, Math.Rounding rounding) internal view override returns (uint256) {
        return shares.mulDiv(totalAssets() + 1, totalSupply() + _VIRTUAL_SHARES, rounding);
    }

    function _checkAmount(uint256 amount) internal pure {
        if (amount == 0) revert ZeroAmount();
    }

    function _send(address to, uint256 assets) internal {
        SafeERC20.safeTransfer(IERC20(asset()), to, assets);
    }

    function _balance() internal view returns (uint256) {
        return IERC20(asset()).balanceOf(address(this));
    }

    /// @dev Takes exactly `assets` from `from`, or reverts.
    function _pull(address from, uint256 assets) internal {
        uint256 before = _balance();
        SafeERC20.safeTransferFrom(IERC20(asset()), from, address(this), assets);
        uint256 received = _balance() - before;
        if (received != assets) revert UnexpectedAmountReceived(assets, received);
    }

    /// @dev Streams what is held beyond `settled` from now over at least `time` seconds, and not ending before the stream it
    /// continues. The end fits until 2106.
    function _startStream(uint256 held, uint256 settled, uint256 time) internal {
        uint256 end = (block.timestamp + time.max(1)).max(_book.streamEnd);
        (_book.held, _book.streaming) = (held.toUint96(), (held - settled).toUint88());
        (_book.streamStart, _book.streamEnd) = (_now(), uint32(end));
    }

    /// @dev Fits until 2106.
    function _now() internal view returns (uint32) {
        return uint32(block.timestamp);
    }
}
