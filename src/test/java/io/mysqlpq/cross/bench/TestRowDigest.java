package io.mysqlpq.cross.bench;

import io.airlift.slice.Slices;
import io.trino.spi.type.DateType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;
import io.trino.spi.type.VarcharType;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.sql.Date;

import static io.trino.spi.function.InvocationConvention.InvocationArgumentConvention.NEVER_NULL;
import static io.trino.spi.function.InvocationConvention.InvocationReturnConvention.FAIL_ON_NULL;
import static io.trino.spi.function.InvocationConvention.simpleConvention;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestRowDigest
{
    private final TypeOperators operators = new TypeOperators();

    @Test
    void testHashesAreThoseOfTrino()
            throws Throwable
    {
        assertThat(RowDigest.hash(-7L)).isEqualTo(trino(BIGINT, -7L));
        assertThat(RowDigest.hash(3)).isEqualTo(trino(IntegerType.INTEGER, 3L));
        assertThat(RowDigest.hash(new BigDecimal("-12.05"))).isEqualTo(trino(DecimalType.createDecimalType(12, 2), -1205L));
        assertThat(RowDigest.hash(Date.valueOf("1970-01-11"))).isEqualTo(trino(DateType.DATE, 10L));
        assertThat(RowDigest.hash("größe")).isEqualTo(trino(VarcharType.createVarcharType(9), Slices.utf8Slice("größe")));
    }

    @Test
    void testOtherTypes()
    {
        assertThatThrownBy(() -> RowDigest.hash(1.5)).isInstanceOf(IllegalArgumentException.class);
    }

    private long trino(Type type, Object value)
            throws Throwable
    {
        return (long) operators.getXxHash64Operator(type, simpleConvention(FAIL_ON_NULL, NEVER_NULL)).invoke(value);
    }
}
