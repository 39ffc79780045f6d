// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TermDeposit} from "../../src/TermDeposit.sol";
import {Calendar} from "../../src/term/Calendar.sol";
import {Receipts} from "../../src/term/Receipts.sol";
import {TermEvents} from "../../src/term/TermEvents.sol";
import {TermWorld} from "../support/TermWorld.sol";

contract TermDepositFuzz is TermWorld {
    uint256 private constant YEAR_SECONDS = 365 days;

    function setUp() public {
        deployTermWorld();
        vm.prank(owner);
        term.setLimits((1 << 104) - 1, 0);
    }

    /// @dev A term of random length and rates, without a cap.
    function randomTerm(uint256 a, uint256 b, uint256 c) private returns (uint256 termId) {
        uint16[4] memory longest = [3650, 520, 120, 10];
        uint8 unit = uint8(a % 4);
        uint16 count = uint16(within(a, 1, longest[unit]));
        uint256 highest = 2 * WAD * YEAR_SECONDS / (Calendar.add(START, count, unit) - START);
        uint256 rate = within(b, 1, highest < WAD ? highest : WAD);
        vm.prank(owner);
        return term.addTerm(
            count,
            unit,
            rate,
            within(c, 0, rate - 1),
            within(uint256(keccak256(abi.encode(c))), 0, 0.1e18),
            (1 << 104) - 1,
            true
        );
    }

    function testFuzz_interest_is_the_exact_quotient_rounded_down(uint256 a, uint256 b, uint256 c, uint256 amount)
        public
    {
        uint256 termId = randomTerm(a, b, c);
        uint256 principal = within(amount, 1, (1 << 96) - 1);
        (uint256 maturity, uint256 interest) = term.quote(termId, principal);
        TermDeposit.Term memory t = term.termOf(termId);
        assertEq(maturity, Calendar.add(START, t.count, t.unit), "maturity");
        uint256 numerator = principal * t.rate * (maturity - START);
        uint256 denominator = YEAR_SECONDS * WAD;
        assertTrue(
            interest * denominator <= numerator && numerator < (interest + 1) * denominator, "interest, rounded down"
        );
        if (t.unit == Calendar.DAY) {
            assertEq(interest, principal * t.rate * t.count / (365 * WAD), "P times r times n over 365");
        }
    }

    function testFuzz_quotes_equal_what_happens_whenever_one_leaves(
        uint256 a,
        uint256 b,
        uint256 c,
        uint256 amount,
        uint256 when
    ) public {
        uint256 termId = randomTerm(a, b, c);
        uint256 principal = within(amount, 1, 1e24);
        (uint256 maturity, uint256 interest) = term.quote(termId, principal);
        if (interest == 0) return;
        fundReserve(interest);
        uint256 id = openFor(alice, termId, principal);
        uint256 leaving = within(when, START, maturity + 400 days);
        uint256 quoted = term.quoteExit(id, leaving);
        vm.warp(leaving);
        if (quoted == 0) return;
        vm.prank(alice);
        uint256 paid = leaving < maturity ? term.exitEarly(id, principal, quoted) : term.close(id);
        assertEq(paid, quoted, "as quoted");
        assertEq(dollar.balanceOf(alice), quoted, "received");
        assertAtMost(paid, principal + interest, "never more than at maturity");
        TermDeposit.Term memory t = term.termOf(termId);
        uint256 penalty = (principal * t.penalty + WAD - 1) / WAD;
        assertAtMost(principal, paid + penalty, "never less than the principal without its penalty");
        assertEq(freeInterest(), RESERVE + interest + principal - paid, "the rest is free");
    }

    function testFuzz_leaving_later_never_pays_less(uint256 a, uint256 b, uint256 c, uint256 x, uint256 y) public {
        uint256 termId = randomTerm(a, b, c);
        uint256 principal = 1e15;
        (uint256 maturity, uint256 interest) = term.quote(termId, principal);
        if (interest == 0) return;
        fundReserve(interest);
        uint256 id = openFor(alice, termId, principal);
        uint256 first = within(x, START, maturity);
        uint256 second = within(y, first, maturity);
        assertAtMost(term.quoteExit(id, first), term.quoteExit(id, second), "later pays at least as much");
        assertAtMost(term.quoteExit(id, second), term.quoteExit(id, maturity), "and maturity most");
    }

    function testFuzz_leaving_in_parts_at_one_time_never_pays_more_than_leaving_whole(
        uint256 a,
        uint256 b,
        uint256 c,
        uint256 amount,
        uint256[6] memory parts
    ) public {
        (uint256 id, uint256 maturity) = openRandom(a, b, c, amount);
        if (id == 0) return;
        vm.warp(within(parts[5], START, maturity - 1));
        uint256 whole = term.quoteExit(id, time());
        uint256 total;
        for (uint256 i = 0; i < 5 && receiptOf(id).status == Receipts.ACTIVE; ++i) {
            total += leavePart(id, parts[i], total);
        }
        if (receiptOf(id).status == Receipts.ACTIVE) total += term.quoteExit(id, time());
        assertAtMost(total, whole, "the parts together");
    }

    function testFuzz_parts_and_the_rest_at_maturity_never_pay_more_than_the_whole_at_maturity(
        uint256 a,
        uint256 b,
        uint256 c,
        uint256 amount,
        uint256[5] memory parts,
        uint256[5] memory waits
    ) public {
        (uint256 id, uint256 maturity) = openRandom(a, b, c, amount);
        if (id == 0) return;
        uint256 due = dueOf(id);
        uint256 total;
        for (uint256 i = 0; i < 5 && receiptOf(id).status == Receipts.ACTIVE; ++i) {
            vm.warp(within(waits[i], time(), maturity - 1));
            total += leavePart(id, parts[i], total);
        }
        vm.warp(maturity);
        if (receiptOf(id).status == Receipts.MATURED) total += closeFor(alice, id);
        assertEq(dollar.balanceOf(alice), total, "received");
        assertAtMost(total, due, "all together");
        assertEq(term.books().liabilities, 0, "nothing is owed any more");
    }

    /// @dev A receipt of alice's under a random term; 0 where it would earn nothing.
    function openRandom(uint256 a, uint256 b, uint256 c, uint256 amount) private returns (uint256, uint256 maturity) {
        uint256 termId = randomTerm(a, b, c);
        // Dust as often as large amounts.
        uint256 principal = within(amount, 1, amount % 2 == 0 ? 1e6 : 1e24);
        uint256 interest;
        (maturity, interest) = term.quote(termId, principal);
        if (interest == 0) return (0, maturity);
        fundReserve(interest);
        return (openFor(alice, termId, principal), maturity);
    }

    /// @dev Leaves with a random part, seldom the whole, and checks the accounts. A part or rest too small stays.
    function leavePart(uint256 id, uint256 random, uint256 paidBefore) private returns (uint256 paid) {
        TermDeposit.Deposit memory deposit = receiptOf(id);
        uint256 part = within(random, 1, deposit.principal);
        TermDeposit.Books memory before = term.books();
        vm.prank(alice);
        (bool done, bytes memory answer) = address(term).call(abi.encodeCall(term.exitEarly, (id, part, 0)));
        if (!done) {
            bytes4 reason = bytes4(answer);
            assertTrue(
                reason == TermEvents.EarnsNothing.selector || reason == TermEvents.ZeroAmount.selector,
                "refused for dust only"
            );
            return 0;
        }
        paid = abi.decode(answer, (uint256));
        uint256 rest = deposit.principal - part;
        TermDeposit.Term memory t = term.termOf(deposit.termId);
        uint256 interest = rest * t.rate * (deposit.maturity - deposit.openedAt) / (YEAR_SECONDS * WAD);
        TermDeposit.Books memory books = term.books();
        assertEq(books.cash, before.cash - paid, "cash");
        assertEq(books.reserved, interest, "the interest of the rest is reserved");
        assertEq(books.liabilities, rest + interest, "the rest is owed");
        assertEq(t.principal, rest, "principal of the term");
        assertAtMost(books.liabilities, books.cash, "solvent");
        assertEq(dollar.balanceOf(alice), paidBefore + paid, "received");
    }

    /// @dev Three receipts, a loss, money that trickles back; whoever comes when, each gets the same in the end.
    function testFuzz_in_a_shortfall_the_order_changes_nothing(
        uint256[3] memory amounts,
        uint256 loss,
        uint256 back,
        uint256 order,
        uint256 wait
    ) public {
        uint256[3] memory ids;
        uint256[3] memory dues;
        uint256[3] memory principals;
        uint256 principal;
        for (uint256 i = 0; i < 3; ++i) {
            uint256 amount = within(amounts[i], 10_000, 1e12);
            fundReserve(amount);
            ids[i] = openFor(i == 0 ? alice : bob, i == 1 ? YEAR : WEEK, amount);
            dues[i] = dueOf(ids[i]);
            principals[i] = amount;
            principal += amount;
        }
        uint256 free = freeInterest();
        vm.prank(treasurer);
        term.withdrawInterest(free);
        deployFunds(principal - (principal * BUFFER + WAD - 1) / WAD);
        bookLoss(within(loss, 1, term.books().deployed));
        TermDeposit.Books memory books = term.books();
        assertEq(books.claims, dues[0] + dues[1] + dues[2], "claims");

        // Some draw before the money comes back, some after, some both; a week of interest is earned between.
        uint256 received = books.cash;
        skip(7 days + within(wait, 0, 30 days));
        draw(ids, order);
        uint256 repaid = within(back, 1, 2 * books.claims);
        fundTerm(custodian, repaid);
        repayFunds(repaid);
        received += repaid;
        if (received > books.claims) received = books.claims;
        draw(ids, order >> 8);
        skip(400 days);
        draw(ids, type(uint256).max);
        uint256 total;
        for (uint256 i = 0; i < 3; ++i) {
            (, uint256 paid) = term.receiptOf(ids[i]);
            uint256 share = received < principal
                ? principals[i] * received / principal
                : principals[i] + (dues[i] - principals[i]) * (received - principal) / books.reserved;
            assertEq(paid, share, "the same fraction");
            total += paid;
        }
        assertAtMost(total, received, "of what there was");
    }

    /// @dev Bits of `order` say who draws; its next bits in which order.
    function draw(uint256[3] memory ids, uint256 order) private {
        for (uint256 i = 0; i < 3; ++i) {
            uint256 k = (order >> 3) % 2 == 0 ? i : 2 - i;
            if (order >> k & 1 == 0 || term.claimable(ids[k]) == 0) continue;
            vm.prank(term.ownerOf(ids[k]));
            term.claim(ids[k]);
        }
    }

    function testFuzz_at_the_second_of_maturity_and_around_it(uint256 a, uint256 amount, uint256 around) public {
        uint256 termId = a % 4;
        uint256 principal = within(amount, 1e6, 1e12);
        (, uint256 interest) = term.quote(termId, principal);
        fundReserve(interest);
        uint256 id = openFor(alice, termId, principal);
        uint256 maturity = maturityOf(id);
        vm.warp(maturity - 1 + around % 3);
        bool matured = around % 3 != 0;
        vm.prank(alice);
        (bool closed,) = address(term).call(abi.encodeCall(term.close, (id)));
        assertTrue(closed == matured, "close");
        vm.prank(alice);
        (bool left,) = address(term).call(abi.encodeCall(term.exitEarly, (id, principal, 0)));
        assertTrue(left == !matured, "exitEarly");
    }

    function testFuzz_a_donation_changes_nothing(uint256 donation, uint256 amount) public {
        uint256 principal = within(amount, 1e6, 1e12);
        uint256 id = openFor(alice, WEEK, principal);
        bytes32 before = keccak256(abi.encode(term.books(), term.coverage(), dueOf(id)));
        dollar.mint(address(term), within(donation, 1, 1e30));
        assertEq(keccak256(abi.encode(term.books(), term.coverage(), dueOf(id))), before, "nothing changes");
    }
}
