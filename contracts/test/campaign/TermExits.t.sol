// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Calendar} from "../../src/term/Calendar.sol";
import {TermWorld} from "../support/TermWorld.sol";

/// @dev Leaving on each day of each term of 1 to 730 days, at rates up to the highest: the contract against a model here
/// and against packages/sdk/test/termExits.test.ts, which wrote a digest of the payouts of each term. Every 27th term,
/// the first and the last among them; all of them in `npm run test:long`.
contract TermExitsTest is TermWorld {
    uint256 private constant LONGEST = 730;
    uint256 private constant DEPOSITS = 5;

    string[] private digests;

    /// @dev Undoes an exit and tells what it paid.
    error Paid(uint256 paid, uint256 received);

    function setUp() public {
        deployTermWorld();
        vm.prank(owner);
        term.setLimits((1 << 104) - 1, 0);
        digests = vm.split(vm.readFile("contracts/test/vectors/term-exits.csv"), "\n");
    }

    function test_leaving_pays_what_model_and_package_say_on_each_day_of_each_term() public {
        uint256 step = isLong() ? 1 : 27;
        for (uint256 length = 1; length <= LONGEST; length += step) {
            // In a call of its own, which gives the memory back.
            bytes32 digest = this.leaveOnEachDay(length);
            string memory row = string.concat(vm.toString(length), ",", vm.toString(digest));
            assertEq(digests[length - 1], row, "the package says the same");
        }
    }

    function leaveOnEachDay(uint256 length) external returns (bytes32) {
        uint256[] memory payouts = new uint256[](DEPOSITS * (length + 1));
        for (uint256 which = 0; which < DEPOSITS; ++which) {
            vm.warp(START);
            (uint256 principal, uint256[3] memory rates) = depositOf(which, length);
            vm.prank(owner);
            uint256 termId = term.addTerm(
                uint16(length), Calendar.DAY, rates[0], rates[1], rates[2], (1 << 104) - 1, true
            );
            (, uint256 interest) = term.quote(termId, principal);
            fundReserve(interest);
            uint256 id = openFor(alice, termId, principal);
            uint256 fee = (principal * rates[2] + WAD - 1) / WAD;
            for (uint256 number = 0; number < length; ++number) {
                uint256 paid = exitAndUndo(id, START + number * 1 days);
                checkEarly(principal, rates[1], fee, number, paid);
                payouts[which * (length + 1) + number] = paid;
            }
            vm.warp(START + length * 1 days);
            uint256 paidAtMaturity = closeFor(alice, id);
            assertEq(paidAtMaturity, principal + interest, "all of it on the last day");
            assertEq(interest, principal * rates[0] * length / (365 * WAD), "with the interest of its days");
            payouts[which * (length + 1) + length] = paidAtMaturity;
        }
        return keccak256(abi.encodePacked(payouts));
    }

    /// @dev P − ⌈P · fee⌉ + ⌊P · rate · days / 365⌋: the interest is the one number that the bounds leave.
    function checkEarly(uint256 principal, uint256 breakRate, uint256 fee, uint256 number, uint256 paid) private pure {
        assertAtMost(principal, paid + fee, "never less than the principal less the published fee");
        uint256 earned = (paid + fee - principal) * 365 * WAD;
        uint256 exact = principal * breakRate * number;
        assertTrue(earned <= exact && exact < earned + 365 * WAD, "with the interest of its days, rounded down");
    }

    /// @dev What an exit at `when` pays, which is what was quoted at the opening and what arrives.
    function exitAndUndo(uint256 id, uint256 when) private returns (uint256 quoted) {
        vm.warp(START);
        quoted = term.quoteExit(id, when);
        vm.warp(when);
        (, bytes memory answer) = address(this).call(abi.encodeCall(this.exitFully, (id, quoted)));
        bytes memory asQuoted = abi.encodeWithSelector(Paid.selector, quoted, quoted);
        assertEq(keccak256(answer), keccak256(asQuoted), "paid and received as quoted");
    }

    function exitFully(uint256 id, uint256 minOut) external {
        uint256 had = dollar.balanceOf(alice);
        uint256 principal = receiptOf(id).principal;
        vm.prank(alice);
        uint256 paid = term.exitEarly(id, principal, minOut);
        revert Paid(paid, dollar.balanceOf(alice) - had);
    }

    /// @dev Principal, rate, rate when broken and penalty of the deposits that the package's test has too.
    function depositOf(uint256 which, uint256 length) private pure returns (uint256 principal, uint256[3] memory rates) {
        if (which == 0) return (1_000_000_000, [uint256(0.06e18), 0.02e18, 0]);
        if (which == 1) return (1_234_567_891, [uint256(0.08e18), 0.03e18, 0.01e18]);
        if (which == 2) return (type(uint96).max, [WAD, WAD - 1, 0.1e18]);
        if (which == 3) return (type(uint96).max, [uint256(1), 0, 1]);
        principal = 999_999_937 * length;
        rates = [WAD * length / 730, WAD * (length - 1) / 730, WAD * length / 7_300];
    }
}
