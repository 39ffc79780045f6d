// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {DemandVault} from "../../src/DemandVault.sol";
import {TermDeposit} from "../../src/TermDeposit.sol";
import {TermWorld} from "../support/TermWorld.sol";

/// @dev What the contracts do in each state of a product. The web app's sentences promise nothing else:
/// apps/web/test/products/promises.test.tsx reads the same file.
contract PromisesTest is TermWorld {
    /// @dev Longer than a pause, the review of a loss, and the day after a loss.
    uint256 private constant ALL_OVER = 8 days;

    string private conditions;
    uint256 private due;
    uint256 private early;

    function setUp() public {
        deployTermWorld();
        DemandVault.Parameters memory p = parameters(MIN_DEPOSIT);
        p.evidenceUntil = START + 365 days;
        vault = createVault(IERC20(address(dollar)), identities, p);
        listVault("demand", vault, IERC20(address(dollar)));
        queue = deployQueue(vault);
        TermDeposit.Parameters memory t = termParameters(TERM_MIN);
        t.evidenceUntil = START + 365 days;
        term = createTerm(IERC20(address(dollar)), identities, t);
        listAndAuthorize("time", term, IERC20(address(dollar)));
        addTerms(term);
        fundReserve(RESERVE);
    }

    function test_each_state_has_the_deeds_that_the_app_may_promise() public {
        string[] memory rows = vm.split(vm.readFile("contracts/test/vectors/promises.csv"), "\n");
        // The first line has the names of the columns; the last one ends with a line break.
        for (uint256 i = 1; i + 1 < rows.length; ++i) {
            string[] memory cells = vm.split(rows[i], ",");
            uint256 before = vm.snapshotState();
            conditions = cells[1];
            bool isDemand = same(cells[0], "demand");
            if (isDemand) bringDemandInto();
            else bringTimeInto();
            string[6] memory deeds = ["instant", "request", "reopen", "close", "early", "share"];
            for (uint256 k = isDemand ? 0 : 2; k < (isDemand ? 3 : 6); ++k) {
                uint256 state = vm.snapshotState();
                // An external call of its own, so that a deed that reverts is one that is not done.
                (bool works,) = address(this).call(abi.encodeWithSignature(string.concat("deed_", deeds[k], "()")));
                assertTrue(works == has(cells[2], deeds[k]), string.concat(rows[i], ": ", deeds[k]));
                vm.revertToState(state);
            }
            vm.revertToState(before);
        }
        assertTrue(rows.length > 20, "all states");
    }

    // ── States ──────────────────────────────────────────────────────────────────────────────────────────────────────

    function bringDemandInto() private {
        depositFor(alice, 1000 * DOLLAR);
        request(bob, depositFor(bob, 100 * DOLLAR));
        deployMoney(700 * DOLLAR);
        skip(1);
        reportGain(0);
        queue.process();
        skip(1);
        if (isIn("late")) skip(REPORT_AGE + 1 hours);
        if (isIn("lapsed")) lapse(address(vault));
        if (isIn("loss")) reportLoss(5 * DOLLAR);
        if (isIn("review")) reportLoss(50 * DOLLAR);
        if (isIn("paused")) {
            vm.prank(guardian);
            vault.pause();
        }
        if (isIn("closed")) closeProduct("demand");
    }

    /// @dev One receipt matures half a day later, or has matured where a day passes; the other one matures in weeks.
    function bringTimeInto() private {
        due = openFor(alice, WEEK, 500_000 * DOLLAR);
        early = openFor(alice, QUARTER, 500_000 * DOLLAR);
        deployFunds(400_000 * DOLLAR);
        skip(6.5 days);
        if (isIn("lapsed")) lapse(address(term));
        if (isIn("review") || isIn("unsettled")) reportLossOfTerm(390_000 * DOLLAR);
        if (isIn("unsettled")) skip(1 days);
        if (isIn("winding")) bookLoss(390_000 * DOLLAR);
        if (isIn("paused")) {
            vm.prank(guardian);
            term.pause();
        }
        if (isIn("closed")) closeProduct("time");
    }

    /// @dev Vault and time deposit have the same call.
    function lapse(address product) private {
        vm.prank(owner);
        DemandVault(product).setEvidence("document", time() + 1);
        skip(1);
    }

    // ── Deeds ───────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev Pays a withdrawal at once.
    function deed_instant() external {
        uint256 most = vault.maxWithdraw(alice);
        assertEq(most, vault.instantLiquidity(), "she may have all of it");
        assertTrue(most > 0, "something is available");
        vm.prank(alice);
        vault.withdraw(most, alice, alice);
    }

    /// @dev Takes withdrawal requests, and pays out what is set aside.
    function deed_request() external {
        request(alice, vault.balanceOf(alice));
        assertTrue(claim(bob) > 0, "what was set aside is paid");
    }

    /// @dev Takes deposits again once the reasons are gone that end by themselves, by a report or by a renewal.
    function deed_reopen() external {
        skip(ALL_OVER);
        vm.prank(reporter);
        if (due == 0) {
            vault.renewEvidence("renewed", time() + 390 days);
            reportGain(0);
            depositFor(alice, 10 * DOLLAR);
        } else {
            term.renewEvidence("renewed", time() + 390 days);
            openFor(alice, WEEK, 10 * DOLLAR);
        }
    }

    /// @dev Pays principal and interest of a matured receipt.
    function deed_close() external {
        skip(12 hours);
        assertTrue(closeFor(alice, due) > 500_000 * DOLLAR, "with its interest");
    }

    /// @dev Pays a receipt before maturity.
    function deed_early() external {
        vm.prank(alice);
        assertTrue(term.exitEarly(early, 100_000 * DOLLAR, 0) > 0, "a part leaves");
    }

    /// @dev Pays every receipt the same part of what is recovered.
    function deed_share() external {
        uint256 first = part(due);
        assertTrue(first > 0 && first == part(early), "the same part of each principal");
    }

    function part(uint256 id) private returns (uint256) {
        vm.prank(alice);
        return term.claim(id);
    }

    // ── The file ────────────────────────────────────────────────────────────────────────────────────────────────────

    function isIn(string memory condition) private view returns (bool) {
        return has(conditions, condition);
    }

    function has(string memory words, string memory word) private pure returns (bool) {
        string[] memory all = vm.split(words, " ");
        for (uint256 i = 0; i < all.length; ++i) {
            if (same(all[i], word)) return true;
        }
        return false;
    }

    function same(string memory one, string memory other) private pure returns (bool) {
        return keccak256(bytes(one)) == keccak256(bytes(other));
    }
}
