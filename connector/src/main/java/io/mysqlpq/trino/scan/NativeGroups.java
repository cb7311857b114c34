package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.aggregation.NativeAggregation;
import io.mysqlpq.trino.cells.DriverPackets;
import io.mysqlpq.trino.protocol.ExtensionError;
import io.mysqlpq.trino.protocol.ScanRequest;
import io.mysqlpq.trino.rows.NativeBatches;
import io.mysqlpq.trino.rows.RowPages;
import io.mysqlpq.trino.split.MysqlPqSplit;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.TupleDomain;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/**
 * Reads the groups of a range, to be merged with those of others. The extension computes them, and the connector itself those of rows that the
 * extension leaves.
 *
 * @param request asks the extension for groups; empty if it does not compute them, as far as types tell
 * @param rows reads the rows that are grouped
 */
record NativeGroups(ScanContext context, MysqlPqSplit split, NativeAggregation aggregation, Optional<GroupsRequest> request, ReadPlan rows)
        implements ReadPlan
{
    NativeGroups
    {
        requireNonNull(context, "context is null");
        requireNonNull(split, "split is null");
        requireNonNull(aggregation, "aggregation is null");
        requireNonNull(request, "request is null");
        requireNonNull(rows, "rows is null");
    }

    @Override
    public List<JdbcColumnHandle> columns()
    {
        return rows.columns();
    }

    @Override
    public RowPages open(Connection connection, TupleDomain<ColumnHandle> dynamicFilter, Optional<String> validator, Consumer<String> refusals)
            throws SQLException
    {
        if (request.isPresent() && DriverPackets.areReadable(connection)) {
            NativeScan scan = request.get().rows();
            Statements statements = new Statements(connection, scan, refusals);
            Optional<NativeBatches> batches = statements.batches(request.get().request().validated(validator));
            if (batches.isPresent()) {
                return NativeScan.isUnchanged(validator, batches.get()) ? new UnchangedPages(batches.get()) : new NativeGroupPages(statements, batches.get());
            }
        }
        return grouped(rows.open(connection, TupleDomain.all(), Optional.empty(), refusals));
    }

    private RowPages grouped(RowPages pages)
    {
        return new RowGroupPages(pages, columns(), split.expressions().where(), aggregation);
    }

    /** Asks for the groups of a range in one session. */
    final class Statements
    {
        private final Connection connection;
        private final NativeScan scan;
        private final Consumer<String> refusals;

        private Statements(Connection connection, NativeScan scan, Consumer<String> refusals)
        {
            this.connection = connection;
            this.scan = scan;
            this.refusals = refusals;
        }

        /** Groups of the rows after a key. Empty if the extension refuses them by now. */
        Optional<NativeBatches> batchesAfter(String cursor)
                throws SQLException
        {
            return batches(request.orElseThrow().request().after(scan.keyOf(cursor)));
        }

        private Optional<NativeBatches> batches(ScanRequest asked)
                throws SQLException
        {
            try {
                return NativeBatches.of(NativeScan.prepare(context, connection, asked, GroupsRequest.BATCHES_OF_STATEMENT), request.orElseThrow().columns());
            }
            catch (SQLException e) {
                refusals.accept(ExtensionError.scanRefusal(e).orElseThrow(() -> e));
                return Optional.empty();
            }
        }

        /**
         * Returns the groups of all rows that are left, which the connector computes.
         *
         * @param cursor the key of the last row that was grouped, if there is one
         */
        RowPages rowsAfter(Optional<String> cursor)
                throws SQLException
        {
            return grouped(cursor.isEmpty() ? rows.open(connection, TupleDomain.all(), Optional.empty(), refusals) : scan.after(connection, cursor.get(), refusals));
        }
    }
}
