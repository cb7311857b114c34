package io.mysqlpq.trino.scan;

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

/** Reads rows by the extension, and by SQL where the extension refuses. */
record NativeRows(NativeScan scan, SqlRows rows)
        implements ReadPlan
{
    NativeRows
    {
        requireNonNull(scan, "scan is null");
        requireNonNull(rows, "rows is null");
    }

    @Override
    public List<JdbcColumnHandle> columns()
    {
        return rows.columns();
    }

    @Override
    public RowPages open(Connection connection, TupleDomain<ColumnHandle> dynamicFilter, Optional<KeptRead> known, Consumer<String> refusals)
            throws SQLException
    {
        Optional<RowPages> pages = scan.open(connection, dynamicFilter, known, true, refusals);
        return pages.isPresent() ? pages.get() : rows.open(connection, dynamicFilter, known, refusals);
    }
}
