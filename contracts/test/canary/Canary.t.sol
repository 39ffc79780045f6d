// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "../support/Test.sol";

/// @dev Must fail. scripts/test.mjs runs it on its own and turns the whole run red when it passes or does not run:
/// then a broken contract could pass too.
contract Canary is Test {
    function test_the_canary_must_fail() public pure {
        assertEq(uint256(1), uint256(2), "the canary");
    }
}
