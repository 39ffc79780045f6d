// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TermWorld} from "../support/TermWorld.sol";

/// @dev The deposits of packages/sdk/test/term.test.ts, which wrote the file: contract and package agree to the last
/// unit.
contract TermVectorsTest is TermWorld {
    function setUp() public {
        deployTermWorld();
        vm.prank(owner);
        term.setLimits((1 << 104) - 1, 0);
    }

    function test_contract_and_package_agree_to_the_last_unit() public {
        string[] memory rows = vm.split(vm.readFile("contracts/test/vectors/term.csv"), "\n");
        uint256 opened;
        // The last line ends with a line break.
        for (uint256 i = 0; i + 1 < rows.length; ++i) {
            string[] memory cells = vm.split(rows[i], ",");
            uint256[11] memory row;
            for (uint256 k = 0; k < 11; ++k) {
                row[k] = vm.parseUint(cells[k]);
            }
            if (check(row)) ++opened;
        }
        assertTrue(rows.length > 100 && opened > 100, "most of them were opened");
    }

    /// @dev openedAt, count, unit, rate, breakRate, penalty, principal, at; maturity, interest, payout.
    function check(uint256[11] memory row) private returns (bool opened) {
        vm.warp(row[0]);
        vm.prank(owner);
        uint256 termId =
            term.addTerm(uint16(row[1]), uint8(row[2]), row[3], row[4], row[5], (1 << 104) - 1, true);
        (uint256 maturity, uint256 interest) = term.quote(termId, row[6]);
        assertEq(maturity, row[8], "maturity");
        assertEq(interest, row[9], "interest");
        if (interest == 0) return false;
        fundReserve(interest);
        uint256 id = openFor(alice, termId, row[6]);
        assertEq(term.quoteExit(id, row[7]), row[10], "payout");
        assertEq(dueOf(id), row[6] + row[9], "at maturity");
        return true;
    }
}
