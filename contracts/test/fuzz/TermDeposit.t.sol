// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TermDeposit} from "../../src/TermDeposit.sol";
import {Calendar} from "../../src/term/Calendar.sol";
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
        uint256 paid = leaving < maturity ? term.exitEarly(id, quoted) : term.close(id);
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
        (bool left,) = address(term).call(abi.encodeCall(term.exitEarly, (id, 0)));
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
