package io.mysqlpq.trino.key;

import java.time.DateTimeException;
import java.time.LocalDate;

/** Tells which of MySQL's dates are days of the calendar, and which others MySQL accepts as literals. */
record CalendarDay(int year, int month, int day)
{
    // Below, MySQL takes the digits of a date for a shorter form with two digits of the year.
    private static final int FIRST_YEAR_OF_NUMBERS = 1000;

    /** @param date {@code YYYY-MM-DD} */
    static CalendarDay parse(String date)
    {
        return new CalendarDay(Integer.parseInt(date.substring(0, 4)), Integer.parseInt(date.substring(5, 7)), Integer.parseInt(date.substring(8, 10)));
    }

    boolean isZero()
    {
        return year == 0 && month == 0 && day == 0;
    }

    boolean isDay()
    {
        try {
            LocalDate _ = LocalDate.of(year, month, day);
            // MySQL's year 0 is no leap year.
            return year > 0 || month != 2 || day < 29;
        }
        catch (DateTimeException e) {
            return false;
        }
    }

    /** Whether MySQL takes the digits for this date, whatever its sql_mode lets in. */
    boolean isNumber()
    {
        return year >= FIRST_YEAR_OF_NUMBERS && month <= 12 && (month == 0 || day == 0);
    }
}
