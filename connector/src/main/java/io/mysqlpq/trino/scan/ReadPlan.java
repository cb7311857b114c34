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

/** Says how one split is read: as rows by SQL or natively, as groups that lie in the range in whole, or as groups that are merged with those of other ranges. */
sealed interface ReadPlan
        permits NativeGroups, NativeRows, PartialTotals, RowIdRows, SqlRows, WholeGroups
{
    List<JdbcColumnHandle> columns();

    /**
     * Sends the first statement.
     *
     * @param dynamicFilter what is known by now. Trino filters all the same
     * @param known what an earlier query read of the same, or nothing; empty if the read is not to be kept
     * @param refusals told why the extension does not read the rows itself, if it was asked to
     */
    RowPages open(Connection connection, TupleDomain<ColumnHandle> dynamicFilter, Optional<KeptRead> known, Consumer<String> refusals)
            throws SQLException;
}
