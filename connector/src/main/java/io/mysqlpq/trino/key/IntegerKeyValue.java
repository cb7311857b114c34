package io.mysqlpq.trino.key;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static io.mysqlpq.trino.key.KeyEncoding.INTEGER;

/** Holds an integer from the least BIGINT to the greatest BIGINT UNSIGNED, as canonical decimal digits. */
public record IntegerKeyValue(String digits)
        implements NumericKeyValue
{
    private static final Pattern CANONICAL = Pattern.compile("0|-?[1-9][0-9]{0,19}");
    private static final int FIRST_YEAR = 1901;
    private static final int LAST_YEAR = 2155;
    private static final BigInteger LEAST = BigInteger.TWO.pow(63).negate();
    private static final BigInteger GREATEST = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);

    public IntegerKeyValue
    {
        checkArgument(CANONICAL.matcher(digits).matches(), "not an integer");
        BigInteger number = new BigInteger(digits);
        checkArgument(LEAST.compareTo(number) <= 0 && number.compareTo(GREATEST) <= 0, "integer out of range");
    }

    public static IntegerKeyValue of(BigInteger number)
    {
        return new IntegerKeyValue(number.toString());
    }

    /** Whether a YEAR column can hold it. To such a column MySQL compares small numbers as others: 70 as 1970. */
    boolean mayBeYear()
    {
        int year = number().toBigIntegerExact().bitLength() < Integer.SIZE ? number().intValueExact() : -1;
        return year == 0 || (year >= FIRST_YEAR && year <= LAST_YEAR);
    }

    @Override
    public boolean fits(KeyColumn column)
    {
        return column.encoding() == INTEGER;
    }

    @Override
    public Optional<String> toProtocol()
    {
        return Optional.of(digits);
    }
}
