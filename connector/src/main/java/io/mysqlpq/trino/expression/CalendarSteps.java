package io.mysqlpq.trino.expression;

import static java.lang.Math.floorDiv;
import static java.lang.Math.min;

/**
 * Makes the steps that know the Gregorian calendar.
 *
 * <p>They count days from March 1st of the year 0 on, so that a leap day is a year's last one. 400 years have 146,097 days, and then all repeats.
 */
final class CalendarSteps
{
    // Added, so that no day or year is negative: 400 years at a time.
    private static final int ERAS_ADDED = 100;
    private static final int DAYS_PER_ERA = 146_097;
    private static final int YEARS_PER_ERA = 400;
    private static final int DAYS_TO_1970 = 719_468;
    private static final int DAYS_BEFORE_JANUARY = 306;
    private static final int DAYS_IN_JANUARY_AND_FEBRUARY = 59;

    private CalendarSteps()
    {}

    static Step field(CalendarField field, Vector days, Vector result)
    {
        return rows -> {
            result.takeNulls(days);
            long[] values = result.lowFor(rows);
            switch (field) {
                case YEAR -> {
                    for (int row = 0; row < rows; row++) {
                        values[row] = year(new Day(days.low[row]));
                    }
                }
                case MONTH -> {
                    for (int row = 0; row < rows; row++) {
                        values[row] = month(new Day(days.low[row]));
                    }
                }
                case DAY -> {
                    for (int row = 0; row < rows; row++) {
                        values[row] = dayOfMonth(new Day(days.low[row]));
                    }
                }
                case DAY_OF_YEAR -> {
                    for (int row = 0; row < rows; row++) {
                        values[row] = dayOfYear(new Day(days.low[row]));
                    }
                }
            }
        };
    }

    static Step addMonths(Vector days, int months, Vector result)
    {
        return rows -> {
            result.takeNulls(days);
            long[] values = result.lowFor(rows);
            for (int row = 0; row < rows; row++) {
                values[row] = monthsLater(new Day(days.low[row]), months);
            }
        };
    }

    // The compiler keeps it in registers.
    private record Day(int yearFromMarch, int dayFromMarch)
    {
        Day(long day)
        {
            // Days that are NULL may be any numbers, and no array is read by them.
            int shifted = (int) day + DAYS_TO_1970 + ERAS_ADDED * DAYS_PER_ERA;
            int era = shifted / DAYS_PER_ERA;
            int dayOfEra = shifted - era * DAYS_PER_ERA;
            int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
            int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
            this((era - ERAS_ADDED) * YEARS_PER_ERA + yearOfEra, dayOfYear);
        }

        // Months from March on have 31, 30, 31, 30, 31 days, and then the same again.
        int monthFromMarch()
        {
            return (5 * dayFromMarch + 2) / 153;
        }
    }

    private static int year(Day day)
    {
        return day.yearFromMarch() + (day.dayFromMarch() >= DAYS_BEFORE_JANUARY ? 1 : 0);
    }

    private static int month(Day day)
    {
        int month = day.monthFromMarch() + 3;
        return month > 12 ? month - 12 : month;
    }

    private static int dayOfMonth(Day day)
    {
        return day.dayFromMarch() - daysBefore(day.monthFromMarch()) + 1;
    }

    private static int daysBefore(int monthFromMarch)
    {
        return (153 * monthFromMarch + 2) / 5;
    }

    private static int dayOfYear(Day day)
    {
        if (day.dayFromMarch() >= DAYS_BEFORE_JANUARY) {
            return day.dayFromMarch() - DAYS_BEFORE_JANUARY + 1;
        }
        return day.dayFromMarch() + DAYS_IN_JANUARY_AND_FEBRUARY + (isLeap(day.yearFromMarch()) ? 1 : 0) + 1;
    }

    private static boolean isLeap(int year)
    {
        return (year & 3) == 0 && (year % 100 != 0 || year % YEARS_PER_ERA == 0);
    }

    private static long monthsLater(Day day, int months)
    {
        int monthFromMarch = day.monthFromMarch();
        long month = 12L * day.yearFromMarch() + monthFromMarch + months;
        long year = floorDiv(month, 12L);
        int monthOfYear = (int) (month - 12 * year);
        int dayOfMonth = min(dayOfMonth(day), daysIn(monthOfYear, year));
        return 365 * year + floorDiv(year, 4L) - floorDiv(year, 100L) + floorDiv(year, 400L) + daysBefore(monthOfYear) + dayOfMonth - 1 - DAYS_TO_1970;
    }

    // February, the last month, belongs to the year that follows.
    private static int daysIn(int monthFromMarch, long year)
    {
        return monthFromMarch == 11 ? (isLeap((int) year + 1) ? 29 : 28) : daysBefore(monthFromMarch + 1) - daysBefore(monthFromMarch);
    }
}
