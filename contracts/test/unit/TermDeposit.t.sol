// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessManaged} from "@openzeppelin/contracts/access/manager/IAccessManaged.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Errors, IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IdentityRegistry} from "../../src/IdentityRegistry.sol";
import {ProductRegistry} from "../../src/ProductRegistry.sol";
import {TermDeposit} from "../../src/TermDeposit.sol";
import {IRenderer} from "../../src/interfaces/IRenderer.sol";
import {Calendar} from "../../src/term/Calendar.sol";
import {Receipts} from "../../src/term/Receipts.sol";
import {TermEvents} from "../../src/term/TermEvents.sol";
import {TermWorld} from "../support/TermWorld.sol";

/// @dev Terms, limits and opening: a case per path and per error.
contract TermDepositTest is TermWorld {
    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    function setUp() public {
        deployTermWorld();
    }

    /// @dev Opening fails with `reason` and nothing has changed.
    function refused(address account, uint256 termId, uint256 principal, uint256 latest, bytes memory reason) private {
        fundTerm(account, principal);
        uint256 before = dollar.balanceOf(account);
        bytes32 books = keccak256(abi.encode(term.books()));
        vm.expectRevert(reason);
        vm.prank(account);
        term.open(termId, principal, latest);
        assertEq(dollar.balanceOf(account), before, "money");
        assertEq(keccak256(abi.encode(term.books())), books, "accounts");
    }

    function refused(address account, uint256 termId, uint256 principal, bytes memory reason) private {
        refused(account, termId, principal, NEVER, reason);
    }

    // ── Deployment ──────────────────────────────────────────────────────────────────────────────────────────────────

    function test_it_says_what_never_changes() public view {
        assertEq(term.asset(), address(dollar), "asset");
        assertEq(term.custodian(), custodian, "custodian");
        assertEq(term.buffer(), BUFFER, "buffer");
        assertEq(address(term.identityRegistry()), address(identities), "identities");
        assertEq(address(term.productRegistry()), address(products), "products");
        (uint256 cap, uint256 minDeposit, uint256 pausedUntil) = term.limits();
        assertEq(cap, TERM_CAP, "cap");
        assertEq(minDeposit, TERM_MIN, "minDeposit");
        assertEq(pausedUntil, 0, "pausedUntil");
        assertTrue(term.supportsInterface(type(IERC721).interfaceId), "ERC-721");
    }

    function test_parameters_out_of_range_are_refused() public {
        TermDeposit.Parameters[4] memory bad =
            [termParameters(1), termParameters(1), termParameters(1), termParameters(1)];
        bad[0].buffer = WAD + 1;
        bad[1].custodian = address(0);
        bad[2].renderer = IRenderer(alice);
        bad[3].cap = 1 << 104;
        for (uint256 i = 0; i < 3; ++i) {
            vm.expectRevert(TermEvents.InvalidParameters.selector);
            createTerm(IERC20(address(dollar)), identities, bad[i]);
        }
        vm.expectRevert(abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, 104, 1 << 104));
        createTerm(IERC20(address(dollar)), identities, bad[3]);
        TermDeposit.Parameters memory good = termParameters(1);
        good.buffer = WAD;
        createTerm(IERC20(address(dollar)), identities, good);
        // Not to itself, where it would count what it has twice.
        good.custodian = vm.computeCreateAddress(address(this), vm.getNonce(address(this)));
        vm.expectRevert(TermEvents.InvalidParameters.selector);
        createTerm(IERC20(address(dollar)), identities, good);
        good.custodian = custodian;
        vm.expectRevert(TermEvents.InvalidParameters.selector);
        createTerm(IERC20(alice), identities, good);
        vm.expectRevert(TermEvents.InvalidParameters.selector);
        createTerm(IERC20(address(dollar)), IdentityRegistry(alice), good);
        products = ProductRegistry(alice);
        vm.expectRevert(TermEvents.InvalidParameters.selector);
        createTerm(IERC20(address(dollar)), identities, good);
    }

    // ── Terms ───────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_new_term_says_so_and_stands_as_given() public {
        vm.expectEmit(address(term));
        emit TermEvents.TermAdded(4, 6, Calendar.MONTH, 0.07e18, 0.02e18, 0.1e18);
        vm.expectEmit(address(term));
        emit TermEvents.TermChanged(4, 77, false);
        vm.prank(owner);
        assertEq(term.addTerm(6, Calendar.MONTH, 0.07e18, 0.02e18, 0.1e18, 77, false), 4, "its id");
        TermDeposit.Term memory made = term.termOf(4);
        assertEq(made.count, 6, "count");
        assertEq(made.unit, Calendar.MONTH, "unit");
        assertEq(made.rate, 0.07e18, "rate");
        assertEq(made.breakRate, 0.02e18, "breakRate");
        assertEq(made.penalty, 0.1e18, "penalty");
        assertEq(made.cap, 77, "cap");
        assertTrue(!made.open, "open");
        assertEq(made.principal, 0, "principal");
    }

    function refusedTerm(uint16 count, uint8 unit, uint256 rate, uint256 breakRate, uint256 penalty) private {
        vm.expectRevert(TermEvents.InvalidParameters.selector);
        addTerm(term, count, unit, rate, breakRate, penalty);
    }

    function checkMaturity(uint256 termId, uint256 today, uint256 then) private {
        vm.warp(today * 1 days + 45_296);
        (uint256 maturity,) = term.quote(termId, 1_000 * DOLLAR);
        assertEq(maturity, then * 1 days + 45_296, "maturity");
    }

    function test_a_month_and_a_year_keep_to_the_calendar_past_each_century() public {
        // Days since 1970: the end of January to that of February, over a year with and one without a leap day.
        checkMaturity(MONTH, 46_051, 46_080); // 2096-01-31 to 2096-02-29
        checkMaturity(MONTH, 47_512, 47_540); // 2100-01-31 to 2100-02-28
        checkMaturity(MONTH, 47_541, 47_572); // 2100-03-01 to 2100-04-01
        checkMaturity(MONTH, 84_005, 84_036); // 2199-12-31 to 2200-01-31
        checkMaturity(MONTH, 84_036, 84_064); // 2200-01-31 to 2200-02-28
        checkMaturity(MONTH, 120_560, 120_588); // 2300-01-31 to 2300-02-28
        checkMaturity(MONTH, 157_084, 157_113); // 2400-01-31 to 2400-02-29
        checkMaturity(YEAR, 46_080, 46_445); // 2096-02-29 to 2097-02-28
        checkMaturity(YEAR, 47_175, 47_540); // 2099-02-28 to 2100-02-28
        checkMaturity(YEAR, 47_540, 47_905); // 2100-02-28 to 2101-02-28
        checkMaturity(YEAR, 120_223, 120_588); // 2299-02-28 to 2300-02-28
        checkMaturity(YEAR, 157_113, 157_478); // 2400-02-29 to 2401-02-28
        checkMaturity(YEAR, 157_114, 157_479); // 2400-03-01 to 2401-03-01
    }

    function lengthOf(uint256 year, uint256 month) private pure returns (uint256) {
        if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
        return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
    }

    /// @dev From the first and each day after the 27th of a month that begins on day `first`.
    function checkMonth(uint256 first, uint256 year, uint256 month) private {
        uint256 length = lengthOf(year, month);
        uint256 nextLength = lengthOf(year, month % 12 + 1);
        uint256 lengthThen = lengthOf(year + 1, month);
        uint256 yearLength = lengthOf(month < 3 ? year : year + 1, 2) + 337;
        for (uint256 day = 1; day <= length; day = day == 1 ? 28 : day + 1) {
            checkMaturity(MONTH, first + day - 1, first + length + (day < nextLength ? day : nextLength) - 1);
            checkMaturity(YEAR, first + day - 1, first + yearLength + (day < lengthThen ? day : lengthThen) - 1);
        }
    }

    function test_a_month_and_a_year_end_by_the_lengths_of_the_months_alone() public {
        uint256 first = 20_819; // 2027-01-01
        for (uint256 year = 2027; year < 2405; ++year) {
            for (uint256 month = 1; month <= 12; ++month) {
                // Six years, and those on both sides of each century.
                if (year < 2033 || (year + 4) % 100 < 9) checkMonth(first, year, month);
                first += lengthOf(year, month);
            }
        }
    }

    function test_a_term_out_of_range_is_refused() public {
        refusedTerm(0, Calendar.DAY, 0.06e18, 0, 0);
        refusedTerm(1, 4, 0.06e18, 0, 0);
        refusedTerm(3654, Calendar.DAY, 0.06e18, 0, 0);
        refusedTerm(522, Calendar.WEEK, 0.06e18, 0, 0);
        refusedTerm(121, Calendar.MONTH, 0.06e18, 0, 0);
        refusedTerm(11, Calendar.YEAR, 0.06e18, 0, 0);
        refusedTerm(1, Calendar.YEAR, 0, 0, 0);
        refusedTerm(1, Calendar.YEAR, WAD + 1, 0, 0);
        refusedTerm(1, Calendar.YEAR, 0.06e18, 0.06e18, 0);
        refusedTerm(1, Calendar.YEAR, 0.06e18, 0, 0.1e18 + 1);
        addTerm(term, 10, Calendar.YEAR, 0.1998e18, 0.1998e18 - 1, 0.1e18);
        addTerm(term, 1, Calendar.YEAR, WAD, WAD - 1, 0.1e18);
        addTerm(term, 3652, Calendar.DAY, 1, 0, 0);
    }

    function test_a_terms_interest_is_at_most_twice_the_principal_to_the_last_digit_of_its_rate() public {
        // 1e18 · 730 / 741, rounded down: 741 times the next rate is 11 above 730e18.
        addTerm(term, 741, Calendar.DAY, 985_155_195_681_511_470, 0, 0);
        refusedTerm(741, Calendar.DAY, 985_155_195_681_511_471, 0, 0);
    }

    function test_a_terms_cap_and_opening_can_be_changed_and_nothing_else_of_it() public {
        TermDeposit.Term memory before = term.termOf(MONTH);
        vm.expectEmit(address(term));
        emit TermEvents.TermChanged(MONTH, 5, false);
        vm.prank(owner);
        term.setTerm(MONTH, 5, false);
        TermDeposit.Term memory then = term.termOf(MONTH);
        assertTrue(then.cap == 5 && !then.open, "changed");
        (then.cap, then.open) = (before.cap, before.open);
        assertEq(keccak256(abi.encode(then)), keccak256(abi.encode(before)), "the rest");
        vm.expectRevert(abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, 104, 1 << 104));
        vm.prank(owner);
        term.setTerm(MONTH, 1 << 104, true);
    }

    function test_an_unknown_term_is_refused_everywhere() public {
        bytes memory reason = abi.encodeWithSelector(TermEvents.UnknownTerm.selector, 4);
        vm.expectRevert(reason);
        term.termOf(4);
        vm.expectRevert(reason);
        term.quote(4, 1);
        vm.expectRevert(reason);
        vm.prank(owner);
        term.setTerm(4, 1, true);
        refused(alice, 4, 100 * DOLLAR, reason);
        uint256 id = openFor(alice, WEEK, 1_000 * DOLLAR);
        vm.expectRevert(reason);
        vm.prank(alice);
        term.setAutoRoll(id, 4, 0, 1);
        skip(7 days);
        vm.expectRevert(reason);
        vm.prank(alice);
        term.rollover(id, 4, 0, 1);
    }

    // ── Limits and roles ────────────────────────────────────────────────────────────────────────────────────────────

    function test_limits_can_be_set_within_what_is_stored() public {
        vm.expectEmit(address(term));
        emit TermEvents.LimitsChanged(5, 7);
        vm.prank(owner);
        term.setLimits(5, 7);
        (uint256 cap, uint256 minDeposit,) = term.limits();
        assertTrue(cap == 5 && minDeposit == 7, "limits");
        vm.expectRevert(abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, 104, 1 << 104));
        vm.prank(owner);
        term.setLimits(1, 1 << 104);
    }

    function test_each_call_of_a_role_is_refused_to_everyone_else() public {
        bytes[9] memory calls = [
            abi.encodeCall(term.addTerm, (1, Calendar.DAY, 0.06e18, 0, 0, 1, true)),
            abi.encodeCall(term.setTerm, (0, 1, true)),
            abi.encodeCall(term.setLimits, (1, 1)),
            abi.encodeCall(term.unpause, ()),
            abi.encodeCall(term.pause, ()),
            abi.encodeCall(term.bookLoss, (1, "evidence")),
            abi.encodeCall(term.deploy, (1)),
            abi.encodeCall(term.fundInterest, (1)),
            abi.encodeCall(term.withdrawInterest, (1))
        ];
        address[5] memory callers = [owner, guardian, reporter, treasurer, alice];
        // Whom each call belongs to, as an index of `callers`.
        uint8[9] memory holders = [0, 0, 0, 0, 1, 2, 3, 3, 3];
        for (uint256 i = 0; i < calls.length; ++i) {
            for (uint256 j = 0; j < callers.length; ++j) {
                if (holders[i] == j) continue;
                vm.prank(callers[j]);
                (bool done, bytes memory answer) = address(term).call(calls[i]);
                assertTrue(!done, "a call of another role");
                bytes memory reason =
                    abi.encodeWithSelector(IAccessManaged.AccessManagedUnauthorized.selector, callers[j]);
                assertEq(keccak256(answer), keccak256(reason), "refused by name");
            }
        }
    }

    function test_a_pause_lapses_after_seven_days_and_rests_for_seven() public {
        vm.expectEmit(address(term));
        emit TermEvents.PausedUntil(START + 7 days);
        vm.prank(guardian);
        term.pause();
        bytes memory reason = abi.encodeWithSelector(TermEvents.PausedLately.selector, START + 7 days);
        skip(7 days - 1);
        refused(alice, WEEK, 1_000 * DOLLAR, reason);
        vm.expectRevert(reason);
        vm.prank(guardian);
        term.pause();
        skip(1);
        openFor(alice, WEEK, 1_000 * DOLLAR);
        skip(7 days - 1);
        vm.expectRevert(reason);
        vm.prank(guardian);
        term.pause();
        skip(1);
        vm.prank(guardian);
        term.pause();
    }

    function test_the_owner_ends_a_pause_and_only_a_running_one() public {
        vm.expectRevert(TermEvents.NotPaused.selector);
        vm.prank(owner);
        term.unpause();
        vm.prank(guardian);
        term.pause();
        vm.prank(owner);
        term.unpause();
        openFor(alice, WEEK, 1_000 * DOLLAR);
        vm.warp(START + 7 days);
        vm.prank(guardian);
        term.pause();
        vm.warp(START + 14 days);
        vm.expectRevert(TermEvents.NotPaused.selector);
        vm.prank(owner);
        term.unpause();
    }

    // ── Opening ─────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_the_example_of_the_product_model() public {
        (uint256 maturity, uint256 interest) = term.quote(QUARTER, 1_000 * DOLLAR);
        assertEq(maturity, START + 90 days, "maturity");
        assertEq(interest, 14_794_520, "14.79452 of interest");
        uint256 id = openFor(alice, QUARTER, 1_000 * DOLLAR);
        assertEq(term.quoteExit(id, START + 30 days), 1_001_643_835, "1 001.643835 on day 30");
        assertEq(term.quoteExit(id, START + 90 days), 1_014_794_520, "at maturity");
    }

    function test_opening_says_so_and_reserves_the_interest() public {
        uint256 free = freeInterest();
        fundTerm(alice, 1_000 * DOLLAR);
        vm.expectEmit(address(term));
        emit TermEvents.Opened(1, alice, QUARTER, 1_000 * DOLLAR, 14_794_520, START, START + 90 days);
        vm.expectEmit(address(term));
        emit IERC721.Transfer(address(0), alice, 1);
        vm.prank(alice);
        assertEq(term.open(QUARTER, 1_000 * DOLLAR, START + 90 days), 1, "id");
        assertEq(term.ownerOf(1), alice, "owner");
        assertEq(dollar.balanceOf(alice), 0, "paid");
        TermDeposit.Books memory books = term.books();
        assertEq(books.cash, RESERVE + 1_000 * DOLLAR, "cash");
        assertEq(books.liabilities, 1_014_794_520, "liabilities");
        assertEq(books.reserved, 14_794_520, "reserved");
        assertEq(freeInterest(), free - 14_794_520, "free");
        assertEq(term.termOf(QUARTER).principal, 1_000 * DOLLAR, "principal of the term");
        TermDeposit.Deposit memory deposit = receiptOf(1);
        assertEq(deposit.principal, 1_000 * DOLLAR, "principal");
        assertEq(deposit.openedAt, START, "openedAt");
        assertEq(deposit.maturity, START + 90 days, "maturity");
        assertEq(deposit.termId, QUARTER, "term");
        assertEq(deposit.status, Receipts.ACTIVE, "status");
        assertEq(openFor(bob, WEEK, 1_000 * DOLLAR), 2, "the next id");
    }

    function test_a_month_ends_on_the_same_day_clamped() public {
        // 31 January 2028, 12:34:56.
        vm.warp(1_832_934_896);
        (uint256 maturity, uint256 interest) = term.quote(MONTH, 1_000 * DOLLAR);
        assertEq(maturity, 1_832_934_896 + 29 days, "29 February, 12:34:56");
        assertEq(interest, 1_000 * DOLLAR * 4 * 29 / 36_500, "29 days of interest");
    }

    function test_zero_is_refused() public {
        refused(alice, QUARTER, 0, abi.encodeWithSelector(TermEvents.ZeroAmount.selector));
    }

    function test_below_the_smallest_deposit_is_refused() public {
        bytes memory reason =
            abi.encodeWithSelector(TermEvents.BelowMinimumDeposit.selector, TERM_MIN - 1, TERM_MIN);
        refused(alice, QUARTER, TERM_MIN - 1, reason);
        openFor(alice, QUARTER, TERM_MIN);
    }

    function test_dust_that_would_earn_nothing_is_refused() public {
        vm.prank(owner);
        term.setLimits(TERM_CAP, 0);
        // 1 738 units for a week at 3 % earn 0.99999 of a unit.
        refused(alice, WEEK, 1_738, abi.encodeWithSelector(TermEvents.EarnsNothing.selector, 1_738));
        openFor(alice, WEEK, 1_739);
    }

    function test_more_than_fits_is_refused() public {
        vm.prank(owner);
        term.setLimits((1 << 104) - 1, 0);
        uint256 principal = 1 << 96;
        bytes memory reason = abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, 96, principal);
        refused(alice, WEEK, principal, reason);
    }

    function test_the_cap_of_the_product_bounds_all_principal_to_the_unit() public {
        vm.prank(owner);
        term.setLimits(1_000 * DOLLAR, TERM_MIN);
        openFor(bob, QUARTER, 600 * DOLLAR);
        bytes memory reason =
            abi.encodeWithSelector(TermEvents.CapExceeded.selector, 400 * DOLLAR + 1, 400 * DOLLAR);
        refused(alice, WEEK, 400 * DOLLAR + 1, reason);
        openFor(alice, WEEK, 400 * DOLLAR);
        vm.prank(owner);
        term.setLimits(1, 0);
        refused(alice, WEEK, TERM_MIN, abi.encodeWithSelector(TermEvents.CapExceeded.selector, TERM_MIN, 0));
    }

    function test_the_cap_of_a_term_bounds_its_principal_and_frees_it_again() public {
        vm.prank(owner);
        term.setTerm(WEEK, 500 * DOLLAR, true);
        uint256 id = openFor(bob, WEEK, 400 * DOLLAR);
        bytes memory reason = abi.encodeWithSelector(TermEvents.CapExceeded.selector, 100 * DOLLAR + 1, 100 * DOLLAR);
        refused(alice, WEEK, 100 * DOLLAR + 1, reason);
        openFor(alice, QUARTER, 400 * DOLLAR);
        skip(7 days);
        closeFor(bob, id);
        openFor(alice, WEEK, 500 * DOLLAR);
    }

    function test_a_term_that_is_not_open_is_refused() public {
        vm.prank(owner);
        term.setTerm(WEEK, TERM_CAP, false);
        refused(alice, WEEK, 100 * DOLLAR, abi.encodeWithSelector(TermEvents.TermNotOpen.selector, WEEK));
    }

    function test_interest_that_is_not_funded_is_not_promised() public {
        uint256 interest = 1_000_000 * DOLLAR * 8 / 100;
        openFor(bob, YEAR, 1_000_000 * DOLLAR);
        uint256 free = RESERVE - interest;
        bytes memory reason = abi.encodeWithSelector(TermEvents.ReserveExhausted.selector, interest, free);
        refused(alice, YEAR, 1_000_000 * DOLLAR, reason);
        fundReserve(interest - free - 1);
        reason = abi.encodeWithSelector(TermEvents.ReserveExhausted.selector, interest, interest - 1);
        refused(alice, YEAR, 1_000_000 * DOLLAR, reason);
        fundReserve(1);
        openFor(alice, YEAR, 1_000_000 * DOLLAR);
        assertEq(freeInterest(), 0, "nothing is free");
    }

    function test_a_maturity_later_than_the_caller_had_in_mind_is_refused() public {
        uint256 latest = START + 7 days - 1;
        bytes memory reason = abi.encodeWithSelector(TermEvents.MaturityTooLate.selector, START + 7 days, latest);
        refused(alice, WEEK, 100 * DOLLAR, latest, reason);
    }

    function test_wallets_without_a_live_record_are_refused() public {
        revoke(bob);
        freeze(alice, true);
        address[3] memory wallets = [carol, bob, alice];
        for (uint256 i = 0; i < 3; ++i) {
            bytes memory reason = abi.encodeWithSelector(TermEvents.ERC7943CannotReceive.selector, wallets[i]);
            refused(wallets[i], WEEK, 100 * DOLLAR, reason);
        }
    }

    function test_a_product_that_is_not_listed_takes_nothing() public {
        term = createTerm(IERC20(address(dollar)), identities, termParameters(0));
        authorize(term);
        addTerms(term);
        fundReserve(RESERVE);
        refused(alice, WEEK, 100 * DOLLAR, abi.encodeWithSelector(TermEvents.ProductNotOpen.selector));
    }

    function test_money_that_is_not_there_or_not_allowed_is_refused_by_the_asset() public {
        dollar.mint(alice, 100 * DOLLAR);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(term), 0, 100 * DOLLAR)
        );
        vm.prank(alice);
        term.open(WEEK, 100 * DOLLAR, NEVER);
    }

    // ── Permit ──────────────────────────────────────────────────────────────────────────────────────────────────────

    function permit(uint256 key, uint256 amount, uint256 deadline) private view returns (uint8, bytes32, bytes32) {
        bytes32 content =
            keccak256(abi.encode(PERMIT, alice, address(term), amount, dollar.nonces(alice), deadline));
        return vm.sign(key, MessageHashUtils.toTypedDataHash(dollar.DOMAIN_SEPARATOR(), content));
    }

    function test_opening_by_permit_needs_no_approval() public {
        dollar.mint(alice, 100 * DOLLAR);
        (uint8 v, bytes32 r, bytes32 s) = permit(ALICE_KEY, 100 * DOLLAR, START);
        vm.prank(alice);
        assertEq(term.openWithPermit(WEEK, 100 * DOLLAR, NEVER, START, v, r, s), 1, "id");
    }

    function test_a_permit_someone_else_sent_first_does_no_harm() public {
        dollar.mint(alice, 100 * DOLLAR);
        (uint8 v, bytes32 r, bytes32 s) = permit(ALICE_KEY, 100 * DOLLAR, START);
        vm.prank(bob);
        dollar.permit(alice, address(term), 100 * DOLLAR, START, v, r, s);
        vm.prank(alice);
        assertEq(term.openWithPermit(WEEK, 100 * DOLLAR, NEVER, START, v, r, s), 1, "id");
    }

    function test_an_expired_or_forged_permit_is_refused_by_name() public {
        dollar.mint(alice, 100 * DOLLAR);
        (uint8 v, bytes32 r, bytes32 s) = permit(ALICE_KEY, 100 * DOLLAR, START - 1);
        vm.expectRevert(TermEvents.PermitRefused.selector);
        vm.prank(alice);
        term.openWithPermit(WEEK, 100 * DOLLAR, NEVER, START - 1, v, r, s);
        (v, r, s) = permit(BOB_KEY, 100 * DOLLAR, START);
        vm.expectRevert(TermEvents.PermitRefused.selector);
        vm.prank(alice);
        term.openWithPermit(WEEK, 100 * DOLLAR, NEVER, START, v, r, s);
    }

    function test_nobody_opens_with_anothers_permit() public {
        dollar.mint(alice, 100 * DOLLAR);
        (uint8 v, bytes32 r, bytes32 s) = permit(ALICE_KEY, 100 * DOLLAR, START);
        vm.expectRevert(TermEvents.PermitRefused.selector);
        vm.prank(bob);
        term.openWithPermit(WEEK, 100 * DOLLAR, NEVER, START, v, r, s);
    }
}
