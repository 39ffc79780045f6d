// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Receipts} from "../../src/term/Receipts.sol";
import {Test} from "../support/Test.sol";

/// @dev The status diagram, all of it.
contract TermReceiptsTest is Test {
    uint256 private constant STATUSES = 7;

    /// @dev The diagram written down once more, row by row: x marks an arrow a call may take.
    string[7] private diagram = [
        // NONE ACTIVE MATURED CLOSED EXITED_EARLY ROLLED_OVER SETTLED
        "-x-----", // NONE
        "----x-x", // ACTIVE
        "---x-xx", // MATURED
        "-------", // CLOSED
        "-------", // EXITED_EARLY
        "-------", // ROLLED_OVER
        "-------" // SETTLED
    ];

    function check(uint256 from, uint256 to) external pure {
        Receipts.check(from, to);
    }

    function test_each_of_the_49_pairs_is_as_in_the_diagram() public {
        for (uint256 from = 0; from < STATUSES; ++from) {
            for (uint256 to = 0; to < STATUSES; ++to) {
                bool arrow = bytes(diagram[from])[to] == "x";
                assertTrue(Receipts.allowed(from, to) == arrow, diagram[from]);
                if (!arrow) vm.expectRevert(abi.encodeWithSelector(Receipts.StatusNotAllowed.selector, from, to));
                this.check(from, to);
            }
        }
    }

    function test_only_an_active_receipt_matures_and_only_by_time() public pure {
        for (uint256 status = 0; status < STATUSES; ++status) {
            assertEq(Receipts.statusAt(status, 100, 99), status, "a second before maturity");
            uint256 then = status == Receipts.ACTIVE ? Receipts.MATURED : status;
            assertEq(Receipts.statusAt(status, 100, 100), then, "at maturity");
            assertEq(Receipts.statusAt(status, 100, type(uint256).max), then, "after maturity");
        }
    }

    function testFuzz_no_number_beyond_the_diagram_has_an_arrow(uint256 from, uint256 to) public pure {
        if (from < STATUSES && to < STATUSES) return;
        assertTrue(!Receipts.allowed(from, to), "an arrow from or to nowhere");
    }
}
