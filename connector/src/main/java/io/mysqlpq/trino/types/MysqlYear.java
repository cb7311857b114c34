package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableSet;
import io.mysqlpq.trino.cells.BatchBlocks;
import io.mysqlpq.trino.cells.NativeLayout;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.PredicatePushdownController;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.type.DateType;
import io.trino.spi.type.Type;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import static io.trino.plugin.jdbc.PredicatePushdownController.DISABLE_PUSHDOWN;
import static io.trino.plugin.jdbc.PredicatePushdownController.FULL_PUSHDOWN;
import static io.trino.spi.StandardErrorCode.NUMERIC_VALUE_OUT_OF_RANGE;
import static io.trino.spi.type.IntegerType.INTEGER;

/** Describes YEAR. It is the first day of the year, as the stock connector has it; to sessions with extended types it is an integer, 0 and 1901 to 2155. MySQL takes other numbers for short forms, 70 for 1970. */
final class MysqlYear
        extends MysqlType
{
    private static final long FIRST = 1901;
    private static final long LAST = 2155;

    @Override
    public Set<String> names()
    {
        return ImmutableSet.of("YEAR");
    }

    @Override
    public Set<com.mysql.cj.MysqlType> driverTypes()
    {
        return ImmutableSet.of(com.mysql.cj.MysqlType.YEAR);
    }

    @Override
    public String protocolName()
    {
        return "year";
    }

    @Override
    Optional<ColumnMapping> columnMapping(JdbcTypeHandle handle, MappingContext context)
    {
        return Optional.of(CalendarMappings.year());
    }

    @Override
    Optional<ColumnMapping> extendedMapping(JdbcTypeHandle handle)
    {
        return Optional.of(number());
    }

    private static ColumnMapping number()
    {
        return ColumnMapping.longMapping(INTEGER, ResultSet::getLong, MysqlYear::write, (PredicatePushdownController) MysqlYear::pushDown);
    }

    private static void write(PreparedStatement statement, int index, long year)
            throws SQLException
    {
        if (year != 0 && !isFullYear(year)) {
            throw new TrinoException(NUMERIC_VALUE_OUT_OF_RANGE, "MySQL's YEAR can hold 0 and %d to %d, not %d".formatted(FIRST, LAST, year));
        }
        statement.setLong(index, year);
    }

    private static PredicatePushdownController.DomainPushdownResult pushDown(ConnectorSession session, Domain domain)
    {
        boolean fullYears = domain.getValues().getRanges().getOrderedRanges().stream()
                .flatMap(MysqlYear::bounds)
                .allMatch(year -> isFullYear((long) year));
        return (fullYears ? FULL_PUSHDOWN : DISABLE_PUSHDOWN).apply(session, domain);
    }

    private static Stream<Object> bounds(Range range)
    {
        return Stream.concat(range.getLowValue().stream(), range.getHighValue().stream());
    }

    private static boolean isFullYear(long year)
    {
        return FIRST <= year && year <= LAST;
    }

    @Override
    public Optional<NativeColumn> nativeColumn(JdbcTypeHandle handle, Type type)
    {
        return Optional.ofNullable(switch (type) {
            case DateType _ -> new NativeColumn(NativeLayout.INT32, BatchBlocks::years);
            case io.trino.spi.type.IntegerType _ -> new NativeColumn(NativeLayout.INT32, BatchBlocks::ints);
            default -> null;
        });
    }

    // Year 0 has no day.
    @Override
    public boolean isReadAlone(Type type)
    {
        return !(type instanceof DateType);
    }

    @Override
    public boolean isExactKey(JdbcTypeHandle handle, Type type)
    {
        return false;
    }
}
