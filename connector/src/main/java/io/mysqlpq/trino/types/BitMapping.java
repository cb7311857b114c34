package io.mysqlpq.trino.types;

import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.PredicatePushdownController;
import io.trino.spi.predicate.Range;
import io.trino.spi.type.Int128;

import java.math.BigInteger;
import java.util.stream.Stream;

import static io.trino.plugin.jdbc.PredicatePushdownController.DISABLE_PUSHDOWN;
import static io.trino.plugin.jdbc.PredicatePushdownController.FULL_PUSHDOWN;
import static io.trino.plugin.jdbc.StandardColumnMappings.bigintColumnMapping;
import static io.trino.plugin.jdbc.StandardColumnMappings.decimalColumnMapping;
import static io.trino.spi.type.DecimalType.createDecimalType;

/** Maps BIT(n) to the unsigned number that it is in MySQL's arithmetic. */
final class BitMapping
{
    // Trino's BIGINT has one bit for the sign.
    private static final int LONGEST_BIGINT = 63;

    private BitMapping()
    {}

    static ColumnMapping columnMapping(int bits)
    {
        ColumnMapping mapping = bits <= LONGEST_BIGINT ? bigintColumnMapping() : decimalColumnMapping(createDecimalType(20));
        return ColumnMapping.mapping(mapping.getType(), mapping.getReadFunction(), mapping.getWriteFunction(), pushdown(bits));
    }

    // MySQL takes a negative number for the bits that it has: -1 equals 64 ones.
    private static PredicatePushdownController pushdown(int bits)
    {
        return (session, domain) -> {
            boolean all = domain.getValues().getRanges().getOrderedRanges().stream()
                    .flatMap(BitMapping::bounds)
                    .allMatch(bound -> bound.signum() >= 0 && bound.bitLength() <= bits);
            return (all ? FULL_PUSHDOWN : DISABLE_PUSHDOWN).apply(session, domain);
        };
    }

    private static Stream<BigInteger> bounds(Range range)
    {
        return Stream.concat(range.getLowValue().stream(), range.getHighValue().stream())
                .map(value -> value instanceof Int128 wide ? wide.toBigInteger() : BigInteger.valueOf((long) value));
    }
}
