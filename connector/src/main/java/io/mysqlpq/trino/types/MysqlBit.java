package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableSet;
import com.mysql.cj.result.Field;
import io.mysqlpq.trino.cells.BatchBlocks;
import io.mysqlpq.trino.cells.IntegerCells;
import io.mysqlpq.trino.cells.NativeLayout;
import io.mysqlpq.trino.cells.PacketDecoder;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.PredicatePushdownController;
import io.trino.spi.predicate.Range;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.Type;

import java.math.BigInteger;
import java.sql.Types;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import static io.trino.plugin.jdbc.PredicatePushdownController.DISABLE_PUSHDOWN;
import static io.trino.plugin.jdbc.PredicatePushdownController.FULL_PUSHDOWN;
import static io.trino.plugin.jdbc.StandardColumnMappings.bigintColumnMapping;
import static io.trino.plugin.jdbc.StandardColumnMappings.booleanColumnMapping;
import static io.trino.plugin.jdbc.StandardColumnMappings.decimalColumnMapping;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DecimalType.createDecimalType;

/** Describes BIT. One bit is a boolean; more are an unsigned number to sessions with extended types, and hidden from others. */
final class MysqlBit
        extends MysqlType
{
    // Trino's BIGINT has one bit for the sign.
    private static final int LONGEST_BIGINT = 63;
    // The layout has no sign, and a value is of whole bytes.
    private static final int MOST_BITS_OF_INT64 = 56;

    @Override
    public Set<String> names()
    {
        return ImmutableSet.of("BIT");
    }

    @Override
    Set<Integer> jdbcTypes()
    {
        return ImmutableSet.of(Types.BIT);
    }

    @Override
    public Set<com.mysql.cj.MysqlType> driverTypes()
    {
        return ImmutableSet.of(com.mysql.cj.MysqlType.BIT);
    }

    @Override
    public String protocolName()
    {
        return "bit";
    }

    @Override
    Optional<ColumnMapping> columnMapping(JdbcTypeHandle handle, MappingContext context)
    {
        return isLong(handle) ? Optional.empty() : Optional.of(booleanColumnMapping());
    }

    @Override
    Optional<ColumnMapping> extendedMapping(JdbcTypeHandle handle)
    {
        return handle.columnSize().filter(bits -> bits > 1).map(MysqlBit::number);
    }

    private static boolean isLong(JdbcTypeHandle handle)
    {
        return handle.columnSize().filter(bits -> bits > 1).isPresent();
    }

    @Override
    CellType cellType(JdbcTypeHandle handle, Type type)
    {
        return new CellType(this, handle.columnSize().orElse(0), 0);
    }

    @Override
    CellType cellType(Field field)
    {
        return new CellType(this, (int) field.getLength(), 0);
    }

    @Override
    boolean isReadFrom(CellType received, CellType planned)
    {
        return received.type().equals(this) && received.length() <= planned.length();
    }

    @Override
    String describe(String name, CellType type)
    {
        return "BIT(%d)".formatted(type.length());
    }

    @Override
    String parameters(CellType type)
    {
        return "(%d)".formatted(type.length());
    }

    @Override
    public Optional<PacketDecoder> packetDecoder(Field field, Type type)
    {
        return type instanceof BooleanType ? Optional.of(IntegerCells::booleans) : Optional.empty();
    }

    @Override
    public Optional<NativeColumn> nativeColumn(JdbcTypeHandle handle, Type type)
    {
        return Optional.ofNullable(switch (type) {
            // A byte without a sign.
            case BooleanType _ -> new NativeColumn(NativeLayout.INT16, BatchBlocks::booleans);
            case BigintType _ when handle.columnSize().filter(bits -> bits <= MOST_BITS_OF_INT64).isPresent() -> new NativeColumn(NativeLayout.INT64, BatchBlocks::longs);
            case DecimalType _ -> new NativeColumn(NativeLayout.INT128, BatchBlocks::longDecimals);
            default -> null;
        });
    }

    @Override
    public Optional<ReturnedValue> returnedValue(JdbcTypeHandle handle, Type type)
    {
        return type.equals(BOOLEAN) ? Optional.of(ReturnedValue.VALUE) : Optional.empty();
    }

    private static ColumnMapping number(int bits)
    {
        ColumnMapping mapping = bits <= LONGEST_BIGINT ? bigintColumnMapping() : decimalColumnMapping(createDecimalType(20));
        return ColumnMapping.mapping(mapping.getType(), mapping.getReadFunction(), mapping.getWriteFunction(), pushdown(bits));
    }

    // MySQL takes a negative number for the bits that it has: -1 equals 64 ones.
    private static PredicatePushdownController pushdown(int bits)
    {
        return (session, domain) -> {
            boolean all = domain.getValues().getRanges().getOrderedRanges().stream()
                    .flatMap(MysqlBit::bounds)
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
