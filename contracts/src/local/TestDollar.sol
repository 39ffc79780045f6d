// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @title TestDollar: play money of the local chain
///
/// @notice Six decimals, ERC-2612 permit and a faucet for everyone. It cannot be deployed on any chain but the local
/// one (31337), so a worthless dollar can never be mistaken for a real one.
contract TestDollar is ERC20, ERC20Permit {
    uint256 private constant _LOCAL_CHAIN = 31337;

    error LocalChainOnly(uint256 chainId);

    constructor() ERC20("Test Dollar", "tUSD") ERC20Permit("Test Dollar") {
        _onlyLocal();
    }

    /// @notice The faucet: mints `amount` units (1e-6 tUSD) to `account`.
    function mint(address account, uint256 amount) external {
        // A fork of the local chain may carry this code elsewhere.
        _onlyLocal();
        _mint(account, amount);
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function _onlyLocal() private view {
        if (block.chainid != _LOCAL_CHAIN) revert LocalChainOnly(block.chainid);
    }
}
