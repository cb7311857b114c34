package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.aggregation.PartialAggregation;
import io.mysqlpq.trino.rows.RowPages;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.TupleDomain;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/** Reads the groups of a range, to be merged with those of others. */
record PartialGroups(ReadSql sql, PartialAggregation aggregation, Optional<NativeGroups> natively)
        implements ReadPlan
{
    PartialGroups
    {
        requireNonNull(sql, "sql is null");
        requireNonNull(aggregation, "aggregation is null");
        requireNonNull(natively, "natively is null");
    }

    static PartialGroups of(ReadSql sql, PartialAggregation aggregation)
    {
        return new PartialGroups(sql, aggregation, NativeGroups.of(sql.context(), sql.split(), aggregation));
    }

    @Override
    public List<JdbcColumnHandle> columns()
    {
        return aggregation.partialColumns();
    }

    @Override
    public RowPages open(Connection connection, TupleDomain<ColumnHandle> dynamicFilter, Consumer<String> refusals)
            throws SQLException
    {
        if (natively.isPresent()) {
            Optional<RowPages> groups = natively.get().open(connection, refusals);
            if (groups.isPresent()) {
                return groups.get();
            }
        }
        return sql.pages(columns(), connection, sql.partialGroups(connection, aggregation));
    }
}
