package io.mysqlpq.trino.aggregation;

import io.trino.spi.TrinoException;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Decimals;

import java.math.BigDecimal;
import java.math.BigInteger;

import static io.trino.spi.StandardErrorCode.NUMERIC_VALUE_OUT_OF_RANGE;
import static io.trino.spi.type.Decimals.encodeScaledValue;
import static io.trino.spi.type.Decimals.encodeShortScaledValue;

/** Writes exact numbers. Fails if a number has become too long for Trino's type. */
final class ExactDecimals
{
    private ExactDecimals()
    {}

    /** @param value of the type's scale or less */
    static void write(DecimalType type, BlockBuilder output, BigDecimal value)
    {
        if (value.setScale(type.getScale()).precision() > Decimals.MAX_PRECISION) {
            throw new TrinoException(NUMERIC_VALUE_OUT_OF_RANGE, "Decimal overflow: %s has more than %d digits".formatted(value.toPlainString(), Decimals.MAX_PRECISION));
        }
        if (type.isShort()) {
            type.writeLong(output, encodeShortScaledValue(value, type.getScale()));
        }
        else {
            type.writeObject(output, encodeScaledValue(value, type.getScale()));
        }
    }

    static long toLong(BigInteger sum)
    {
        if (sum.bitLength() >= Long.SIZE) {
            throw new TrinoException(NUMERIC_VALUE_OUT_OF_RANGE, "The sum %s does not fit into BIGINT. Use sum(CAST(... AS DECIMAL(38, 0)))".formatted(sum));
        }
        return sum.longValue();
    }
}
