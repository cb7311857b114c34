package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.aggregation.WholeGroupAggregation;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.rows.RowPages;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.TupleDomain;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;

import static java.util.Objects.requireNonNull;

/** Reads an aggregation's rows by SQL, group after group. */
record RowsInOrder(ReadSql sql, WholeGroupAggregation groups)
        implements LeftRows
{
    RowsInOrder
    {
        requireNonNull(sql, "sql is null");
        requireNonNull(groups, "groups is null");
    }

    @Override
    public RowPages after(Connection connection, TupleDomain<ColumnHandle> dynamicFilter, Optional<KeyBound> last, OptionalInt unusual)
            throws SQLException
    {
        return sql.pages(groups.rowColumns(), connection, sql.rowsInOrder(connection, groups, last));
    }
}
