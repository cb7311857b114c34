package io.mysqlpq.trino.key;

import java.util.Optional;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static io.mysqlpq.trino.key.KeyEncoding.DATE;

/** Holds a date as MySQL stores it: month and day may be zero, and a day may be past the end of its month. */
public record DateKeyValue(String date)
        implements KeyValue
{
    private static final Pattern DIGITS = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

    public DateKeyValue
    {
        checkArgument(DIGITS.matcher(date).matches(), "not a date");
    }

    /** Returns the SQL literal. Empty if MySQL accepts none for this date under its default sql_mode. */
    public Optional<String> literal()
    {
        CalendarDay day = CalendarDay.parse(date);
        if (day.isZero()) {
            return Optional.of("0");
        }
        if (day.isDay()) {
            return Optional.of("DATE'%s'".formatted(date));
        }
        return day.isNumber() ? Optional.of(date.replace("-", "")) : Optional.empty();
    }

    @Override
    public boolean hasLiteral()
    {
        return literal().isPresent();
    }

    @Override
    public boolean fits(KeyColumn column)
    {
        return column.encoding() == DATE;
    }

    @Override
    public Optional<String> toProtocol()
    {
        return Optional.of(date);
    }
}
