package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
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

/** Reads a range of row ids by the extension or not at all. */
record RowIdRows(Optional<NativeScan> scan, RowIdRange range)
        implements ReadPlan
{
    RowIdRows
    {
        requireNonNull(scan, "scan is null");
        requireNonNull(range, "range is null");
    }

    @Override
    public List<JdbcColumnHandle> columns()
    {
        return ImmutableList.copyOf(range.columns());
    }

    @Override
    public RowPages open(Connection connection, TupleDomain<ColumnHandle> dynamicFilter, Optional<KeptRead> known, Consumer<String> refusals)
            throws SQLException
    {
        return scan.orElseThrow(() -> range.failure("this worker was not told what to ask the extension for", null))
                .open(connection, dynamicFilter, known, true, refusals)
                .orElseThrow(() -> range.failure("the connector cannot read the packets of the driver", null));
    }
}
