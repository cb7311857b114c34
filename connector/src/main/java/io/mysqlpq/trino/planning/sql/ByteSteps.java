package io.mysqlpq.trino.planning.sql;

import java.math.BigInteger;
import java.util.HexFormat;
import java.util.stream.Stream;

import static com.google.common.base.Strings.commonPrefix;
import static com.google.common.base.Strings.padEnd;
import static com.google.common.base.Strings.padStart;
import static java.util.HexFormat.fromHexDigitsToLong;

/** Makes up bytes between two others, as hex: the bytes in which they differ first, as a number. */
final class ByteSteps
{
    private static final int DIGITS = 14;

    private ByteSteps()
    {}

    static Stream<String> between(String from, String to, int count)
    {
        int common = commonPrefix(from, to).length() / 2 * 2;
        String prefix = from.substring(0, common);
        return Steps.between(number(from, common), number(to, common), count).stream()
                .map(step -> prefix + padStart(HexFormat.of().toHexDigits(step.longValueExact(), DIGITS), DIGITS, '0'));
    }

    private static BigInteger number(String hex, int start)
    {
        String digits = padEnd(hex.substring(start), DIGITS, '0').substring(0, DIGITS);
        return BigInteger.valueOf(fromHexDigitsToLong(digits));
    }
}
