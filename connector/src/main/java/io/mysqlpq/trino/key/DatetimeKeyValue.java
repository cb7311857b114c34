package io.mysqlpq.trino.key;

import java.util.Optional;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static io.mysqlpq.trino.key.KeyEncoding.DATETIME;

/** Holds a date as MySQL stores it and a time of day. Those of a TIMESTAMP are in UTC, in which sessions run. */
public record DatetimeKeyValue(String dateTime)
        implements KeyValue
{
    private static final int WIDTH_WITHOUT_FRACTION = 19;
    private static final Pattern DIGITS = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,6})?");

    public DatetimeKeyValue
    {
        checkArgument(DIGITS.matcher(dateTime).matches(), "not a date and time");
    }

    /** Returns the SQL literal. Empty if MySQL accepts none for this value under its default sql_mode. */
    public Optional<String> literal()
    {
        CalendarDay day = CalendarDay.parse(dateTime);
        if (day.isDay()) {
            return Optional.of("TIMESTAMP'%s'".formatted(dateTime));
        }
        // MySQL takes no number with a fraction for a date without month or day.
        if (hasFraction()) {
            return Optional.empty();
        }
        String digits = dateTime.substring(0, WIDTH_WITHOUT_FRACTION).replaceAll("[^0-9]", "");
        if (day.isZero() && Long.parseLong(digits) == 0) {
            return Optional.of("0");
        }
        return day.isNumber() ? Optional.of(digits) : Optional.empty();
    }

    private boolean hasFraction()
    {
        return dateTime.substring(WIDTH_WITHOUT_FRACTION).chars().anyMatch(c -> c >= '1' && c <= '9');
    }

    @Override
    public boolean hasLiteral()
    {
        return literal().isPresent();
    }

    @Override
    public boolean fits(KeyColumn column)
    {
        return column.encoding() == DATETIME;
    }

    @Override
    public Optional<String> toProtocol()
    {
        return Optional.of(dateTime);
    }
}
