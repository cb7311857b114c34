package io.mysqlpq.trino.key;

import java.util.Optional;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static io.mysqlpq.trino.key.KeyEncoding.DOUBLE;

/** Holds a floating-point number as digits that read back as the same double. The exponent makes it one in SQL too. */
public record DoubleKeyValue(String digits)
        implements NumericKeyValue
{
    private static final Pattern WITH_EXPONENT = Pattern.compile("-?[0-9](\\.[0-9]{1,16})?e[+-][0-9]{2,3}");

    public DoubleKeyValue
    {
        checkArgument(WITH_EXPONENT.matcher(digits).matches() && Double.isFinite(Double.parseDouble(digits)), "not a finite number with an exponent");
    }

    @Override
    public boolean fits(KeyColumn column)
    {
        return column.encoding() == DOUBLE;
    }

    @Override
    public Optional<String> toProtocol()
    {
        return Optional.of(digits);
    }
}
