package io.mysqlpq.trino.expression;

import java.math.BigInteger;
import java.time.LocalDate;

import static java.util.Locale.ENGLISH;

/** A part of a date. */
public enum CalendarField
{
    YEAR,
    MONTH,
    DAY,
    DAY_OF_YEAR;

    /** Days from 1970 whose calendar both sides compute. */
    static final Interval DAYS = Interval.of(-10_000_000, 10_000_000);

    /** The field's name in the extension's language. */
    String symbol()
    {
        return name().toLowerCase(ENGLISH);
    }

    Interval interval(Interval days)
    {
        return switch (this) {
            case YEAR -> Interval.of(year(days.low()), year(days.high()));
            case MONTH -> Interval.of(1, 12);
            case DAY -> Interval.of(1, 31);
            case DAY_OF_YEAR -> Interval.of(1, 366);
        };
    }

    private static int year(BigInteger day)
    {
        return LocalDate.ofEpochDay(day.longValueExact()).getYear();
    }
}
