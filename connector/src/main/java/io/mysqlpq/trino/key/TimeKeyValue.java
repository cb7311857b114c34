package io.mysqlpq.trino.key;

import java.util.Optional;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static io.mysqlpq.trino.key.KeyEncoding.TIME;

/** Holds a span of time from -838:59:59 to 838:59:59. */
public record TimeKeyValue(String time)
        implements KeyValue
{
    private static final Pattern DIGITS = Pattern.compile("-?[0-9]{2,3}:[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?");

    public TimeKeyValue
    {
        checkArgument(DIGITS.matcher(time).matches(), "not a time");
    }

    @Override
    public boolean fits(KeyColumn column)
    {
        return column.encoding() == TIME;
    }

    @Override
    public Optional<String> toProtocol()
    {
        return Optional.of(time);
    }
}
