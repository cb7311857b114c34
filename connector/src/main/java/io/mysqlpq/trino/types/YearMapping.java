package io.mysqlpq.trino.types;

import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.PredicatePushdownController;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.stream.Stream;

import static io.trino.plugin.jdbc.PredicatePushdownController.DISABLE_PUSHDOWN;
import static io.trino.plugin.jdbc.PredicatePushdownController.FULL_PUSHDOWN;
import static io.trino.spi.StandardErrorCode.NUMERIC_VALUE_OUT_OF_RANGE;
import static io.trino.spi.type.IntegerType.INTEGER;

/** Maps YEAR to INTEGER: 0, and 1901 to 2155. MySQL takes other numbers for short forms, 70 for 1970. */
final class YearMapping
{
    private static final long FIRST = 1901;
    private static final long LAST = 2155;

    private YearMapping()
    {}

    static ColumnMapping columnMapping()
    {
        return ColumnMapping.longMapping(INTEGER, ResultSet::getLong, YearMapping::write, (PredicatePushdownController) YearMapping::pushDown);
    }

    private static void write(PreparedStatement statement, int index, long year)
            throws SQLException
    {
        if (year != 0 && !isFullYear(year)) {
            throw new TrinoException(NUMERIC_VALUE_OUT_OF_RANGE, "MySQL's YEAR holds 0 and %d to %d, not %d".formatted(FIRST, LAST, year));
        }
        statement.setLong(index, year);
    }

    private static PredicatePushdownController.DomainPushdownResult pushDown(ConnectorSession session, Domain domain)
    {
        boolean fullYears = domain.getValues().getRanges().getOrderedRanges().stream()
                .flatMap(YearMapping::bounds)
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
}
