// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "../support/Test.sol";
import {Handler} from "./Handler.sol";

/// @dev Long random runs of the whole system. The counts of what the handler really did are written to a file that
/// scripts/test.mjs adds up, prints, and fails on when an action was never reached.
contract DemandVaultInvariants is Test {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    Handler private handler;

    function setUp() public {
        handler = new Handler();
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        bytes4[13] memory actions = [
            Handler.deposit.selector,
            Handler.mint.selector,
            Handler.withdraw.selector,
            Handler.redeem.selector,
            Handler.transfer.selector,
            Handler.intrude.selector,
            Handler.report.selector,
            Handler.wait.selector,
            Handler.donate.selector,
            Handler.loseRecord.selector,
            Handler.regainRecord.selector,
            Handler.pauseOrGoOn.selector,
            Handler.closeOrOpen.selector
        ];
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(handler), new bytes4[](actions.length));
        for (uint256 i = 0; i < actions.length; ++i) {
            targets[0].selectors[i] = actions[i];
        }
    }

    function invariant_the_books_balance_and_the_events_tell_them() public {
        handler.checkBooks();
    }

    function afterInvariant() public {
        handler.checkBooks();
        string memory line = "hits";
        for (uint256 i = 0; i < handler.ACTIONS(); ++i) {
            line = string.concat(line, ",", vm.toString(handler.hits(i)));
        }
        vm.writeLine("contracts/cache/hits.csv", line);
        handler.checkEveryoneCanLeave();
    }
}
