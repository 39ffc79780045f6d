// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Calendar: when a term ends, in UTC and in the Gregorian calendar
///
/// @notice Days and weeks are counted in seconds; a month or year ends on the same day of the month at the same time of
/// day, or on the last day of the month where there is no such day (31 January + 1 month = 28 or 29 February).
library Calendar {
    uint8 internal constant DAY = 0;
    uint8 internal constant WEEK = 1;
    uint8 internal constant MONTH = 2;
    uint8 internal constant YEAR = 3;

    /// @dev Days from 1 March of the year 0 to 1 January 1970.
    uint256 private constant _EPOCH = 719_468;
    uint256 private constant _DAYS_IN_400_YEARS = 146_097;

    /// @notice The end of a term that begins at `time`.
    /// @param time Unix time, below 2^40
    /// @param count below 2^16
    /// @param unit DAY, WEEK, MONTH or YEAR
    function add(uint256 time, uint256 count, uint256 unit) internal pure returns (uint256) {
        // Nothing comes near an overflow for the ranges above, and no difference is negative from 1970 on.
        unchecked {
            if (unit == DAY) return time + count * 1 days;
            if (unit == WEEK) return time + count * 1 weeks;

            (uint256 year, uint256 month, uint256 day) = civil(time / 1 days);
            uint256 months = year * 12 + month - 1 + (unit == MONTH ? count : count * 12);
            uint256 first = firstOf(months);
            uint256 length = firstOf(months + 1) - first;
            return (first + (day < length ? day : length) - 1) * 1 days + time % 1 days;
        }
    }

    /// @notice The date of a day, by H. Hinnant's `civil_from_days`: years begin in March, so that a leap day is the
    /// last.
    /// @param number days since 1 January 1970
    /// @return year as it is written
    /// @return month 1 to 12
    /// @return day 1 to 31
    function civil(uint256 number) internal pure returns (uint256 year, uint256 month, uint256 day) {
        unchecked {
            number += _EPOCH;
            uint256 dayOfEra = number % _DAYS_IN_400_YEARS;
            uint256 yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
            uint256 dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
            uint256 fromMarch = (5 * dayOfYear + 2) / 153;
            day = dayOfYear - (153 * fromMarch + 2) / 5 + 1;
            month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
            year = yearOfEra + number / _DAYS_IN_400_YEARS * 400 + (month < 3 ? 1 : 0);
        }
    }

    /// @notice The first day of a month, in days since 1 January 1970 (`days_from_civil`).
    /// @param months since January of the year 0
    function firstOf(uint256 months) internal pure returns (uint256) {
        unchecked {
            // Counted from March, as above.
            months -= 2;
            uint256 year = months / 12;
            return 365 * year + year / 4 - year / 100 + year / 400 + (153 * (months % 12) + 2) / 5 - _EPOCH;
        }
    }
}
