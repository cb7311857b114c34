package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.cells.DriverPackets;
import io.mysqlpq.trino.expression.Expression;
import io.mysqlpq.trino.expression.ExtensionForm;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.KeyValue;
import io.mysqlpq.trino.key.RangeIntersection;
import io.mysqlpq.trino.keyfilter.KeyFilter;
import io.mysqlpq.trino.nativescan.NativeFilters;
import io.mysqlpq.trino.nativescan.NativeTable;
import io.mysqlpq.trino.protocol.BatchForm;
import io.mysqlpq.trino.protocol.ExtensionError;
import io.mysqlpq.trino.protocol.ScanCondition;
import io.mysqlpq.trino.protocol.ScanRequest;
import io.mysqlpq.trino.protocol.ScanValidation;
import io.mysqlpq.trino.protocol.ScannedPiece;
import io.mysqlpq.trino.protocol.ScannedRows;
import io.mysqlpq.trino.protocol.UnsupportedReplyException;
import io.mysqlpq.trino.rows.NativeBatches;
import io.mysqlpq.trino.rows.RowPages;
import io.mysqlpq.trino.sharing.KeptRead;
import io.mysqlpq.trino.split.MysqlPqSplit;
import io.mysqlpq.trino.split.SplitRange;
import io.mysqlpq.trino.types.NativeColumn;
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
import java.util.function.Consumer;
import java.util.function.Predicate;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_NATIVE_SCAN_FAILED;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SCAN_SQL;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.VALIDATED_SCAN_SQL;
import static io.mysqlpq.trino.protocol.ExtensionError.BAD_ARGUMENT;
import static io.mysqlpq.trino.protocol.ExtensionError.MEMORY_LIMIT;
import static io.mysqlpq.trino.sharing.SharingSessionProperties.getReadReusePieceRows;
import static java.util.Objects.requireNonNull;

/** Reads a range of a clustered index in batches of the extension. */
final class NativeScan
{
    // Batches after the range's end cost a NULL each. If these batches do not suffice, a further statement goes on. They are few, because MySQL's
    // performance schema keeps 1024 bytes of a statement: unless there are many columns, it then keeps the comment at the statement's end too.
    private static final int BATCHES_OF_STATEMENT = 128;
    // A piece of rows has a page at least, so it is larger than one of groups.
    private static final int PIECES_OF_GROUPS = 16;

    private final ScanContext context;
    private final ScanRequest request;
    private final IndexKey key;
    private final TupleDomain<ColumnHandle> filter;
    private final List<NativeColumn> columns;
    private final LeftRows left;

    private NativeScan(ScanContext context, ScanRequest request, IndexKey key, TupleDomain<ColumnHandle> filter, List<NativeColumn> columns, LeftRows left)
    {
        this.context = requireNonNull(context, "context is null");
        this.request = requireNonNull(request, "request is null");
        this.key = requireNonNull(key, "key is null");
        this.filter = requireNonNull(filter, "filter is null");
        this.columns = ImmutableList.copyOf(columns);
        this.left = requireNonNull(left, "left is null");
    }

    /** Makes the scan. Empty if the extension does not read the types, filters, keys or relations, so that rows come by SQL. */
    static Optional<NativeScan> of(ScanContext context, MysqlPqSplit split, JdbcTableHandle table, List<JdbcColumnHandle> columns, LeftRows left)
    {
        return request(context, split, table, columns)
                .map(request -> filtered(request, split.expressions().where(), split.range().orElseThrow().key().isOfRowIds()))
                .map(request -> new NativeScan(context, request, split.range().orElseThrow().key(), table.getConstraint(), natives(columns), left));
    }

    // The reader applies all filters again. It alone applies those that can fail: where one fails, the extension would leave the row and all behind
    // it to SQL, which knows no row ids. The extension may look for the first rows only if it applies all filters.
    private static ScanRequest filtered(ScanRequest request, List<Expression> where, boolean ofRowIds)
    {
        List<Expression> safe = where.stream().filter(expression -> !ofRowIds && !expression.canFail()).collect(toImmutableList());
        ScannedRows rows = request.rows().where(safe.stream().map(ExtensionForm::write).collect(toImmutableList()));
        if (!rows.isWithinLimits()) {
            return request.of(request.rows().all());
        }
        return request.of(safe.size() == where.size() ? rows : rows.all());
    }

    /** Asks for the rows of a range. Empty if the extension does not read them, as far as types tell. */
    static Optional<ScanRequest> request(ScanContext context, MysqlPqSplit split, JdbcTableHandle table, List<JdbcColumnHandle> columns)
    {
        Optional<ScannedRows> rows = split.nativeFilter().flatMap(expressions -> NativeTable.rows(table, expressions, columns));
        if (!context.nativeScans() || split.snapshot().isEmpty() || split.range().filter(NativeScan::isSupported).isEmpty() || rows.isEmpty()) {
            return Optional.empty();
        }
        SplitRange read = split.range().get();
        RemoteTableName name = getOnlyElement(split.tables()).name();
        return Optional.of(new ScanRequest(
                name.getCatalogName().orElseThrow(),
                name.getTableName(),
                read.key().index(),
                split.snapshot().get().value(),
                read.partitions().stream().findFirst(),
                rows.get(),
                read.range(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                BatchForm.WIDE));
    }

    /** How columns that the extension reads become blocks. */
    static List<NativeColumn> natives(List<JdbcColumnHandle> columns)
    {
        return columns.stream()
                .map(column -> NativeColumn.of(column.getJdbcTypeHandle(), column.getColumnType()).orElseThrow())
                .collect(toImmutableList());
    }

    // SQL must be able to find a row again by its key, in case it has to go on there.
    private static boolean isSupported(SplitRange read)
    {
        return read.partitions().size() <= 1 && NativeTable.isReadBy(read.key());
    }

    /**
     * Opens the scan. Empty if the extension refuses it, or its batches cannot be read past the driver.
     *
     * @param known what an earlier query read of the same, or nothing; empty if the read is not to be kept
     * @param inPieces whether what is kept may be pieces of the range
     * @param refusals told why the extension refuses
     */
    Optional<RowPages> open(Connection connection, TupleDomain<ColumnHandle> dynamicFilter, Optional<KeptRead> known, boolean inPieces, Consumer<String> refusals)
            throws SQLException
    {
        // A scan that fails after the first batch has cost MySQL all of them.
        if (!DriverPackets.areReadable(connection)) {
            return Optional.empty();
        }
        TupleDomain<ColumnHandle> pushedDown = dynamicFilter.transformDomains((column, domain) -> pushedDown(connection, (JdbcColumnHandle) column, domain));
        List<ScanCondition> dynamic = NativeFilters.some(pushedDown);
        ScanRequest sent = compressed(connection);
        Optional<ScanValidation> validation = known.map(kept -> inPieces && isCheapInPieces(kept) ? ScanValidation.ofPieces(PIECES_OF_GROUPS * getReadReusePieceRows(context.session()), kept.pieces()) : ScanValidation.ofRange(kept.pieces()));
        ScanRequest narrowed = sent.with(dynamic).within(range(filter.intersect(pushedDown))).validated(validation);
        if (!dynamic.isEmpty() && narrowed.isWithinLimits()) {
            Opened scan = new Opened(connection, narrowed, dynamicFilter, refusals);
            // Any other refusal may be due to the filter.
            Optional<NativeBatches> batches = scan.batches(narrowed, MEMORY_LIMIT::equals);
            if (batches.isPresent()) {
                return Optional.of(pages(scan, batches.get(), validation, known, Optional.empty()));
            }
        }
        // Trino filters too.
        Opened scan = new Opened(connection, sent.within(range(filter)).validated(validation), dynamicFilter, refusals);
        Optional<NativeBatches> batches = scan.batches(scan.asked, _ -> true);
        return batches.isPresent() ? Optional.of(pages(scan, batches.get(), validation, known, Optional.empty())) : Optional.empty();
    }

    // Each piece has first rows of its own, so that a range gives more of them.
    private boolean isCheapInPieces(KeptRead kept)
    {
        return request.rows().first().isEmpty() || !kept.pieces().isEmpty();
    }

    /** Makes pages of batches, or says that there are no others than those that are known. */
    static RowPages pages(ScanContinuation scan, NativeBatches batches, Optional<ScanValidation> validation, Optional<KeptRead> known, Optional<String> cursor)
            throws SQLException
    {
        KeptRead kept = known.orElse(KeptRead.NOTHING);
        return !kept.pieces().isEmpty() && batches.isUnchanged()
                ? new UnchangedPages(batches)
                : new NativePages(scan, batches, validation.filter(ScanValidation::isOfPieces).isPresent(), kept, cursor);
    }

    /**
     * Reads the rows after a key, which an earlier scan of the range gave.
     *
     * @param refusals told why the extension refuses
     */
    RowPages after(Connection connection, String cursor, Consumer<String> refusals)
            throws SQLException
    {
        Opened scan = new Opened(connection, compressed(connection).within(range(filter)), TupleDomain.all(), refusals);
        Optional<NativeBatches> batches = scan.batchesAfter(cursor, ImmutableList.of(), 0);
        return batches.isPresent() ? pages(scan, batches.get(), Optional.empty(), Optional.empty(), Optional.of(cursor)) : scan.rowsAfter(Optional.of(cursor), OptionalInt.empty());
    }

    private ScanRequest compressed(Connection connection)
            throws SQLException
    {
        return request.in(context.compression().form(connection, context::withComment));
    }

    // The extension looks at each row of its range. MySQL finds by itself where a filter on the key begins and ends.
    private KeyRange range(TupleDomain<ColumnHandle> filter)
    {
        return range(request, key, filter);
    }

    /** Narrows the range of a request to what a filter on the key leaves of it. */
    static KeyRange range(ScanRequest request, IndexKey key, TupleDomain<ColumnHandle> filter)
    {
        List<KeyFilter.Column> index = key.columns().stream().map(column -> new KeyFilter.Column(column.name(), column.descending())).collect(toImmutableList());
        return RangeIntersection.narrow(key.columns(), request.range(), new KeyFilter(index, filter).range());
    }

    // Filters as SQL would. It does not where Trino sees other values than MySQL, such as NULL for an invalid date.
    private Domain pushedDown(Connection connection, JdbcColumnHandle column, Domain domain)
    {
        return context.client().toColumnMapping(context.session(), connection, column.getJdbcTypeHandle())
                .map(mapping -> mapping.getPredicatePushdownController().apply(context.session(), domain).getPushedDown())
                .orElseGet(() -> Domain.all(domain.getType()));
    }

    private KeyBound keyForSql(String cursor)
            throws SQLException
    {
        KeyBound last = keyOf(cursor);
        if (!last.values().stream().allMatch(KeyValue::hasLiteral)) {
            throw new TrinoException(
                    MYSQL_PQ_NATIVE_SCAN_FAILED,
                    "The extension cannot read all rows of table %s.%s, and SQL cannot continue after the key %s, because it holds an invalid date. Set native_scan_enabled to false".formatted(request.schema(), request.table(), cursor));
        }
        return last;
    }

    KeyBound keyOf(String cursor)
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
        return prepare(context, connection, asked, BATCHES_OF_STATEMENT);
    }

    /** Prepares a statement that gives so many batches. */
    static PreparedStatement prepare(ScanContext context, Connection connection, ScanRequest asked, int batches)
            throws SQLException
    {
        boolean validated = asked.validation().isPresent();
        PreparedStatement statement = context.client().getPreparedStatement(connection, context.withComment(validated ? VALIDATED_SCAN_SQL : SCAN_SQL), Optional.of(1));
        statement.setString(1, asked.schema());
        statement.setString(2, asked.table());
        statement.setString(3, asked.index());
        statement.setString(4, asked.token());
        statement.setString(5, asked.options());
        if (validated) {
            statement.setString(6, asked.validation().get().argument());
        }
        statement.setString(validated ? 7 : 6, ScanRequest.batches(batches));
        return statement;
    }

    /** A scan in a session, which goes on by further statements. */
    final class Opened
            implements ScanContinuation
    {
        private final Connection connection;
        private final ScanRequest asked;
        private final TupleDomain<ColumnHandle> dynamicFilter;
        private final Consumer<String> refusals;

        private Opened(Connection connection, ScanRequest asked, TupleDomain<ColumnHandle> dynamicFilter, Consumer<String> refusals)
        {
            this.connection = connection;
            this.asked = asked;
            this.dynamicFilter = dynamicFilter;
            this.refusals = refusals;
        }

        @Override
        public Optional<NativeBatches> batchesAfter(String cursor, List<ScannedPiece> known, int pieces)
                throws SQLException
        {
            return batches(asked.after(keyOf(cursor), cursor, known, pieces), _ -> true);
        }

        @Override
        public RowPages rowsAfter(Optional<String> cursor, OptionalInt unusual)
                throws SQLException
        {
            return left.after(connection, dynamicFilter, cursor.isEmpty() ? Optional.empty() : Optional.of(keyForSql(cursor.get())), unusual);
        }

        /** @param reported whether the range is refused with this code whatever else the request says */
        private Optional<NativeBatches> batches(ScanRequest first, Predicate<String> reported)
                throws SQLException
        {
            Backoff backoff = new Backoff(context.waitTimeout());
            ScanRequest request = first;
            while (true) {
                try {
                    return NativeBatches.of(prepare(connection, request), columns);
                }
                catch (SQLException e) {
                    String code = ExtensionError.scanRefusal(e).orElseThrow(() -> e);
                    if (code.equals(BAD_ARGUMENT) && request.isTyped()) {
                        // An earlier extension does not know the option.
                        request = request.untyped();
                    }
                    else if (!reported.test(code)) {
                        return Optional.empty();
                    }
                    else if (!left.isAskedAgain(code, backoff)) {
                        refusals.accept(code);
                        left.refused(code, e);
                        return Optional.empty();
                    }
                }
            }
        }
    }
}
