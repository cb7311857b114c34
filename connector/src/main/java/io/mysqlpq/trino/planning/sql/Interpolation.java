package io.mysqlpq.trino.planning.sql;

import io.mysqlpq.trino.key.BinaryKeyValue;
import io.mysqlpq.trino.key.DateKeyValue;
import io.mysqlpq.trino.key.DatetimeKeyValue;
import io.mysqlpq.trino.key.DecimalKeyValue;
import io.mysqlpq.trino.key.DoubleKeyValue;
import io.mysqlpq.trino.key.IntegerKeyValue;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyValue;
import io.mysqlpq.trino.key.NullKeyValue;
import io.mysqlpq.trino.key.TextKeyValue;
import io.mysqlpq.trino.key.TimeKeyValue;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.lang.Math.max;
import static java.util.stream.Stream.concat;

/**
 * Makes up values between two values of a column, as evenly spread as its rows may be.
 *
 * <p>Only MySQL knows what lies between two keys. A value that lies elsewhere is useless, and does no harm.
 */
final class Interpolation
{
    private Interpolation()
    {}

    /** At most {@code count} values behind {@code from}, in the direction of {@code to}, which is one of them. */
    static List<KeyValue> between(KeyColumn column, KeyValue from, KeyValue to, int count)
    {
        return concat(inner(column, from, to, count), Stream.of(to))
                .filter(value -> value.hasLiteral() && !value.equals(from))
                .distinct()
                .collect(toImmutableList());
    }

    private static Stream<? extends KeyValue> inner(KeyColumn column, KeyValue from, KeyValue to, int count)
    {
        return switch (from) {
            case IntegerKeyValue number -> Steps.between(number.number().toBigInteger(), ((IntegerKeyValue) to).number().toBigInteger(), count).stream().map(IntegerKeyValue::of);
            case DecimalKeyValue number -> decimals(number.number(), ((DecimalKeyValue) to).number(), count);
            case DoubleKeyValue number -> doubles(number.number().doubleValue(), ((DoubleKeyValue) to).number().doubleValue(), count);
            case DateKeyValue date -> TemporalSteps.dates(date, (DateKeyValue) to, count);
            case DatetimeKeyValue dateTime -> TemporalSteps.dateTimes(dateTime, (DatetimeKeyValue) to, count);
            case TimeKeyValue time -> TemporalSteps.times(time, (TimeKeyValue) to, count);
            case BinaryKeyValue(String hex) -> ByteSteps.between(hex, ((BinaryKeyValue) to).hex(), count).map(BinaryKeyValue::new);
            case TextKeyValue(String hex) -> new TextSteps(column).between(hex, ((TextKeyValue) to).hex(), count).map(TextKeyValue::new);
            case NullKeyValue _ -> Stream.empty();
        };
    }

    private static Stream<DecimalKeyValue> decimals(BigDecimal from, BigDecimal to, int count)
    {
        int scale = max(from.scale(), to.scale());
        return Steps.between(from.setScale(scale).unscaledValue(), to.setScale(scale).unscaledValue(), count).stream()
                .map(step -> new DecimalKeyValue(new BigDecimal(step, scale).toPlainString()));
    }

    // Takes the bits of the numbers for integers: these are even among numbers of one magnitude, and over all magnitudes.
    private static Stream<DoubleKeyValue> doubles(double from, double to, int count)
    {
        return Steps.between(orderedBits(from), orderedBits(to), count).stream().map(bits -> KeyText.of(fromOrderedBits(bits)));
    }

    private static long orderedBits(double number)
    {
        long bits = Double.doubleToLongBits(number);
        return bits < 0 ? -(bits & Long.MAX_VALUE) : bits;
    }

    private static double fromOrderedBits(long bits)
    {
        return bits < 0 ? -Double.longBitsToDouble(-bits) : Double.longBitsToDouble(bits);
    }
}
