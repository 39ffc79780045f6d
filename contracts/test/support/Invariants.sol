// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "./Test.sol";

/// @dev Base of a long random run: what forge calls, and how often the handler really did each thing. The counts are
/// written to a file that scripts/test.mjs adds up, prints, and fails on when an action was never reached.
abstract contract Invariants is Test {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    address private _handler;
    bytes4[] private _actions;

    function drive(address handler, bytes4[] memory actions) internal {
        _handler = handler;
        _actions = actions;
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = _handler;
    }

    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(_handler, _actions);
    }

    /// @param suite name of the suite in scripts/hits.mjs
    /// @param hits its counters, in the order given there
    function writeHits(string memory suite, uint256[] memory hits) internal {
        // A run beside the one that is judged by them.
        if (bytes(vm.envOr("AQUA_NO_HITS", "")).length > 0) return;
        for (uint256 i = 0; i < hits.length; ++i) {
            suite = string.concat(suite, ",", vm.toString(hits[i]));
        }
        vm.writeLine("contracts/cache/hits.csv", suite);
    }
}
