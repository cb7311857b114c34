package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.KeyValue;
import io.mysqlpq.trino.key.RangeIntersection;
import io.mysqlpq.trino.keyfilter.KeyFilter;
import io.mysqlpq.trino.nativescan.DriverPackets;
import io.mysqlpq.trino.nativescan.NativeFilters;
import io.mysqlpq.trino.nativescan.NativeTable;
import io.mysqlpq.trino.protocol.ExtensionError;
import io.mysqlpq.trino.protocol.ScanCondition;
import io.mysqlpq.trino.protocol.ScanRequest;
import io.mysqlpq.trino.protocol.ScannedRows;
import io.mysqlpq.trino.protocol.UnsupportedReplyException;
import io.mysqlpq.trino.rows.NativeBatches;
import io.mysqlpq.trino.rows.NativeColumn;
import io.mysqlpq.trino.rows.NativePages;
import io.mysqlpq.trino.rows.RowPages;
import io.mysqlpq.trino.split.MysqlPqSplit;
import io.mysqlpq.trino.split.SplitRange;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_NATIVE_SCAN_FAILED;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SCAN_SQL;
import static io.mysqlpq.trino.protocol.ExtensionError.BAD_ARGUMENT;
import static io.mysqlpq.trino.protocol.ExtensionError.MEMORY_LIMIT;
import static java.util.Objects.requireNonNull;

/** Reads a range of a clustered index by the extension's column batches. */
final class NativeScan
{
    // Those after the range's end cost a NULL each; if they do not suffice a further statement goes on. So few that MySQL's performance
    // schema, which keeps 1024 bytes of a statement, keeps the comment at its end too, unless the columns are many.
    private static final int BATCHES_OF_STATEMENT = 128;

    /** Reads the rows after a key by SQL, or all of the range. */
    interface RowsAfter
    {
        /** @param unusual the column with a cell that only SQL reads, if there is one */
        RowPages read(Connection connection, Optional<KeyBound> last, OptionalInt unusual)
                throws SQLException;
    }

    /** Told that the extension refuses to begin a scan, or to go on with it. */
    interface Refusals
    {
        /**
         * @param code of the protocol
         * @param backoff since the extension was first asked for these batches
         * @return whether to ask again at once
         */
        boolean isAskedAgain(String code, SQLException refusal, Backoff backoff)
                throws SQLException;
    }

    private final ScanContext context;
    private final ScanRequest request;
    private final IndexKey key;
    private final TupleDomain<ColumnHandle> filter;
    private final List<NativeColumn> columns;

    private NativeScan(ScanContext context, ScanRequest request, IndexKey key, TupleDomain<ColumnHandle> filter, List<NativeColumn> columns)
    {
        this.context = requireNonNull(context, "context is null");
        this.request = requireNonNull(request, "request is null");
        this.key = requireNonNull(key, "key is null");
        this.filter = requireNonNull(filter, "filter is null");
        this.columns = ImmutableList.copyOf(columns);
    }

    /** Empty where rows come by SQL: types, filters, keys and relations that the extension does not read. */
    static Optional<NativeScan> of(ScanContext context, MysqlPqSplit split, JdbcTableHandle table, List<JdbcColumnHandle> columns)
    {
        Optional<ScannedRows> rows = split.nativeFilter().flatMap(expressions -> NativeTable.rows(table, expressions, columns));
        if (!context.nativeScans() || split.snapshot().isEmpty() || split.range().filter(NativeScan::isSupported).isEmpty() || rows.isEmpty()) {
            return Optional.empty();
        }
        List<NativeColumn> natives = columns.stream()
                .map(column -> NativeColumn.of(column.getJdbcTypeHandle(), column.getColumnType()).orElseThrow())
                .collect(toImmutableList());
        SplitRange read = split.range().get();
        RemoteTableName name = getOnlyElement(split.tables()).name();
        ScanRequest request = new ScanRequest(
                name.getCatalogName().orElseThrow(),
                name.getTableName(),
                read.key().index(),
                split.snapshot().get().value(),
                read.partitions().stream().findFirst(),
                rows.get(),
                read.range(),
                Optional.empty());
        return Optional.of(new NativeScan(context, request, read.key(), table.getConstraint(), natives));
    }

    // A row's key must be one that SQL finds again, should it have to go on there.
    private static boolean isSupported(SplitRange read)
    {
        return read.partitions().size() <= 1 && NativeTable.isReadBy(read.key());
    }

    /** Empty if the extension refuses the scan, or its batches cannot be read past the driver. */
    Optional<RowPages> open(Connection connection, TupleDomain<ColumnHandle> dynamicFilter, RowsAfter rowsAfter, Refusals refusals)
            throws SQLException
    {
        // What is found out only with the first batch costs MySQL all of them.
        if (!DriverPackets.areReadable(connection)) {
            return Optional.empty();
        }
        TupleDomain<ColumnHandle> pushedDown = dynamicFilter.transformDomains((column, domain) -> pushedDown(connection, (JdbcColumnHandle) column, domain));
        List<ScanCondition> dynamic = NativeFilters.some(pushedDown);
        ScanRequest narrowed = request.with(dynamic).within(range(filter.intersect(pushedDown)));
        if (!dynamic.isEmpty() && narrowed.isWithinLimits()) {
            // What else it refuses may be due to the filter.
            Refusals first = (code, refusal, backoff) -> code.equals(MEMORY_LIMIT) && refusals.isAskedAgain(code, refusal, backoff);
            Optional<NativeBatches> batches = batches(connection, narrowed, first);
            if (batches.isPresent()) {
                return batches.map(begun -> pages(connection, narrowed, begun, rowsAfter, refusals));
            }
        }
        // Trino filters too.
        ScanRequest whole = request.within(range(filter));
        return batches(connection, whole, refusals).map(begun -> pages(connection, whole, begun, rowsAfter, refusals));
    }

    // The extension looks at each row of it, while MySQL finds by itself where a filter on the key begins and ends.
    private KeyRange range(TupleDomain<ColumnHandle> filter)
    {
        List<KeyFilter.Column> index = key.columns().stream().map(column -> new KeyFilter.Column(column.name(), column.descending())).collect(toImmutableList());
        return RangeIntersection.narrow(key.columns(), request.range(), new KeyFilter(index, filter).range());
    }

    // As SQL would have it: not where Trino sees other values than MySQL, such as NULL for an invalid date.
    private Domain pushedDown(Connection connection, JdbcColumnHandle column, Domain domain)
    {
        return context.client().toColumnMapping(context.session(), connection, column.getJdbcTypeHandle())
                .map(mapping -> mapping.getPredicatePushdownController().apply(context.session(), domain).getPushedDown())
                .orElseGet(() -> Domain.all(domain.getType()));
    }

    private RowPages pages(Connection connection, ScanRequest filtered, NativeBatches begun, RowsAfter rowsAfter, Refusals refusals)
    {
        return new NativePages(begun, columns, new NativePages.Continuation() {
            @Override
            public Optional<NativeBatches> scan(String cursor)
                    throws SQLException
            {
                return batches(connection, filtered.after(keyOf(cursor)), refusals);
            }

            @Override
            public RowPages rows(Optional<String> cursor, OptionalInt unusual)
                    throws SQLException
            {
                return rowsAfter.read(connection, cursor.isEmpty() ? Optional.empty() : Optional.of(keyForSql(cursor.get())), unusual);
            }
        });
    }

    private KeyBound keyForSql(String cursor)
            throws SQLException
    {
        KeyBound last = keyOf(cursor);
        if (!last.values().stream().allMatch(KeyValue::hasLiteral)) {
            throw new TrinoException(
                    MYSQL_PQ_NATIVE_SCAN_FAILED,
                    "The extension cannot read all of table %s.%s, and SQL cannot go on behind the row with the key %s: MySQL takes no such date. Set native_scan_enabled to false".formatted(request.schema(), request.table(), cursor));
        }
        return last;
    }

    private Optional<NativeBatches> batches(Connection connection, ScanRequest asked, Refusals refusals)
            throws SQLException
    {
        Backoff backoff = new Backoff(context.waitTimeout());
        ScanRequest request = asked;
        while (true) {
            try {
                return NativeBatches.of(prepare(connection, request), columns.size());
            }
            catch (SQLException e) {
                String code = ExtensionError.scanRefusal(e).orElseThrow(() -> e);
                if (code.equals(BAD_ARGUMENT) && request.isTyped()) {
                    // An earlier extension does not know the option.
                    request = request.untyped();
                }
                else if (!refusals.isAskedAgain(code, e, backoff)) {
                    return Optional.empty();
                }
            }
        }
    }

    private KeyBound keyOf(String cursor)
            throws SQLException
    {
        try {
            return ScanRequest.cursor(key.columns(), cursor);
        }
        catch (UnsupportedReplyException e) {
            throw new SQLException("The extension sent a cursor that is not a key: " + e.getMessage(), e);
        }
    }

    private PreparedStatement prepare(Connection connection, ScanRequest asked)
            throws SQLException
    {
        PreparedStatement statement = context.client().getPreparedStatement(connection, context.withComment(SCAN_SQL), Optional.of(1));
        statement.setString(1, asked.schema());
        statement.setString(2, asked.table());
        statement.setString(3, asked.index());
        statement.setString(4, asked.token());
        statement.setString(5, asked.options());
        statement.setString(6, ScanRequest.batches(BATCHES_OF_STATEMENT));
        return statement;
    }
}
