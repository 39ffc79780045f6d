// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessManaged} from "@openzeppelin/contracts/access/manager/IAccessManaged.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {TermDeposit} from "../../src/TermDeposit.sol";
import {TermEvents} from "../../src/term/TermEvents.sol";
import {TermWorld} from "../support/TermWorld.sol";
import {Vm} from "../support/Vm.sol";

/// @dev Until when a time deposit's evidence stands, and what stops when it does not.
contract TermDepositEvidenceTest is TermWorld {
    uint64 private constant UNTIL = START + 8 days;

    function setUp() public {
        deployWorld();
        TermDeposit.Parameters memory p = termParameters(TERM_MIN);
        p.evidenceUntil = UNTIL;
        term = createTerm(IERC20(address(dollar)), identities, p);
        listAndAuthorize("watched", term, IERC20(address(dollar)));
        addTerms(term);
        fundReserve(RESERVE);
    }

    function openWeek() private returns (uint256) {
        return openFor(alice, WEEK, 1_000 * DOLLAR);
    }

    function renew(bytes32 document, uint64 until) private {
        vm.prank(reporter);
        term.renewEvidence(document, until);
    }

    function refuses(bytes memory call, address caller) private {
        vm.expectRevert(abi.encodeWithSelector(TermEvents.EvidenceLapsed.selector, UNTIL));
        vm.prank(caller);
        (bool done,) = address(term).call(call);
        done;
    }

    function test_openings_stop_by_themselves_at_the_second_the_evidence_lapses() public {
        vm.warp(UNTIL - 1);
        openWeek();
        vm.warp(UNTIL);
        fundTerm(alice, 1_000 * DOLLAR);
        refuses(abi.encodeCall(term.open, (WEEK, 1_000 * DOLLAR, NEVER)), alice);
        uint8 v;
        bytes32 none;
        // The allowance stands in for the permit.
        refuses(abi.encodeCall(term.openWithPermit, (WEEK, 1_000 * DOLLAR, NEVER, 0, v, none, none)), alice);
    }

    function test_so_does_every_new_term_also_an_automatic_one() public {
        uint256 id = openWeek();
        vm.prank(alice);
        term.setAutoRoll(id, WEEK, 0, 2);
        vm.warp(UNTIL);
        refuses(abi.encodeCall(term.rollover, (id, WEEK, 0, 1)), alice);
        refuses(abi.encodeCall(term.autoRoll, (id)), carol);
        // The instruction itself can be given and taken back.
        vm.prank(alice);
        term.setAutoRoll(id, MONTH, 0, 1);
        renew("new document", UNTIL + 1);
        vm.prank(carol);
        term.autoRoll(id);
    }

    function test_exits_never_stop() public {
        uint256 matured = openWeek();
        uint256 running = openFor(alice, YEAR, 1_000 * DOLLAR);
        uint256 sent = openFor(alice, YEAR, 1_000 * DOLLAR);
        vm.warp(UNTIL);
        assertEq(closeFor(alice, matured), 1_000 * DOLLAR + 575_342, "close");
        uint256 out = term.quoteExit(running, time());
        vm.prank(alice);
        assertEq(term.exitEarly(running, 1_000 * DOLLAR, out), out, "early exit");
        vm.prank(alice);
        term.transferFrom(alice, bob, sent);
        assertEq(term.ownerOf(sent), bob, "transfer");
    }

    function test_demands_and_claims_never_stop() public {
        uint256 id = openWeek();
        deployFunds(800 * DOLLAR);
        uint256 free = freeInterest();
        vm.prank(treasurer);
        term.withdrawInterest(free - 200 * DOLLAR);
        vm.warp(UNTIL);
        term.demand(id);
        skip(3 days);
        term.demand(id);
        assertTrue(term.books().claims > 0, "wound down");
        uint256 part = term.claimable(id);
        assertTrue(part > 0, "there is some cash");
        vm.prank(alice);
        assertEq(term.claim(id), part, "claim");
    }

    function test_renewing_starts_openings_again() public {
        vm.warp(UNTIL);
        uint64 until = time() + 400 days;
        vm.expectEmit(address(term));
        emit TermEvents.EvidenceRenewed("new document", until);
        renew("new document", until);
        assertEq(term.evidenceUntil(), until, "evidenceUntil");
        openWeek();
    }

    function test_renewing_needs_a_document_and_a_later_time_within_four_hundred_days() public {
        vm.expectRevert(TermEvents.InvalidParameters.selector);
        renew(0, UNTIL + 1);
        vm.expectRevert(TermEvents.InvalidParameters.selector);
        renew("document", UNTIL);
        uint64 most = time() + 400 days;
        vm.expectRevert(TermEvents.InvalidParameters.selector);
        renew("document", most + 1);
        renew("document", most);
        // Later than before, and yet past.
        vm.warp(most + 2);
        vm.expectRevert(TermEvents.InvalidParameters.selector);
        renew("document", most + 2);
        renew("document", most + 3);
    }

    function test_the_owner_may_also_shorten_it() public {
        uint64 until = time() + 1;
        vm.expectRevert(TermEvents.InvalidParameters.selector);
        vm.prank(owner);
        term.setEvidence("document", until - 1);
        vm.expectRevert(TermEvents.InvalidParameters.selector);
        vm.prank(owner);
        term.setEvidence(0, until);
        vm.prank(owner);
        term.setEvidence("document", until);
        openWeek();
        skip(1);
        fundTerm(alice, 1_000 * DOLLAR);
        vm.expectRevert(abi.encodeWithSelector(TermEvents.EvidenceLapsed.selector, until));
        vm.prank(alice);
        term.open(WEEK, 1_000 * DOLLAR, NEVER);
    }

    function test_nobody_else_renews_it() public {
        bytes memory refused = abi.encodeWithSelector(IAccessManaged.AccessManagedUnauthorized.selector, guardian);
        vm.expectRevert(refused);
        vm.prank(guardian);
        term.renewEvidence("document", UNTIL + 1);
        vm.expectRevert(refused);
        vm.prank(guardian);
        term.setEvidence("document", UNTIL + 1);
    }

    function test_a_product_without_devices_has_none_to_lapse() public {
        vm.recordLogs();
        term = deployTerm("plain", IERC20(address(dollar)), TERM_MIN);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            assertTrue(logs[i].topics[0] != TermEvents.EvidenceRenewed.selector, "and says nothing of it");
        }
        assertEq(term.evidenceUntil(), 0, "none");
        vm.expectRevert(TermEvents.InvalidParameters.selector);
        renew("document", UNTIL);
        vm.expectRevert(TermEvents.InvalidParameters.selector);
        vm.prank(owner);
        term.setEvidence("document", UNTIL);
        addTerms(term);
        fundReserve(RESERVE);
        skip(1_000 days);
        openWeek();
    }

    function test_a_new_product_says_until_when_and_at_most_four_hundred_days_ahead() public {
        TermDeposit.Parameters memory p = termParameters(TERM_MIN);
        p.evidenceUntil = time() + 400 days + 1;
        vm.expectRevert(TermEvents.InvalidParameters.selector);
        createTerm(IERC20(address(dollar)), identities, p);
        p.evidenceUntil = time() + 400 days;
        TermDeposit made = createTerm(IERC20(address(dollar)), identities, p);
        assertEq(made.evidenceUntil(), p.evidenceUntil, "evidenceUntil");
    }
}
