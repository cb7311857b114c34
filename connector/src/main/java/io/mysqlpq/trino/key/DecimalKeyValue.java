package io.mysqlpq.trino.key;

import java.util.Optional;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static io.mysqlpq.trino.key.KeyEncoding.DECIMAL;

/** Holds a fixed-point number, with all digits that its column has behind the point. */
public record DecimalKeyValue(String digits)
        implements NumericKeyValue
{
    // MySQL's widest DECIMAL has 65 digits, its longest fraction 30.
    private static final Pattern CANONICAL = Pattern.compile("-?(0|[1-9][0-9]{0,64})(\\.[0-9]{1,30})?");

    public DecimalKeyValue
    {
        checkArgument(CANONICAL.matcher(digits).matches(), "not a decimal");
    }

    @Override
    public boolean fits(KeyColumn column)
    {
        return column.encoding() == DECIMAL;
    }

    @Override
    public Optional<String> toProtocol()
    {
        return Optional.of(digits);
    }
}
