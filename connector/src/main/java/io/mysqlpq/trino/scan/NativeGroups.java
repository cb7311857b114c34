package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.aggregation.NativeAggregation;
import io.mysqlpq.trino.cells.DriverPackets;
import io.mysqlpq.trino.protocol.ExtensionError;
import io.mysqlpq.trino.protocol.ScanRequest;
import io.mysqlpq.trino.protocol.ScanValidation;
import io.mysqlpq.trino.protocol.ScannedPiece;
import io.mysqlpq.trino.rows.NativeBatches;
import io.mysqlpq.trino.rows.RowPages;
import io.mysqlpq.trino.sharing.KeptRead;
import io.mysqlpq.trino.split.MysqlPqSplit;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.TupleDomain;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

import static io.mysqlpq.trino.sharing.SharingSessionProperties.getReadReusePieceRows;
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
    public RowPages open(Connection connection, TupleDomain<ColumnHandle> dynamicFilter, Optional<KeptRead> known, Consumer<String> refusals)
            throws SQLException
    {
        if (request.isPresent() && DriverPackets.areReadable(connection)) {
            Optional<ScanValidation> validation = known.map(this::validation);
            Statements statements = new Statements(connection, request.get().request().validated(validation), request.get().rows(), refusals);
            Optional<NativeBatches> batches = statements.batches(statements.asked);
            if (batches.isPresent()) {
                return NativeScan.pages(statements, batches.get(), validation, known, Optional.empty());
            }
        }
        return grouped(rows.open(connection, TupleDomain.all(), Optional.empty(), refusals));
    }

    // Pieces cost a little more to read, so a range is in pieces once it has been found changed. Each would begin a sum of DOUBLE anew.
    private ScanValidation validation(KeptRead known)
    {
        return known.pieces().isEmpty() || aggregation.addsDoubles() ? ScanValidation.ofRange(known.pieces()) : ScanValidation.ofPieces(getReadReusePieceRows(context.session()), known.pieces());
    }

    private RowPages grouped(RowPages pages)
    {
        return new RowGroupPages(pages, columns(), split.expressions().where(), aggregation);
    }

    /** Asks for the groups of a range in one session. */
    final class Statements
            implements ScanContinuation
    {
        private final Connection connection;
        private final ScanRequest asked;
        private final NativeScan scan;
        private final Consumer<String> refusals;

        private Statements(Connection connection, ScanRequest asked, NativeScan scan, Consumer<String> refusals)
        {
            this.connection = connection;
            this.asked = asked;
            this.scan = scan;
            this.refusals = refusals;
        }

        @Override
        public Optional<NativeBatches> batchesAfter(String cursor, List<ScannedPiece> left, int pieces)
                throws SQLException
        {
            return batches(asked.after(scan.keyOf(cursor), cursor, left, pieces));
        }

        private Optional<NativeBatches> batches(ScanRequest next)
                throws SQLException
        {
            try {
                return NativeBatches.of(NativeScan.prepare(context, connection, next, GroupsRequest.batchesOfStatement(next)), request.orElseThrow().columns());
            }
            catch (SQLException e) {
                refusals.accept(ExtensionError.scanRefusal(e).orElseThrow(() -> e));
                return Optional.empty();
            }
        }

        /** Returns the groups of all rows that are left, which the connector computes. */
        @Override
        public RowPages rowsAfter(Optional<String> cursor, OptionalInt unusual)
                throws SQLException
        {
            return grouped(cursor.isEmpty() ? rows.open(connection, TupleDomain.all(), Optional.empty(), refusals) : scan.after(connection, cursor.get(), refusals));
        }
    }
}
