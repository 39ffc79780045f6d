// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Calendar} from "../../src/term/Calendar.sol";
import {Test} from "../support/Test.sol";

/// @dev The calendar against one that knows nothing but the lengths of months and counts days one month at a time.
contract TermCalendarFuzz is Test {
    function lengthOf(uint256 year, uint256 month) private pure returns (uint256) {
        if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
        return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
    }

    function count(uint256 number) private pure returns (uint256 year, uint256 month, uint256 day) {
        (year, month) = (1970, 1);
        while (number >= lengthOf(year, month)) {
            number -= lengthOf(year, month);
            (year, month) = month == 12 ? (year + 1, uint256(1)) : (year, month + 1);
        }
        day = number + 1;
    }

    /// @dev The other way: days from the epoch to a date.
    function numberOf(uint256 year, uint256 month, uint256 day) private pure returns (uint256 number) {
        for (uint256 y = 1970; y < year; ++y) {
            number += lengthOf(y, 2) == 29 ? 366 : 365;
        }
        for (uint256 m = 1; m < month; ++m) {
            number += lengthOf(year, m);
        }
        number += day - 1;
    }

    function dated(uint256 year, uint256 month, uint256 day) private pure returns (uint256) {
        return numberOf(year, month, day) * 1 days + 45_296;
    }

    function after_(uint256 year, uint256 month, uint256 day, uint256 months) private pure returns (uint256) {
        return Calendar.add(dated(year, month, day), months, Calendar.MONTH);
    }

    function testFuzz_a_day_has_the_date_that_counting_gives(uint256 random) public pure {
        uint256 number = within(random, 0, 200_000);
        (uint256 year, uint256 month, uint256 day) = Calendar.civil(number);
        (uint256 y, uint256 m, uint256 d) = count(number);
        assertTrue(year == y && month == m && day == d, "the date");
        assertEq(Calendar.firstOf(year * 12 + month - 1), number - (day - 1), "the first of its month");
    }

    function test_each_day_of_430_years_follows_the_day_before() public pure {
        (uint256 year, uint256 month, uint256 day) = Calendar.civil(0);
        assertTrue(year == 1970 && month == 1 && day == 1, "the epoch");
        for (uint256 number = 1; number < 157_060; ++number) {
            (uint256 y, uint256 m, uint256 d) = Calendar.civil(number);
            if (day < lengthOf(year, month)) assertTrue(y == year && m == month && d == day + 1, "the next day");
            else if (month < 12) assertTrue(y == year && m == month + 1 && d == 1, "the next month");
            else assertTrue(y == year + 1 && m == 1 && d == 1, "the next year");
            (year, month, day) = (y, m, d);
        }
    }

    function testFuzz_a_term_ends_on_the_same_day_clamped_to_the_end_of_the_month(
        uint256 random,
        uint256 months,
        bool inYears
    ) public pure {
        uint256 time = within(random, 0, 6_000_000_000);
        months = inYears ? 12 * within(months, 1, 10) : within(months, 1, 120);
        (uint256 year, uint256 month, uint256 day) = count(time / 1 days);
        uint256 total = month - 1 + months;
        (year, month) = (year + total / 12, total % 12 + 1);
        uint256 last = lengthOf(year, month);
        uint256 expected = numberOf(year, month, day < last ? day : last) * 1 days + time % 1 days;
        uint256 end =
            inYears ? Calendar.add(time, months / 12, Calendar.YEAR) : Calendar.add(time, months, Calendar.MONTH);
        assertEq(end, expected, "the end");
    }

    function testFuzz_days_and_weeks_are_counted_in_seconds(uint256 time, uint256 count_) public pure {
        time = within(time, 0, 6_000_000_000);
        count_ = within(count_, 1, 3650);
        assertEq(Calendar.add(time, count_, Calendar.DAY), time + count_ * 86_400, "days");
        assertEq(Calendar.add(time, count_, Calendar.WEEK), time + count_ * 604_800, "weeks");
    }

    function test_the_edges_of_the_calendar() public pure {
        assertEq(after_(2027, 1, 31, 1), dated(2027, 2, 28), "31 January, a common year");
        assertEq(after_(2028, 1, 31, 1), dated(2028, 2, 29), "31 January, a leap year");
        assertEq(after_(2028, 1, 30, 1), dated(2028, 2, 29), "30 January, a leap year");
        assertEq(after_(2027, 3, 31, 1), dated(2027, 4, 30), "31 March");
        assertEq(after_(2027, 12, 31, 2), dated(2028, 2, 29), "over the end of the year");
        assertEq(after_(2027, 2, 28, 1), dated(2027, 3, 28), "the day is not stretched to the end of a longer month");
        assertEq(after_(2028, 2, 29, 12), dated(2029, 2, 28), "29 February and a year");
        assertEq(after_(2028, 2, 29, 48), dated(2032, 2, 29), "29 February and four years");
        assertEq(after_(2099, 12, 31, 2), dated(2100, 2, 28), "2100 is no leap year");
        assertEq(after_(2096, 2, 29, 48), dated(2100, 2, 28), "four years to 2100");
        assertEq(after_(1999, 12, 31, 2), dated(2000, 2, 29), "2000 was one");
        assertEq(after_(2027, 11, 30, 1), dated(2027, 12, 30), "into December");
        assertEq(after_(2027, 12, 1, 1), dated(2028, 1, 1), "into January");
    }
}
