package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.aggregation.PartialAggregation;
import io.mysqlpq.trino.rows.RowPages;
import io.mysqlpq.trino.sharing.KeptRead;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.TupleDomain;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/** Reads the row that MySQL computes of a range, to be merged with those of others. */
record PartialTotals(ReadSql sql, PartialAggregation aggregation)
        implements ReadPlan
{
    PartialTotals
    {
        requireNonNull(sql, "sql is null");
        requireNonNull(aggregation, "aggregation is null");
    }

    @Override
    public List<JdbcColumnHandle> columns()
    {
        return aggregation.partialColumns();
    }

    @Override
    public RowPages open(Connection connection, TupleDomain<ColumnHandle> dynamicFilter, Optional<KeptRead> known, Consumer<String> refusals)
            throws SQLException
    {
        return sql.pages(columns(), connection, sql.partialTotals(connection, aggregation));
    }
}
